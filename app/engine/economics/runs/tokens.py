"""Cost and energy of tokens from a rate at which they are made."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="USD", source="definition")
def usd_per_million_tokens_at_rate(
    *, usd_per_accelerator_hour: Array, accelerators: Array, tokens_per_s: Array
) -> Array:
    """Cost of a million tokens at a given rate.

    1e6 p n / (3,600 T): n accelerators at the hourly price p make T tokens a second together.
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
