"""The workloads of a shared pod, each as the design it would be alone on what it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.engine.economics.section import run_costs
from app.engine.economics.token_cost import token_costs
from app.engine.performance.generic_step import GenericPerformance
from app.engine.performance.section import Performance
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.served_demand import borne
from app.engine.quantities import quantity
from app.engine.shared import shares
from app.engine.specs import (
    Assumptions,
    Design,
    Economics,
    GenericWorkload,
    Pod,
    ServingWorkload,
    Sharing,
    TrainingWorkload,
)
from app.engine.trace import Array

OF_A_WORKLOAD = ("performance", "serving")
"""Rooms whose assumptions go by the workload; all others go by the pod."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One workload. `design` is of it alone, on its SuperNodes as a pod of their own: others' are no spares of it."""

    name: str
    share: Array  # of the accelerator-hours
    supernodes: Array
    accelerators: Array
    design: Design

    @property
    def kind(self) -> str:
        """As the scenario calls it."""
        if isinstance(self.design.workload, ServingWorkload):
            return "serving"
        return "generic" if isinstance(self.design.workload, GenericWorkload) else "training"

    @property
    def model(self) -> str:
        """Name of the model, or of the job."""
        workload = self.design.workload
        return workload.name if isinstance(workload, GenericWorkload) else workload.architecture.name


def parts_of(design: Design) -> tuple[Part, ...]:
    """Every workload of a shared pod, the first one first."""
    sharing, pod = design.sharing, design.pod
    assert sharing is not None, "the pod is shared"
    counts, parts_shares = _by_pod(sharing, pod) if sharing.by == "pod" else _by_day(sharing, pod)
    alone = replace(design, sharing=None)
    of_each: list[dict[str, Any]] = [{}]
    of_each += [
        {
            "workload": other.workload,
            "layout": other.layout,
            "framework": other.framework,
            "assumptions": _assumptions(design.assumptions.rooms, other.assumptions.rooms),
        }
        for other in sharing.others
    ]
    names = [sharing.first_name, *(other.name for other in sharing.others)]
    by_day = sharing.by == "day"
    return tuple(
        _part(
            _in_its_hours(replace(alone, **own), share) if by_day else replace(alone, **own),
            name,
            share,
            count,
        )
        for own, name, share, count in zip(of_each, names, parts_shares, counts, strict=True)
    )


def first_alone(design: Design) -> Design:
    """The first workload alone on what it has; the design itself where nothing is shared."""
    return design if design.sharing is None else parts_of(design)[0].design


def _in_its_hours(alone: Design, share: Array) -> Design:
    """The design with a demand that is stated for a day as what its workload must bear in its hours."""
    workload = alone.workload
    if not isinstance(workload, ServingWorkload) or workload.demand is None or not workload.demand.of_the_day:
        return alone
    faster = shares.requests_per_s_in_its_hours(requests_per_s=workload.demand.requests_per_s, share=share)
    return replace(alone, workload=replace(workload, demand=replace(workload.demand, requests_per_s=faster)))


def _part(alone: Design, name: str, share: Array, supernodes: Array) -> Part:
    accelerators = shares.accelerators_of_share(
        supernodes=supernodes, accelerators_per_supernode=alone.supernode.accelerators
    )
    return Part(
        name=name,
        share=share,
        supernodes=supernodes,
        accelerators=accelerators,
        design=replace(alone, pod=replace(alone.pod, supernodes=supernodes, accelerators_used=accelerators)),
    )


def _by_pod(sharing: Sharing, pod: Pod) -> tuple[list[Array], list[Array]]:
    others = [
        shares.supernodes_of_share(share=other.share, supernodes=pod.supernodes) for other in sharing.others
    ]
    first = shares.supernodes_left(supernodes=pod.supernodes, others_supernodes=tuple(others))
    counts = [first, *others]
    return counts, [
        shares.share_of_pod(supernodes_of_workload=count, supernodes=pod.supernodes) for count in counts
    ]


def _by_day(sharing: Sharing, pod: Pod) -> tuple[list[Array], list[Array]]:
    stated = tuple(other.share for other in sharing.others)
    of_each = [shares.rest_of_day(others_shares=stated), *(shares.share_of_day(share=one) for one in stated)]
    return [shares.all_supernodes(supernodes=pod.supernodes) for _ in of_each], of_each


def _assumptions(of_the_pod: Mapping[str, Any], of_the_workload: Mapping[str, Any]) -> Assumptions:
    own = {room: of_the_workload[room] for room in OF_A_WORKLOAD if room in of_the_workload}
    return Assumptions(rooms={**of_the_pod, **own})


@quantity(unit="1", percent=True, source="definition", at="workloads[].energy_share")
def energy_share(*, it_power_mean_w: Array, it_power_of_all_w: Array) -> Array:
    """Energy share of the workload.

    By IT power: cooling, losses and the rest of the house are shared alike.
    """
    return it_power_mean_w / it_power_of_all_w


@quantity(unit="kWh/year", source="definition", at="workloads[].energy_kwh_per_year")
def energy_kwh_per_year(*, energy_utility_kwh_per_year: Array, energy_share: Array) -> Array:
    """Annual energy of the workload at full use."""
    return energy_utility_kwh_per_year * energy_share


@quantity(unit="W", source="definition")
def utility_power_w(*, utility_mean_w: Array, energy_share: Array) -> Array:
    """Mean utility power of a workload, annual."""
    return utility_mean_w * energy_share


