"""Report of an energy what-if. Unknown is NaN here and null where it is sent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.catalog.assumptions import AssumptionRow
from app.catalog.view import CatalogView
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.facility.savings.document import SavingsOptions
from app.views.table import Column, fixed, number, percent, text_table, titled_line


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


ROOM = "savings"


@dataclass(frozen=True, slots=True, kw_only=True)
class SavingsValue:
    """A value with what says it: the what-if, the scenario, or an assumption."""

    name: str
    value: float
    unit: str
    kind: str
    source: str
    description: str

    @property
    def array(self) -> Array:
        return np.array([self.value])


@dataclass(frozen=True, slots=True)
class Assumed:
    """The room's rows, looked up by name."""

    catalog: CatalogView

    def used(self, name: str, stated: float | None = None) -> SavingsValue:
        """What was asked for, else the assumption."""
        row = self.row(name)
        if stated is None:
            return SavingsValue(
                name=name,
                value=row.value,
                unit=row.unit,
                kind=row.kind,
                source=row.source,
                description=row.description,
            )
        return SavingsValue(
            name=name,
            value=stated,
            unit=row.unit,
            kind="scenario",
            source="stated",
            description=row.description,
        )

    def array(self, name: str) -> Array:
        return np.array([self.row(name).value])

    def row(self, name: str) -> AssumptionRow:
        return self.catalog.assumption(ROOM, name, {})


@dataclass(frozen=True, slots=True, kw_only=True)
class SavingsReport:
    """From the baseline to the last step: the savings of all steps add up to the difference of both ends."""

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


MWH = fixed(1, per=1e3)
STEPS = (
    Column("Step", "title", width=-28),
    Column("MWh saved", "energy_kwh", MWH, 12),
    Column("% of base", "energy_share", lambda share: number(100 * share, 1), 11),
    Column("displaced", "displaced_kwh", MWH, 12),
    Column("USD", "utilities_usd", number, 14),
    Column("t CO2e", "carbon_kg", fixed(1, per=1e3), 10),
    Column("m3", "water_m3", fixed(1), 11),
    Column("PUE", "after.pue", fixed(3), 8),
)
STATES = (
    Column("State", lambda state: "", width=-28),
    Column("MWh at meter", "energy_kwh", MWH, 13),
    Column("from grid", "grid_kwh", MWH, 12),
    Column(
        "J per token", "energy_j_per_token", lambda joules: "n/a" if joules is None else number(joules, 3), 11
    ),
    Column("m3", "water_m3", fixed(1), 11),
    Column("PUE", "pue", fixed(3), 8),
)


def savings_text(report: SavingsReport) -> str:
    """The baseline, what each step saves, both ends, the hours, and the verdict."""
    lines = [
        f"Baseline        {report.baseline_said}",
        f"Figures         of {report.run}; {number(report.runs_per_year, 2)} runs per year",
        "",
        *text_table(STEPS, report.steps),
        "",
        *text_table(STATES, ()),
        *(
            titled_line(title, state, STATES)
            for title, state in (
                ("Baseline", report.baseline),
                ("After all steps", report.final),
                ("Current design", report.as_stated),
            )
        ),
    ]
    if report.matching:
        found = report.matching
        clean = f"{percent(found.generated_share)} of the load generated, {percent(found.matched_share)} matched hour "
        clean += f"by hour, {percent(found.battery_loss_share)} lost in the battery, "
        lines += ["", f"Clean energy    {clean}{percent(found.curtailed_share)} without a use"]
    lines += ["", f"Claim           {report.verdict.claim}", *report.verdict.sentences]
    return "\n".join([*lines, "", *(f"- {note}" for note in report.notes)])


OF_THE_SCENARIO = "as the scenario states or resolves it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """Temperatures in degC; energies and powers over the job's mean load."""

    chilled_water_supply: SavingsValue
    chilled_water_return: SavingsValue
    cold_coolant: SavingsValue
    warm_coolant: SavingsValue
    power_cap: SavingsValue
    flexible_share: SavingsValue
    window_h: SavingsValue
    solar: SavingsValue
    wind: SavingsValue
    battery_h: SavingsValue
    battery_power: SavingsValue
    round_trip: SavingsValue
    claimed: SavingsValue

    def all(self) -> tuple[SavingsValue, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)


def values_of(scenario: EvaluatedScenario, assumed: Assumed, options: SavingsOptions) -> Values:
    """The values of a what-if on a scenario."""
    facility = scenario.resolved.design.facility
    supply = assumed.used("baseline_chilled_water_supply_c", options.baseline_chilled_water_supply_c)
    rise_k = (
        assumed.row("baseline_chilled_water_return_c").value
        - assumed.row("baseline_chilled_water_supply_c").value
    )
    cap = options.power_cap if options.power_cap is not None else scenario.document.facility.power_cap
    return Values(
        chilled_water_supply=supply,
        chilled_water_return=assumed.used(
            "baseline_chilled_water_return_c",
            None if options.baseline_chilled_water_supply_c is None else supply.value + rise_k,
        ),
        cold_coolant=assumed.used("cold_coolant_supply_c", options.cold_coolant_supply_c),
        warm_coolant=SavingsValue(
            name="warm_coolant_supply_c",
            value=first_of(facility.coolant_supply_c)
            if options.warm_coolant_supply_c is None
            else options.warm_coolant_supply_c,
            unit="degC",
            kind="scenario",
            source=OF_THE_SCENARIO if options.warm_coolant_supply_c is None else "stated",
            description="Coolant supply of the warmer coolant",
        ),
        power_cap=assumed.used("power_cap", cap),
        flexible_share=assumed.used("flexible_share", options.flexible_share),
        window_h=assumed.used("window_h", options.window_h),
        solar=assumed.used("solar_over_load", options.solar_over_load),
        wind=assumed.used("wind_over_load", options.wind_over_load),
        battery_h=assumed.used("battery_h", options.battery_h),
        battery_power=assumed.used("battery_power_over_load", options.battery_power_over_load),
        round_trip=assumed.used("round_trip_efficiency", options.round_trip_efficiency),
        claimed=assumed.used("claimed_energy_saving"),
    )
