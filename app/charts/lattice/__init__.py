"""Lattices as pictures."""

from app.charts.lattice.figure import lattice_figure

__all__ = ["lattice_figure"]
