"""A chart as vector graphics, drawn by the server: the same Plotly document that pages draw, without
scripts."""

from __future__ import annotations

from app.charts.vector.picture import plot_svg

__all__ = ["plot_svg"]
