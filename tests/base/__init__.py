"""What every room needs: progress, warnings, results, tables."""
