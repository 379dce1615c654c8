"""Published scaling-law figures against the laws of the engine."""
