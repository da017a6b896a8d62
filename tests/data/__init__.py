"""What users pass: containers, dtypes, labels, names of columns, and what is refused."""
