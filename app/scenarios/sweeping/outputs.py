"""The figures that a sweep keeps of each design."""

from __future__ import annotations

HEADLINE = (
    "performance.step_time_s",
    "performance.ttft_s",
    "performance.tpot_s",
    "performance.tokens_per_s",
    "performance.flop_per_s",
    "performance.mfu",
    "performance.elapsed_time_s",
    "performance.memory_per_accelerator_bytes",
    "power.utility_mean_w",
    "cooling.pue",
    "reliability.ettr",
    "cost.capex_usd",
    "cost.tco_usd",
    "cost.usd_per_accelerator_hour",
    "cost.usd_per_run",
    "cost.usd_per_million_tokens",
    "carbon.total_kg",
)
"""Kept where nobody names any; a job has those of its kind."""
