"""Figures of the evaluation that are chosen by their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.engine.evaluation import Sections
from app.engine.leaves import leaves, plain_values
from app.engine.quantities import quantity_at
from app.likeness import nearest_names
from app.scenarios.errors import refuse


def chosen_figures(
    stated: Sequence[str], sections: Sections, *, default: Sequence[str], field: str
) -> tuple[str, ...]:
    """The figures stated in a field, each of one value a design and named once; where none are, those of the default.

    Raises
    ------
    ScenarioError : the evaluation has no such figure, or one of many values
    """
    known = {path: np.size(figure) for path, figure in leaves(sections)}
    if not stated:
        return tuple(path for path in default if path in known)
    for place, path in enumerate(stated):
        if path not in known:
            raise refuse(
                f"{path!r} is not a figure of the evaluation.",
                rule="unknown_quantity",
                path=f"{field}[{place}]",
                value=path,
                hint=f"Nearest: {nearest_names(path, known)}.",
            )
        if known[path] != 1:
            raise refuse(
                f"{path!r} has {known[path]:,} values for one design.",
                rule="one_value",
                path=f"{field}[{place}]",
                value=path,
                hint="Choose a figure of one value.",
            )
    return tuple(dict.fromkeys(stated))


def figure_values(stated: Sequence[str], sections: Sections, *, field: str) -> dict[str, Any]:
    """The values of the figures stated in a field, as an evaluation shows them; None where this design has none.

    Raises
    ------
    ScenarioError : no evaluation has such a figure
    """
    known = dict(leaves(sections))
    for place, path in enumerate(stated):
        if path not in known and quantity_at(path) is None:
            raise refuse(
                f"{path!r} is not a figure of the evaluation.",
                rule="unknown_quantity",
                path=f"{field}[{place}]",
                value=path,
                hint=f"Nearest: {nearest_names(path, known)}.",
            )
    return {path: plain_values(known[path], path) if path in known else None for path in stated}
