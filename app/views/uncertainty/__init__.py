"""Uncertainty of a scenario."""
