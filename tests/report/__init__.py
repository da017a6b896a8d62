"""One report of everything."""
