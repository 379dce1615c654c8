"""Report of owning compared with renting. Unknown is NaN, never is infinite here; both are null where sent.

Amounts are present values at the cost of capital unless a name says otherwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from operator import itemgetter

from app.catalog.values import RentalSpread
from app.engine.specs import RENTAL_TERMS
from app.views.table import UNKNOWN, Column, number, percent, text_line, text_rows, text_table, usd

Numbers = tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedOffer:
    """One offer of the catalog for the accelerator."""

    kind: str
    date: str
    age_days: int | None
    is_old: bool
    provider: str
    vendor_class: str
    term: str
    region: str
    usd_per_accelerator_hour: float
    source: str
    url: str
    confidence: str
    note: str
    own: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RentParts:
    """Components of the rent over the horizon."""

    hours_usd: float
    support_usd: float
    storage_usd: float
    egress_usd: float
    setup_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RentTerm:
    """Renting the same useful hours on one kind of terms.

    `pays` is `used` where utilised hours are paid, `booked` where a commitment for the peak is paid whether
    it is used or not, for at least `commitment_months`. `owning_pays` and `pays_back` are yes, never or
    unknown.
    """

    term: str
    title: str
    field: str  # of the scenario, that states the price
    usd_per_hour: float
    low: float | None
    high: float | None
    as_of: str
    age_days: int | None
    is_old: bool
    source: str
    is_stated: bool
    pays: str
    commitment_months: float  # 0 where there is none
    paid_over_used: float
    total_usd: float
    parts: RentParts
    usd_per_used_hour: float
    break_even_utilisation: float  # over the horizon, on the price path
    owning_pays: str
    break_even_utilisation_level: float  # by the level yearly cost, the hours alone, at today's price
    break_even_month: float
    pays_back: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Owning:
    """Owning the pod for the horizon, what lives longer credited; capital also as level payments."""

    capex_usd: float
    total_usd: float
    equipment_usd: float  # less resale
    installation_usd: float
    facility_usd: float  # for the months of the horizon, land too
    running_usd: float
    level_usd_per_month: float  # capital in level payments, and running cost
    running_usd_per_month: float
    life_months: float
    usd_per_used_hour: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Mix:
    """Owning the base and renting the peak on `term`; the share of the pod that costs least."""

    term: str
    owned_share: float
    served_share: float  # of the work, by what is owned
    total_usd: float
    saves_usd: float  # against the better of owning all and renting all on these terms
    share: Numbers
    total_by_share_usd: Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserving:
    """Reservation rule: use above `above_utilisation`. The base reserved, the peak on demand."""

    above_utilisation: float
    reserve_all: str  # yes | no | unknown: at the mean use, of a constant demand
    reserved_share: float
    total_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PricePath:
    """Prices of months over today's."""

    path: str  # flat | decay | shock | shock_back | history
    title: str
    said: str
    is_chosen: bool
    is_known: bool
    over_today: Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLine:
    """Amount paid after each month, from month 0; nothing is credited."""

    choice: str  # own | own_level | mix | a rental term
    title: str
    usd: Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap:
    """Owning less renting on `term`, by utilisation (rows) and months kept (columns)."""

    term: str
    utilisation: Numbers
    months: Numbers
    own_less_rent_usd: tuple[Numbers, ...]
    own_less_rent_share: tuple[Numbers, ...]  # of the dearer of both
    break_even_utilisation: Numbers  # of each duration


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """Break-even utilisation against a price of hours used, and the cost of a utilised hour against
    utilisation."""

    usd_per_hour: Numbers
    break_even_utilisation: Numbers
    utilisation: Numbers
    own_usd_per_used_hour: Numbers
    rent_usd_per_used_hour: tuple[Numbers, ...]  # in the order of the terms


