"""Lead times of the parts of a pod, and the price of equipment that is bought later than today."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="months", source="definition")
def part_ready_month(*, lead_months: Array, fit_out_months: Array) -> Array:
    """Month after the order in which a part is ready.

    Its lead time, and for parts of the building the time to install and test them.
    """
    return lead_months + fit_out_months


@quantity(unit="USD", source="definition: compound change a year")
def price_at_purchase_usd(*, price_usd: Array, change_per_year: Array, months: Array) -> Array:
    """Price of a SuperNode when it is bought: the price today x (1 + change a year)^(months / 12)."""
    return price_usd * (1 + change_per_year) ** (months / 12)
