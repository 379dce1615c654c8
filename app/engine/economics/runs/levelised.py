"""An owned accelerator-hour by the short sum that analysts publish: level payments, a rented place, electricity.

The level cost in an evaluation has the whole bill and running cost; this one repeats figures of which no more is known.
"""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array

_LEVELISED = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995), levelised cost"


@quantity(unit="USD/h", source=_LEVELISED)
def capital_usd_per_hour(*, price_usd_per_accelerator: Array, capital_recovery_factor: Array) -> Array:
    """Level payment for the price of an accelerator, for each hour of the year."""
    return price_usd_per_accelerator * capital_recovery_factor / 8760


@quantity(unit="USD/h", source="definition")
def place_usd_per_hour(*, power_kw_per_accelerator: Array, colocation_usd_per_kw_month: Array) -> Array:
    """Colocation of an accelerator for an hour, by its provisioned power."""
    return power_kw_per_accelerator * colocation_usd_per_kw_month * 12 / 8760


@quantity(unit="USD/h", source="definition")
def power_usd_per_hour(
    *, power_kw_per_accelerator: Array, load: Array, pue: Array, electricity_usd_per_kwh: Array
) -> Array:
    """Electricity of an accelerator for an hour."""
    return power_kw_per_accelerator * load * pue * electricity_usd_per_kwh


@quantity(unit="USD/h", source=_LEVELISED)
def owned_usd_per_hour(
    *, capital_usd_per_hour: Array, place_usd_per_hour: Array, power_usd_per_hour: Array
) -> Array:
    """Level cost of an installed accelerator-hour: capital, place and electricity."""
    return capital_usd_per_hour + place_usd_per_hour + power_usd_per_hour
