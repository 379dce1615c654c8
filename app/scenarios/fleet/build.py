"""A fleet document as the engine takes it."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from pathlib import Path
from typing import Any

from app.engine.fleet.answers import Fleet
from app.engine.fleet.demand import HOUR_S, Demand, JobClass, ServedClass, week_shape, with_peak
from app.engine.fleet.policy import POLICIES
from app.engine.fleet.sizing import ServiceLevel
from app.engine.fleet.supply import Maintenance, PodSupply, Rented, Supply, largest_job
from app.scenarios.errors import InputError, ScenarioError, refuse
from app.scenarios.fleet.document import FleetDocument, FleetShapeDocument
from app.scenarios.fleet.traces import Trace, read_trace
from app.scenarios.load import build_document, decoded, file_content
from app.scenarios.reading.json_text import read_json
from app.scenarios.reading.yaml_text import read_yaml

DAY_S = 86_400.0


def read_fleet(path: str | Path, *, trace: dict[str, Any] | None = None) -> FleetDocument:
    """The fleet of a file: JSON when its name ends in .json, else YAML. A `trace` goes in place of its
    classes, its served models and what it sizes by them.

    Raises
    ------
    ScenarioError : the file cannot be read or is not a fleet; one message a fault
    """
    is_json = str(path).lower().endswith(".json")
    return fleet_text(decoded(file_content(path)), is_json=is_json, trace=trace)


def fleet_text(text: str, *, is_json: bool = False, trace: dict[str, Any] | None = None) -> FleetDocument:
    """The fleet of a text, with a trace in place of its classes where one is given.

    Raises
    ------
    ScenarioError : it is not a fleet; one message a fault
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise refuse("The text is empty.", rule="empty", hint="A fleet needs pods, and classes or a trace.")
    if is_json:
        return build_document(FleetDocument, with_trace(read_json(text), trace))
    read = read_yaml(text)
    return build_document(FleetDocument, with_trace(read.values, trace), read.positions)


def with_trace(values: dict[str, Any], trace: dict[str, Any] | None) -> dict[str, Any]:
    """The same with recorded jobs in place of classes, or itself without them."""
    if trace is None:
        return values
    kept = {name: value for name, value in values.items() if name not in ("classes", "served", "find")}
    return kept | {"trace": trace}


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class BuiltFleet:
    """A fleet under each of its policies, and the trace that it runs."""

    fleets: dict[str, Fleet]
    level: ServiceLevel
    trace: Trace | None


@lru_cache(maxsize=4)
def built(document: FleetDocument) -> BuiltFleet:
    """A fleet whose pods state their numbers.

    Raises
    ------
    ScenarioError : numbers are missing or do not go together, or rows of the trace cannot be used
    """
    supply = _supply(document)
    trace = None
    if document.trace is not None:
        largest = max(largest_job(supply), 0)
        trace = read_trace(document.trace.csv, largest=largest, skip_bad_rows=document.trace.skip_bad_rows)
        demand = Demand(horizon_s=max(trace.horizon_s, HOUR_S))
    else:
        demand = _demand(document)
        _check_sizes(document, supply)
    warmup = document.warmup_days * DAY_S if trace is None else 0.0
    return BuiltFleet(
        fleets={
            key: Fleet(
                demand=demand,
                supply=supply,
                policy=POLICIES[key],
                seed=document.seed,
                warmup_s=warmup,
                jobs=None if trace is None else trace.jobs,
            )
            for key in document.policies
        },
        level=ServiceLevel(
            wait_s=document.level.wait_hours * HOUR_S,
            percentile=float(document.level.percentile),
            name=document.level.job_class or "",
        ),
        trace=trace,
    )


