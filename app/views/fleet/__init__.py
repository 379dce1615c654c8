"""Fleets: computation of a document, and its answer."""
