"""Scaling laws: the best model that a SuperPOD can train, and the SuperPOD that a model needs."""
