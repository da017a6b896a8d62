"""The rows of the tables, a list each: work, sizes, rivals, targets. Nothing is computed here."""
