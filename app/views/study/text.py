"""The answer of a study as lines and as CSV, by the declared columns."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable

from app.charts.format import show
from app.views.study.columns import CHOICES, FIGURES
from app.views.study.report import StudyAnswer, StudyRow
from app.views.table import UNKNOWN, percent, table

SHOWN_ROWS = 20
SHOWN = ("time_s", "tco_usd", "capex_usd", "meter_power_w", "carbon_kg")
"""Figures of the table of text; files have all."""


def study_text(answer: StudyAnswer) -> str:
    """The verdict, a line a candidate, and what was looked at."""
    columns = [column for column in FIGURES if column.key in SHOWN]
    heads = [
        "Rank",
        "System",
        "SuperNodes",
        "Network",
        "Site",
        "Paid",
        *(column.title for column in columns),
    ]
    rows = [
        [
            str(row.rank or "-"),
            row.system_name,
            f"{row.supernodes:,}",
            row.network,
            row.site_name,
            row.terms.replace("_", " "),
            *(_shown(row, column.key, column.unit) for column in columns),
            percent(row.probability, 0),
            row.reason,
        ]
        for row in answer.rows[:SHOWN_ROWS]
    ]
    lines = [answer.name, answer.verdict, ""]
    if rows:
        lines += table([*heads, "Probability", "Missed"], rows, left=True)
    if len(answer.rows) > SHOWN_ROWS:
        lines.append(f"{len(answer.rows) - SHOWN_ROWS:,} more; --out writes all.")
    lines += ["", *searched_lines(answer), *(f"Refused: {words}" for words in answer.refusals)]
    return "\n".join([*lines, *answer.notes]) + "\n"


def searched_lines(answer: StudyAnswer) -> list[str]:
    """How many designs there were, and why most were not evaluated."""
    found = answer.searched
    exact = (
        "exact: no other design of the space keeps the limits with less"
        if found.exact
        else f"gap to the bound: {percent(found.gap, 1)}"
    )
    lines = [
        (
            f"{found.designs:,} designs searched in {found.search_time_s:.3g} s, {exact}: {found.evaluated:,} evaluated with "
            f"{found.layouts:,} layouts, {found.refused:,} that cannot be."
        )
    ]
    return lines + [f"Ruled out: {one.designs:,}. {one.words}" for one in found.pruned]


def study_csv(rows: Iterable[StudyRow]) -> str:
    """A line a candidate with every choice and figure, its ends, and the probability of each limit."""
    rows = tuple(rows)
    limits = list(dict.fromkeys(limit.limit for row in rows for limit in row.limits))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heads = [
        "rank",
        "key",
        *(column.key for column in CHOICES),
        "accelerators",
        "feasible",
        "probability",
        "binds",
    ]
    figures = [column for column in FIGURES if any(column.key in row.figures for row in rows)]
    for column in figures:
        heads += [column.key, f"{column.key}_low", f"{column.key}_high"]
    writer.writerow([*heads, *(f"probability_{limit}" for limit in limits), "reason"])
    for row in rows:
        chances = {limit.limit: limit.probability for limit in row.limits}
        cells: list[object] = [row.rank or "", row.key]
        cells += [getattr(row, column.key) for column in CHOICES]
        cells += [row.accelerators, row.feasible, _known(row.probability), row.binds]
        for column in figures:
            figure = row.figures.get(column.key)
            cells += ["", "", ""] if figure is None else map(_known, (figure.value, figure.low, figure.high))
        cells += [_known(chances[limit]) if limit in chances else "" for limit in limits]
        writer.writerow([*cells, row.reason])
    return out.getvalue()


def _known(value: float) -> float | str:
    return "" if math.isnan(value) else value


def _shown(row: StudyRow, key: str, unit: str) -> str:
    figure = row.figures.get(key)
    return UNKNOWN if figure is None or math.isnan(figure.value) else show(figure.value, unit).text
