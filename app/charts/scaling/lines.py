"""Curves of laws: solid where the law was fitted, dashed beyond, each with a colour and a marker of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.charts import forms
from app.charts.figure import Mark
from app.charts.scaling.words import power_text

APART = 10  # steps between the markers of a curve
DASH = "6px,4px"
BEYOND = "Solid where a law was fitted, dashed beyond: there it is an extrapolation."


def slots(keys: Sequence[str], chosen: str) -> dict[str, str]:
    """The colour of each law: the chosen one has the first, and those after the seventh share the last."""
    others = [key for key in keys if key != chosen]
    colours = [*list(forms.SYMBOLS)[1:], *["c7"] * len(others)]
    return {chosen: "c1", **dict(zip(others, colours, strict=False))}


def law_lines(
    name: str,
    slot: str,
    x: Sequence[float],
    y: Sequence[float | None],
    inside: Sequence[bool],
    said: Sequence[str],
    *,
    place: int = 0,
) -> list[dict[str, Any]]:
    """The traces of a law: where it was fitted, beyond, and its markers.

    Parameters
    ----------
    said : what is shown of each point, in words
    place : of the law among those that are drawn: its markers stand beside those of the others
    """
    width, size = (2.5, 8) if slot == "c1" else (1.8, 7)
    found = []
    for meta, dash in (("inside", "solid"), ("beyond", DASH)):
        shown = _joined(y, [one is (meta == "inside") for one in inside], joins=meta == "beyond")
        if any(value is not None for value in shown):
            words = forms.look(said=said, hover="%{customdata}", meta=meta)
            found.append(forms.line(x, shown, slot, width, dash, name=name, connectgaps=False, **words))
    marked = slice(2 * (place % (APART // 2)), None, APART)
    return [*found, forms.dots(x[marked], y[marked], slot, size, symbol=forms.SYMBOLS[slot])]


def ring(x: float, y: float, slot: str = "accent", symbol: str = "circle-open") -> dict[str, Any]:
    """The mark of one model."""
    return forms.dots([x], [y], slot, 15, symbol=symbol, edge_width=2.5)


def legend(laws: Sequence[dict[str, Any]], colours: dict[str, str]) -> tuple[Mark, ...]:
    """One mark a law, the chosen first."""
    order = sorted(laws, key=lambda law: colours[law["key"]] != "c1")
    return tuple(Mark(colours[law["key"]], law["name"]) for law in order)


def fitted_text(law: dict[str, Any], flops: Sequence[float]) -> str:
    """Over which of the compute that is drawn the best models of a law lie where it was fitted."""
    inside = [value for value, within in zip(flops, law["inside"], strict=True) if within]
    if not inside:
        return "nowhere here"
    return f"{power_text(inside[0])} to {power_text(inside[-1])}"


def _joined(y: Sequence[float | None], shown: Sequence[bool], *, joins: bool) -> list[float | None]:
    """The values that are shown; with `joins` one more at each end, so that two lines meet."""
    last = len(y) - 1
    return [
        value
        if shown[place] or (joins and (shown[max(place - 1, 0)] or shown[min(place + 1, last)]))
        else None
        for place, value in enumerate(y)
    ]
