"""What tokens cost that a pod of one's own answers with, and those that it is asked with."""

from __future__ import annotations

from app.engine.performance.serving.section import ServingPerformance
from app.engine.quantities import quantity
from app.engine.specs import Economics, Pod
from app.engine.trace import Array


@quantity(unit="USD/h", source="definition")
def usd_per_serving_hour(*, usd_per_accelerator_hour: Array, accelerators_used: Array) -> Array:
    """Cost of an hour in which the pod serves.

    At the levelised cost of a used hour: hours without requests are paid by those with them.
    """
    return usd_per_accelerator_hour * accelerators_used


@quantity(unit="USD", source="definition", also_at="cost.usd_per_million_tokens")
def usd_per_million_served_tokens(*, usd_per_serving_hour: Array, tokens_per_s: Array) -> Array:
    """Cost of a million output tokens when owned: with all that it takes to read their prompts."""
    return usd_per_serving_hour / (tokens_per_s * 3600 / 1e6)


@quantity(unit="USD", source="definition", at="cost.usd_per_million_input_tokens")
def usd_per_million_input_tokens(
    *, usd_per_serving_hour: Array, prefill_share: Array, input_tokens_per_s: Array
) -> Array:
    """Cost of a million input tokens.

    The share of accelerator time that prefill takes, over all tokens of the prompts, those found in the prefix
    cache included.
    """
    return usd_per_serving_hour * prefill_share / (input_tokens_per_s * 3600 / 1e6)


@quantity(unit="USD", source="definition", at="cost.usd_per_million_output_tokens")
def usd_per_million_output_tokens(
    *, usd_per_serving_hour: Array, prefill_share: Array, tokens_per_s: Array
) -> Array:
    """Cost of a million output tokens: without their prompts.

    The share of accelerator time that decode takes.
    """
    return usd_per_serving_hour * (1 - prefill_share) / (tokens_per_s * 3600 / 1e6)


@quantity(unit="USD", source="definition", at="cost.usd_per_million_tokens_rented_on_demand")
def usd_per_million_tokens_rented_on_demand(
    *, on_demand_usd_per_hour: Array, accelerators_used: Array, tokens_per_s: Array
) -> Array:
    """Cost of a million output tokens, rented on demand."""
    return on_demand_usd_per_hour * accelerators_used / (tokens_per_s * 3600 / 1e6)


@quantity(unit="USD", source="definition", at="cost.usd_per_million_tokens_rented_reserved")
def usd_per_million_tokens_rented_reserved(
    *, reserved_usd_per_hour: Array, accelerators_used: Array, tokens_per_s: Array
) -> Array:
    """Cost of a million output tokens, rented and reserved."""
    return reserved_usd_per_hour * accelerators_used / (tokens_per_s * 3600 / 1e6)


def token_costs(
    pod: Pod, economics: Economics, performance: ServingPerformance, usd_per_accelerator_hour: Array
) -> dict[str, Array]:
    """Costs of tokens by their names in the cost section."""
    hour = usd_per_serving_hour(
        usd_per_accelerator_hour=usd_per_accelerator_hour, accelerators_used=pod.accelerators_used
    )
    out = {"tokens_per_s": performance.tokens_per_s}
    shared = {"usd_per_serving_hour": hour, "prefill_share": performance.prefill_share}
    rented = {"accelerators_used": pod.accelerators_used, **out}
    return {
        "usd_per_million_tokens": usd_per_million_served_tokens(usd_per_serving_hour=hour, **out),
        "usd_per_million_input_tokens": usd_per_million_input_tokens(
            **shared, input_tokens_per_s=performance.input_tokens_per_s
        ),
        "usd_per_million_output_tokens": usd_per_million_output_tokens(**shared, **out),
        "usd_per_million_tokens_rented_on_demand": usd_per_million_tokens_rented_on_demand(
            on_demand_usd_per_hour=economics.rental_on_demand_usd_per_accelerator_hour, **rented
        ),
        "usd_per_million_tokens_rented_reserved": usd_per_million_tokens_rented_reserved(
            reserved_usd_per_hour=economics.rental_reserved_usd_per_accelerator_hour, **rented
        ),
    }
