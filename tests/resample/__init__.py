"""The weights that the core draws, and the replicates it makes of them."""
