"""The topology tab: the fabric as a picture, its tiers, how far apart its ends are, and what else would do."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.charts import Figure
from app.charts.format import TIMES, UNKNOWN, Shown, show
from app.charts.topology import topology_figure
from app.scenarios.evaluation.service import EvaluatedScenario
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.labels import Fact, fact
from app.surfaces.pages.notes import Note, notes
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.studio.state import MISSING, with_value
from app.surfaces.pages.templating import TemplatesDep
from app.views.fabric.alternatives import OF_FEW, TopologyAlternative, alternatives

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

REACH = (
    "fabric.bisection_bandwidth_bytes_per_s",
    "fabric.oversubscription",
    "fabric.diameter_links",
    "fabric.mean_distance_links",
    "fabric.latency_s",
    "fabric.fibres_total",
    "fabric.rails",
    "fabric.planes",
    "fabric.evenness_switches",
    "fabric.evenness_price_usd",
)


class AlternativeLine(NamedTuple):
    """A topology in the table of all of them."""

    title: str
    shape: str
    address: str  # of the studio with it; "" for the one that is chosen
    is_chosen: bool
    refusal: str
    figures: tuple[Shown, ...]


class TopologyPage(NamedTuple):
    """Everything that the tab shows."""

    figure: Figure
    reach: tuple[Fact, ...]
    infeasible: tuple[Note, ...]
    warnings: tuple[Note, ...]
    alternatives: tuple[AlternativeLine, ...]


@router.get("/fabric/{key}/topology")
def topology(opened: OpenedDep, page: TemplatesDep) -> HTMLResponse:
    """The fabric of a design from pod to node."""
    shown = _page(opened, opened.scenario) if opened.scenario else None
    return page.page("fabric/topology.html", opened=opened, shown=shown)


def _page(opened: OpenedDesign, scenario: EvaluatedScenario) -> TopologyPage:
    evaluation = scenario.as_json
    about = [problem for problem in evaluation["problems"] if "fabric" in problem["affects"]]
    found = notes(about)
    return TopologyPage(
        figure=topology_figure(evaluation),
        reach=tuple(fact(evaluation, path) for path in REACH) if evaluation["fabric"]["tiers"] else (),
        infeasible=found.infeasible,
        warnings=found.warnings,
        alternatives=tuple(_line(opened, found) for found in alternatives(scenario, opened.catalog)),
    )


def _line(opened: OpenedDesign, found: TopologyAlternative) -> AlternativeLine:
    values = with_value(opened.carried.values, "pod.fabric.topology", found.name)
    for name in OF_FEW:
        values = with_value(values, f"pod.fabric.{name}", MISSING)
    return AlternativeLine(
        title=found.title,
        shape=f" {TIMES} ".join(str(length) for length in found.lengths),
        address="" if found.is_chosen else opened.carried.studio_with(values),
        is_chosen=found.is_chosen,
        refusal=found.refusal,
        figures=(
            _shown(found.switches, "1"),
            _shown(found.links, "1"),
            _shown(found.bisection_bandwidth_bytes_per_s, "B/s"),
            _shown(found.oversubscription, "1"),
            _shown(found.diameter_links, "1"),
            _shown(found.mean_distance_links, "1"),
            _shown(found.latency_s, "s"),
        ),
    )


def _shown(value: float | None, unit: str) -> Shown:
    return UNKNOWN if value is None else show(value, unit)
