"""The figures that are asked how sure they are."""

from __future__ import annotations

KEY_FIGURES = (
    "cost.usd_per_accelerator_hour",
    "cost.usd_per_useful_accelerator_hour",
    "cost.usd_per_run",
    "cost.usd_per_million_tokens",
    "cost.capex_usd",
    "cost.tco_usd",
    "cost.usd_per_run_rented_on_demand",
    "cost.usd_per_run_rented_reserved",
    "cost.break_even_utilisation",
    "performance.elapsed_time_s",
    "performance.mfu",
    "reliability.ettr",
    "power.utility_mean_w",
    "power.utility_peak_w",
    "cooling.pue",
    "carbon.total_kg",
)
"""A job has those of its kind."""
SERVING_FIRST = (
    "performance.tpot_within_s",
    "performance.ttft_within_s",
    "performance.output_tokens_per_s_per_accelerator",
    "cost.usd_per_million_tokens",
)
"""What a pod that serves is judged by."""
SERVING_FIGURES = (
    *SERVING_FIRST,
    "performance.requests_per_s_limit",
    *(path for path in KEY_FIGURES if path not in (*SERVING_FIRST, "performance.mfu")),
)
"""Of a pod that serves, whose MFU is that of a decode step and says little."""
OF_SERVING = tuple(path for path in SERVING_FIRST if path not in KEY_FIGURES)
MAIN = (*OF_SERVING, "cost.usd_per_accelerator_hour", "cost.usd_per_run", "performance.elapsed_time_s")
"""What the answer is told for, the first that is known."""
DECIDED_BY = (
    "cost.usd_per_run",
    "cost.usd_per_run_rented_on_demand",
    "cost.usd_per_run_rented_reserved",
    "performance.elapsed_time_s",
    "power.utility_peak_w",
)
"""Needed for the probabilities and the decision, whatever is asked for."""
