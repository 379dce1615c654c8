"""Fleets: what is computed of a document, and its answer."""
