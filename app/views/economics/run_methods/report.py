"""What is said of a run by every method. Unknown is NaN here and null where it is sent."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMethod:
    """The run by one method. `said` is the arithmetic in words."""

    key: str
    title: str
    kind: str  # rented | owned | bought
    usd: float
    usd_with_research: float | None  # None: a cluster is bought once, whatever is tried on it
    usd_per_accelerator_hour: float | None  # None: nothing is paid by the hour
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPrice:
    """A million served tokens at the price of an hour by one method."""

    key: str
    title: str
    usd_per_accelerator_hour: float
    usd_per_million_tokens: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingCost:
    """Tokens at a rate that was given, or that the engine gives of a scenario that serves."""

    tokens_per_s: float
    computed: bool  # by the engine, not given
    accelerators: int
    joules_per_token: float
    prices: tuple[TokenPrice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumedRatio:
    """An assumption that the amortised method starts from."""

    name: str
    value: float
    unit: str
    source: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMethods:
    """One run of a scenario by every method; of one that serves no run and no methods, but what its tokens cost."""

    name: str
    accelerators: float
    elapsed_time_h: float
    run_accelerator_hours: float
    research_multiplier: float
    methods: tuple[RunMethod, ...]
    over_least: float  # the dearest way to pay for the run over the cheapest, the cluster itself left out
    serving: ServingCost | None
    assumptions: tuple[AssumedRatio, ...]
    notes: tuple[str, ...]
