"""Lattices as pictures."""

from app.figures.lattice.figure import lattice_figure

__all__ = ["lattice_figure"]
