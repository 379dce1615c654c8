"""What a pod that serves must bear, and the SLO."""

from __future__ import annotations

import numpy as np

from app.catalog.demand_shapes import demand_shapes
from app.engine.performance.serving.demand_hours import DAY_HOURS, hours_peak_to_mean, pod_weights
from app.engine.specs.serving import Autoscaling, Demand, Region, ServiceLevel
from app.engine.trace import Array, first_of
from app.scenarios.document.serving_demand import (
    AutoscalingDocument,
    DemandDocument,
    RegionDocument,
    ServiceLevelDocument,
)
from app.scenarios.errors import refuse
from app.scenarios.resolve.inputs import Inputs

DAY_S = 86_400.0
SAME = 0.01
"""Of the peak over the mean, by which a stated one may differ from that of the stated hours."""


def demand(inputs: Inputs, document: DemandDocument | None, tokens: float) -> Demand | None:
    """The demand as requests per second, each of so many tokens in and out; None where the scenario states
    none."""
    if document is None:
        return None
    path = "workload.demand"
    name, hours = _hours(document)
    return Demand(
        requests_per_s=_requests_per_s(inputs, document, tokens),
        peak_to_mean=_peak_to_mean(inputs, document, name, hours),
        growth_per_year=inputs.scenario(f"{path}.growth_per_year", document.growth_per_year),
        years=inputs.scenario(f"{path}.years", document.years),
        regions=tuple(
            _region(inputs, region, f"{path}.regions[{place}]")
            for place, region in enumerate(document.regions)
        ),
        of_the_day=document.tokens_per_day is not None,
        shape=name,
        hours=tuple(hours.tolist()),
        autoscaling=_autoscaling(inputs, document.autoscaling),
    )


def _hours(document: DemandDocument) -> tuple[str, Array]:
    """Names of the hours, and the requests of each over their mean; none where the scenario states none."""
    if not document.has_hours:
        return "", np.zeros(0)
    named = None if document.shape is None else demand_shapes()[document.shape]
    weights = np.array(document.hourly_weights if named is None else named.weights)
    if weights.size == 1:
        weights = np.full(DAY_HOURS, weights[0])
    places = document.regions
    shares = np.array([place.share for place in places]) if places else np.ones(1)
    offsets = np.array([place.clock_offset_h for place in places]) if places else np.zeros(1)
    name = "own hours" if named is None else named.label
    return name, pod_weights(weights=weights, shares=shares, clock_offset_h=offsets)


def _peak_to_mean(inputs: Inputs, document: DemandDocument, name: str, hours: Array) -> Array:
    """As the hours have it, else as stated or assumed.

    Raises
    ------
    ScenarioError : the hours and a stated ratio disagree
    """
    path = "workload.demand.peak_to_mean"
    stated = document.peak_to_mean
    if not hours.size:
        return inputs.assumption(path, "scenario.peak_to_mean", given=stated, scenario_field=path)
    found = first_of(hours_peak_to_mean(weights=hours))
    if stated is not None and abs(stated - found) > SAME * found:
        raise refuse(
            f"is {stated:.4g}, and the busiest hour of the stated hours has {found:.4g} times their mean.",
            rule="hours",
            path=path,
            value=stated,
            hint="Leave peak_to_mean out, or the shape of the demand.",
        )
    source = "own hours" if document.shape is None else demand_shapes()[document.shape].source
    return inputs.derived(
        path, found, f"busiest hour over the mean, {name}", f"workload.demand by the hour: {source}"
    )


def _autoscaling(inputs: Inputs, document: AutoscalingDocument | None) -> Autoscaling | None:
    if document is None or not document.enabled:
        return None
    path = "workload.demand.autoscaling"

    def stated(name: str, value: float | None, otherwise: str) -> Array:
        if value is None:
            return inputs.derived(f"{path}.{name}", np.nan, otherwise, "the scenario leaves it open")
        return inputs.scenario(f"{path}.{name}", value)

    return Autoscaling(
        minimum_instances=inputs.scenario(f"{path}.minimum_instances", document.minimum_instances),
        headroom=stated("headroom", document.headroom, "headroom, as much as is needed"),
        scale_down_delay_s=inputs.scenario(f"{path}.scale_down_delay_s", document.scale_down_delay_s),
        cold_start_s=stated("cold_start_s", document.cold_start_s, "cold start, by its parts"),
        node_boot_s=inputs.assumption(f"{path}.node_boot_s", "scenario.node_boot_s"),
        engine_start_s=inputs.assumption(f"{path}.engine_start_s", "scenario.engine_start_s"),
        burst=inputs.assumption(f"{path}.burst", "scenario.demand_burst"),
        stopped=document.stopped,
    )


def service_level(inputs: Inputs, document: ServiceLevelDocument) -> ServiceLevel:
    """The SLO; times that are not are not a number."""
    path = "workload.level"
    return ServiceLevel(
        ttft_s=_promised(inputs, path, "ttft_s", document.ttft_s),
        tpot_s=_promised(inputs, path, "tpot_s", document.tpot_s),
        percentile=inputs.scenario(
            f"{path}.percentile", document.percentile, "workload.service_level.percentile"
        ),
        availability=inputs.scenario(
            f"{path}.availability", document.availability, "workload.service_level.availability"
        ),
        n_plus=inputs.scenario(f"{path}.n_plus", document.n_plus, "workload.service_level.n_plus"),
        failure_domain=document.failure_domain,
    )


def _requests_per_s(inputs: Inputs, document: DemandDocument, tokens: float) -> Array:
    path = "workload.demand.requests_per_s"
    if document.requests_per_s is not None:
        return inputs.scenario(path, document.requests_per_s)
    assert document.tokens_per_day is not None  # the document makes sure of one of the two
    return inputs.derived(
        path,
        document.tokens_per_day / DAY_S / tokens,
        "requests per second",
        f"workload.demand.tokens_per_day {document.tokens_per_day:.6g} over a day and {tokens:,.6g} tokens a request",
    )


def _region(inputs: Inputs, document: RegionDocument, path: str) -> Region:
    budget = f"{path}.latency_budget_s"
    return Region(
        name=document.name,
        share=inputs.scenario(f"{path}.share", document.share),
        round_trip_s=inputs.scenario(f"{path}.round_trip_s", document.round_trip_s),
        latency_budget_s=inputs.derived(
            budget, np.nan, f"latency budget of {document.name}", "the scenario states none"
        )
        if document.latency_budget_s is None
        else inputs.scenario(budget, document.latency_budget_s),
        clock_offset_h=document.clock_offset_h,
    )


def _promised(inputs: Inputs, path: str, name: str, value: float | None) -> Array:
    if value is None:
        return inputs.derived(f"{path}.{name}", np.nan, f"SLO {name}", "the scenario states no SLO")
    return inputs.scenario(f"{path}.{name}", value, f"workload.service_level.{name}")