@dataclass(frozen=True, slots=True, kw_only=True)
class RegretTable:
    """Costs and regrets of choices (rows) on price paths (columns)."""

    choices: tuple[str, ...]
    paths: tuple[str, ...]
    cost_usd: tuple[Numbers, ...]
    regret_usd: tuple[Numbers, ...]
    most_regret_usd: Numbers
    least_regretted: str  # "" where nothing can be said
    left_out: tuple[str, ...]  # paths that are unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnOrRent:
    """Owning, renting on each kind of terms, and both, for the same useful hours over the same horizon."""

    name: str
    accelerator: str
    accelerators: float
    horizon_months: float
    utilisation: float
    peak_over_mean: float  # as used: the pod is the most
    peak_share: float
    used_hours_per_month: float
    goodput_ratio: float
    wacc: float
    price_path: str
    against: str  # rental terms of the mix and the heat map; "" where no price is known
    own: Owning
    terms: tuple[RentTerm, ...]
    mix: Mix | None  # None: no price of utilised hours, or no price path, is known
    reserving: Reserving
    paths: tuple[PricePath, ...]
    lines: tuple[CostLine, ...]
    heat_map: HeatMap | None
    curves: Curves
    regret: RegretTable
    today: str  # that ages of prices are counted to
    offers: tuple[DatedOffer, ...]
    market: tuple[RentalSpread, ...]  # offers by class of vendors and term
    verdict: tuple[str, ...]
    notes: tuple[str, ...]


millions = partial(number, digits=1, per=1e6)


def words(key: str) -> str:
    return key.replace("_", " ")


def _as_of(term: RentTerm) -> str:
    return "stated" if term.is_stated else term.as_of + ("!" if term.is_old else "")


def _own_from(term: RentTerm) -> str:
    return percent(term.break_even_utilisation) if term.owning_pays == "yes" else term.owning_pays


def _pays_back(term: RentTerm) -> str:
    if term.pays_back == "never":
        return "never"
    return UNKNOWN if math.isnan(term.break_even_month) else f"month {term.break_even_month:.0f}"


TERMS = (
    Column("", "title", width=-16),
    Column("USD/h today", "usd_per_hour", usd, 12),
    Column("as of", _as_of, width=12),
    Column("M USD", "total_usd", millions, 11),
    Column("USD/used h", "usd_per_used_hour", usd, 12),
    Column("own from", _own_from, width=10),
    Column("payback", _pays_back, width=11),
)


def spread_dates(spread: RentalSpread) -> str:
    return spread.newest if spread.oldest == spread.newest else f"{spread.oldest[:7]} to {spread.newest[:7]}"


MARKET = (
    Column("Market, USD/h", lambda spread: RENTAL_TERMS[spread.kind].title, width=-15),
    Column("vendors", lambda spread: spread.vendor_class or UNKNOWN, width=-12),
    Column("term", "term", width=-26),
    Column("sellers", lambda spread: str(spread.sellers), width=8),
    Column("regions", lambda spread: str(spread.regions or UNKNOWN), width=8),
    Column("low", "low", usd, 8),
    Column("median", "typical", usd, 8),
    Column("high", "high", usd, 8),
    Column("seen", spread_dates, width=20),
)


def own_or_rent_text(report: OwnOrRent) -> str:
    """The verdict, a line for each way to pay, the mix, regret by price path, and what to know."""
    pod = f"{report.accelerators:,.0f} {report.accelerator} at {report.utilisation:.0%} use"
    own = ["Own", "", "", millions(report.own.total_usd), usd(report.own.usd_per_used_hour)]
    lines = [
        *report.verdict,
        "",
        f"Pod             {pod}, {report.horizon_months:.0f} months, price path {report.price_path}",
        "",
        *text_table(TERMS, ()),
        text_line(own, TERMS),
        *text_rows(TERMS, report.terms),
    ]
    if report.mix:
        lines.append(
            f"{text_line(['Own and rent', '', '', millions(report.mix.total_usd)], TERMS)}   "
            f"{percent(report.mix.owned_share)} of the pod owned, the rest {words(report.mix.term)}"
        )
    lines += [
        "",
        f"Reserve         above {percent(report.reserving.above_utilisation)} use",
        *_regret(report.regret),
    ]
    if report.market:
        lines += ["", *text_table(MARKET, report.market)]
    lines += ["", *(f"{path.title:<28}{path.said}" for path in report.paths)]
    return "\n".join([*lines, "", *(f"- {note}" for note in report.notes)])


def _regret(table: RegretTable) -> list[str]:
    """A line a choice, a column a price path; nothing where nothing can be said."""
    if not table.least_regretted:
        return []
    heads = (*map(words, table.paths), "most")
    columns = (
        Column("Regret, M USD", itemgetter(0), words, -16),
        *(Column(head, itemgetter(place), millions, 12) for place, head in enumerate(heads, start=1)),
    )
    rows = (
        (choice, *values, most)
        for choice, values, most in zip(table.choices, table.regret_usd, table.most_regret_usd, strict=True)
    )
    return ["", *text_table(columns, rows)]
