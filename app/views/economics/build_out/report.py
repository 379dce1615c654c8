"""The report of a build-out. Unknown is NaN here and null where it is sent; so is a date that never comes."""

from __future__ import annotations

from dataclasses import dataclass

from app.views.table import Column, fixed, number, percent, text_table


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOutPhase:
    """One phase. Months count from the first order."""

    name: str
    supernodes: float
    share: float
    bridge: str  # kind, or none
    start_month: float
    ready_month: float
    bridge_month: float
    delivery_month: float
    grid_month: float
    full_load_month: float
    end_month: float
    needed_w: float
    grid_w: float
    bridge_w: float
    capital_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOutMonth:
    """A month of the site, nominal; column 0 is the day of the first order."""

    month: int
    needed_w: float
    grid_w: float
    bridge_w: float
    load: float  # over that of the finished pod
    used_hours: float
    revenue_usd: float
    operating_usd: float
    bridge_power_usd: float  # of that
    capital_usd: float
    sales_usd: float
    tax_usd: float
    drawn_usd: float  # outside money in
    interest_usd: float  # paid in cash or added to the debt
    capitalised_interest_usd: float
    principal_usd: float
    fees_usd: float
    owed_usd: float
    owners_flow_usd: float
    cumulative_usd: float
    grid_kwh: float
    bridge_kwh: float
    grid_kg: float
    bridge_kg: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOutWay:
    """A way to pay for the site."""

    key: str
    title: str
    npv_usd: float
    irr: float
    equity_usd: float
    borrowed_usd: float
    construction_interest_usd: float
    interest_usd: float
    fees_usd: float
    least_cover: float
    full_load_cover: float  # lowest once the load of a phase is full
    effective_rate: float
    full_load_month: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOutSource:
    """Energy and emissions of one source of power over the life."""

    source: str
    title: str
    kwh: float
    kg: float
    usd: float
    kg_per_kwh: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOutTerm:
    """A term with its source."""

    path: str
    label: str
    value: float
    kind: str
    source: str
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOutReport:
    """The build-out of a scenario."""

    name: str
    verdict: str
    funding: str
    full_power_month: float
    full_power_date: str  # empty where the first order is undated, or it never comes
    full_load_month: float
    full_load_date: str
    needed_w: float
    capital_usd: float
    construction_interest_usd: float
    npv_usd: float
    irr: float
    payback_month: float
    carbon_kg: float
    bridge_share: float  # of the energy
    phases: tuple[BuildOutPhase, ...]
    ways: tuple[BuildOutWay, ...]
    sources: tuple[BuildOutSource, ...]
    months: tuple[BuildOutMonth, ...]
    terms: tuple[BuildOutTerm, ...]
    notes: tuple[str, ...]


WAYS = {
    "cash": "Own cash",
    "level_loan": "Level loan",
    "sculpted_loan": "Sculpted loan",
    "lease": "Operating lease",
    "sale_and_leaseback": "Sale and leaseback",
    "colocate": "Colocation",
}

_MILLION = fixed(1, per=1e6)
PHASES = (
    Column("Phase", "name", str, -18),
    Column("SuperNodes", "supernodes", number, 11),
    Column("MW", "needed_w", fixed(1, per=1e6), 8),
    Column("Start", "start_month", number, 6),
    Column("Ready", "ready_month", number, 6),
    Column("Grid", "grid_month", number, 6),
    Column("At work", "delivery_month", number, 8),
    Column("Full", "full_load_month", number, 6),
    Column("Bridge", lambda row: row.bridge.replace("_", " "), str, 14),
)


def _cover(way: BuildOutWay, cover: float) -> str:
    return number(cover, 2) if way.borrowed_usd else "n/a"


OF_WAYS = (
    Column("Paid for by", "title", str, -20),
    Column("NPV, M USD", "npv_usd", _MILLION, 12),
    Column("IRR", "irr", percent, 8),
    Column("Equity, M USD", "equity_usd", _MILLION, 14),
    Column("Outside, M USD", "borrowed_usd", _MILLION, 15),
    Column("IDC, M USD", "construction_interest_usd", _MILLION, 11),
    Column("Least cover", lambda way: _cover(way, way.least_cover), width=12),
    Column("At full load", lambda way: _cover(way, way.full_load_cover), width=13),
    Column("Eff. rate", lambda way: percent(way.effective_rate) if way.borrowed_usd else "n/a", width=10),
)
OF_SOURCES = (
    Column("Source", "title", str, -20),
    Column("GWh", "kwh", fixed(1, per=1e6), 12),
    Column("t CO2", "kg", fixed(0, per=1e3), 12),
    Column("kg/kWh", "kg_per_kwh", fixed(3), 8),
    Column("M USD", "usd", _MILLION, 12),
)


def build_out_text(report: BuildOutReport) -> str:
    """The verdict, phases, ways to pay, and emissions by source."""
    return "\n".join(
        [
            report.verdict,
            "",
            *text_table(PHASES, report.phases),
            "",
            *text_table(OF_WAYS, report.ways),
            "",
            *text_table(OF_SOURCES, report.sources),
            "",
            *(f"- {note}" for note in report.notes),
        ]
    )
