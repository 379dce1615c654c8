"""Cost of a workload of a shared pod per run or token: quantities called in their order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.engine.economics.section import run_costs
from app.engine.economics.token_cost import token_costs
from app.engine.performance.generic_step import GenericPerformance
from app.engine.performance.section import Performance
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.served_demand import borne
from app.engine.shared import money
from app.engine.specs import Economics, GenericWorkload, Pod, ServingWorkload, TrainingWorkload
from app.engine.trace import Array

AnyPerformance = Performance | GenericPerformance | ServingPerformance

OF_A_RUN = (
    "run_accelerator_hours",
    "usd_per_run",
    "usd_per_run_rented_on_demand",
    "usd_per_run_rented_reserved",
)
OF_TOKENS = (
    "usd_per_million_input_tokens",
    "usd_per_million_output_tokens",
    "usd_per_million_tokens_rented_on_demand",
    "usd_per_million_tokens_rented_reserved",
)
SAID = (
    "run_accelerator_hours", "usd_per_run", "usd_per_million_tokens", "usd_per_million_input_tokens",
    "usd_per_million_output_tokens",
)  # fmt: skip
"""What is said of every workload; the cost section says more of the first."""


def costs_of_work(
    *,
    workload: TrainingWorkload | GenericWorkload | ServingWorkload,
    pod: Pod,
    economics: Economics,
    performance: AnyPerformance,
    working_share: Array,
    usd_per_accelerator_hour: Array,
    hours: dict[str, Array],
) -> dict[str, Array | None]:
    """By their names in the cost section, all of them; None is what this kind of workload does not have.

    Parameters
    ----------
    pod : `accelerators_used` are those that it has, mean over the day
    performance : while it works, but for the elapsed time, which is by the calendar
    hours : accelerator-hours of a year of the pod, `installed` and `used`
    """
    if isinstance(performance, ServingPerformance) and isinstance(workload, ServingWorkload):
        day = over_the_day(workload, performance, working_share)
        tokens: dict[str, Any] = token_costs(workload, pod, economics, day, usd_per_accelerator_hour, hours)
        return tokens | dict.fromkeys(OF_A_RUN)
    assert not isinstance(performance, ServingPerformance), "what serves is a served workload"
    assert not isinstance(workload, ServingWorkload), "a run has a workload that runs"
    return {
        **run_costs(workload, pod, economics, performance, usd_per_accelerator_hour),
        **dict.fromkeys(OF_TOKENS),
    }


def over_the_day(
    workload: ServingWorkload, performance: ServingPerformance, working_share: Array
) -> ServingPerformance:
    """What serves, with its tokens over the whole day, hours of other workloads counted.

    Of the demand where one is stated, which is that of its hours.
    """
    paid = borne(performance, workload)
    return replace(
        paid,
        tokens_per_s=money.tokens_per_s_mean(tokens_per_s=paid.tokens_per_s, working_share=working_share),
        input_tokens_per_s=money.tokens_per_s_mean(
            tokens_per_s=paid.input_tokens_per_s, working_share=working_share
        ),
    )
