"""Cost of output and input tokens of an owned pod."""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.section import ServingPerformance
from app.engine.quantities import quantity
from app.engine.specs import Economics, Pod, ServingWorkload
from app.engine.trace import Array


@quantity(unit="USD/h", source="definition")
def usd_per_serving_hour(*, usd_per_accelerator_hour: Array, accelerators_used: Array) -> Array:
    """Cost per serving hour.

    At the levelised cost of a utilised hour: hours without requests are paid by those with them.
    """
    return usd_per_accelerator_hour * accelerators_used


@quantity(unit="USD/h", source="definition")
def usd_per_hour_of_the_year(
    *,
    usd_per_accelerator_hour: Array,
    used_accelerator_hours_per_year: Array,
    installed_accelerator_hours_per_year: Array,
    accelerators_used: Array,
) -> Array:
    """Cost per calendar hour.

    Used where a demand states the tokens of a year: utilised hours carry the cost of all hours, so that the
    hours of a year add up to its cost.
    """
    used_share = used_accelerator_hours_per_year / installed_accelerator_hours_per_year
    return usd_per_accelerator_hour * used_share * accelerators_used


@quantity(unit="USD", source="definition", also_at="cost.usd_per_million_tokens")
def usd_per_million_served_tokens(*, usd_per_serving_hour: Array, tokens_per_s: Array) -> Array:
    """Cost per million output tokens, owned: with all that it takes to read their prompts.

    Where a demand is stated, the year over the tokens of it that the pod answers, mean over its years. Else at the
    load of the evaluation in all hours that the utilisation leaves.
    """
    return usd_per_serving_hour / (tokens_per_s * 3600 / 1e6)


@quantity(unit="USD", source="definition", at="cost.usd_per_million_input_tokens", key=True, better="less")
def usd_per_million_input_tokens(
    *, usd_per_serving_hour: Array, prefill_share: Array, input_tokens_per_s: Array
) -> Array:
    """Cost per million input tokens.

    The share of accelerator time that prefill takes, over all tokens of the prompts, those found in the prefix
    cache included. Tokens and hours as of output tokens with their prompts.
    """
    return usd_per_serving_hour * prefill_share / (input_tokens_per_s * 3600 / 1e6)


@quantity(unit="USD", source="definition", at="cost.usd_per_million_output_tokens", key=True, better="less")
def usd_per_million_output_tokens(
    *, usd_per_serving_hour: Array, prefill_share: Array, tokens_per_s: Array
) -> Array:
    """Cost per million output tokens: without their prompts.

    The share of accelerator time that is left to decode, waiting included. Tokens and hours as of those with prompts.
    """
    return usd_per_serving_hour * (1 - prefill_share) / (tokens_per_s * 3600 / 1e6)


@quantity(unit="1", source="definition")
def cached_token_time_ratio(*, prompt_s: Array, uncached_prompt_s: Array, cached_share: Array) -> Array:
    """Accelerator time of a cached input token over that of a prefilled one.

    What a prompt takes beyond its new tokens alone: that these attend to the cached ones, and bringing them back.
    """
    beyond = prompt_s - (1 - cached_share) * uncached_prompt_s
    return np.clip(beyond / (cached_share * uncached_prompt_s), 0.0, 1.0)


@quantity(unit="1", source="definition")
def new_token_weight(*, cached_share: Array, cached_token_time_ratio: Array) -> Array:
    """Weight of a prefilled token over the mean prompt token: in cost, and alike in energy."""
    return 1 / (1 - cached_share + cached_share * cached_token_time_ratio)


@quantity(unit="1", source="definition")
def batch_price_ratio(*, usd_per_million_filled_tokens: Array, usd_per_million_tokens: Array) -> Array:
    """Price ratio of tokens without a latency SLO.

    Those of a pod that answers the most it can in every hour of the year pay for the year; never more than the others,
    among which they could be answered.
    """
    return np.minimum(usd_per_million_filled_tokens / usd_per_million_tokens, 1.0)


@quantity(unit="J", source="definition")
def energy_j_per_input_token(
    *, energy_j_per_token: Array, prefill_share: Array, output_per_input: Array
) -> Array:
    """Energy per input token: by the share of accelerator time that prefill takes, as its cost."""
    return energy_j_per_token * prefill_share * output_per_input


@quantity(unit="J", source="definition")
def energy_j_per_output_token(*, energy_j_per_token: Array, prefill_share: Array) -> Array:
    """Energy per output token, without its prompt."""
    return energy_j_per_token * (1 - prefill_share)


@quantity(unit="USD", source="definition", at="cost.usd_per_million_tokens_rented_on_demand", key=True)
def usd_per_million_tokens_rented_on_demand(
    *, on_demand_usd_per_hour: Array, accelerators_used: Array, tokens_per_s: Array
) -> Array:
    """Cost per million tokens, rented on demand.

    In all hours, at the mean rate of the demand where one is stated; else at the load of the evaluation.
    """
    return on_demand_usd_per_hour * accelerators_used / (tokens_per_s * 3600 / 1e6)


@quantity(unit="USD", source="definition", at="cost.usd_per_million_tokens_rented_reserved", key=True)
def usd_per_million_tokens_rented_reserved(
    *, reserved_usd_per_hour: Array, accelerators_used: Array, tokens_per_s: Array
) -> Array:
    """Cost per million tokens, reserved rental.

    In all hours, at the mean rate of the demand where one is stated; else at the load of the evaluation.
    """
    return reserved_usd_per_hour * accelerators_used / (tokens_per_s * 3600 / 1e6)


def token_costs(
    workload: ServingWorkload,
    pod: Pod,
    economics: Economics,
    performance: ServingPerformance,
    usd_per_accelerator_hour: Array,
    hours: dict[str, Array],
) -> dict[str, Array | None]:
    """Costs of tokens by their names in the cost section.

    Parameters
    ----------
    performance : with the rates that are paid for, of the demand where one is stated
    usd_per_accelerator_hour : of a utilised hour
    hours : accelerator-hours of a year, `installed` and `used`
    """
    paid = {"usd_per_accelerator_hour": usd_per_accelerator_hour, "accelerators_used": pod.accelerators_used}
    hour = (
        usd_per_serving_hour(**paid)
        if workload.demand is None
        else usd_per_hour_of_the_year(
            **paid,
            used_accelerator_hours_per_year=hours["used"],
            installed_accelerator_hours_per_year=hours["installed"],
        )
    )
    out = {"tokens_per_s": performance.tokens_per_s}
    shared = {"usd_per_serving_hour": hour, "prefill_share": performance.prefill_share}
    rented = {"accelerators_used": pod.accelerators_used, **out}
    return {
        "usd_per_million_tokens": usd_per_million_served_tokens(usd_per_serving_hour=hour, **out),
        "usd_per_million_input_tokens": usd_per_million_input_tokens(
            **shared, input_tokens_per_s=performance.input_tokens_per_s
        ),
        "usd_per_million_output_tokens": None
        if workload.requests.pooled
        else usd_per_million_output_tokens(**shared, **out),
        "usd_per_million_tokens_rented_on_demand": usd_per_million_tokens_rented_on_demand(
            on_demand_usd_per_hour=economics.rental_on_demand_usd_per_accelerator_hour, **rented
        ),
        "usd_per_million_tokens_rented_reserved": usd_per_million_tokens_rented_reserved(
            reserved_usd_per_hour=economics.rental_reserved_usd_per_accelerator_hour, **rented
        ),
    }
