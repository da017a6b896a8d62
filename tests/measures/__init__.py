"""The measures themselves: against the papers, the oracle, and other packages."""
