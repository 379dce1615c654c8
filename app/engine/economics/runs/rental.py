"""A run at a price of the hour or of the token: what the same work would cost to rent."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array

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
