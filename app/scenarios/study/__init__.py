"""Studies: requirements, candidates and the space that is searched."""
