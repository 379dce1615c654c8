"""A figure by category: the categories of its breakdown, brought to the figure's own measure."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.engine.trace import Array


def of_the_figure(breakdown: Mapping[str, Array], figure: Array) -> dict[str, Array]:
    """The parts of a figure that goes by the same shares as a breakdown.

    The cost of an hour or of a run is the total cost over the hours, so each category has the same share of it.
    """
    total = np.sum([np.ravel(part) for part in breakdown.values()], axis=0)
    return {name: np.ravel(part) / total * np.ravel(figure) for name, part in breakdown.items()}


def brought_by_category(first: Mapping[str, Array], second: Mapping[str, Array]) -> dict[str, Array]:
    """Contribution of each category from one figure to another; one that a side lacks is nothing there."""
    names = dict.fromkeys((*first, *second))
    nothing = np.zeros(1)
    return {name: second.get(name, nothing) - first.get(name, nothing) for name in names}
