"""What a pod that serves must bear, and what is promised."""

from __future__ import annotations

import numpy as np

from app.engine.specs.serving import Demand, Region, ServiceLevel
from app.engine.trace import Array
from app.scenarios.inputs import Inputs
from app.scenarios.serving.demand import DemandDocument, RegionDocument, ServiceLevelDocument

DAY_S = 86_400.0


def demand(inputs: Inputs, document: DemandDocument | None, tokens: float) -> Demand | None:
    """The demand as requests a second, each of so many tokens in and out; None where the scenario states none."""
    if document is None:
        return None
    path = "workload.demand"
    return Demand(
        requests_per_s=_requests_per_s(inputs, document, tokens),
        peak_to_mean=inputs.assumption(
            f"{path}.peak_to_mean",
            "scenario.peak_to_mean",
            given=document.peak_to_mean,
            scenario_field=f"{path}.peak_to_mean",
        ),
        growth_per_year=inputs.scenario(f"{path}.growth_per_year", document.growth_per_year),
        years=inputs.scenario(f"{path}.years", document.years),
        regions=tuple(
            _region(inputs, region, f"{path}.regions[{place}]")
            for place, region in enumerate(document.regions)
        ),
        of_the_day=document.tokens_per_day is not None,
    )


def service_level(inputs: Inputs, document: ServiceLevelDocument) -> ServiceLevel:
    """What is promised; times that are not are not a number."""
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
    )


def _requests_per_s(inputs: Inputs, document: DemandDocument, tokens: float) -> Array:
    path = "workload.demand.requests_per_s"
    if document.requests_per_s is not None:
        return inputs.scenario(path, document.requests_per_s)
    assert document.tokens_per_day is not None  # the document makes sure of one of the two
    return inputs.derived(
        path,
        document.tokens_per_day / DAY_S / tokens,
        "requests a second",
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
    )


def _promised(inputs: Inputs, path: str, name: str, value: float | None) -> Array:
    if value is None:
        return inputs.derived(f"{path}.{name}", np.nan, f"promised {name}", "the scenario promises none")
    return inputs.scenario(f"{path}.{name}", value, f"workload.service_level.{name}")
