"""Figures of a design's power and cooling in detail."""
