"""Pictures: what they show, as numbers."""
