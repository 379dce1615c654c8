"""What a search found, as the page shows it: a headline, charts, and the best in a table."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from app.charts.figure import Figure
from app.charts.format import percent, show
from app.charts.searching.degrees import degrees_figure
from app.charts.searching.front import front_figure
from app.charts.searching.job_sizes import job_sizes_figure
from app.charts.searching.layout_axes import degrees_text, details_text, layout_axes_figure, variants_text
from app.charts.searching.rejected import refused_text, rejected_figure
from app.surfaces.pages.explore.adopt import layout_text
from app.surfaces.pages.explore.form import NarrowAxis, narrow_axes
from app.surfaces.pages.studio.form import Values
from app.surfaces.pages.studio.offers import Offer, fix_offers
from app.surfaces.pages.studio.state import encode_state, with_value
from app.views.searching.options import OVER_SIZES, SearchOptions

DAY_S = 86_400.0
COLUMNS = (
    ("Step", "step_time_s", "s"),
    ("MFU", "mfu", "%"),
    ("Memory", "memory_per_accelerator_bytes", "B"),
    ("Elapsed", "elapsed_time_s", "s"),
    ("Per million tokens", "usd_per_million_tokens", "USD"),
    ("Energy per token", "energy_j_per_token", "J"),
)


class Ranked(NamedTuple):
    """A line of the table of the best."""

    rank: int
    degrees: str
    details: str
    variants: str  # that tie with it
    figures: tuple[str, ...]
    accelerators: str
    works: bool
    adopt: str
    said: str  # what the button is read out as


class Fix(NamedTuple):
    """Single changes with which a layout can run, each with the design that has it."""

    message: str
    offers: tuple[tuple[Offer, str], ...]


class SearchAnswer(NamedTuple):
    headline: str
    sentences: tuple[str, ...]
    figures: tuple[tuple[str, Figure], ...]  # width class and figure
    columns: tuple[str, ...]
    ranked: tuple[Ranked, ...]
    over_sizes: bool
    empty: bool
    fix: Fix | None
    narrow: tuple[NarrowAxis, ...]  # axes that can be narrowed
    provenance: dict[str, Any]


def search_answer(
    answer: dict[str, Any], options: SearchOptions, *, key: str, values: Values, own_supernodes: int
) -> SearchAnswer:
    """Everything the page shows of a search of the scenario `values`."""
    over_sizes = options.objective in OVER_SIZES
    none_runs = not answer["feasible_strategies"]
    studio = f"/designs/{key}"
    return SearchAnswer(
        headline=f"{answer['feasible_strategies']:,} of {answer['strategies']:,} layouts can run",
        sentences=tuple(_sentences(answer, over_sizes)),
        figures=tuple(_figures(answer, options, own_supernodes)),
        columns=tuple(name for name, _, _ in COLUMNS),
        ranked=tuple(_ranked(row) for row in answer["best"]),
        over_sizes=over_sizes,
        empty=none_runs or not answer["best"],
        fix=_fix(answer, studio, values),
        narrow=() if over_sizes or none_runs else narrow_axes(answer),
        provenance=answer["provenance"],
    )


def _sentences(answer: dict[str, Any], over_sizes: bool) -> list[str]:
    best = answer["best"][0] if answer["best"] else None
    took = f"Searched exactly in {show(answer['search_time_s'], 's').text}."
    if best is None or not answer["feasible_strategies"]:
        return [took]
    layout = degrees_text(best["parallelism"], best["dp"])
    if over_sizes:
        return [f"First: {best['accelerators']:,} accelerators, {layout}. {took}"]
    first = "Leanest" if answer["objective"] == "memory" else "Fastest"
    by = f" with {best['framework']}" if best["framework"] else ""
    said = [f"{first}: {layout}, {show(best['step_time_s'], 's').text} per step{by}. {took}"]
    if refused := refused_text(answer):
        said.append(refused)
    stated = answer["stated"]
    if stated is None:
        said.append("The scenario states no layout: the engine searches the common layouts.")
    elif stated["slower_by"] is not None:
        said.append(_stated(stated))
    return said


def _stated(stated: dict[str, Any]) -> str:
    """Where the layout that the scenario states stands."""
    time = show(stated["step_time_s"], "s").text
    if not stated["feasible"]:
        return f"The stated layout cannot run; it would take {time} per step."
    if stated["rank"] == 1:
        return f"The stated layout is among the fastest, {time} per step."
    longer = percent(stated["slower_by"]).text
    faster = stated["rank"] - 1
    verb = "is" if faster == 1 else "are"
    return (
        f"The stated layout takes {time}, {longer} longer than the best: rank {stated['rank']:,}, "
        f"{faster:,} {verb} faster."
    )


def _figures(answer: dict[str, Any], options: SearchOptions, own: int) -> list[tuple[str, Figure]]:
    rejected = ("half", rejected_figure(answer))
    if options.objective in OVER_SIZES:
        deadline = None if options.deadline_days is None else options.deadline_days * DAY_S
        sizes = job_sizes_figure(answer, own_supernodes=own, deadline_s=deadline)
        found = [("whole", sizes), rejected]
    elif answer["feasible_strategies"]:
        found = [
            ("half", degrees_figure(answer, layout_text)),
            ("half", front_figure(answer, layout_text)),
            ("whole", layout_axes_figure(answer)),
            rejected,
        ]
    else:
        found = [rejected]
    return [(span, figure) for span, figure in found if figure.plot is not None]


def _ranked(row: dict[str, Any]) -> Ranked:
    degrees = degrees_text(row["parallelism"], row["dp"]) if row["parallelism"] else "none found"
    return Ranked(
        rank=row["rank"],
        degrees=degrees,
        details=details_text(row["parallelism"]) if row["parallelism"] else "",
        variants=variants_text(row),
        figures=tuple(_cell(row[field], unit) for _, field, unit in COLUMNS),
        accelerators=f"{row['accelerators']:,}" if "accelerators" in row else "",
        works=row["feasible"],
        adopt=layout_text(row["parallelism"] or {}, row.get("supernodes")),
        said=f"rank {row['rank']}, {degrees}",
    )


def _cell(value: float | None, unit: str) -> str:
    if value is None or not np.isfinite(value):
        return "unknown"
    return percent(value).text if unit == "%" else show(value, unit).text


def _fix(answer: dict[str, Any], studio: str, values: Values) -> Fix | None:
    if not answer.get("fix"):
        return None
    return Fix(
        answer["fix"]["message"],
        tuple(
            (offer, f"{studio}?s={encode_state(with_value(values, offer.field, offer.value))}")
            for offer in fix_offers(answer)
        ),
    )
