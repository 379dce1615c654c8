"""Measured training runs: rows become scenarios, scenarios predictions."""