@quantity(unit="tokens/s", source="definition", at="workloads[].tokens_per_s_mean")
def tokens_per_s_mean(*, tokens_per_s: Array, working_share: Array) -> Array:
    """Tokens per second, daily mean.

    Where a served model states a demand, of it, mean over its years.
    """
    return tokens_per_s * working_share


@quantity(unit="s", source="definition", also_at="performance.elapsed_time_s")
def elapsed_by_the_calendar_s(*, elapsed_time_s: Array, working_share: Array) -> Array:
    """Elapsed time of a run that works for a share of the day."""
    return elapsed_time_s / working_share


@quantity(
    unit="J/token",
    source="definition",
    at="workloads[].energy_j_per_token",
    also_at="power.energy_j_per_token",
)
def energy_j_per_token_of_workload(*, utility_power_w: Array, tokens_per_s_mean: Array) -> Array:
    """Energy per token of the workload: trained, or of output where it serves."""
    return utility_power_w / tokens_per_s_mean


@quantity(unit="USD/year", source="definition")
def by_energy_usd_per_year(*, electricity_usd_per_year: Array, water_usd_per_year: Array) -> Array:
    """Energy-related annual cost of the pod: electricity and the water of its cooling."""
    return electricity_usd_per_year + water_usd_per_year


@quantity(unit="USD/year", source="definition", at="workloads[].cost.usd_per_year")
def usd_per_year_of_workload(
    *, annual_cost_usd_per_year: Array, by_energy_usd_per_year: Array, share: Array, energy_share: Array
) -> Array:
    """Annual cost of the workload.

    Electricity and water by its energy, all else by its share of the accelerator-hours.
    """
    return (annual_cost_usd_per_year - by_energy_usd_per_year) * share + by_energy_usd_per_year * energy_share


@quantity(unit="1", percent=True, source="definition", at="workloads[].cost.share")
def cost_share(*, usd_per_year: Array, annual_cost_usd_per_year: Array) -> Array:
    """Cost share of the workload."""
    return usd_per_year / annual_cost_usd_per_year


@quantity(unit="USD/h", source="definition", at="workloads[].cost.usd_per_accelerator_hour")
def usd_per_accelerator_hour_of_workload(
    *, usd_per_year: Array, used_accelerator_hours_per_year: Array, share: Array
) -> Array:
    """Cost per utilised accelerator-hour of the workload."""
    return usd_per_year / (used_accelerator_hours_per_year * share)


@quantity(unit="1", source="definition")
def accelerators_over_the_day(*, share: Array, supernodes: Array, accelerators_per_supernode: Array) -> Array:
    """Accelerators that a workload has, mean over the day."""
    return share * supernodes * accelerators_per_supernode


@quantity(unit="W", source="definition")
def share_of_power_w(*, power_w: Array, share: Array) -> Array:
    """A workload's share of a power that goes by accelerator-hours."""
    return power_w * share


AnyPerformance = Performance | GenericPerformance | ServingPerformance

OF_A_RUN = (
    "run_accelerator_hours",
    "usd_per_run",
    "usd_per_run_rented_on_demand",
    "usd_per_run_rented_reserved",
)
OF_TOKENS = (
    "usd_per_million_input_tokens",
    "usd_per_million_output_tokens",
    "usd_per_million_tokens_rented_on_demand",
    "usd_per_million_tokens_rented_reserved",
)
SAID = (
    "run_accelerator_hours", "usd_per_run", "usd_per_million_tokens", "usd_per_million_input_tokens",
    "usd_per_million_output_tokens",
)  # fmt: skip
"""Costs that are given for every workload; the cost section has more for the first."""


def costs_of_work(
    *,
    workload: TrainingWorkload | GenericWorkload | ServingWorkload,
    pod: Pod,
    economics: Economics,
    performance: AnyPerformance,
    working_share: Array,
    usd_per_accelerator_hour: Array,
    hours: dict[str, Array],
) -> dict[str, Array | None]:
    """All costs of the work by their names in the cost section; None where this kind of workload has none.

    Parameters
    ----------
    pod : `accelerators_used` are those of the workload, mean over the day
    performance : while it works, but for the elapsed time, which is by the calendar
    hours : accelerator-hours of a year of the pod, `installed` and `used`
    """
    if isinstance(performance, ServingPerformance) and isinstance(workload, ServingWorkload):
        day = over_the_day(workload, performance, working_share)
        tokens: dict[str, Any] = token_costs(workload, pod, economics, day, usd_per_accelerator_hour, hours)
        return tokens | dict.fromkeys(OF_A_RUN)
    assert not isinstance(performance, ServingPerformance), "what serves is a served workload"
    assert not isinstance(workload, ServingWorkload), "a run has a workload that runs"
    return {
        **run_costs(workload, pod, economics, performance, usd_per_accelerator_hour, hours),
        **dict.fromkeys(OF_TOKENS),
    }


def over_the_day(
    workload: ServingWorkload, performance: ServingPerformance, working_share: Array
) -> ServingPerformance:
    """What serves, with its tokens over the whole day, hours of other workloads counted.

    Of the demand where one is stated, which is that of its hours.
    """
    paid = borne(performance, workload)
    return replace(
        paid,
        tokens_per_s=tokens_per_s_mean(tokens_per_s=paid.tokens_per_s, working_share=working_share),
        input_tokens_per_s=tokens_per_s_mean(
            tokens_per_s=paid.input_tokens_per_s, working_share=working_share
        ),
    )
