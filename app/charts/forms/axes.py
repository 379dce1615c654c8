"""The theme that all charts share, and their axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from app.charts.format import Shown, number, show

FONT = "Inter, system-ui, sans-serif"
LEAST_TICKS = 3
DURATIONS_S = (1, 3, 10, 30, 60, 180, 600, 1800, 3600, 10800, 36000,
               *(86400.0 * days for days in (1, 3, 10, 30, 100, 300, 1000, 3000, 10000)))  # fmt: skip
"""Round in seconds, minutes, hours and days."""
LONG_S = 120
LOG_ROOM = 0.04  # of the scale, beyond the outermost values

Chart = dict[str, Any]
"""A Plotly document, or a part of one."""
Labels = Sequence[str] | Callable[[float], str]


def look(**parts: Any) -> Chart:
    """Common properties of several parts of a chart."""
    return parts


def token(name: str) -> str:
    """A colour of the theme, filled in where the figure is drawn."""
    return f"var(--{name})"


def font(slot: str, size: int = 12) -> Chart:
    """Text in a colour of the theme."""
    return {"size": size, "color": token(slot)}


def plot(
    data: Sequence[Chart],
    height: int,
    *,
    x: Chart | None = None,
    y: Chart | None = None,
    shapes: Sequence[Chart] | None = None,
    notes: Sequence[Chart] | None = None,
    limits: Sequence[tuple[Chart, Chart]] | None = None,
    top: int = 8,
    right: int = 8,
    bottom: int = 8,
    left: int = 8,
    **layout: Any,
) -> Chart:
    """A chart of its traces: no frame, no title, no legend, nothing that moves. Margins are in pixels."""
    hover = {"bgcolor": token("bg-raised"), "bordercolor": token("line-strong"), "align": "left",
             "font": {"family": FONT, **font("text")}}  # fmt: skip
    if limits is not None:
        shapes = [*(shapes or ()), *(line for line, _ in limits)]
        notes = [*(notes or ()), *(name for _, name in limits)]
    parts = {"xaxis": x, "yaxis": y, "shapes": shapes, "annotations": notes}
    return {
        "data": list(data),
        "layout": {
            "height": height,
            "autosize": True,
            "font": {"family": FONT, **font("text-2")},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "margin": {"l": left, "r": right, "t": top, "b": bottom},
            "showlegend": False,
            "dragmode": False,
            "hovermode": "closest",
            "hoverlabel": hover,
            "uirevision": "constant",
            **{name: part for name, part in parts.items() if part is not None},
            **layout,
        },
    }


def values(
    ticks: Sequence[float],
    labels: Labels,
    extent: Sequence[float],
    *,
    unit: str = "",
    title: str = "",
    grid: bool = True,
    base: bool = False,
    **changes: Any,
) -> Chart:
    """An axis of values: a thin grid, four to six labels, the unit on the last.

    `base` draws the line on which the chart stands.
    """
    words = [labels(tick) for tick in ticks] if callable(labels) else list(labels)
    if unit and words:
        words[-1] = Shown(words[-1], unit).text
    return {
        "range": list(extent),
        "tickvals": list(ticks),
        "ticktext": words,
        "tickfont": font("text-3"),
        "gridcolor": token("grid"),
        "zeroline": False,
        "showline": base,
        "ticks": "",
        "fixedrange": True,
        "automargin": True,
        **({"linecolor": token("axis")} if base else {}),
        **({} if grid else {"showgrid": False}),
        **({"title": axis_title(title)} if title else {}),
        **changes,
    }


def along(ticks: Sequence[float], labels: Labels, extent: Sequence[float], **changes: Any) -> Chart:
    """An axis of values along the line on which the chart stands, without a grid."""
    return values(ticks, labels, extent, **{"grid": False, "base": True, **changes})


def from_zero(
    most: float, unit: str = "", *, wanted: int = 5, room: float = 1.0, words: Labels = number, **changes: Any
) -> Chart:
    """An axis from zero to the largest value, and `room` times as far."""
    return values(round_ticks(most, wanted), words, [0, most * room], unit=unit, **changes)


def plain(tick: float) -> str:
    """A tick without the noughts that say how well a value is known."""
    return f"{tick:g}"


def axis_title(words: str) -> Chart:
    """Title of an axis."""
    return {"text": words, "standoff": 8, "font": font("text-3")}


def names(categories: Sequence[str], *, title: str = "", **changes: Any) -> Chart:
    """An axis of names, read from the top, standing on the base line of the values."""
    return {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": list(categories),
        "autorange": "reversed",
        "tickfont": font("text-2"),
        "showgrid": False,
        "zeroline": False,
        "showline": True,
        "linecolor": token("axis"),
        "linewidth": 1,
        "ticks": "",
        "ticklabelstandoff": 6,
        "fixedrange": True,
        "automargin": True,
        **({"title": axis_title(title)} if title else {}),
        **changes,
    }


def rows(categories: Sequence[str]) -> Chart:
    """An axis of names at 0, 1, 2 and on from the top, for marks that are shown next to their row."""
    places = list(range(len(categories)))
    extent = [len(categories) - 0.5, -0.5]
    return names([], type="linear", autorange=False, range=extent, tickvals=places, ticktext=list(categories))


def cells(extent: Sequence[float], title: str = "", **changes: Any) -> Chart:
    """An axis of cells, racks or metres: labels without a grid or a base line."""
    return {
        **({"range": list(extent)} if extent else {}),
        "tickfont": font("text-3"),
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
        "fixedrange": True,
        "automargin": True,
        **({"title": axis_title(title)} if title else {}),
        **changes,
    }


def blank(extent: Sequence[float], **changes: Any) -> Chart:
    """An axis for drawings: no line, no labels."""
    return {"range": list(extent), "visible": False, "fixedrange": True, **changes}


def log(
    numbers: Sequence[float], unit: str, title: str, *, most: int = 5, labels: Labels | None = None,
    room: float = LOG_ROOM, least_room: float = 0.01, **changes: Any,
) -> Chart:  # fmt: skip
    """A logarithmic axis over some values, every label with its unit, since durations and sizes change theirs."""
    low, high = min(numbers), max(numbers)
    beyond = max(room * math.log10(high / low), least_room)
    return values(
        unit_ticks(low / 10**beyond, high * 10**beyond, unit, most),
        labels or (lambda tick: tick_text(tick, unit)),
        [math.log10(low) - beyond, math.log10(high) + beyond],
        **{"type": "log", "tickangle": 0, "title": title, **changes},
    )


def few_ticks(chart: Chart) -> Chart:
    """What small screens override: the first and the last label of the axis across."""
    axis = chart["layout"]["xaxis"]
    ends = (0, -1) if len(axis["tickvals"]) > 1 else (0,)
    return {f"xaxis.{part}": [axis[part][place] for place in ends] for part in ("tickvals", "ticktext")}


def round_ticks(largest: float, wanted: int = 5) -> list[float]:
    """About `wanted` round values from zero up to `largest`.

    >>> round_ticks(6.48)
    [0.0, 2.0, 4.0, 6.0]
    """
    if largest <= 0:
        return [0.0]
    power = 1.0
    while power * 10 <= largest / wanted:
        power *= 10
    while power > largest / wanted:
        power /= 10
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor * (wanted + 0.5) >= largest)
    count = int(largest / step * (1 + 1e-9))
    return [round(step * position, 12) for position in range(count + 1)]


def even_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round values between two others, however far they are from zero.

    >>> even_ticks(61, 78), even_ticks(0.5, 0.5)
    ([65.0, 70.0, 75.0], [0.5])
    """
    if not high > low:
        return [low]
    step = 10.0 ** math.floor(math.log10(high - low))
    wanted = [step * part for part in (0.1, 0.2, 0.5, 1, 2, 5)]
    step = next((one for one in wanted if (high - low) / one <= most), wanted[-1])
    count = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [round(step * place, 12) for place in count]


