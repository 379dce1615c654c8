"""What comes in and what is paid, year by year. Costs are positive; flows carry their sign."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_NREL = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995), after-tax cash flow"


@quantity(unit="1", source="definition")
def year_share(*, life_years: Array, years: Array) -> Array:
    """Share of each year that the equipment lives.

    One, and less in the last where the life ends within it; none of year 0, the day of purchase.
    """
    return np.where(years > 0, np.clip(life_years - (years - 1), 0.0, 1.0), 0.0)


@quantity(unit="h", source="definition")
def used_hours(*, used_accelerator_hours_per_year: Array, year_share: Array) -> Array:
    """Accelerator-hours used in each year."""
    return used_accelerator_hours_per_year * year_share


@quantity(unit="USD", source="definition")
def revenue_usd(*, used_hours: Array, price_usd_per_accelerator_hour: Array, growth: Array) -> Array:
    """Revenue of each year.

    Utilised hours at the price they are sold for; where they are one's own, at the rent that is avoided.
    """
    return np.where(used_hours > 0, used_hours * price_usd_per_accelerator_hour * growth, 0.0)


@quantity(unit="USD", source="definition")
def operating_cost_usd(*, usd_per_year: Array, year_share: Array, growth: Array) -> Array:
    """Running cost of one kind in each year."""
    return np.where(year_share > 0, usd_per_year * year_share * growth, 0.0)


@quantity(unit="USD", source="definition")
def ebitda_usd(*, revenue_usd: Array, operating_usd: Array) -> Array:
    """Earnings before interest, tax, depreciation and amortisation."""
    return revenue_usd - operating_usd


@quantity(unit="USD", source="definition")
def sale_usd(*, price_usd: Array, worth_share: Array, years: Array, last_year: Array, growth: Array) -> Array:
    """Residual value at the end of the last year."""
    return np.where(years == last_year, price_usd * worth_share * growth, 0.0)


@quantity(unit="USD", source="definition")
def gain_on_sale_usd(*, sale_usd: Array, book_usd: Array, years: Array, last_year: Array) -> Array:
    """Got back beyond what is left on the books; a loss where it is less."""
    return np.where(years == last_year, sale_usd - book_usd, 0.0)


@quantity(unit="USD", source=_NREL)
def tax_usd(
    *,
    tax_rate: Array,
    ebitda_usd: Array,
    depreciation_usd: Array,
    interest_usd: Array,
    gain_on_sale_usd: Array,
) -> Array:
    """Tax on the profit of each year.

    A loss saves tax at once: it is set against other profit of the owner, and the tax is negative. Without
    a rate there is no tax, whatever the profit.
    """
    profit = ebitda_usd - depreciation_usd - interest_usd + gain_on_sale_usd
    return np.where(tax_rate == 0, 0.0, tax_rate * profit)


@quantity(unit="USD", source=_NREL)
def project_flow_usd(*, ebitda_usd: Array, purchase_usd: Array, sales_usd: Array, tax_usd: Array) -> Array:
    """Cash flow of the project before financing."""
    return ebitda_usd - purchase_usd + sales_usd - tax_usd


@quantity(unit="USD", source=_NREL)
def equity_flow_usd(
    *,
    ebitda_usd: Array,
    purchase_usd: Array,
    sales_usd: Array,
    borrowed_usd: Array,
    interest_usd: Array,
    principal_usd: Array,
    tax_usd: Array,
) -> Array:
    """Cash flow of the owners, after lenders have been paid."""
    lenders = borrowed_usd - interest_usd - principal_usd
    return ebitda_usd - purchase_usd + sales_usd - tax_usd + lenders
