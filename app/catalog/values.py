"""What a look-up gives: parts with their facts, prices, rentals, climate years. Plain values, in SI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.engine import specs
from app.engine.trace import Array

STALE_PRICE_DAYS = 180
"""Prices older than this are marked; `app.catalog.prices.age_days` gives the age."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One figure in SI, what was printed, and where it comes from."""

    value: float
    low: float | None
    typical: float | None
    high: float | None
    unit: str
    printed_value: str
    printed_unit: str
    printed_column: str
    kind: str  # vendor | measured | third_party | derived | assumption
    source: str
    url: str
    date: str  # YYYY, YYYY-MM or YYYY-MM-DD; "" when unknown
    confidence: str  # confirmed | secondary | weak | recalled | ""
    licence: str
    ship: str  # yes | facts_only | check | no
    credit: str
    own: str = ""  # whose own figure it is and who entered it when; "" for a built-in one

    @property
    def value_basis(self) -> str:
        """How the value stands for a range; "" for a figure without one."""
        if self.low is None and self.high is None:
            return ""
        return "typical" if self.typical is not None else "geometric mean of low and high"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A row of the catalog. An unpublished figure is absent from `facts`."""

    kind: str
    key: str
    name: str
    vendor: str
    year: int | None
    status: str
    attributes: Mapping[str, Any]
    facts: Mapping[str, Fact]
    source: str
    workspace_id: int | None = None
    revision: int = 1
    own: str = ""  # whose own row it is and who entered it when; "" for a built-in one
    stated: tuple[str, ...] = ()  # what an own row says in place of the built-in row of the same key

    @property
    def is_override(self) -> bool:
        """Return whether it is a built-in row of which a workspace says some things differently."""
        return bool(self.stated)


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """A price, in `unit`; `value` is the typical, else the geometric mean of low and high."""

    key: str
    part_key: str
    item: str
    condition: str
    value: float
    low: float | None
    typical: float | None
    high: float | None
    unit: str
    printed_unit: str
    kind: str
    source: str
    url: str
    as_of: str
    confidence: str
    licence: str
    note: str
    own: str = ""
    channel: str = ""  # list | oem | hyperscaler: who was quoted it; "" where it is not stated
    basis: str = ""  # system | system_with_network | complete_it | all_in; "" for what is no system
    reliability: str = "usable"  # usable | indicative | do_not_use
    reliability_reason: str = ""
    built_up: str = (
        ""  # how the price of the bare system follows from what was stated; "" where it was stated
    )
    stated: Mapping[str, Any] | None = None  # value, low, typical, high and basis before that

    @property
    def value_basis(self) -> str:
        return "typical" if self.typical is not None else "geometric mean of low and high"


@dataclass(frozen=True, slots=True, kw_only=True)
class RentalOffer:
    """One dated offer."""

    key: str
    accelerator_key: str
    kind: str  # on_demand | reserved | spot | ...
    provider: str
    vendor_class: str  # hyperscaler | neocloud | marketplace | market; "" where it is not stated
    region: str
    instance: str
    term: str
    date: str
    usd_per_accelerator_hour: float
    value_kind: str
    source: str
    url: str
    confidence: str
    licence: str
    note: str
    own: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rental:
    """The newest offers of one kind together: least, median and most."""

    accelerator_key: str
    kind: str
    value: float  # the typical
    low: float
    typical: float
    high: float
    unit: str
    offers: int
    as_of: str
    value_kind: str
    source: str
    url: str
    confidence: str
    licence: str
    own: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RentalSpread:
    """Offers of one class of vendors on one term within a year of the newest, the newest of each seller and region."""

    vendor_class: str
    kind: str
    term: str
    sellers: int
    regions: int  # named ones
    offers: int
    low: float
    typical: float  # median over sellers of their own median
    high: float
    oldest: str
    newest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClimateYear:
    """An hourly year and the same year binned; names as in the engine's `Climate`."""

    key: str
    name: str
    country: str
    year_kind: str
    humidity: str
    note: str
    source: str
    credit: str
    licence: str
    ship: str
    digest: str  # of what the row was made of: the same digest, the same hours
    dry_bulb_c: Array
    dew_point_c: Array
    rh_pct: Array
    wet_bulb_c: Array
    pressure_pa: Array
    wind_m_s: Array
    binned_dry_bulb_c: Array
    binned_wet_bulb_c: Array
    binned_pressure_pa: Array
    binned_hours: Array
    own: str = ""  # whose own year it is and who entered it when; "" for a built-in one

    def spec(self) -> specs.Climate:
        """What the engine is given."""
        return specs.Climate(
            key=self.key,
            dry_bulb_c=self.dry_bulb_c,
            wet_bulb_c=self.wet_bulb_c,
            pressure_pa=self.pressure_pa,
            binned_dry_bulb_c=self.binned_dry_bulb_c,
            binned_wet_bulb_c=self.binned_wet_bulb_c,
            binned_pressure_pa=self.binned_pressure_pa,
            binned_hours=self.binned_hours,
        )
