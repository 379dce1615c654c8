"""Measured collectives on the validation pages."""
