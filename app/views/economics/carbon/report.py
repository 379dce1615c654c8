"""Report of the carbon of a run. Unknown is NaN here and null where it is sent."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CarbonBoundary:
    """What is counted, and what that comes to. Each takes in more than the one before it."""

    key: str
    title: str
    said: str
    kg_per_run: float
    kg_per_year: float
    kg_per_million_tokens: float | None  # None: a job without tokens
    kg_per_useful_accelerator_hour: float
    over_tdp_only: float  # ratio to the first of them


@dataclass(frozen=True, slots=True, kw_only=True)
class CarbonFactor:
    """Difference to the meter than the accelerators' design power; the factors multiply to the ratio."""

    key: str
    title: str
    said: str
    factor: float
    added_kg: float  # what it brings where it stands in their order


@dataclass(frozen=True, slots=True, kw_only=True)
class CarbonPart:
    """One part of the run's carbon. `pod_kg` is of the making of the whole pod, None for electricity."""

    key: str
    title: str
    kind: str  # operational | embodied
    kg_per_run: float
    share: float  # of all parts that are counted
    pod_kg: float | None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GridCarbon:
    """The grid's mean intensity at the site, and who says so."""

    site: str
    intensity_kg_per_kwh: float
    kind: str
    source: str
    date: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingCarbon:
    """What idle machines emit: in the run, beside it, and between runs."""

    floor_share: float  # of the run's electricity that the same machines would draw without work
    floor_kg: float
    beside_kg: float
    between_kg: float
    idle_kg: float  # of the two
    hours_between_runs: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedClaim:
    """The contracted energy as if one kind of plant at the site generated it, counted hour by hour."""

    plants: str
    matched_share: float  # of the load, in the same hour, without storage
    kg_per_run: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanClaim:
    """Effect of clean-energy contracts, annual and hourly."""

    contracted_share: float
    market_kg: float
    matched: tuple[MatchedClaim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HourlyGrid:
    """Electricity of the run by a stated profile of the grid."""

    hours_stated: int
    mean_kg_per_kwh: float
    by_load_kg_per_kwh: float
    kg_per_run: float
    over_flat: float  # against the profile's plain mean, less one: what the hours of the load change


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteCarbon:
    """The same run at another site."""

    key: str
    name: str
    country: str
    here: bool
    place: int | None  # from 1, least first; None where it is not ranked
    intensity_kg_per_kwh: float
    pue: float
    operational_kg: float
    total_kg: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CarbonReport:
    """Carbon of one run of a scenario, restarts included."""

    name: str
    grid: GridCarbon
    run_energy_kwh: float
    runs_per_year: float
    energy_j_per_token: float | None
    boundaries: tuple[CarbonBoundary, ...]
    ratio: float  # at the meter over accelerator design power
    factors: tuple[CarbonFactor, ...]
    restarts_factor: float  # in both boundaries
    parts: tuple[CarbonPart, ...]
    embodied_share: float
    waiting: WaitingCarbon
    clean: CleanClaim | None  # None: no contracts are stated
    hourly: HourlyGrid | None  # None: no profile is stated
    sites: tuple[SiteCarbon, ...]
    left_out: tuple[str, ...]
    notes: tuple[str, ...]
