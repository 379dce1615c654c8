"""What is said of an energy what-if. Unknown is NaN here and null where it is sent."""

from __future__ import annotations

from dataclasses import dataclass

from app.views.facility.savings.assumptions import SavingsValue


@dataclass(frozen=True, slots=True, kw_only=True)
class SavingsAccount:
    """One run of the job in one state: what it takes from the meter, the grid, the water main and the purse.

    `energy_kwh` is consumed, `grid_kwh` is what of it clean energy does not cover in its hour. Carbon is
    counted twice: of the grid energy, and of all energy at the grid's mean (location based).
    """

    energy_kwh: float
    grid_kwh: float
    energy_j_per_token: float | None  # None: a job without tokens
    water_m3: float
    utilities_usd: float
    carbon_kg: float
    carbon_location_kg: float
    elapsed_time_s: float
    pue: float
    tue: float
    wue_l_per_kwh: float
    plant: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SavingsStep:
    """Change of one step against the state before it; savings are positive."""

    step: str
    title: str
    said: str  # what it does, in words
    energy_kwh: float
    energy_share: float  # of the baseline's energy
    grid_kwh: float
    grid_share: float
    displaced_kwh: float  # grid energy that clean energy takes the place of, beyond what is saved
    water_m3: float
    utilities_usd: float
    carbon_kg: float
    slower: float  # elapsed time over that of the state before, less one
    after: SavingsAccount


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanPlant:
    """Solar or wind. The hours follow the site's weather, the amount is asked for."""

    name: str
    generated_over_load: float
    rated_w: float
    capacity_factor: float
    capacity_factor_of_the_weather: float
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedWeek:
    """One week, hour by hour, in W; stored energy in Wh."""

    title: str
    load_w: tuple[float, ...]
    solar_w: tuple[float, ...]
    wind_w: tuple[float, ...]
    direct_w: tuple[float, ...]
    charged_w: tuple[float, ...]
    discharged_w: tuple[float, ...]
    curtailed_w: tuple[float, ...]
    grid_w: tuple[float, ...]
    stored_wh: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HourlyMatching:
    """Clean energy against the load of a year; energies over that load.

    direct + discharged + grid = 1; direct + charged + curtailed = generated.
    """

    matched_share: float
    generated_share: float
    annual_claim_share: float  # what a yearly volume would claim, one at most
    direct_share: float
    charged_share: float
    discharged_share: float
    curtailed_share: float
    battery_loss_share: float
    grid_share: float
    load_mean_w: float
    battery_wh: float
    battery_power_w: float
    plants: tuple[CleanPlant, ...]
    matched_by_month_and_hour: tuple[tuple[float, ...], ...]
    weeks: tuple[MatchedWeek, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavingsVerdict:
    """Verdict on the claimed savings, with the arithmetic in `sentences`."""

    claim: str
    source: str
    claimed_share: float
    energy_share: float  # saved at the meter
    grid_share: float  # not taken from the grid, renewables counted
    overhead_ceiling_share: float  # of the baseline, by its PUE
    ceiling_with_fans_share: float  # by its TUE
    reached_by: str  # energy | grid | neither | unknown
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavingsReport:
    """From the baseline to the last step: what each saves sums to the difference of both ends."""

    name: str
    run: str  # what one run is, in words
    runs_per_year: float
    tokens: float | None
    baseline_said: str
    baseline: SavingsAccount
    steps: tuple[SavingsStep, ...]
    final: SavingsAccount
    as_stated: SavingsAccount  # the scenario itself
    matching: HourlyMatching | None
    verdict: SavingsVerdict
    notes: tuple[str, ...]
    assumptions: tuple[SavingsValue, ...]
