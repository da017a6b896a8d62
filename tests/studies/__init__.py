"""The studies in benches/: their designs, aims and pages."""
