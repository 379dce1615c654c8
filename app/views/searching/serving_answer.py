"""What a search of a served model found. Unknown is NaN."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedPod:
    """A pod that was searched: hardware and number format. `refused` says why it was not, "" where it was."""

    system: str | None  # None: the SuperNode of the scenario
    name: str
    accelerator: str
    precision: str
    accelerators: int
    supernodes: int
    usd_per_accelerator_hour: float  # used
    meter_power_per_accelerator_w: float  # mean at the utility meter
    layouts: int
    points: int
    refused: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingOption:
    """A layout at a load on one of the pods. Figures are of the whole pod, as an evaluation has them."""

    pod: int  # place among pods
    mode: str
    layout: dict[str, Any]  # as workload.layout states it
    concurrency: float  # requests in flight
    replicas: int
    accelerators_per_replica: int
    batch: float
    batch_limit: float
    ttft_s: float
    tpot_s: float
    ttft_within_s: float  # at the SLO percentile, as the next
    tpot_within_s: float
    requests_per_s: float
    tokens_per_s: float
    tokens_per_s_per_user: float
    tokens_per_s_per_accelerator: float
    memory_per_accelerator_bytes: float
    usd_per_million_tokens: float
    energy_j_per_token: float
    keeps_level: bool
    over_promise: float  # latency over the SLO, the worse of the two; 0 where nothing is
    on_front: bool  # that nothing beats for a user and an accelerator at once


@dataclass(frozen=True, slots=True, kw_only=True)
class WithinPower:
    """Highest throughput within a power limit at the meter."""

    power_limit_w: float
    accelerators: int  # that the power is enough for
    replicas: int
    tokens_per_s: float
    option: ServingOption


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingSearchAnswer:
    """All pods together. `best`, `cheapest` and `within_power` keep the service level; `nearest` is where none does."""

    name: str
    kind: str
    objective: str
    modes: tuple[str, ...]
    hold: dict[str, Any]
    ttft_s: float  # promised, as the next two
    tpot_s: float
    percentile: float
    layouts: int
    feasible_layouts: int
    rejected: dict[str, int]  # layouts, by what is in the way
    points: int  # layouts at loads that were computed
    search_time_s: float
    points_per_s: float
    pods: tuple[SearchedPod, ...]
    best: tuple[ServingOption, ...]
    pareto: tuple[ServingOption, ...]  # the front of each pod, most for a user first
    cheapest: ServingOption | None
    within_power: WithinPower | None
    nearest: ServingOption | None
    stated: ServingOption | None  # the scenario as it is
    best_over_stated: (
        float | None
    )  # tokens a second of the best with the scenario's hardware over those of stated
    unanswered: tuple[str, ...]  # what was asked for and has no answer, each with the way to one
    notes: tuple[str, ...]
    provenance: dict[str, Any]
