"""What is said of a cash flow. Unknown is NaN here and null where it is sent."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CashTerms:
    """Terms of the cash flow: what is bought, what it does, and how it is paid for."""

    prices: str  # nominal | real
    life_years: float
    facility_life_years: float
    facility_worth_share: float  # of its price, at the end of the life
    equipment_usd: float
    installation_usd: float
    facility_usd: float
    land_usd: float
    residual_value: float
    discount_rate: float
    real_rate: float  # the same without inflation
    inflation: float
    utilisation: float
    available_hours_per_year: float
    price_usd_per_accelerator_hour: float
    price_is_stated: bool  # else the rent on demand that owning avoids
    price_source: str
    electricity_price_usd_per_kwh: float
    energy_at_full_use_kwh_per_year: float
    idle_power_share: float
    operating_usd_per_year: dict[str, float]
    tax_rate: float
    depreciation: str
    bonus_depreciation: float
    debt_share: float
    debt_rate: float
    nominal_debt_rate: float
    debt_years: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CashYear:
    """One year. Costs, sales and tax are positive amounts; what ends in `flow_usd` carries its sign."""

    year: int  # 0 is the day of purchase
    used_hours: float
    revenue_usd: float
    operating_usd: dict[str, float]
    operating_total_usd: float
    ebitda_usd: float
    purchase_usd: float
    sales_usd: float  # equipment, facility and land at the end of the life
    depreciation_usd: float
    gain_on_sale_usd: float
    tax_usd: float  # without debt; below 0 what a loss saves
    flow_before_tax_usd: float
    flow_usd: float
    cumulative_flow_usd: float
    discounted_flow_usd: float
    cumulative_discounted_flow_usd: float
    borrowed_usd: float
    interest_usd: float
    principal_usd: float
    debt_usd: float  # left at the end of the year
    tax_with_debt_usd: float
    equity_flow_usd: float
    debt_service_cover: float  # unknown in years without debt to serve


@dataclass(frozen=True, slots=True, kw_only=True)
class CashTotals:
    """Sums over all years."""

    used_hours: float
    revenue_usd: float
    operating_usd: dict[str, float]
    operating_total_usd: float
    ebitda_usd: float
    purchase_usd: float
    sales_usd: float
    depreciation_usd: float
    tax_usd: float
    flow_before_tax_usd: float
    flow_usd: float
    discounted_flow_usd: float
    borrowed_usd: float
    interest_usd: float
    principal_usd: float
    tax_with_debt_usd: float
    equity_flow_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CashMeasures:
    """Financial measures of the cash flow. A rate that there is none of is unknown, as is a payback that never comes."""

    npv_usd: float
    npv_before_tax_usd: float
    irr: float
    irr_before_tax: float
    equity_npv_usd: float
    equity_irr: float
    pays_back: bool | None  # within the life; None: unknown
    payback_years: float
    discounted_payback_years: float
    least_debt_service_cover: float
    level_payment_usd_per_year: float  # nominal
    levelised_usd_per_used_hour: float
    usd_per_accelerator_hour: float  # of the build-up, for comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherCurrency:
    """Money in a currency that the scenario names, at its rate of a stated day."""

    code: str
    per_usd: float
    as_of: str
    age_days: int
    is_old: bool
    note: str
    npv: float
    capex: float
    levelised_per_used_hour: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CashFlowAnswer:
    """The cash flow of a scenario."""

    name: str
    verdict: str
    basis: tuple[str, ...]
    terms: CashTerms
    purchase_usd: dict[str, float]
    sales_usd: dict[str, float]
    years: tuple[CashYear, ...]
    totals: CashTotals
    measures: CashMeasures
    currency: OtherCurrency | None
    notes: tuple[str, ...]
