"""Edge against cloud: what users of each place wait for, from the question to the first token."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from app.catalog.view import CatalogView
from app.engine.performance.serving.regions import (
    budget_left_s,
    edge_gain_s,
    farthest_m,
    network_floor_s,
    network_round_trip_s,
    share_within_budget,
    ttft_allowed_s,
    user_ttft_s,
)
from app.engine.performance.serving.replica_memory import replica_of
from app.engine.performance.serving.section import ServingPerformance
from app.engine.trace import Array, count_of, first_of, plain
from app.scenarios.document.scenario import ScenarioDocument, ServingDocument
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Count, Key, Part, Positive
from app.scenarios.load import build_scenario
from app.scenarios.resolve.lookups import part_or_error
from app.views.serving.other_hardware import accelerators_of, on_hardware
from app.views.serving.served import Served, middle, on_words, refuse_unknown, replica_words, served

Evaluate = Callable[[ScenarioDocument], EvaluatedScenario]

QUEUE = ("prefill_wait", "decode_wait", "burst_wait", "place_wait", "queue_wait")
PREFILL = "prefill"
DISTANCES_KM = (30.0, 300.0, 1_000.0, 2_000.0)
"""From a metropolis to a continent: for the table of what light alone leaves of a budget."""
KM = 1e3


def edge_view(
    scenario: EvaluatedScenario, catalog: CatalogView, options: EdgeOptions, evaluate: Evaluate
) -> EdgeView:
    """Latency budgets of the regions of the demand, from the pod and from an edge site.

    Raises
    ------
    ScenarioError : the scenario serves no model, the edge system is not in the catalog, or cannot serve the model
    """
    found = served(scenario, "Edge vs cloud", mixed=True)
    edge = _edge(scenario, found, catalog, options, evaluate)
    budget = _one(options.latency_budget_s)
    at_the_edge = network_round_trip_s(
        stated_s=_one(np.nan if options.edge_round_trip_s is None else options.edge_round_trip_s),
        floor_s=network_floor_s(distance_m=_one(options.edge_distance_km * KM)),
    )
    places: list[PlaceLatency] = []
    for name, share, round_trip, own_budget in _regions(found, options):
        cloud = _place(name, "cloud", share, round_trip, own_budget, _performance(scenario), None)
        near = np.minimum(at_the_edge, round_trip)
        places += [
            cloud,
            _place(name, "edge", share, near, own_budget, _performance(edge), cloud.user_ttft_s),
        ]
    return EdgeView(
        name=found.name,
        budget_s=options.latency_budget_s,
        farthest_without_computing_km=first_of(farthest_m(latency_budget_s=budget, ttft_s=_one(0.0))) / KM,
        share_within_cloud=_within([place for place in places if place.site == "cloud"]),
        share_within_edge=_within([place for place in places if place.site == "edge"]),
        sites=(_site("cloud", scenario, budget), _site("edge", edge, budget)),
        places=tuple(places),
        distances=tuple(_distance(km, budget, scenario, edge) for km in DISTANCES_KM),
    )


def _one(value: float) -> Array:
    return np.full(1, float(value))


def _performance(scenario: EvaluatedScenario) -> ServingPerformance:
    performance = scenario.evaluation.sections.performance
    assert isinstance(performance, ServingPerformance)
    return performance


def _edge(
    scenario: EvaluatedScenario,
    found: Served,
    catalog: CatalogView,
    options: EdgeOptions,
    evaluate: Evaluate,
) -> EvaluatedScenario:
    """The same model on the edge site, with its share of the requests; the layout is left to the engine."""
    document, key = scenario.document, options.edge_system
    workload = document.workload
    assert isinstance(workload, ServingDocument)
    if key is None and found.design.kinds:
        raise refuse(
            "The pod has several kinds of SuperNode, and an edge site has one.",
            rule="one_kind",
            path="edge_system",
            value=None,
            hint="State edge_system.",
        )
    per = each = count_of(found.supernode.accelerators)
    if key is not None:
        part_or_error(catalog, "systems", key, "edge_system")
        known = accelerators_of(catalog, key)
        if known is None:
            raise refuse(
                f"How many accelerators {key} has is not published.",
                rule="unknown",
                path="edge_system",
                value=key,
                hint="Choose another system for the edge.",
            )
        per = each = known
    else:  # as large a share of a SuperNode as the scenario has at work
        each = round(count_of(found.design.pod.accelerators_used) / count_of(found.design.pod.supernodes))
    values = on_hardware(
        document,
        catalog,
        system=key,
        precision=workload.precision,
        accelerators=options.edge_supernodes * each,
        per_supernode=per,
    )
    values["workload"] = _with_share(
        values["workload"], options.edge_share, middle(found.performance.concurrency)
    )
    try:
        found_there = evaluate(build_scenario(values))
    except ScenarioError as error:
        raise refuse(
            f"The edge site cannot serve this model: {error.errors[0].words}",
            rule="edge_system",
            path="edge_system",
            value=key or "",
            hint="Choose another system for the edge, or more.",
        ) from error
    refuse_unknown(found_there, "Latency at the edge", path="edge_system")
    return found_there


def _with_share(workload: dict[str, Any], share: float, concurrency: float) -> dict[str, Any]:
    """The workload with a share of its demand, or of its requests in flight where none is stated."""
    demand = workload.get("demand")
    if not demand:
        return workload | {"concurrency": max(concurrency * share, 1.0)}
    amount = {
        name: demand[name] * share
        for name in ("requests_per_s", "tokens_per_day")
        if demand.get(name) is not None
    }
    return workload | {"demand": {**demand, **amount, "regions": []}}


def _regions(found: Served, options: EdgeOptions) -> list[tuple[str, float, Array, Array]]:
    """Name, share of the requests, round trip to the pod and budget of every place."""
    demand = found.setting.workload.demand
    budget = _one(options.latency_budget_s)
    if demand is None or not demand.regions:
        far = network_floor_s(distance_m=_one(options.cloud_distance_km * KM))
        return [(f"Users {options.cloud_distance_km:,.4g} km away", 1.0, far, budget)]
    return [
        (
            region.name,
            middle(region.share),
            _one(middle(region.round_trip_s)),
            np.where(np.isnan(plain(region.latency_budget_s)), budget, plain(region.latency_budget_s)),
        )
        for region in demand.regions
    ]


def _place(
    place: str,
    site: str,
    share: float,
    round_trip_s: Array,
    budget_s: Array,
    performance: ServingPerformance,
    cloud_s: float | None,
) -> PlaceLatency:
    parts = {name: middle(part) for name, part in performance.ttft_breakdown_s.items()}
    queue = sum(parts.get(name, 0.0) for name in QUEUE)
    ttft = _one(middle(performance.ttft_s))
    user = user_ttft_s(round_trip_s=round_trip_s, ttft_s=ttft)
    within = user_ttft_s(round_trip_s=round_trip_s, ttft_s=_one(middle(performance.ttft_within_s)))
    left = budget_left_s(latency_budget_s=budget_s, user_ttft_s=within)
    gain = None if cloud_s is None else first_of(edge_gain_s(edge_s=user, cloud_s=_one(cloud_s)))
    return PlaceLatency(
        place=place,
        site=site,
        share=share,
        round_trip_s=first_of(round_trip_s),
        queue_s=queue,
        prefill_s=parts.get(PREFILL, 0.0),
        other_s=first_of(ttft) - queue - parts.get(PREFILL, 0.0),
        user_ttft_s=first_of(user),
        user_ttft_within_s=first_of(within),
        budget_s=first_of(budget_s),
        left_s=first_of(left),
        keeps=first_of(left) >= 0,
        edge_gain_s=gain,
    )


def _within(places: list[PlaceLatency]) -> float:
    return first_of(
        np.atleast_1d(
            share_within_budget(
                shares=np.array([place.share for place in places]),
                latency_budget_s=np.array([place.budget_s for place in places]),
                user_ttft_s=np.array([place.user_ttft_within_s for place in places]),
            )
        )
    )


def _site(site: str, scenario: EvaluatedScenario, budget_s: Array) -> SiteFacts:
    performance, design = _performance(scenario), scenario.resolved.whole
    cost = scenario.evaluation.sections.cost.usd_per_million_tokens
    barriers = (problem.message for problem in scenario.evaluation.problems if problem.kind == "infeasible")
    within = _one(middle(performance.ttft_within_s))
    return SiteFacts(
        site=site,
        system=design.supernode.name
        if design.kinds
        else f"{middle(design.pod.supernodes):,.0f} × {design.supernode.name}",
        layout=replica_words(replica_of(performance), on_words(scenario.resolved.design, performance)),
        accelerators=middle(design.pod.accelerators_used),
        concurrency=middle(performance.concurrency),
        ttft_s=middle(performance.ttft_s),
        farthest_km=first_of(farthest_m(latency_budget_s=budget_s, ttft_s=within)) / KM,
        usd_per_million_tokens=np.nan if cost is None else middle(cost),
        reason=next(barriers, ""),
    )


def _distance(km: float, budget_s: Array, cloud: EvaluatedScenario, edge: EvaluatedScenario) -> DistanceLeft:
    trip = network_floor_s(distance_m=_one(km * KM))
    left = ttft_allowed_s(latency_budget_s=budget_s, round_trip_s=trip)
    return DistanceLeft(
        distance_km=km,
        round_trip_s=first_of(trip),
        left_s=first_of(left),
        cloud_keeps=first_of(left) >= middle(_performance(cloud).ttft_within_s),
        edge_keeps=first_of(left) >= middle(_performance(edge).ttft_within_s),
    )


Kilometres = Annotated[float, Field(ge=0, le=20_040)]


class EdgeOptions(Part):
    """An edge site beside the pod of the scenario. Distances are examples until they are stated."""

    edge_system: Key | None = Field(
        default=None,
        description="Catalog key of the edge site's SuperNode; the scenario's own when left out.",
    )
    edge_supernodes: Count = Field(default=1, description="SuperNodes of the edge site.")
    edge_share: Annotated[float, Field(gt=0, le=1)] = Field(
        default=0.1, description="Share of the requests that the edge site answers."
    )
    edge_distance_km: Kilometres = Field(
        default=30, description="Distance of users to the edge site, by fibre."
    )
    edge_round_trip_s: Annotated[float, Field(ge=0, le=1e6)] | None = Field(
        default=None,
        description="Round trip of the network to the edge site; that of light in fibre when left out.",
    )
    cloud_distance_km: Kilometres = Field(
        default=1_000,
        description="Distance of users to the pod, by fibre, where the demand states no regions.",
    )
    latency_budget_s: Positive = Field(
        default=0.02,
        description="From the question to the first token, of places that state none: 20 ms is the article's.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceLatency:
    """Users of one place, served from the cloud or the edge. Parts sum to `user_ttft_s`, means over requests."""

    place: str
    site: str  # cloud | edge
    share: float  # of the requests
    round_trip_s: float
    queue_s: float
    prefill_s: float
    other_s: float  # taking a request in, answering, sending keys and values, own measurements
    user_ttft_s: float
    user_ttft_within_s: float  # at the SLO percentile
    budget_s: float
    left_s: float  # of the budget, at the SLO percentile
    keeps: bool  # the budget, for that share
    edge_gain_s: float | None  # over the cloud; None of the cloud itself


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteFacts:
    """Hardware at a site."""

    site: str
    system: str
    layout: str
    accelerators: float
    concurrency: float
    ttft_s: float
    farthest_km: float  # at which light in fibre just keeps the budget, at the SLO percentile
    usd_per_million_tokens: float
    reason: str  # why it cannot be built, "" where it can


@dataclass(frozen=True, slots=True, kw_only=True)
class DistanceLeft:
    """Remaining latency budget at a distance."""

    distance_km: float
    round_trip_s: float
    left_s: float
    cloud_keeps: bool  # with what the pod of the scenario takes, at the SLO percentile
    edge_keeps: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeView:
    """`farthest_without_computing_km` is how far light alone goes and returns within the budget."""

    name: str
    budget_s: float
    farthest_without_computing_km: float
    share_within_cloud: float  # of the requests: those of places whose budget is kept
    share_within_edge: float
    sites: tuple[SiteFacts, ...]
    places: tuple[PlaceLatency, ...]
    distances: tuple[DistanceLeft, ...]
