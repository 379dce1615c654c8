"""What the comparison of edge and cloud answers."""

from __future__ import annotations

from dataclasses import dataclass


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
