"""Several workloads on one pod -> the sections of an evaluation.

Power, cooling, the cost of the pod and its stock of spares and storage are of all workloads together. Performance,
failures, carbon, and the cost of a run or of tokens are of the first; those of each stand under `workloads`.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from app.engine.economics.bills import yearly_hours
from app.engine.economics.section import Cost, evaluate_carbon, evaluate_cost
from app.engine.fabric.section import evaluate_fabric
from app.engine.facility.power_supply.supplied import supplied
from app.engine.facility.results import Power
from app.engine.facility.section import evaluate_facility
from app.engine.operations import site, storage
from app.engine.operations.section import Reliability, evaluate_reliability, kept_bytes
from app.engine.performance.generic_step import GenericPerformance
from app.engine.performance.section import Performance
from app.engine.performance.serving.section import ServingPerformance
from app.engine.quantities import quantity
from app.engine.shared import parts, switching
from app.engine.shared.parts import SAID, costs_of_work, over_the_day, parts_of
from app.engine.shared.power import load_of_all
from app.engine.shared.section import SharedWorkload, WorkloadCost
from app.engine.shared.workload_run import Runs, WithReliability, Working, working
from app.engine.specs import Design, Pod, ServingWorkload
from app.engine.trace import Array


def evaluate_shared(design: Design, *, runs: Runs, with_reliability: WithReliability) -> dict[str, Any]:
    """The sections by name; how a workload runs alone is passed in."""
    rooms, sharing = design.assumptions.rooms, design.sharing
    assert sharing is not None, "the pod is shared"
    hardware: dict[str, Any] = {"supernode": design.supernode, "pod": design.pod}
    fabric = evaluate_fabric(**hardware, assumptions=rooms["fabric"])
    each = tuple(
        working(part, fabric, by=sharing.by, runs=runs, with_reliability=with_reliability)
        for part in parts_of(design)
    )
    reliability = with_stock_of_all(design, each)
    it, it_powers = load_of_all(design, each, fabric, reliability)
    power, cooling = evaluate_facility(
        **hardware,
        facility=design.facility,
        fabric=fabric,
        performance=each[0].performance,
        reliability=reliability,
        assumptions=rooms["facility"],
        it=it,
    )
    each = tuple(
        replace(
            one,
            performance=site.with_outages(one.performance, power),
            reliability=site.at_site(one.reliability, power),
        )
        for one in each
    )
    first, reliability = each[0], site.at_site(reliability, power)
    common: dict[str, Any] = {
        "workload": design.workload,
        "supernode": design.supernode,
        "facility": supplied(design.facility, power, cooling, rooms["facility"]),
        "operations": design.operations,
        "economics": design.economics,
        "fabric": fabric,
        "reliability": reliability,
        "cooling": cooling,
        "assumptions": rooms["economics"],
    }
    cost = evaluate_cost(**common, pod=design.pod, performance=first.performance, power=power)
    hours = yearly_hours(design.supernode, design.pod, design.economics, reliability, power)
    workloads = tuple(
        _workload(design.pod, one, it_power, it.mean_w, hours, power, cost)
        for one, it_power in zip(each, it_powers, strict=True)
    )
    carbon = evaluate_carbon(
        **common,
        pod=_pod_over_the_day(design.pod, first),
        performance=_over_the_day(first),
        power=_power_of(workloads[0], power),
    )
    return {
        "performance": first.performance,
        "fabric": fabric,
        "reliability": reliability,
        "power": replace(power, energy_j_per_token=workloads[0].energy_j_per_token),
        "cooling": cooling,
        "cost": replace(cost, **_costs(design.pod, first, workloads[0].cost.usd_per_accelerator_hour, hours)),
        "carbon": carbon,
        "workloads": workloads,
    }


def _workload(
    pod: Pod,
    one: Working,
    it_power_w: Array,
    it_power_of_all_w: Array,
    hours: dict[str, Array],
    power: Power,
    cost: Cost,
) -> SharedWorkload:
    part, performance = one.part, one.performance
    energy_share = parts.energy_share(it_power_mean_w=it_power_w, it_power_of_all_w=it_power_of_all_w)
    tokens = _over_the_day(one).tokens_per_s
    paid = parts.usd_per_year_of_workload(
        annual_cost_usd_per_year=cost.annual_cost_usd_per_year,
        by_energy_usd_per_year=parts.by_energy_usd_per_year(
            electricity_usd_per_year=cost.opex_breakdown_usd_per_year["electricity"],
            water_usd_per_year=cost.opex_breakdown_usd_per_year["water"],
        ),
        share=part.share,
        energy_share=energy_share,
    )
    hour = parts.usd_per_accelerator_hour_of_workload(
        usd_per_year=paid, used_accelerator_hours_per_year=hours["used"], share=part.share
    )
    costs = _costs(pod, one, hour, hours)
    by_day = one.switching_s_per_day is not None
    return SharedWorkload(
        name=part.name,
        kind=part.kind,
        model=part.model,
        share=part.share,
        supernodes=part.supernodes,
        accelerators=part.accelerators,
        switching_s_per_day=one.switching_s_per_day,
        working_hours_per_day=switching.working_hours_per_day(working_share=one.working_share)
        if by_day
        else None,
        tokens_per_s_mean=tokens,
        it_power_mean_w=it_power_w,
        energy_share=energy_share,
        energy_kwh_per_year=parts.energy_kwh_per_year(
            energy_utility_kwh_per_year=power.energy_utility_kwh_per_year, energy_share=energy_share
        ),
        energy_j_per_token=None
        if tokens is None
        else parts.energy_j_per_token_of_workload(
            utility_power_w=parts.utility_power_w(
                utility_mean_w=power.utility_mean_w, energy_share=energy_share
            ),
            tokens_per_s_mean=tokens,
        ),
        cost=WorkloadCost(
            share=parts.cost_share(usd_per_year=paid, annual_cost_usd_per_year=cost.annual_cost_usd_per_year),
            usd_per_year=paid,
            usd_per_accelerator_hour=hour,
            **{name: costs[name] for name in SAID},
        ),
        performance=performance,
        reliability=one.reliability,
    )


def _costs(
    pod: Pod, one: Working, usd_per_accelerator_hour: Array, hours: dict[str, Array]
) -> dict[str, Any]:
    return costs_of_work(
        workload=one.part.design.workload,
        pod=_pod_over_the_day(pod, one),
        economics=one.part.design.economics,
        performance=one.performance,
        working_share=one.working_share,
        usd_per_accelerator_hour=usd_per_accelerator_hour,
        hours=hours,
    )


def _pod_over_the_day(pod: Pod, one: Working) -> Pod:
    """The pod with the accelerators that a workload has, mean over the day."""
    accelerators = parts.accelerators_over_the_day(
        share=one.part.share,
        supernodes=pod.supernodes,
        accelerators_per_supernode=one.part.design.supernode.accelerators,
    )
    return replace(pod, accelerators_used=accelerators)


def _over_the_day(one: Working) -> Any:
    """How a workload runs, with its tokens over the whole day."""
    performance, workload = one.performance, one.part.design.workload
    if isinstance(performance, ServingPerformance) and isinstance(workload, ServingWorkload):
        return over_the_day(workload, performance, one.working_share)
    if performance.tokens_per_s is None:
        return performance
    tokens = parts.tokens_per_s_mean(tokens_per_s=performance.tokens_per_s, working_share=one.working_share)
    return replace(performance, tokens_per_s=tokens)


def _power_of(first: SharedWorkload, power: Power) -> Power:
    """What of the pod's power the first workload answers for, mean over the year."""

    def its(power_w: Array) -> Array:
        return parts.share_of_power_w(power_w=power_w, share=first.share)

    return replace(
        power,
        utility_mean_w=parts.utility_power_w(
            utility_mean_w=power.utility_mean_w, energy_share=first.energy_share
        ),
        it_power_mean_w=first.it_power_mean_w,
        it_power_idle_w=its(power.it_power_idle_w),
        accelerator_tdp_power_w=its(power.accelerator_tdp_power_w),
        it_breakdown_w=power.it_breakdown_w
        | {"idle_supernodes": its(power.it_breakdown_w["idle_supernodes"])},
    )


