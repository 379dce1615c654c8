"""Figures of the fabric pages."""
