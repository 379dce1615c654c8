"""The demand of a served model hour by hour: replicas that it needs, that run, and what users wait for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from app.engine.economics import tco
from app.engine.economics.token_cost import usd_per_million_served_tokens, usd_per_serving_hour
from app.engine.facility.it.power import supernode_power_idle_w
from app.engine.operations.storage import bandwidths
from app.engine.performance.search import central
from app.engine.performance.serving.autoscaling import (
    Scaled,
    accelerators_paid,
    replicas_of_hours,
    scaled,
)
from app.engine.performance.serving.cold_start import ColdStart, cold_start
from app.engine.performance.serving.demand_hours import requests_of_hours_per_s, steepest_rise
from app.engine.performance.serving.layout_selection import loads_of_rates
from app.engine.performance.serving.sizing import Redundancy, Sizing
from app.engine.specs.serving import Autoscaling
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.serving.loads import Row, fullest, many_loads, under
from app.views.serving.scaling import Scaling, hours_rows
from app.views.serving.served import Served, middle
from app.views.serving.sizing_row import SizingRow

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAY_HOURS = 24
OFF = "off"
NOT_SCALED = "on several kinds of SuperNode, which is not computed: all replicas run in all hours"
KEPT = 1 + 1e-3
"""Latency over SLO up to which an hour keeps it: loads of the busiest hour are found to as much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemandHour:
    """`running` answer in all of the hour; `paid` is the mean of those that start, linger or stand by too.

    Times hold at the SLO percentile; unknown in an hour without any.
    """

    hour: int  # from midnight, or from midnight before Monday
    title: str
    requests_per_s: float
    needed: float
    running: float
    paid: float
    utilisation: float  # of what those that run can answer within the service level
    ttft_within_s: float
    tpot_within_s: float
    keeps: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DemandHours:
    """A day or a week in the last year of the demand. Replicas that never stop include spares for failures."""

    shape: str
    peak_to_mean: float
    steepest_rise: float  # from one hour to the next, over the mean hour
    requests_per_s_per_replica: float
    replicas: float  # of the busiest hour
    always_on_replicas: float  # with spares
    always_on_hours_per_day: float  # of accelerators
    rows: tuple[SizingRow, ...]  # the figures below and of `scaling` in words
    hours: tuple[DemandHour, ...]
    scaling: Scaling | None  # None: all replicas run in all hours


class _Sized(NamedTuple):
    """What hours are computed with: rate of a replica, replicas of the peak, spares, and how they follow."""

    rate: Array
    size: Sizing
    redundancy: Redundancy


def demand_hours(
    scenario: EvaluatedScenario, found: Served, rate: float, size: Sizing | None
) -> DemandHours | None:
    """The hours of a demand; None where it has none, or nothing is answered within the service level.

    `rate` is what one replica answers within it, `size` what the busiest hour needs.
    """
    demand = found.setting.workload.demand
    if demand is None or not demand.hours or size is None or found.design.sharing is not None:
        return None
    if not (rate > 0 and np.isfinite(first_of(size.replicas + size.spare_replicas))):
        return None
    weights = np.array(demand.hours)
    requests = requests_of_hours_per_s(
        mean_requests_per_s=size.peak_requests_per_s / demand.peak_to_mean, hour_weights=weights
    )
    sized = _Sized(np.full(1, rate), size, _redundancy(scenario, found, size))
    always = size.replicas + size.spare_replicas
    several = bool(found.design.kinds)
    autoscaling = None if several else demand.autoscaling
    start = None if autoscaling is None else _cold_start(found, sized, requests)
    run = (
        None if autoscaling is None or start is None else _scaled(found, autoscaling, start, sized, requests)
    )
    daily = tco.accelerator_hours_per_day(
        accelerators=accelerators_paid(
            replicas=always, accelerators_per_replica=np.full(1, found.size), unit_accelerators=_unit(found)
        )
    )
    scaling = (
        None
        if autoscaling is None or start is None or run is None
        else _scaling(scenario, found, autoscaling, start, run, sized, requests, daily)
    )
    return DemandHours(
        shape=demand.shape,
        peak_to_mean=first_of(demand.peak_to_mean),
        steepest_rise=first_of(steepest_rise(weights=weights)),
        requests_per_s_per_replica=rate,
        replicas=first_of(size.replicas),
        always_on_replicas=first_of(always),
        always_on_hours_per_day=first_of(daily),
        rows=tuple(
            hours_rows(
                shape=demand.shape,
                peak_to_mean=first_of(demand.peak_to_mean),
                rise=first_of(steepest_rise(weights=weights)),
                always_on_replicas=first_of(always),
                always_on_hours_per_day=first_of(daily),
                replicas=first_of(size.replicas),
                scaling=scaling,
                not_scaled=NOT_SCALED if several and demand.autoscaling is not None else "",
            )
        ),
        hours=_hours(found, sized, requests, run),
        scaling=scaling,
    )