def powers(low: float, high: float, factors: Sequence[float] = (1,)) -> list[float]:
    """Powers of ten between two values, times each of the factors.

    >>> powers(3, 40), powers(3, 40, (1, 2, 5))
    ([10.0], [5.0, 10.0, 20.0])
    """
    span = range(math.floor(math.log10(low)), math.floor(math.log10(high)) + 1)
    ticks = [factor * 10.0**power for power in span for factor in factors]
    return [tick for tick in ticks if low <= tick <= high]


def log_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round values between two others: 1, 2, 5 of each power of ten, or linear steps where those are few.

    >>> log_ticks(3, 40), log_ticks(9.2, 10.4)
    ([3.0, 10.0, 30.0], [9.5, 10.0])
    """
    for factors in ((1,), (1, 3), (1, 2, 5)):
        ticks = powers(low, high, factors)
        if len(ticks) >= LEAST_TICKS:
            return ticks[:: -(-len(ticks) // most)]
    step = 10.0 ** math.floor(math.log10(high - low)) if high > low else high
    steps = next((step * part for part in (1, 0.5, 0.2, 0.1) if (high - low) / (step * part) >= 2), step)
    count = range(math.ceil(low / steps), math.floor(high / steps) + 1)
    ticks = [round(steps * position, 12) for position in count]
    return ticks[:: -(-len(ticks) // most)] or [high]


def unit_ticks(low: float, high: float, unit: str, most: int = 6) -> list[float]:
    """Ticks that are round as they are shown: durations are not decimal.

    >>> unit_ticks(5, 400, "s")
    [10, 30, 60, 180]
    """
    if unit == "s" and high >= LONG_S:
        ticks = [float(tick) if tick % 1 else tick for tick in DURATIONS_S if low <= tick <= high]
        if len(ticks) >= LEAST_TICKS:
            return ticks[:: -(-len(ticks) // most)]
    return log_ticks(low, high, most)


def tick_text(value: float, unit: str) -> str:
    """A round value without the noughts that say how well it is known.

    >>> tick_text(1800, "s").split(), tick_text(0.05, "USD").split(), tick_text(20, "s").split()
    (['30', 'min'], ['0.05', 'USD'], ['20', 's'])
    """
    shown = show(value, unit)
    short = shown.value.rstrip("0").rstrip(".") if "." in shown.value else shown.value
    return shown._replace(value=short).text
