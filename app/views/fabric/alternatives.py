"""All topologies side by side, each sized for the same pod."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from app.catalog.view import CatalogView
from app.charts.format import show
from app.engine.fabric.figures import Fabric
from app.engine.fabric.problems import fabric_problems
from app.engine.fabric.section import evaluate_fabric
from app.engine.fabric.topologies import TOPOLOGIES
from app.engine.specs import Design
from app.engine.trace import Array
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.resolve import resolve
from app.views.table import UNKNOWN, Column, text_rows, text_table

OF_FEW = {"shape": None, "optical_circuit_switches": False, "tiers": None, "spine_oversubscription": None,
          "spine_spread": "even",
          "group": None}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class TopologyAlternative:
    """A topology for the pod of a scenario; None where a figure is unknown."""

    name: str
    title: str
    is_chosen: bool
    switches: float | None
    links: float | None
    bisection_bandwidth_bytes_per_s: float | None
    oversubscription: float | None
    diameter_links: float | None
    mean_distance_links: float | None
    latency_s: float | None
    lengths: tuple[int, ...]
    refusal: str  # why it cannot be built, "" where it can


@dataclass(frozen=True, slots=True, kw_only=True)
class PodTopologies:
    """Every topology for the pod of a scenario; none where one SuperNode is all there is."""

    topologies: tuple[TopologyAlternative, ...]


def pod_topologies(scenario: EvaluatedScenario, catalog: CatalogView) -> PodTopologies:
    """The answer of the view."""
    return PodTopologies(topologies=alternatives(scenario, catalog))


def alternatives(scenario: EvaluatedScenario, catalog: CatalogView) -> tuple[TopologyAlternative, ...]:
    """Every topology for the SuperNodes, NICs and switch of a scenario.

    The one it has is as it states it; of the others, whatever is stated for some topologies only follows from
    the number of nodes. One SuperNode by itself needs none.
    """
    chosen = scenario.resolved.design.pod.fabric.topology
    if scenario.as_json["fabric"]["topology"] == "none":
        return ()
    return tuple(
        _alternative(
            name, scenario.resolved.design if name == chosen else _design(scenario, name, catalog), chosen
        )
        for name in TOPOLOGIES
    )


def _design(scenario: EvaluatedScenario, name: str, catalog: CatalogView) -> Design:
    document = scenario.document
    fabric = document.pod.fabric.model_copy(update={"topology": name, **OF_FEW})
    pod = document.pod.model_copy(update={"fabric": fabric})
    return resolve(document.model_copy(update={"pod": pod}), catalog).design


def _alternative(name: str, design: Design, chosen: str) -> TopologyAlternative:
    common = {
        "pod": design.pod,
        "supernode": design.supernode,
        "assumptions": design.assumptions.rooms["fabric"],
    }
    with np.errstate(all="ignore"):
        fabric = evaluate_fabric(**common)
        found = fabric_problems(**common, fabric=fabric)
    refusals = [
        problem.message
        for problem in found
        if problem.kind == "infeasible" and not problem.field.startswith("pod.networks")
    ]
    return TopologyAlternative(
        name=name,
        title=TOPOLOGIES[name].title,
        is_chosen=name == chosen,
        lengths=tuple(int(length[0]) for length in fabric.lengths if np.isfinite(length[0])),
        refusal=refusals[0] if refusals else "",
        **_figures(fabric),
    )


def _figures(fabric: Fabric) -> dict[str, float | None]:
    return {
        "switches": _number(fabric.switches_total),
        "links": _number(fabric.links_total),
        "bisection_bandwidth_bytes_per_s": _number(fabric.bisection_bandwidth_bytes_per_s),
        "oversubscription": _number(fabric.oversubscription),
        "diameter_links": _number(fabric.diameter_links),
        "mean_distance_links": _number(fabric.mean_distance_links),
        "latency_s": _number(fabric.latency_s),
    }


def _number(value: Array) -> float | None:
    number = float(np.ravel(value)[0])
    return number if np.isfinite(number) else None


def _figure(unit: str) -> Callable[[float | None], str]:
    return lambda figure: UNKNOWN if figure is None else show(figure, unit).text


def _title(row: TopologyAlternative) -> str:
    return f"{'* ' if row.is_chosen else '  '}{row.title}"


COLUMNS = (
    Column("topology", _title, width=-28),
    Column("switches", "switches", _figure("1"), -10),
    Column("links", "links", _figure("1"), -10),
    Column("bisection", "bisection_bandwidth_bytes_per_s", _figure("B/s"), -12),
    Column("oversubscr.", "oversubscription", _figure("1"), -13),
    Column("diameter", "diameter_links", _figure("1"), -10),
    Column("mean", "mean_distance_links", _figure("1"), -8),
    Column("latency", "latency_s", _figure("s"), -10),
    Column("lengths", "lengths", lambda lengths: " x ".join(map(str, lengths)), -1),
)
REFUSED = (COLUMNS[0], Column("", "refusal", width=-1))


def topologies_text(found: PodTopologies) -> str:
    """A row a topology; what cannot be built says why."""
    if not found.topologies:
        return "One SuperNode by itself needs no scale-out fabric."
    rows = (
        line for row in found.topologies for line in text_rows(REFUSED if row.refusal else COLUMNS, [row])
    )
    return "\n".join([*text_table(COLUMNS, ()), *rows, "", "* this design"])
