"""Evaluations in the forms people take away."""
