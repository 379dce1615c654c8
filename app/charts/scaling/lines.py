"""Curves of laws: solid where a law was fitted, dashed beyond, each with a colour and a marker of its own, and their axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.charts import forms
from app.charts.figure import Mark
from app.charts.scaling.words import parameters_text, power_text

APART = 10  # steps between the markers of a curve
DASH = "6px,4px"
BEYOND = "Solid where a law was fitted, dashed beyond: there it is an extrapolation."
ROOM = 0.05  # of the scale, beyond the outermost values


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


def compute_axis(flops: Sequence[float]) -> dict[str, Any]:
    return _log_axis(flops, "Compute of the training run, FLOP", power_text)


def parameters_axis(parameters: Sequence[float]) -> dict[str, Any]:
    return _log_axis(parameters, "Parameters", parameters_text)


def ratio_axis(ratios: Sequence[float]) -> dict[str, Any]:
    return _log_axis(ratios, "Tokens a parameter", forms.plain, grid=True, base=False)


def loss_axis(losses: Sequence[float]) -> dict[str, Any]:
    """Linear, from just below the least: the irreducible loss is no origin, and nought is far away."""
    low, high = min(losses), max(losses)
    room = max(0.05 * (high - low), 0.01)
    extent = [low - room, high + room]
    return forms.values(
        forms.even_ticks(low - room, high + room),
        lambda tick: f"{tick:.3g}",
        extent,
        title="Loss, nats a token",
    )


def _log_axis(values: Sequence[float], title: str, words: forms.Labels, **changes: Any) -> dict[str, Any]:
    return forms.log(values, "1", title, labels=words, room=ROOM, **{"grid": False, "base": True, **changes})
