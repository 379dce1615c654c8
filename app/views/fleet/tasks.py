"""Independent tasks of a fleet: a replication of a policy, or a finding."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, NamedTuple

import numpy as np

from app.engine.fleet.answers import Measures, Waiting, replicate
from app.engine.fleet.sizing import Point, best_mix, pooling, smallest_fleet
from app.engine.fleet.snapshots import Snapshot
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fleet.build import built
from app.scenarios.fleet.document import FleetDocument, FleetPodDocument

REPLICATIONS_OF_FINDINGS = 2
"""Sizing runs dozens of fleets: each so many times, with the same jobs."""
MIX_SIZES = 6
MOST_DRAWN = 4_096
"""SuperNodes of a pod whose placement is kept."""
MOST_HOURS = 24 * 7 * 4
"""Hours of the timeline that are kept; longer ones are kept from the end of the warm-up on."""


class Task(NamedTuple):
    """A replication of a policy, or a finding."""

    kind: str  # policy or find
    key: str
    replication: int = 0


def tasks_of(document: FleetDocument) -> list[Task]:
    """All tasks of a fleet, in order."""
    runs = [
        Task("policy", key, number) for key in document.policies for number in range(document.replications)
    ]
    return runs + [Task("find", key) for key in document.find]


def computed_task(document: FleetDocument, task: Task) -> dict[str, Any]:
    """The result of one task as plain JSON values; what is unknown or without end is None.

    Raises
    ------
    ScenarioError : the fleet cannot be built
    """
    fleet = built(document)
    if task.kind == "policy":
        return _as_dict(
            _measured(replicate(fleet.fleets[task.key], task.replication), drawn=task.replication == 0)
        )
    last = fleet.fleets[document.policies[-1]]
    if task.key == "smallest_fleet":
        found, points = smallest_fleet(last, fleet.level, replications=REPLICATIONS_OF_FINDINGS)
    elif task.key == "mix":
        most, _ = smallest_fleet(
            dataclasses.replace(
                last, supply=dataclasses.replace(last.supply, rented=type(last.supply.rented)())
            ),
            fleet.level,
            replications=1,
        )
        top = most.supernodes if most else 2 * last.supply.pods[0].supernodes
        sizes = np.unique(np.round(np.linspace(max(top // 3, 1), top, MIX_SIZES)).astype(int)).tolist()
        found, points = best_mix(last, fleet.level, sizes, replications=REPLICATIONS_OF_FINDINGS)
    else:
        pooled = pooling(last, fleet.level, replications=1)
        return _as_dict({"pooling": dataclasses.asdict(pooled) if pooled else None})
    return _as_dict({"found": _point(found), "points": [_point(one) for one in points]})


def with_numbers(document: FleetDocument, evaluations: dict[str, EvaluatedScenario]) -> FleetDocument:
    """The fleet with the numbers of the designs that its pods name, where it states none itself."""
    pods: list[FleetPodDocument] = []
    site: dict[str, Any] = {}
    for pod in document.pods:
        if pod.design is None:
            pods.append(pod)
            continue
        numbers, of_site = numbers_of(evaluations[pod.design].as_json)
        site = site or of_site
        stated = pod.model_dump(exclude_none=True, exclude={"design"})
        pods.append(FleetPodDocument(**{**numbers, **stated}))
    kept = {name: value for name, value in site.items() if getattr(document, name) is None}
    return document.model_copy(update={"pods": tuple(pods), **kept})


def numbers_of(found: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A pod and its site as a fleet states them, from the evaluation of a design. What is unknown there is
    left out.

    Power at work is the mean of the design's own job. Cost is that of the installed hour without electricity;
    the time that a unit is away follows from units in repair by Little's law.
    """
    inputs, power, cost = found["inputs"], found["power"], found["cost"]
    failures = found["reliability"]
    supernodes, size = inputs["pod"]["supernodes"], inputs["supernode"]["accelerators"]
    total = supernodes * size
    opex = cost.get("opex_breakdown_usd_per_year") or {}
    by_energy = sum(opex.get(name) or 0.0 for name in ("electricity", "demand"))
    share = 1.0 - _ratio(by_energy, cost.get("annual_cost_usd_per_year"))
    pod = {
        "supernodes": int(supernodes),
        "accelerators": int(size),
        "failures_per_supernode_day": _ratio(failures.get("failures_per_day"), supernodes),
        "repair_hours": 24.0 * _ratio(failures.get("units_in_repair"), failures.get("failures_per_day")),
        "failure_takes": failures.get("unit_accelerators") and int(failures["unit_accelerators"]),
        "busy_w": _ratio(power.get("it_power_mean_w"), total),
        "idle_w": _ratio(power.get("it_power_idle_w"), total),
        "usd_per_accelerator_hour": _times(cost.get("usd_per_installed_accelerator_hour"), share),
    }
    pue = found["cooling"].get("pue")
    site = {
        "pue": pue,
        "electricity_usd_per_kwh": _ratio(opex.get("electricity"), power.get("energy_utility_kwh_per_year")),
        "grid_g_per_kwh": 1000.0 * _ratio(found["cooling"].get("cue_kg_per_kwh"), pue),
    }
    return _known(pod), _known(site)


def _measured(found: Measures, *, drawn: bool) -> dict[str, Any]:
    """`drawn` is whether placement is kept: that of one replication is shown."""
    hours = found.hours
    return {
        **{
            name: getattr(found, name)
            for name in (
                "allocated", "running", "productive", "away", "fragmented", "rented_hours", "productive_hours",
                "energy_kwh", "rented_energy_kwh", "carbon_kg", "cost_usd", "failures", "preemptions", "resizes", "recorded_mean_s",
            )
        },
        "waiting": _waits(found.waiting),
        "classes": [_waits(one) for one in found.classes],
        "hours": {
            name: np.round(getattr(hours, name)[:MOST_HOURS], 3).tolist()
            for name in ("in_use", "rented", "waiting", "wanted")
        },
        "snapshots": [_placement(one) for one in found.outcome.snapshots] if drawn else [],
    }  # fmt: skip


def _placement(one: Snapshot) -> dict[str, Any]:
    return {
        "at_s": one.at_s,
        "waiting": one.waiting,
        "is_longest_queue": one.is_longest_queue,
        **{
            name: [pod[:MOST_DRAWN].tolist() for pod in getattr(one, name)]
            for name in ("used", "lane", "away")
        },
    }


def _waits(one: Waiting) -> dict[str, Any]:
    return dataclasses.asdict(one)


def _point(point: Point | None) -> dict[str, Any] | None:
    return None if point is None else dataclasses.asdict(point)


def _as_dict(values: dict[str, Any]) -> dict[str, Any]:
    return {name: _plain(one) for name, one in values.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    return value


def _ratio(part: float | None, whole: float | None) -> float:
    return float("nan") if part is None or not whole else part / whole


def _times(value: float | None, share: float) -> float:
    return float("nan") if value is None else value * share


def _known(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in values.items()
        if value is not None and not (isinstance(value, float) and not math.isfinite(value))
    }
