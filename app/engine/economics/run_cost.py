"""What one run costs on a pod of one's own."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="accelerator h", source="definition", at="cost.run_accelerator_hours")
def run_accelerator_hours(*, accelerators_used: Array, elapsed_time_s: Array) -> Array:
    """Accelerator-hours of the run.

    Of the elapsed time: failures, restarts and checkpoints are in it.
    """
    return accelerators_used * elapsed_time_s / 3600


@quantity(
    unit="USD", source="definition", at="cost.usd_per_run", short="Cost per run", key=True, better="less"
)
def usd_per_run(*, run_accelerator_hours: Array, usd_per_accelerator_hour: Array) -> Array:
    """Cost per run, owned.

    At the levelised cost of a used hour: unused hours between runs are charged, research, failed
    experiments and data are not.
    """
    return run_accelerator_hours * usd_per_accelerator_hour


@quantity(
    unit="USD",
    source="definition",
    at="cost.usd_per_million_tokens",
    short="Cost per million tokens",
    key=True,
    better="less",
)
def usd_per_million_tokens(*, usd_per_run: Array, tokens: Array) -> Array:
    """Cost per million tokens, owned: trained ones."""
    return usd_per_run / (tokens / 1e6)