def _supply(document: FleetDocument) -> Supply:
    pods = []
    for place, pod in enumerate(document.pods):
        if pod.supernodes is None or pod.accelerators is None:
            missing = "supernodes" if pod.supernodes is None else "accelerators"
            raise refuse(
                f"Pod {pod.name} does not state {missing}.",
                rule="required",
                path=f"pods[{place}].{missing}",
                value=None,
                hint="State it, or name a design that has it.",
            )
        pods.append(
            PodSupply(
                name=pod.name,
                supernodes=pod.supernodes,
                accelerators=pod.accelerators,
                speed=pod.speed,
                failures_per_s=(pod.failures_per_supernode_day or 0.0) / DAY_S,
                repair_s=(pod.repair_hours or 24.0) * HOUR_S,
                failure_takes=min(pod.failure_takes or pod.accelerators, pod.accelerators),
                busy_w=pod.busy_w if pod.busy_w is not None else float("nan"),
                idle_w=pod.idle_w if pod.idle_w is not None else float("nan"),
                usd_per_hour=(
                    float("nan") if pod.usd_per_accelerator_hour is None else pod.usd_per_accelerator_hour
                ),
            )
        )
    rented = document.rented
    price, grid = document.electricity_usd_per_kwh, document.grid_g_per_kwh
    return Supply(
        pods=tuple(pods),
        placement=document.placement,
        across_slowdown=document.across_slowdown,
        maintenance=tuple(
            Maintenance(
                pod=one.pod,
                from_s=one.from_day * DAY_S,
                duration_s=one.hours * HOUR_S,
                supernodes=one.supernodes,
            )
            for one in document.maintenance
        ),
        power_share=document.power_share or (),
        rented=Rented()
        if rented is None
        else Rented(
            accelerators=rented.accelerators,
            after_s=rented.after_hours * HOUR_S,
            usd_per_hour=rented.usd_per_accelerator_hour,
            speed=rented.speed,
            busy_w=float("nan") if rented.busy_w is None else rented.busy_w,
        ),
        checkpoint_interval_s=document.checkpoint_interval_hours * HOUR_S,
        checkpoint_s=document.checkpoint_s,
        restart_s=document.restart_s,
        resize_s=document.resize_s,
        pue=float("nan") if document.pue is None else document.pue,
        usd_per_kwh=float("nan") if price is None else price,
        g_per_kwh=() if grid is None else (grid,),
    )


def _demand(document: FleetDocument) -> Demand:
    return Demand(
        horizon_s=document.days * DAY_S,
        classes=tuple(
            JobClass(
                name=one.name,
                jobs_per_hour=one.jobs_per_hour,
                sizes=one.sizes,
                weights=one.weights,
                duration_s=one.duration_hours * HOUR_S,
                law=one.duration_law,
                sigma=one.duration_sigma,
                shape=_shape(one.shape, f"classes[{place}].shape"),
                priority=one.priority,
                share=one.share,
                quota=one.quota or 0,
                deadline_factor=one.deadline_factor or 0.0,
                deadline_slack_s=one.deadline_slack_hours * HOUR_S,
                estimate_factor=one.estimate_factor,
                least_share=one.least_share,
                is_preemptible=one.preemptible,
                may_rent=one.may_rent,
            )
            for place, one in enumerate(document.classes)
        ),
        served=tuple(
            ServedClass(
                name=one.name,
                accelerators=one.accelerators,
                peak_replicas=one.peak_replicas,
                shape=_shape(one.shape, f"served[{place}].shape"),
                priority=one.priority,
            )
            for place, one in enumerate(document.served)
        ),
    )


def _shape(shape: FleetShapeDocument, path: str) -> tuple[float, ...]:
    day = shape.day or (1.0,) * 24
    if not any(day):
        raise refuse("All hours of the day are 0.", rule="range", path=f"{path}.day", hint="Give one a rate.")
    week = week_shape(day, shape.weekend)
    if shape.peak_to_mean is None:
        return week
    try:
        return with_peak(week, shape.peak_to_mean)
    except ValueError as error:
        raise refuse(
            f"The hours cannot have such a peak: {error}.",
            rule="range",
            path=f"{path}.peak_to_mean",
            value=shape.peak_to_mean,
            hint="State day with one hour busier than the others.",
        ) from None


def _check_sizes(document: FleetDocument, supply: Supply) -> None:
    """Every size of every class fits the fleet, its quota and the power.

    Raises
    ------
    ScenarioError : one does not
    """
    faults = []
    quotas = {one.name: one.quota for one in document.classes}
    largest = largest_job(supply)
    if supply.power_share:
        largest = min(largest, int(max(supply.power_share) * supply.total))
    wanted = [
        (f"classes[{place}].sizes", one.name, max(one.sizes), quotas.get(one.name), one.may_rent)
        for place, one in enumerate(document.classes)
    ] + [
        (f"served[{place}].accelerators", one.name, one.accelerators, None, False)
        for place, one in enumerate(document.served)
    ]
    for path, name, size, quota, may_rent in wanted:
        most = min(largest, quota or largest)
        if may_rent:
            most = max(most, supply.rented.accelerators)
        if size > most:
            faults.append(
                InputError(
                    path=path,
                    value=size,
                    rule="too_large",
                    message=f"{name} has jobs of {size:,} accelerators, and the most that it can have is {most:,}.",
                    hint="Give the fleet a larger pod, or the class a larger quota.",
                )
            )
    if faults:
        raise ScenarioError(faults)