OF_THE_POOL = (
    "units_in_repair",
    "spare_units",
    "spare_units_recommended",
    "spare_supernodes",
    "spare_supernodes_installed",
    "spare_coverage",
    "availability",
)


@quantity(unit="B", source="definition")
def stored_of_all_bytes(*, stored_bytes: tuple[Array, ...]) -> Array:
    """Shared storage used by all workloads: checkpoints and data of runs, weights of served models."""
    return functools.reduce(operator.add, stored_bytes)


def with_stock_of_all(design: Design, each: Sequence[Working]) -> Reliability:
    """Reliability of the first workload, with the spares and the storage of the pod."""
    first = each[0]
    pool = evaluate_reliability(
        workload=design.workload,
        supernode=design.supernode,
        pod=design.pod,
        operations=design.operations,
        performance=first.performance,
        assumptions=design.assumptions.rooms["operations"],
    )
    return replace(
        first.reliability,
        **{name: getattr(pool, name) for name in OF_THE_POOL},
        **_tiers(design, each),
    )


def _tiers(design: Design, each: Sequence[Working]) -> dict[str, Any]:
    of_the_pod: dict[str, Any] = {
        "supernode": design.supernode,
        "pod": design.pod,
        "operations": design.operations,
        "assumptions": design.assumptions.rooms["operations"],
    }
    return storage.tiers(
        stored_bytes=stored_of_all_bytes(stored_bytes=tuple(_stored_bytes(one) for one in each)),
        bandwidths=storage.bandwidths(**of_the_pod),
        **of_the_pod,
    )


def _stored_bytes(one: Working) -> Array:
    design = one.part.design
    if isinstance(design.workload, ServingWorkload):
        assert one.reliability.weights_bytes is not None, "a served model has weights"
        return one.reliability.weights_bytes
    run = cast("Performance | GenericPerformance", one.performance)
    return kept_bytes(design.workload, design.pod, run, design.assumptions.rooms["operations"])[1]
