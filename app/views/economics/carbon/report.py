"""Report of the carbon of a run. Unknown is NaN here and null where it is sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, Field

from app.engine.economics.carbon.operational import HOURS_OF_A_DAY, MONTHS_AND_HOURS
from app.scenarios.fields import NotNegative, Part, fault
from app.views.table import Column, amount, fixed, number, percent, text_rows, text_table


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
    over_tdp_only: float  # ratio to the first


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
    """Emissions of idle machines: in the run, of SuperNodes that wait meanwhile, and between runs."""

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


SITES = 8
"""Sites that are listed: the cleanest."""


def kg(value: float | None) -> str:
    return "n/a" if value is None else amount(value, "kg", 3)


def times(value: float) -> str:
    return f"x {number(value, 3)}"


BOUNDARIES = (
    Column("Boundary", "title", width=-34),
    Column("a run", "kg_per_run", kg, 12),
    Column("a year", "kg_per_year", kg, 12),
    Column("M tokens", "kg_per_million_tokens", kg, 12),
    Column("useful h", "kg_per_useful_accelerator_hour", kg, 12),
    Column("ratio", "over_tdp_only", fixed(2), 8),
)
FACTORS = (Column("", "title", width=-32), Column("", "factor", times, -12))
PARTS = (Column("", "title", width=-32), Column("", "kg_per_run", kg, 12), Column("", "share", percent, 9))
MATCHED = (
    Column("", "plants", width=-32),
    Column("", "kg_per_run", kg, 12),
    Column("", "matched_share", lambda share: f"{percent(share)} of the hours", 22),
)
CLEANEST = (
    Column("", "name", width=-32),
    Column("", "operational_kg", kg, 12),
    Column("", "intensity_kg_per_kwh", lambda value: f"{number(value, 4)} kg/kWh", 16),
)


def carbon_text(report: CarbonReport) -> str:
    """Boundaries, the factors between them, parts, waiting, contracts, and the cleanest sites."""
    grid = report.grid
    lines = [
        report.name,
        f"Grid            {number(grid.intensity_kg_per_kwh, 4)} kg/kWh, {grid.site}: {grid.source} ({grid.kind})",
        (
            f"Energy          {number(report.run_energy_kwh, per=1e3)} MWh a run at the meter, "
            f"{number(report.runs_per_year, 2)} runs per year"
        ),
        "",
        *text_table(BOUNDARIES, report.boundaries),
        "",
        f"From design power to the meter: {times(report.ratio)}",
        *text_rows(FACTORS, report.factors, indent="  "),
        f"  {'Restarts (in both)':<32}{times(report.restarts_factor)}",
        "",
        "Parts",
        *text_rows(PARTS, report.parts, indent="  "),
        "",
        (
            f"Waiting         {kg(report.waiting.idle_kg)} beside the run and between runs; "
            f"{percent(report.waiting.floor_share)} of the run's electricity is what idle machines would draw"
        ),
    ]
    if report.clean:
        lines.append(
            f"Contracts       {percent(report.clean.contracted_share)} of the year: {kg(report.clean.market_kg)} "
            "market based"
        )
        lines += text_rows(MATCHED, report.clean.matched, indent="  ")
    if report.hourly:
        lines.append(
            f"By the hour     {kg(report.hourly.kg_per_run)} at {number(report.hourly.by_load_kg_per_kwh, 4)} kg/kWh "
            "in the hours of the load"
        )
    lines += ["", "Cleanest sites", *text_rows(CLEANEST, report.sites[:SITES], indent="  ")]
    return "\n".join([*lines, "", *(f"- {note}" for note in (*report.left_out, *report.notes))])


Intensity = Annotated[float, Field(ge=0, le=10)]


def _day_or_months(profile: tuple[float, ...] | None) -> tuple[float, ...] | None:
    if profile is not None and len(profile) not in (HOURS_OF_A_DAY, MONTHS_AND_HOURS):
        raise fault(
            "profile_length",
            f"has {len(profile)} values, neither {HOURS_OF_A_DAY} nor {MONTHS_AND_HOURS}",
            hint="State the 24 hours of a day, or 12 months of 24 hours one after the other.",
        )
    return profile


class CarbonOptions(Part):
    """What the catalog does not know; what is left out stays left out of the figures, and that is said."""

    intensity_by_hour: Annotated[
        Annotated[tuple[Intensity, ...], Field(strict=False, max_length=MONTHS_AND_HOURS)] | None,
        AfterValidator(_day_or_months),
    ] = Field(
        default=None,
        description="Carbon of the grid by hour, kg/kWh, local standard time: 24 hours of a day, or 12 months of 24 "
        "hours one after the other.",
    )
    network_embodied_kg: NotNegative | None = Field(
        default=None, description="Embodied carbon of the pod's switches, optics and cables, kg."
    )
    storage_embodied_kg: NotNegative | None = Field(
        default=None, description="Embodied carbon of the pod's storage, kg."
    )
    building_embodied_kg: NotNegative | None = Field(
        default=None,
        description="Embodied carbon of shell and plant, kg; shared out over the life of the facility.",
    )
    sites: bool = Field(default=True, description="Whether the run at other sites is computed as well.")


BOUNDARY_WORDS = {
    "accelerators": (
        "Accelerators by design power",
        "Hours of the accelerators at work times their TDP: what model cards print. No host, network, cooling or loss.",
    ),
    "meter": (
        "Total at the meter",
        (
            "Everything the run draws at the utility meter: servers at the power they draw, network, storage, cooling "
            "and losses. SuperNodes that wait are not in it."
        ),
    ),
    "with_embodied": (
        "Including embodied carbon of the hardware",
        "The meter, and the run's share of what making the machines emitted, by the hours of their used life.",
    ),
    "with_idle": (
        "With the hours of waiting",
        "The same, and SuperNodes that wait beside the run and the pod between its runs, at idle power.",
    ),
}
FACTOR_WORDS = {
    "load": ("Load", "Accelerators at work over their design power."),
    "server": ("Servers", "Hosts, NICs, fans and power supplies around the accelerators."),
    "network_and_storage": ("Network and storage", "Scale-out switches and optics, storage and management."),
    "facility": (
        "Building",
        "Cooling, electrical losses and house load: the PUE with which the run is counted.",
    ),
}
PART_WORDS = {
    "accelerators": "Accelerators",
    "hosts": "Hosts, NICs, fans and supplies",
    "network": "Network",
    "storage": "Storage and management",
    "cooling": "Cooling",
    "losses": "Electrical losses and house load",
}
EMBODIED = {
    "accelerators": "Making of accelerators",
    "hosts": "Making of hosts and chassis",
    "network": "Making of the network",
    "storage": "Making of the storage",
    "building": "Shell and plant",
}
LEFT_OUT = {
    "network": "Embodied carbon of switches, optics and cables: no figure is published in the catalog's sources.",
    "storage": "The making of storage: no figure of it is published in the catalog's sources.",
    "building": "Shell and plant: no figure of theirs by the MW has a source in the catalog.",
}
"""By the name of what could be stated in their place."""
NOTES = (
    (
        "The grid's intensity is a yearly mean: the catalog holds no hourly series of any grid. State "
        "intensity_by_hour to weigh its hours."
    ),
    (
        "Where contracts are stated, the hours of solar and wind follow the site's weather file, without storage; they "
        "are of low confidence."
    ),
    (
        "Emissions of fuel burnt on site (generator tests), of refrigerants, of staff and of serving the model are not "
        "in it."
    ),
)
PURPOSE = "Carbon per run"
"""What a workload without a run is refused with."""
