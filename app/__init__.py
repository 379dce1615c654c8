"""Podwright: design AI SuperNodes and SuperPODs, every number explained down to its source."""

__version__ = "0.1.0"
