"""How many accelerator-hours a run takes, and how long that is."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="accelerator h", source="definition")
def accelerator_hours_of_flop(*, flop: Array, peak_flop_per_s: Array, mfu: Array, ettr: Array) -> Array:
    """Accelerator-hours of a run by its arithmetic.

    C / (P u 3,600) / g: what the arithmetic takes at that utilisation of the peak, and what failures and
    restarts add to it.
    """
    return flop / (peak_flop_per_s * mfu * 3600) / ettr


@quantity(unit="accelerator h", source="definition")
def accelerator_hours_of_wall_time(*, accelerators: Array, wall_time_h: Array) -> Array:
    """Accelerator-hours of a run by the clock."""
    return accelerators * wall_time_h


@quantity(unit="h", source="definition")
def wall_time_h(*, accelerator_hours: Array, accelerators: Array) -> Array:
    """Time that accelerator-hours take on so many accelerators at once."""
    return accelerator_hours / accelerators


@quantity(unit="accelerator h", source="definition")
def accelerator_hours_of_payment(*, paid_usd: Array, usd_per_accelerator_hour: Array) -> Array:
    """Accelerator-hours that a sum rents."""
    return paid_usd / usd_per_accelerator_hour