def _redundancy(scenario: EvaluatedScenario, found: Served, size: Sizing) -> Redundancy:
    level = found.setting.workload.level
    up = scenario.evaluation.sections.reliability.replica_availability
    return Redundancy(
        replica_availability=np.ones(1) if up is None else np.full(1, middle(up)),
        availability=level.availability,
        n_plus=level.n_plus,
        replicas_lost=size.replicas_lost,
    )


def _cold_start(found: Served, sized: _Sized, requests: Array) -> ColdStart:
    """Of as many replicas at once as the steepest rise needs."""
    demand, performance = found.setting.workload.demand, found.performance
    assert demand is not None
    assert demand.autoscaling is not None
    scaling, replica = demand.autoscaling, found.replica
    prefill = np.zeros(1) if replica.prefill_instances is None else replica.prefill_instances
    return cold_start(
        stated_s=scaling.cold_start_s,
        boots=scaling.stopped == OFF,
        node_boot_s=scaling.node_boot_s,
        engine_start_s=scaling.engine_start_s,
        weights_bytes=np.full(1, middle(performance.weights_bytes)),
        instances=replica.decode_instances + prefill,
        starts=_starts(sized, requests),
        accelerators_per_replica=np.full(1, found.size),
        storage_read_bandwidth_bytes_per_s=_storage_read(found, sized.size),
        scale_out_bandwidth_bytes_per_s=found.setting.machine.scale_out_bandwidth_bytes_per_s,
        weights_per_accelerator_bytes=np.full(1, middle(performance.memory_breakdown_bytes["weights"])),
        host_link_bytes_per_s=np.full(
            1, middle(found.design.assumptions.rooms["performance"].host_link_bytes_per_s)
        ),
    )


def _storage_read(found: Served, size: Sizing) -> Array:
    """Rate of the storage of a pod of the size that the demand needs, as stated or by the rule for each accelerator."""
    design = found.design
    rates = bandwidths(
        supernode=found.supernode,
        pod=replace(central(design.pod), supernodes=size.supernodes_with_headroom),
        operations=central(design.operations),
        assumptions=central(design.assumptions.rooms["operations"]),
    )
    return rates["storage_read_bandwidth_bytes_per_s"]


def _starts(sized: _Sized, requests: Array) -> Array:
    needed = replicas_of_hours(requests_per_s=requests, requests_per_s_per_replica=sized.rate)
    return np.full(1, max(float(np.max(needed - np.roll(needed, 1))), 1.0))


def _unit(found: Served) -> Array:
    """Accelerators that stop together: of a node where nodes are given back, else one by one."""
    demand, supernode = found.setting.workload.demand, found.supernode
    scaling = None if demand is None or found.design.kinds else demand.autoscaling
    whole = scaling is not None and scaling.stopped == OFF
    return supernode.accelerators / supernode.nodes if whole else np.ones(1)


def _scaled(found: Served, scaling: Autoscaling, start: ColdStart, sized: _Sized, requests: Array) -> Scaled:
    return scaled(
        requests_per_s=requests,
        requests_per_s_per_replica=sized.rate,
        replicas=sized.size.replicas,
        spare_replicas=sized.size.spare_replicas,
        redundancy=sized.redundancy,
        minimum_instances=scaling.minimum_instances,
        headroom=scaling.headroom,
        scale_down_delay_s=scaling.scale_down_delay_s,
        cold_start_s=start.cold_start_s,
        burst=scaling.burst,
        accelerators_per_replica=np.full(1, found.size),
        unit_accelerators=_unit(found),
    )


def _hours(found: Served, sized: _Sized, requests: Array, run: Scaled | None) -> tuple[DemandHour, ...]:
    """Latencies at the rate of each hour on the replicas that run in all of it."""
    needed = replicas_of_hours(requests_per_s=requests, requests_per_s_per_replica=sized.rate)
    running = np.broadcast_to(sized.size.replicas, requests.shape) if run is None else run.serving
    paid = (
        np.broadcast_to(sized.size.replicas + sized.size.spare_replicas, requests.shape)
        if run is None
        else run.paid
    )
    asked = np.where(requests > 0, requests, np.nan)
    each = asked / np.maximum(running, 1.0)
    grid = under(found, many_loads(found.setting, fullest(found)))
    known = np.where(requests > 0, each, grid.requests_per_s[0])
    loads: Row = loads_of_rates(
        found.setting, found.replica, concurrency=grid.concurrency, answered=grid.requests_per_s, asked=known
    )
    seen = under(found, loads)
    hidden = np.where(requests > 0, 1.0, np.nan)
    return tuple(
        DemandHour(
            hour=hour,
            title=_title(hour, requests.size),
            requests_per_s=float(requests[hour]),
            needed=float(needed[hour]),
            running=float(running[hour]),
            paid=float(paid[hour]),
            utilisation=float(requests[hour] / max(running[hour], 1.0) / sized.rate[0]),
            ttft_within_s=float(seen.ttft_within_s[hour] * hidden[hour]),
            tpot_within_s=float(seen.tpot_within_s[hour] * hidden[hour]),
            keeps=bool(requests[hour] == 0 or seen.over_promise[hour] <= KEPT),
        )
        for hour in range(requests.size)
    )


