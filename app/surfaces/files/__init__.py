"""Evaluations as files."""
