"""Failures, spares and checkpoints of a design in detail."""
