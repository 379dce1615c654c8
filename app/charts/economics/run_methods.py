"""One run by every method, as bars on a logarithmic axis: methods differ by factors, not by shares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import rounded, show

NAME = "run_methods"
EYEBROW = "The run by every method, USD"
ROW_HEIGHT = 34
CAPTION = (
    "A logarithmic axis: from one line to the next is ten times as much. The price of the cluster is what must be found "
    "before the run, not what the run costs."
)
UNKNOWN = "The cost of the run is unknown by every method: set a rent or the price of the SuperNode."
KINDS = {"rented": ("Rented", "c2"), "owned": ("Owned", "c1"), "bought": ("Bought whole", "c5")}


class MethodBar(NamedTuple):
    """A method with what the run, or its cluster, costs by it; `with_research` where it is another figure."""

    title: str
    kind: str  # of KINDS
    usd: float
    with_research_usd: float | None


def run_methods_figure(bars: Sequence[MethodBar], research_multiplier: float) -> Figure:
    """Bars of the known methods from the top; a mark beyond the bar is the project with its research."""
    known = [bar for bar in bars if bar.usd > 0 and math.isfinite(bar.usd)]
    if not known:
        return unknown_figure(NAME, EYEBROW, CAPTION, UNKNOWN)
    height = 56 + ROW_HEIGHT * len(known)
    researched = research_multiplier > 1
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(known),
        caption=f"{CAPTION} The diamond is the project with its research." if researched else CAPTION,
        columns=(
            Column.words("Method"),
            Column.words("Kind"),
            Column("Cost"),
            *([Column("With research")] if researched else []),
        ),
        rows=tuple(_row(bar, researched) for bar in bars),
        legend=tuple(
            Mark(slot, label)
            for kind, (label, slot) in KINDS.items()
            if any(bar.kind == kind for bar in known)
        ),
        plot=_plot(known, height, researched),
        narrow=_narrow(known, researched),
    )


def _takeaway(known: Sequence[MethodBar]) -> str:
    paid = [bar for bar in known if bar.kind != "bought"]
    if len(paid) < 2:
        return f"{known[0].title}: {_text(known[0].usd)}."
    most, least = max(paid, key=lambda bar: bar.usd), min(paid, key=lambda bar: bar.usd)
    times = most.usd / least.usd
    return f"{most.title} is {times:.1f} times {least.title[:1].lower()}{least.title[1:]}."


def _row(bar: MethodBar, researched: bool) -> Row:
    label, slot = KINDS[bar.kind]
    known = math.isfinite(bar.usd)
    project = "" if bar.with_research_usd is None else _text(bar.with_research_usd)
    cells = (bar.title, label, _text(bar.usd), *([project] if researched else []))
    return Row(cells, slot=slot if known else "", total=bar.kind == "bought")


def _text(usd: float) -> str:
    return "unknown" if math.isnan(usd) else show(rounded(usd), "USD").text


def _plot(known: Sequence[MethodBar], height: int, researched: bool) -> dict[str, Any]:
    names = [bar.title for bar in known]
    extent = _extent(known, researched, 0.28)
    ticks = [10.0**power for power in range(math.ceil(extent[0]), math.ceil(extent[1]))]
    data = [
        forms.bars(
            names, [bar.usd for bar in known], [KINDS[bar.kind][1] for bar in known], width=0.55,
            said=[[_text(bar.usd), KINDS[bar.kind][0]] for bar in known], hover="%{y}<br>%{customdata[0]}, %{customdata[1]}",
        )
    ]  # fmt: skip
    projects = [
        (bar.with_research_usd, bar.title)
        for bar in known
        if researched and bar.with_research_usd is not None
    ]
    if projects:
        data.append(
            forms.dots(
                [usd for usd, _ in projects], [title for _, title in projects], "text-2", 9, symbol="diamond-open", edge_width=1.5,
                said=[[_text(usd)] for usd, _ in projects], hover="%{y}, with research<br>%{customdata[0]}",
            )
        )  # fmt: skip
    return forms.plot(
        data,
        height,
        x=forms.values(ticks[:: max(1, math.ceil(len(ticks) / 6))], _text, extent, type="log", tickangle=0),
        y=forms.names(names, tickvals=names, ticktext=names),
        notes=[
            forms.note(
                math.log10(_end(bar, researched)), bar.title, _label(bar, researched), "text", anchor="left",
                shift=(8, 0),
            )
            for bar in known
        ],
        top=4,
        right=16,
    )  # fmt: skip


def _extent(known: Sequence[MethodBar], researched: bool, room: float) -> list[float]:
    """Powers of ten that the axis spans, with a share of them as room for figures beside the bars."""
    largest = math.log10(max(_end(bar, researched) for bar in known))
    low = math.floor(math.log10(min(bar.usd for bar in known)) - 0.3)
    return [low, largest + room * (largest - low)]


def _end(bar: MethodBar, researched: bool) -> float:
    """Where the last mark of a method stands."""
    return max(bar.usd, (bar.with_research_usd or 0.0) if researched else 0.0)


def _narrow(known: Sequence[MethodBar], researched: bool) -> dict[str, Any]:
    """Names in two lines, and more room for what is shown next to the bars."""
    return {
        "xaxis.range": _extent(known, researched, 1.4 if researched else 0.7),
        "xaxis.tickvals": [],
        "yaxis.ticktext": [_in_two_lines(bar.title) for bar in known],
    }


def _in_two_lines(title: str) -> str:
    """A name broken at the blank nearest to its middle.

    >>> _in_two_lines("Rented by commitment")
    'Rented by<br>commitment'
    """
    blanks = [place for place, letter in enumerate(title) if letter == " "]
    if not blanks:
        return title
    middle = min(blanks, key=lambda place: abs(place - len(title) / 2))
    return f"{title[:middle]}<br>{title[middle + 1 :]}"


def _label(bar: MethodBar, researched: bool) -> str:
    if researched and bar.with_research_usd is not None:
        return f"{_text(bar.usd)}; {_text(bar.with_research_usd)}"
    return _text(bar.usd)