def _title(hour: int, hours: int) -> str:
    """When it begins.

    >>> _title(9, 24), _title(33, 168)
    ('09:00', 'Tuesday 09:00')
    """
    clock = f"{hour % DAY_HOURS:02}:00"
    return clock if hours == DAY_HOURS else f"{DAYS[hour // DAY_HOURS]} {clock}"


def _scaling(
    scenario: EvaluatedScenario,
    found: Served,
    scaling: Autoscaling,
    start: ColdStart,
    run: Scaled,
    sized: _Sized,
    requests: Array,
    always: Array,
) -> Scaling:
    hours = tco.accelerator_hours_per_day(accelerators=run.accelerators)
    freed = tco.freed_share(accelerator_hours_per_day=hours, always_on_hours_per_day=always)
    energy = _energy(scenario, found, scaling, always, hours)
    usd = _costs(scenario, found, scaling, always, hours, energy, requests)
    needs, kept = first_of(run.headroom_needed), first_of(run.headroom)
    return Scaling(
        stopped=scaling.stopped,
        minimum_instances=first_of(scaling.minimum_instances),
        scale_down_delay_s=first_of(scaling.scale_down_delay_s),
        cold_start_s=first_of(start.cold_start_s),
        cold_start_is_stated=start.weights_read_s is None,
        node_boot_s=_part(start.node_boot_s),
        weights_read_s=_part(start.weights_read_s),
        weights_copy_s=_part(start.weights_copy_s),
        engine_start_s=_part(start.engine_start_s),
        starts_at_once=first_of(_starts(sized, requests)),
        headroom=kept,
        headroom_is_stated=not np.isnan(first_of(scaling.headroom)),
        headroom_needed=needs,
        headroom_is_enough=kept >= needs,
        short_hours=int(run.short.sum()),
        accelerator_hours_per_day=first_of(hours),
        freed_share=first_of(freed),
        always_on_kwh_per_day=energy[0],
        saved_kwh_per_day=energy[1],
        **usd,
    )


def _part(value: Array | None) -> float | None:
    return None if value is None else first_of(value)


def _energy(
    scenario: EvaluatedScenario, found: Served, scaling: Autoscaling, always: Array, hours: Array
) -> tuple[float, float]:
    """Of a day at the meter: of replicas that never stop, and what stopping saves of it."""
    power, design = scenario.evaluation.sections.power, found.design
    idle = supernode_power_idle_w(
        max_power_w=found.supernode.max_power_w,
        idle_power_utilisation=np.full(
            1, middle(design.assumptions.rooms["facility"].idle_power_utilisation)
        ),
    )
    common = {
        "working_w": tco.working_power_w(
            it_power_mean_w=np.full(1, middle(power.it_power_mean_w)),
            it_power_idle_w=np.full(1, middle(power.it_power_idle_w)),
            accelerators_used=np.full(1, middle(design.pod.accelerators_used)),
        ),
        "idle_w": idle / found.supernode.accelerators,
        "meter_per_it": np.full(1, middle(power.utility_mean_w) / middle(power.it_power_mean_w)),
    }
    off = np.full(1, float(scaling.stopped == OFF))
    return (
        first_of(tco.always_on_kwh_per_day(always_on_hours_per_day=always, **common)),
        first_of(tco.saved_kwh_per_day(freed_hours_per_day=always - hours, off=off, **common)),
    )


def _costs(
    scenario: EvaluatedScenario,
    found: Served,
    scaling: Autoscaling,
    always: Array,
    hours: Array,
    energy: tuple[float, float],
    requests: Array,
) -> dict[str, Any]:
    """USD of a million output tokens of the demand, with their prompts."""
    cost, design = scenario.evaluation.sections.cost, found.design
    tokens = np.mean(requests, keepdims=True) * found.setting.workload.requests.output_tokens
    owned = np.full(1, middle(cost.usd_per_installed_accelerator_hour))
    rent = np.full(1, middle(design.economics.rent_usd_per_accelerator_hour))

    def hourly(usd: Array, per_day: Array) -> Array:
        return usd_per_serving_hour(usd_per_accelerator_hour=usd, accelerators_used=per_day / DAY_HOURS)

    def million(usd_per_hour: Array) -> float:
        return first_of(usd_per_million_served_tokens(usd_per_serving_hour=usd_per_hour, tokens_per_s=tokens))

    off = scaling.stopped == OFF
    saving = {
        "saved_kwh_per_day": np.full(1, energy[1]),
        "electricity_price_usd_per_kwh": np.full(1, middle(design.facility.site.electricity_price_usd_per_kwh)),
    }  # fmt: skip
    return {
        "rented_always_on_usd": million(hourly(rent, always)),
        "rented_usd": million(hourly(rent, hours if off else always)),
        "owned_always_on_usd": million(hourly(owned, always)),
        "owned_usd": million(
            tco.usd_per_hour_with_saving(usd_per_serving_hour=hourly(owned, always), **saving)
        ),
        "owned_with_batch_usd": None if off else million(hourly(owned, hours)),
    }
