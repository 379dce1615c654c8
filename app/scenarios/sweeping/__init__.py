"""Sweeps: one scenario with some of its fields taken through many values."""
