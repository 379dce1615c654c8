"""What a million tokens of each kind cost and take of energy, beside what others ask for them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from app.catalog.api_prices import ApiPrice, prices_of
from app.engine.economics.token_cost import (
    batch_price_ratio,
    cached_token_time_ratio,
    energy_j_per_input_token,
    energy_j_per_output_token,
    new_token_weight,
    usd_per_million_served_tokens,
    usd_per_serving_hour,
)
from app.engine.mixed import all_kinds, prefill_weighted_share
from app.engine.performance.serving.offload import with_return_s
from app.engine.performance.serving.replica_load import STEADY, load_of, prompt_of
from app.engine.performance.serving.replica_memory import places_of
from app.engine.performance.serving.request_mix import with_cached_share
from app.engine.performance.serving.setting import Setting
from app.engine.specs import ServiceLevel
from app.engine.specs.serving import Arrivals
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.serving.loads import fullest, many_loads, under
from app.views.serving.served import Served, middle

HALF = 0.5
"""Share of a prompt that is taken as cached for the price of cached tokens, where the scenario has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPrices:
    """The design as it is; USD of a million tokens and J of one. Unknown is NaN.

    `batch_ratio` is the price of tokens without a latency SLO over that of others; `cached_share` is what the price
    of cached tokens was taken at.
    """

    cached_share: float
    input_usd: float
    cached_input_usd: float
    output_usd: float
    batch_ratio: float
    batch_input_usd: float
    batch_cached_input_usd: float
    batch_output_usd: float
    input_j: float
    cached_input_j: float
    output_j: float
    list_prices: tuple[ApiPrice, ...]  # of the same model at others


def token_prices(scenario: EvaluatedScenario, found: Served) -> TokenPrices:
    """Prices by the accelerator time that tokens of each kind take."""
    sections = scenario.evaluation.sections
    cost, power = sections.cost, sections.power
    asked = found.setting.workload.requests
    stated = first_of(asked.cached_share)
    share = stated or HALF
    ratio = cached_token_time_ratio(
        prompt_s=_prompt_s(found, share),
        uncached_prompt_s=_prompt_s(found, 0.0),
        cached_share=np.full(1, share),
    )
    weight = new_token_weight(cached_share=np.full(1, stated), cached_token_time_ratio=ratio)
    new, kept = first_of(weight), first_of(weight * ratio)
    batch = _batch_ratio(scenario, found)
    mean_input, output = (
        first_of(_known(cost.usd_per_million_input_tokens)),
        first_of(_known(cost.usd_per_million_output_tokens)),
    )
    split = {
        "energy_j_per_token": _known(power.energy_j_per_token),
        "prefill_share": _prefill_energy_share(found),
    }
    input_j = first_of(
        energy_j_per_input_token(**split, output_per_input=asked.output_tokens / asked.input_tokens)
    )
    return TokenPrices(
        cached_share=share,
        input_usd=mean_input * new,
        cached_input_usd=mean_input * kept,
        output_usd=output,
        batch_ratio=batch,
        batch_input_usd=mean_input * new * batch,
        batch_cached_input_usd=mean_input * kept * batch,
        batch_output_usd=output * batch,
        input_j=input_j * new,
        cached_input_j=input_j * kept,
        output_j=first_of(energy_j_per_output_token(**split)),
        list_prices=prices_of(found.setting.workload.architecture.key),
    )


def _prefill_energy_share(found: Served) -> Array:
    """Share of the energy that prefill takes: of the accelerators, by rated power where they are of two kinds."""
    performance, kinds = found.performance, all_kinds(found.design)
    places, parts = places_of(performance), performance.accelerators_per_replica_by_kind
    if parts is None or len(places) == 1:
        return _known(performance.prefill_share)
    decode, prefill = places
    return prefill_weighted_share(
        prefill_accelerators=_known(parts[prefill]),
        decode_accelerators=_known(parts[decode]),
        prefill_each=_known(kinds[prefill].supernode.max_power_w),
        decode_each=_known(kinds[decode].supernode.max_power_w),
    )


def _prompt_s(found: Served, cached_share: float) -> Array:
    """Time that a prompt of which so much is cached keeps an instance, at the load of the scenario."""
    workload = found.setting.workload
    asked = with_cached_share(workload.requests, np.full(1, cached_share))
    asked = replace(asked, shared_prefix_tokens=np.zeros(1))
    setting = replace(found.setting, workload=replace(workload, requests=asked))
    replica, layout = found.replica, found.replica.prefilling
    load = load_of(setting, replica, np.ones(1))
    prompt = prompt_of(setting.prefilling, layout, np.full(1, max(middle(found.performance.batch), 1.0)))
    return with_return_s(prompt.cost_s, load, layout)


def _batch_ratio(scenario: EvaluatedScenario, found: Served) -> float:
    """Of the most that the pod answers without an SLO, in all hours of the year."""
    cost = scenario.evaluation.sections.cost
    setting = _without_promises(found.setting)
    grid = under(found, many_loads(setting, fullest(found)), setting=setting)
    most = float(np.max(grid.requests_per_s)) * found.replicas
    hour = usd_per_serving_hour(
        usd_per_accelerator_hour=_known(cost.usd_per_installed_accelerator_hour),
        accelerators_used=_known(found.design.pod.accelerators_used),
    )
    filled = usd_per_million_served_tokens(
        usd_per_serving_hour=hour, tokens_per_s=most * found.setting.workload.requests.output_tokens
    )
    return first_of(
        batch_price_ratio(
            usd_per_million_filled_tokens=filled, usd_per_million_tokens=_known(cost.usd_per_million_tokens)
        )
    )


def _without_promises(setting: Setting) -> Setting:
    nothing = np.full(1, math.nan)
    workload = replace(
        setting.workload,
        level=ServiceLevel(
            ttft_s=nothing,
            tpot_s=nothing,
            percentile=setting.workload.level.percentile,
            availability=setting.workload.level.availability,
        ),
        arrivals=Arrivals(kind=STEADY),
    )
    return replace(setting, workload=workload)


def _known(value: Array | None) -> Array:
    """The median of a figure, NaN where it is unknown or there is none."""
    return np.full(1, math.nan if value is None else middle(value))
