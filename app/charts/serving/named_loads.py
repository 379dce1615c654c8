"""Loads that have a name, as upright lines across a plot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms

STEP = 0.075
"""Of the height, between the labels of two lines, so that close ones do not cover each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLoad:
    """`slot` is the token of its colour."""

    label: str
    at: float
    slot: str
    dash: str = "dot"


def upright_lines(
    loads: Sequence[NamedLoad], extent: Sequence[float], *, log: bool, top: float = 1.0
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The limits of a plot.

    `extent` is the range of the axis, in exponents where it is logarithmic; the first label stands at `top`, as a
    share of the height, the others below it.
    """
    found = []
    for place, load in enumerate(loads):
        beyond = (math.log10(load.at) if log else load.at) > (extent[0] + extent[1]) / 2
        side, shift = ("right top", (-4, 0)) if beyond else ("left top", (4, 0))
        where = forms.look(x=load.at, log=log, at=top - STEP * place, anchor=side, shift=shift)
        found.append(forms.limit(load.label, slot=load.slot, dash=load.dash, **where))
    return found
