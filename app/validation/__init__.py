"""Published measurements against the engine: one command a kind, `podwright validate KIND FILE.csv`."""
