"""What owning, renting and both have cost after each month."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from app.charts.economics.rent_parts import Drawn, axis_title, end_labels, line, marked
from app.charts.figure import (
    Column,
    Figure,
    Row,
    layout,
    round_ticks,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import WIDE_SPACE, number
from app.charts.tco import Scale, money_scale

NAME = "rent_lines"
EYEBROW = "Paid so far, own against rent"
HEIGHT = 360
CAPTION = (
    "In today's money, from what is paid at once. Nothing is credited here: at the end of the months owned equipment "
    "can be sold, which the totals count. Level payments are the same capital spread over its lives."
)
YEAR = 12


def rent_lines_figure(lines: Sequence[Drawn], *, path: str, against: str, meets: float) -> Figure:
    """`lines` begin at month 0. `meets` is the month from which rent on `against` is dearer; infinite: never."""
    known = [drawn for drawn in lines if None not in drawn.values]
    if not known or known[0].key != "own":
        return unknown_figure(NAME, EYEBROW, CAPTION, "What owning costs is unknown.")
    if len(known) < 3:
        return unknown_figure(NAME, EYEBROW, CAPTION, "What renting costs is unknown.")
    months = list(range(len(known[0].values)))
    top = max(value or 0.0 for drawn in known for value in drawn.values)
    scale = money_scale(top)
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(known, path, against, meets, months[-1], scale),
        caption=CAPTION,
        height=HEIGHT,
        columns=(
            Column(name="After", numeric=False),
            *(Column(name=drawn.title, unit=scale.unit) for drawn in known),
        ),
        rows=tuple(
            Row(cells=(f"{month} months", *(scale.words(drawn.values[month] or 0.0) for drawn in known)))
            for month in sorted({*range(0, len(months), YEAR), months[-1]})
        ),
        plot=_plot(known, months, top, scale, against, meets),
        narrow={"margin.r": 128, "xaxis.nticks": 4},
    )


def _takeaway(known: list[Drawn], path: str, against: str, meets: float, last: int, scale: Scale) -> str:
    ends = {drawn.key: drawn.values[-1] or 0.0 for drawn in known}
    titles = {drawn.key: drawn.title for drawn in known}
    if against not in ends or math.isnan(meets):
        return f"Owning has cost {scale.words(ends['own'])} {scale.unit} after {last} months."
    rent = titles[against][0].lower() + titles[against][1:]
    if meets <= last:
        return f"Rent {rent} has paid for the pod after {meets:.0f} months {path}."
    if math.isinf(meets):
        return f"Rent {rent} never pays for the pod {path}."
    return f"Rent {rent} pays for the pod after {meets:.0f} months {path}, later than is drawn here."


def _plot(
    known: list[Drawn], months: list[int], highest: float, scale: Scale, against: str, meets: float
) -> dict[str, Any]:
    last, top = months[-1], 1.06 * highest / scale.divisor
    data = [
        line(
            drawn,
            months,
            [
                f"{scale.words(value or 0.0)}{WIDE_SPACE}{scale.unit} after {month} months"
                for month, value in zip(months, drawn.values, strict=True)
            ],
            scale.divisor,
        )
        for drawn in known
    ]
    names = [
        (
            f"<b>{drawn.title}</b>" if drawn.key == "own" else drawn.title,
            (drawn.values[-1] or 0.0) / scale.divisor,
            "c1" if drawn.key == "own" else "text-2",
        )
        for drawn in known
    ]
    annotations, shapes = end_labels(names, last, top), []
    by_key = {drawn.key: drawn for drawn in known}
    if against in by_key and meets <= last:
        height = (by_key[against].values[int(meets)] or 0.0) / scale.divisor
        data.append(marked(meets, height, f"Rent has paid for the pod<br>after {meets:.0f} months"))
        shapes.append(
            {"type": "line", "x0": meets, "x1": meets, "y0": 0, "y1": height,
             "line": {"color": token("axis"), "width": 1, "dash": "dot"}}
        )  # fmt: skip
        annotations.append(
            {"x": meets, "y": 0, "xanchor": "right", "yanchor": "bottom", "xshift": -4, "yshift": 2,
             "showarrow": False, "text": f"<b>{meets:.0f}{WIDE_SPACE}mo</b>",
             "font": {"size": 12, "color": token("text")}}
        )  # fmt: skip
    ticks = round_ticks(top, wanted=4)
    labels = [number(tick) for tick in ticks]
    labels[-1] += f"{WIDE_SPACE}{scale.unit}"
    step = YEAR * max(1, -(-last // (6 * YEAR)))
    across = [float(month) for month in range(0, last + 1, step)] if last >= YEAR else [0.0, float(last)]
    return {
        "data": data,
        "layout": layout(
            HEIGHT,
            margin={"l": 8, "r": 132, "t": 8, "b": 8},
            xaxis=value_axis(
                across,
                [number(month) for month in across],
                [0, last],
                showgrid=False,
                showline=True,
                linecolor=token("axis"),
                title=axis_title("Months"),
            ),
            yaxis=value_axis(ticks, labels, [0, top]),
            shapes=shapes,
            annotations=annotations,
        ),
    }
