"""A report as one HTML file that opens from disk, works without script, and can be verified."""
