"""Bradley's protocol over folds."""
