"""What the bandwidth tab shows: charts and a table of ladders, and a choice of systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse
from pydantic import ValidationError

from app.charts import Figure
from app.charts.bandwidth_ladders import Line, Measure, ladders_figure
from app.charts.figure import get_path
from app.charts.format import NOT_PUBLISHED, TIMES, Shown, show
from app.scenarios.errors import ScenarioError, shorten
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.labels import Fact, fact
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.templating import TemplatesDep
from app.views.fabric.bandwidth import (
    LEVELS,
    MOST_SYSTEMS,
    BandwidthOptions,
    Ladder,
    Ladders,
    bandwidth_ladders,
    comparable_systems,
)

DOMAIN = "fabric.scale_up"
DOMAIN_FIGURES = (
    "switches_total", "links_total", "cables_total", "planes", "links_per_accelerator", "circuit_switches",
    "accelerator_bandwidth_bytes_per_s", "all_to_all_bandwidth_bytes_per_s", "bisection_bandwidth_bytes_per_s",
    "oversubscription", "diameter_links", "mean_distance_links", "latency_s",
)  # fmt: skip
DISTANCES = {
    "other_die": "other die of the same accelerator",
    "one_switch": "through one switch",
    "two_switches": "through two tiers of switches",
    "two_tiers": "through two tiers of switches",
    "direct": "by a link of its own",
}
WHOLE = 100
"""Operations a byte from here on are whole."""
CAPTION = (
    "Line rates and bounds of one accelerator, one way; not what a program reaches. An unpublished level "
    "is left out of a line."
)


class Option(NamedTuple):
    key: str
    name: str


router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
Beside = Annotated[list[str], Query(alias="with", default_factory=list)]


@router.get("/fabric/{key}/bandwidth")
def bandwidth(opened: OpenedDep, page: TemplatesDep, beside: Beside) -> HTMLResponse:
    """Levels from registers to another site, with what is chosen beside the design."""
    chosen = [key for key in beside if key]
    if opened.scenario is None:
        return page.page("fabric/bandwidth.html", opened=opened)
    fault = ""
    try:
        asked = BandwidthOptions(systems=chosen)
        ladders = bandwidth_ladders(opened.scenario, opened.catalog, asked)
    except (ScenarioError, ValidationError) as error:
        fault = _words(error, chosen)
        ladders = bandwidth_ladders(opened.scenario, opened.catalog, BandwidthOptions())
    return page.page(
        "fabric/bandwidth.html",
        status=UNPROCESSABLE if fault else 200,
        opened=opened,
        shown=bandwidth_page(ladders, opened.scenario.as_json),
        choice=choice_of(opened, chosen[:MOST_SYSTEMS], fault),
    )


def _words(error: ScenarioError | ValidationError, chosen: list[str]) -> str:
    if isinstance(error, ScenarioError):
        return " ".join(f"{one.message} {one.hint}" for one in error.errors)
    if len(chosen) > MOST_SYSTEMS:
        return (
            f"{len(chosen)} systems are chosen; at most {MOST_SYSTEMS} stand beside a design. Take some out."
        )
    return f"{shorten(', '.join(chosen))} is no key of a system. Choose from the lists."


class Cell(NamedTuple):
    """A level of one system, in words."""

    bandwidth: str
    latency: str
    intensity: str
    sources: tuple[str, ...]


class DistanceRow(NamedTuple):
    """Accelerators at one distance of each of them, with the place of what explains them."""

    name: str
    place: str
    accelerators: str
    bandwidth: str
    latency: str


class Domain(NamedTuple):
    """The scale-up fabric of the design."""

    name: str
    facts: tuple[Fact, ...]
    distances: tuple[DistanceRow, ...]


class BandwidthPage(NamedTuple):
    figures: tuple[Figure, ...]
    ladders: tuple[Ladder, ...]
    gaps: tuple[tuple[str, Shown], ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]  # level, a cell a system
    domain: Domain | None  # None where it is not stated how it is joined


class Choice(NamedTuple):
    """The form: one list a place, what is chosen in each, and what cannot be."""

    options: tuple[tuple[str, tuple[Option, ...]], ...]  # vendor, systems
    chosen: tuple[str, ...]
    fault: str


def choice_of(opened: OpenedDesign, chosen: Sequence[str], fault: str) -> Choice:
    """Every system that has a ladder, by vendor."""
    by_vendor: dict[str, list[Option]] = {}
    for part in comparable_systems(opened.catalog):
        by_vendor.setdefault(part.vendor or "Other", []).append(Option(part.key, part.name))
    padded = [*chosen, *[""] * MOST_SYSTEMS][: max(MOST_SYSTEMS, len(chosen))]
    options = tuple((vendor, tuple(found)) for vendor, found in sorted(by_vendor.items()))
    return Choice(options, tuple(padded), fault)


def bandwidth_page(found: Ladders, evaluation: dict[str, Any]) -> BandwidthPage:
    """Both charts, the ratio of each system, the table, and how the domain of the design is joined."""
    titles = list(LEVELS.values())
    rates = [_line(one, "bandwidth_bytes_per_s") for one in found.ladders]
    waits = [_line(one, "latency_s") for one in found.ladders]
    return BandwidthPage(
        figures=(ladders_figure(BANDWIDTH, titles, rates), ladders_figure(LATENCY, titles, waits)),
        ladders=found.ladders,
        gaps=tuple((one.name, _gap(one.scale_up_over_scale_out)) for one in found.ladders),
        rows=tuple(
            (title, tuple(_cell(one, place) for one in found.ladders)) for place, title in enumerate(titles)
        ),
        domain=_domain(evaluation),
    )


def _domain(evaluation: dict[str, Any]) -> Domain | None:
    found = get_path(evaluation, DOMAIN)
    if found is None:
        return None
    return Domain(
        name=found["name"],
        facts=tuple(fact(evaluation, f"{DOMAIN}.{name}") for name in DOMAIN_FIGURES),
        distances=tuple(
            DistanceRow(
                name=DISTANCES.get(one["name"], one["name"].replace("_", " ")).capitalize(),
                place=f"{DOMAIN}.distances[{place}]",
                accelerators=show(one["accelerators"], "1").text,
                bandwidth=show(one["bandwidth_bytes_per_s"], "B/s").text,
                latency=show(one["latency_s"], "s").text,
            )
            for place, one in enumerate(found["distances"])
        ),
    )


def _line(one: Ladder, name: str) -> Line:
    return Line(one.name, tuple(getattr(rung, name) for rung in one.rungs))


def _gap(ratio: float | None) -> Shown:
    return Shown("unknown") if ratio is None else Shown(f"{ratio:.3g}", TIMES)


def _cell(one: Ladder, place: int) -> Cell:
    rung = one.rungs[place]
    sources = dict.fromkeys(text for text in (rung.bandwidth_source, rung.latency_source) if text)
    return Cell(
        bandwidth=show(rung.bandwidth_bytes_per_s, "B/s").text,
        latency=show(rung.latency_s, "s").text,
        intensity=_intensity(rung.flop_per_byte),
        sources=tuple(sources),
    )


def _intensity(value: float | None) -> str:
    if value is None:
        return NOT_PUBLISHED
    return f"{value:.3g}" if value < WHOLE else f"{value:,.0f}"


def _bandwidth_takeaway(lines: Sequence[Line]) -> str:
    """How far each system falls from inside its domain to outside it."""
    up, out = list(LEVELS).index("scale_up"), list(LEVELS).index("scale_out")
    falls = []
    for line in lines:
        inside, outside = line.values[up], line.values[out]
        if inside and outside:
            falls.append((inside / outside, line.name))
    if not falls:
        return "Nothing leaves a SuperNode here."
    least, most = min(falls), max(falls)
    if len(falls) == 1:
        return f"Leaving the SuperNode costs a factor of {most[0]:.3g}."
    return (
        f"Leaving the SuperNode costs a factor of {least[0]:.3g} ({least[1]}) to {most[0]:.3g} ({most[1]})."
    )


def _latency_takeaway(lines: Sequence[Line]) -> str:
    """What leaving the SuperNode takes in the first system, the design itself."""
    inside, outside = (lines[0].values[list(LEVELS).index(level)] for level in ("scale_up", "scale_out"))
    if not inside:
        return "Latencies of this design are not published."
    if not outside:
        return f"Inside the SuperNode a byte takes {show(inside, 's').text}."
    return (
        f"Inside the SuperNode a byte takes {show(inside, 's').text}, and between SuperNodes "
        f"{show(outside, 's').text}."
    )


BANDWIDTH = Measure(
    "bandwidth_ladders",
    "B/s",
    "Bandwidth by level",
    CAPTION,
    "No bandwidth is published.",
    _bandwidth_takeaway,
)
LATENCY = Measure(
    "latency_ladders", "s", "Latency by level",
    "To the first byte, without queues and software. Scale-out of systems of the catalog counts two NICs and no switch.",
    "No latency is published.", _latency_takeaway,
)  # fmt: skip
