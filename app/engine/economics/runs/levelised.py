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


_DEEPSEEK = (
    "[1] DeepSeek-V3 Technical Report, arXiv 2412.19437, table 1: GPU-hours at an assumed rental price"
)


@quantity(unit="USD", source=_DEEPSEEK)
def rental_equivalent_usd(*, accelerator_hours: Array, usd_per_accelerator_hour: Array) -> Array:
    """Rental equivalent of a run.

    Its accelerator-hours at a price of the hour; research, failed runs, data and staff are not in it.
    """
    return accelerator_hours * usd_per_accelerator_hour


@quantity(unit="USD", source="definition")
def tokens_usd(*, tokens: Array, usd_per_million_tokens: Array) -> Array:
    """Cost of a run by the price of a million training tokens."""
    return tokens / 1e6 * usd_per_million_tokens


@quantity(unit="USD", source="definition")
def with_research_usd(*, run_usd: Array, research_multiplier: Array) -> Array:
    """Cost of a project.

    The final run with the ablations, failed runs and experiments that led to it.

    Parameters
    ----------
    research_multiplier : all compute of the project over that of its final run
    """
    return run_usd * research_multiplier


@quantity(unit="USD", source="definition")
def usd_per_million_tokens_at_rate(
    *, usd_per_accelerator_hour: Array, accelerators: Array, tokens_per_s: Array
) -> Array:
    """Cost per 1 M tokens at a given rate.

    1e6 p n / (3,600 T): n accelerators at the hourly price p make T tokens per second together.
    """
    return 1e6 * usd_per_accelerator_hour * accelerators / (3600 * tokens_per_s)


@quantity(unit="J", source="definition")
def joules_per_token_at_rate(*, power_w: Array, pue: Array, tokens_per_s: Array) -> Array:
    """Energy of a token at a given rate, at the meter."""
    return power_w * pue / tokens_per_s


@quantity(unit="J", source="definition")
def joules_per_token_of_run(*, energy_kwh: Array, tokens: Array) -> Array:
    """Energy of a token of a run, at the meter."""
    return energy_kwh * 3.6e6 / tokens


@quantity(unit="kWh", source="definition")
def accelerator_energy_kwh(*, accelerator_hours: Array, power_w: Array, pue: Array) -> Array:
    """Energy of accelerator-hours at a stated power of each."""
    return accelerator_hours * power_w / 1e3 * pue
