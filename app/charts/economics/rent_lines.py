"""What owning, renting and both have cost after each month."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from app.charts import forms
from app.charts.economics.rent_parts import Drawn, line, names_at_ends
from app.charts.figure import Column, Figure, Row, unknown_figure
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
        columns=(Column.words("After"), *(Column(drawn.title, scale.unit) for drawn in known)),
        rows=tuple(
            Row((f"{month} months", *(scale.words(drawn.values[month] or 0.0) for drawn in known)))
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
    paid = [[scale.text(value or 0.0) for value in drawn.values] for drawn in known]
    data = [
        line(
            drawn,
            months,
            [f"{so_far} after {month} months" for month, so_far in enumerate(words)],
            scale.divisor,
        )
        for drawn, words in zip(known, paid, strict=True)
    ]
    ends = [(drawn.title, (drawn.values[-1] or 0.0) / scale.divisor, drawn.key == "own") for drawn in known]
    notes, shapes = names_at_ends(ends, last, top), []
    by_key = {drawn.key: drawn for drawn in known}
    if against in by_key and meets <= last:
        height = (by_key[against].values[int(meets)] or 0.0) / scale.divisor
        data.append(forms.ring(meets, height, hover=f"Rent has paid for the pod<br>after {meets:.0f} months"))
        shapes.append(forms.segment(meets, 0, meets, height, dash="dot"))
        words = f"<b>{meets:.0f}{WIDE_SPACE}mo</b>"
        notes.append(forms.note(meets, 0, words, "text", anchor="right bottom", shift=(-4, 2)))
    step = YEAR * max(1, -(-last // (6 * YEAR)))
    across = range(0, last + 1, step) if last >= YEAR else [0, last]
    return forms.plot(
        data,
        HEIGHT,
        x=forms.along(across, number, [0, last], title="Months"),
        y=forms.from_zero(top, scale.unit, wanted=4),
        shapes=shapes,
        notes=notes,
        right=132,
    )
