"""Nodes at work as a scenario, evaluated; once for all rows that ask for the same."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from typing import Any

from app.catalog.lookup import Catalog
from app.engine.facility.results import Power
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.validation.rows import UnsupportedRowError

ANY_JOB = {
    "kind": "generic",
    "flop_per_step": 1e15,
    "memory_traffic_per_step_bytes": 1e12,
    "memory_held_bytes": 1e12,
    "steps": 1,
    "precision": "bf16",
}
"""A job that says nothing of power: how it loads its nodes is stated as a profile."""


@dataclass(frozen=True, slots=True)
class NodePower:
    """Power of one node, without network, storage and idle spares [W]."""

    mean_w: float
    peak_w: float  # its share of the coincident peak
    own_peak_w: float
    idle_w: float
    pause_w: float
    rating_w: float


def nodes_at_work(
    catalog: Catalog, *, supernode: dict[str, Any], supernodes: int, load_profile: str
) -> NodePower:
    """What the engine says of each of these SuperNodes while they work together.

    Raises
    ------
    UnsupportedRowError : the scenario is refused
    """
    found = evaluated(
        catalog,
        {
            "name": "Measured nodes",
            "workload": ANY_JOB,
            "supernode": supernode,
            "pod": {"supernodes": supernodes},
            "facility": {"load_profile": load_profile},
            "operations": {"spares": 0},
        },
    )
    power: Power = found.evaluation.sections.power
    beside_w = sum(float(power.it_breakdown_w[name][0]) for name in ("network", "storage", "idle_supernodes"))
    diversity = float(found.resolved.design.assumptions.rooms["facility"].peak_diversity[0])
    peak_w = (float(power.it_power_peak_w[0]) - beside_w) / supernodes
    return NodePower(
        mean_w=(float(power.it_power_mean_w[0]) - beside_w) / supernodes,
        peak_w=peak_w,
        own_peak_w=peak_w / diversity,
        idle_w=(float(power.it_power_idle_w[0]) - beside_w) / supernodes,
        pause_w=peak_w - float(power.it_power_swing_w[0]) / supernodes,
        rating_w=(float(power.it_power_design_w[0]) - beside_w) / supernodes,
    )


def evaluated(catalog: Catalog, document: dict[str, Any]) -> EvaluatedScenario:
    """A scenario evaluated with the catalog's own rows.

    Raises
    ------
    UnsupportedRowError : the scenario is refused
    """
    return _evaluated(catalog.builtin, json.dumps(document, sort_keys=True))


@functools.lru_cache(maxsize=512)
def _evaluated(catalog: Catalog, document: str) -> EvaluatedScenario:
    try:
        return evaluate_scenario(build_scenario(json.loads(document)), catalog)
    except ScenarioError as error:
        raise UnsupportedRowError(str(error)) from None
