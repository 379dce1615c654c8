"""Contents of the bandwidth tab: charts and a table of ladders, and a choice of systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse
from pydantic import ValidationError

from app.charts import Figure
from app.charts import bandwidth as rates
from app.charts.figure import get_path
from app.charts.format import NOT_PUBLISHED, TIMES, Shown, show
from app.charts.ladder import OUT, UP, Line, Measure, ladder_figure
from app.scenarios.errors import ScenarioError, shorten
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.labels import Fact, fact
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.studio.fields import in_field_words
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
RUNGS = {
    "registers": "Registers",
    "shared_memory": "Shared memory or L1",
    "cache": "Last-level cache",
    "memory": rates.MEMORY,
    "scale_up": UP,
    "scale_out": OUT,
    "storage": rates.READ,
    "checkpoint": rates.WRITE,
    "wan": "Another site",
}
"""The way out of an accelerator, in order; host memory and drives of the node lie next to it."""
ON_CHIP = 3
EXTENTS = {"memory": "From memory outwards", "registers": "From registers outwards"}
WHOLE_SYSTEM = frozenset({rates.READ, rates.WRITE})
"""Rungs that a system of the catalog does not have: storage belongs to a site."""
CAPTION = (
    f"{rates.CAPTION} Systems of the catalog come without storage. Host memory and the drives of the node lie "
    "beside the way out and are in the table below."
)


class Option(NamedTuple):
    name: str
    vendor: str


router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
Beside = Annotated[list[str], Query(alias="with", default_factory=list)]


@router.get("/fabric/{key}/bandwidth")
def bandwidth(opened: OpenedDep, page: TemplatesDep, beside: Beside, levels: str = "memory") -> HTMLResponse:
    """Levels from registers to another site, with what is chosen beside the design."""
    typed = [text.strip() for text in beside if text.strip()]
    if opened.scenario is None:
        return page.page("fabric/bandwidth.html", opened=opened)
    fault = ""
    try:
        asked = BandwidthOptions(systems=_keys(opened, typed))
        ladders = bandwidth_ladders(opened.scenario, opened.catalog, asked)
    except (ScenarioError, ValidationError) as error:
        fault = _words(error, typed)
        ladders = bandwidth_ladders(opened.scenario, opened.catalog, BandwidthOptions())
    extent = levels if levels in EXTENTS else "memory"
    return page.page(
        "fabric/bandwidth.html",
        status=UNPROCESSABLE if fault else 200,
        opened=opened,
        shown=bandwidth_page(ladders, opened.scenario.as_json, extent),
        choice=choice_of(opened, typed[:MOST_SYSTEMS], fault),
        extents=EXTENTS,
        extent=extent,
    )


def _keys(opened: OpenedDesign, typed: Sequence[str]) -> list[str]:
    """Keys of systems that are named as the list shows them, or by their key."""
    by_name = {part.name.casefold(): part.key for part in comparable_systems(opened.catalog)} if typed else {}
    return [by_name.get(text.casefold(), text) for text in typed]


def _words(error: ScenarioError | ValidationError, typed: list[str]) -> str:
    if isinstance(error, ScenarioError):
        return " ".join(in_field_words(f"{one.message} {one.hint}") for one in error.errors)
    if len(typed) > MOST_SYSTEMS:
        return f"{len(typed)} systems are chosen; at most {MOST_SYSTEMS} are compared. Remove some."
    return f"{shorten(', '.join(typed))} is not the name or key of a system. Choose from the list."


class Cell(NamedTuple):
    """A level of one system, in words."""

    bandwidth: str
    latency: str
    intensity: str
    sources: tuple[str, ...]


class DistanceRow(NamedTuple):
    """Accelerators at one distance from an accelerator, with the place of their explanation."""

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
    """The form: names to choose from, the fields with what is in them, and what cannot be."""

    options: tuple[Option, ...]
    chosen: tuple[str, ...]
    fault: str


def choice_of(opened: OpenedDesign, typed: Sequence[str], fault: str) -> Choice:
    """Every system that has a ladder, and one empty field after those in use."""
    options = tuple(Option(part.name, part.vendor or "") for part in comparable_systems(opened.catalog))
    names = {part.key: part.name for part in comparable_systems(opened.catalog)}
    fields = [*(names.get(text, text) for text in typed), ""][:MOST_SYSTEMS]
    return Choice(options, tuple(fields), fault)


def bandwidth_page(found: Ladders, evaluation: dict[str, Any], extent: str = "memory") -> BandwidthPage:
    """Both charts, the ratio of each system, the table, and how the domain of the design is joined."""
    titles = [RUNGS.get(level, title) for level, title in LEVELS.items()]
    way = list(RUNGS)[ON_CHIP if extent == "memory" else 0 :]
    return BandwidthPage(
        figures=(
            _figure(BANDWIDTH, found, evaluation, way, "bandwidth_bytes_per_s"),
            _figure(LATENCY, found, evaluation, list(RUNGS), "latency_s"),
        ),
        ladders=found.ladders,
        gaps=tuple((one.name, _gap(one.scale_up_over_scale_out)) for one in found.ladders),
        rows=tuple(
            (title, tuple(_cell(one, place) for one in found.ladders)) for place, title in enumerate(titles)
        ),
        domain=_domain(evaluation),
    )


def _figure(
    measure: Measure, found: Ladders, evaluation: dict[str, Any], way: Sequence[str], name: str
) -> Figure:
    """Levels of the way out that any of the systems has, and a line for each system."""
    own = rates.bandwidth_line(evaluation)
    paths = dict(zip(rates.LEVELS, own.paths, strict=True)) if measure is BANDWIDTH else {}
    kept = [level for level in way if any(_values(one, name)[level] for one in found.ladders)]
    lines = [
        _system_line(one, name, kept)
        if one.key
        else Line(
            own.name,
            tuple(_values(one, name)[level] for level in kept),
            tuple(paths.get(RUNGS[level], "") for level in kept),
            own.without,
        )
        for one in found.ladders
    ]
    return ladder_figure(measure, [RUNGS[level] for level in kept], lines)


def system_figure(one: Ladder) -> Figure:
    """The ladder of one system of the catalog, with the levels that it has."""
    values = _values(one, "bandwidth_bytes_per_s")
    kept = [level for level in RUNGS if values[level]]
    measure = rates.BANDWIDTH._replace(
        caption="Line rates and bounds of one accelerator, not achieved rates."
    )
    return ladder_figure(
        measure, [RUNGS[level] for level in kept], [_system_line(one, "bandwidth_bytes_per_s", kept)]
    )


def _system_line(one: Ladder, name: str, levels: Sequence[str]) -> Line:
    return Line(one.name, tuple(_values(one, name)[level] for level in levels), without=WHOLE_SYSTEM)


def _values(one: Ladder, name: str) -> dict[str, float | None]:
    return {rung.level: getattr(rung, name) for rung in one.rungs}


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


def _latency_takeaway(levels: Sequence[str], lines: Sequence[Line]) -> str:
    """The time that leaving the SuperNode adds in the first system, the design itself."""
    known = dict(zip(levels, lines[0].values, strict=True))
    inside, outside = known.get(UP), known.get(OUT)
    if not inside:
        return "Latencies of this design are not published."
    if not outside:
        return f"Inside the SuperNode a byte takes {show(inside, 's').text}."
    return (
        f"Inside the SuperNode a byte takes {show(inside, 's').text}, and between SuperNodes "
        f"{show(outside, 's').text}."
    )


BANDWIDTH = rates.BANDWIDTH._replace(name="bandwidth_ladders", caption=CAPTION)
LATENCY = Measure(
    "latency_ladders", "s", "Latency by level",
    "To the first byte, without queues and software. Scale-out of systems of the catalog counts two NICs and no switch.",
    "No latency is published.", _latency_takeaway, "Latency",
)  # fmt: skip
