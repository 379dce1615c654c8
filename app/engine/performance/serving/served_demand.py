"""What of a demand a pod answers, mean over the years that it must last for: the tokens that pay for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.setting import DISAGGREGATED
from app.engine.quantities import quantity
from app.engine.specs import ServingWorkload
from app.engine.trace import Array

NO_GROWTH = 1e-9
"""Of a demand over all its years, below which it is taken as level."""


@quantity(
    unit="1/s", source="definition of a yearly growth: the integral of min(r (1 + g)^t, limit) over the years"
)
def borne_requests_per_s(
    *, requests_per_s: Array, growth_per_year: Array, years: Array, requests_per_s_limit: Array
) -> Array:
    """Served request rate, mean over the years.

    The mean of the demand, as it grows or shrinks, and from where it is beyond it the most within the SLO.
    Unknown where nothing is answered within that.

    Parameters
    ----------
    requests_per_s : mean over today's year [1/s]
    requests_per_s_limit : most that the pod answers within the SLO [1/s]
    """
    able = np.where(requests_per_s_limit > 0, requests_per_s_limit, np.nan)
    lowest = requests_per_s * np.minimum((1 + growth_per_year) ** years, 1.0)
    pace = np.abs(np.log1p(growth_per_year))
    changes = pace * years > NO_GROWTH
    each_year, span = np.where(changes, pace, 1.0), np.where(changes, years, 1.0)
    below = np.minimum(np.maximum(np.log(able / lowest) / each_year, 0.0), span)  # years below the limit
    mean = (lowest * np.expm1(each_year * below) / each_year + able * (span - below)) / span
    return np.where(changes, mean, np.minimum(requests_per_s, able))


@quantity(unit="tokens/s", source="definition")
def borne_tokens_per_s(*, requests_per_s: Array, tokens_per_request: Array) -> Array:
    """Served token rate, mean over the years."""
    return requests_per_s * tokens_per_request


@quantity(unit="1", source="definition")
def borne_prefill_share(*, prefill_share: Array, requests_per_s: Array, borne_requests_per_s: Array) -> Array:
    """Prefill share of accelerator time, mean over the years.

    A prompt takes as long as at the load of the peak; where prompts are fewer, decode and waiting have the rest.
    """
    return np.minimum(prefill_share * borne_requests_per_s / requests_per_s, 1.0)


def borne(performance: ServingPerformance, workload: ServingWorkload) -> ServingPerformance:
    """The same with the rates of the demand, mean over its years; as it is where none is stated."""
    demand, asked = workload.demand, workload.requests
    if demand is None:
        return performance
    requests = borne_requests_per_s(
        requests_per_s=demand.requests_per_s,
        growth_per_year=demand.growth_per_year,
        years=demand.years,
        requests_per_s_limit=performance.requests_per_s_limit,
    )
    share = performance.prefill_share
    if performance.mode != DISAGGREGATED:
        share = borne_prefill_share(
            prefill_share=share, requests_per_s=performance.requests_per_s, borne_requests_per_s=requests
        )
    return replace(
        performance,
        requests_per_s=requests,
        tokens_per_s=borne_tokens_per_s(requests_per_s=requests, tokens_per_request=asked.output_tokens),
        input_tokens_per_s=borne_tokens_per_s(requests_per_s=requests, tokens_per_request=asked.input_tokens),
        prefill_share=share,
    )
