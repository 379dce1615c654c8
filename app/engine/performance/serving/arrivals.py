"""Requests that come at random times, whoever else is there: what they wait beyond those that replace each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.engine.performance.serving.latency import Latency
from app.engine.performance.serving.queueing import (
    mean_wait_s,
    steady_utilisation,
    utilisation,
    wait_spread_s,
    waiting_probability,
)
from app.engine.quantities import quantity
from app.engine.specs import Requests
from app.engine.trace import Array

_CHUNKED = "[1] Agrawal et al. 2024, arXiv 2403.02310 (chunked prefill)"
_MOMENTS = "definition: means add up, and variances of independent waits"
PREFILL, PLACES = "prefill", "places"
"""What requests queue for."""
AT_RANDOM = np.ones(1)
"""Variation of the times between arrivals, of requests that know nothing of each other (Poisson)."""


@quantity(unit="s", source=_CHUNKED)
def prompt_turn_s(*, prefill_s: Array, step_s: Array, passes: Array) -> Array:
    """Time from one prompt to the next while prompts queue on an instance that decodes too.

    Its prefill, and the decode steps that its passes go along with.
    """
    return prefill_s + passes * step_s


@quantity(unit="1", source="[1] Kleinrock 1975, section 2.4 (Poisson arrivals)")
def prompts_together(*, requests_per_s: Array, turn_alone_s: Array) -> Array:
    """Prompts that share a pass: one, and those that came while the pass before it ran."""
    return 1 + requests_per_s * turn_alone_s


@quantity(unit="1", source=_MOMENTS)
def turn_variation(*, input_variation: Array, together: Array) -> Array:
    """Standard deviation over the mean of a turn that so many prompts share: lengths even out among them."""
    return input_variation / np.sqrt(together)


@quantity(unit="s", source=_MOMENTS)
def queue_wait_s(*, prefill_queue_s: Array, place_queue_s: Array, steady_wait_s: Array) -> Array:
    """Wait in the queues before prefill and for a place in memory, beyond the wait in steady traffic."""
    return np.maximum(prefill_queue_s - steady_wait_s, 0.0) + place_queue_s


@quantity(unit="s", source=_MOMENTS)
def queue_spread_s(*, prefill_spread_s: Array, place_spread_s: Array) -> Array:
    """Standard deviation of the wait in both queues."""
    return np.sqrt(prefill_spread_s**2 + place_spread_s**2)


@quantity(unit="s", source="definition")
def ttft_with_queue_s(*, steady_s: Array, queue_wait_s: Array) -> Array:
    """Predicted time to first token of requests that come at random times."""
    return steady_s + queue_wait_s


@quantity(unit="s", source="definition")
def place_time_s(*, output_tokens: Array, tpot_s: Array) -> Array:
    """Time that an answer keeps its place among the running sequences."""
    return output_tokens * tpot_s


def with_queue(
    latency: Latency, *, requests: Requests, turn_s: Array, together: Array, servers: Array, places: Array
) -> Latency:
    """Latencies of a replica that answers as many requests as in a closed loop, where they come at random times.

    Prompts queue for `servers` that take `turn_s` for each, so many `together`, and prefilled ones for `places` among
    the running sequences, each queue by itself (M/G/m).
    """
    prefill_queue, prefill_spread, prefill_busy = _queue(
        latency.requests_per_s,
        service_s=turn_s,
        servers=servers,
        variation=turn_variation(input_variation=requests.input_variation, together=together),
    )
    held = place_time_s(output_tokens=requests.output_tokens, tpot_s=latency.tpot_s)
    place_queue, place_spread, places_busy = _queue(
        latency.requests_per_s, service_s=held, servers=places, variation=requests.output_variation
    )
    wait = queue_wait_s(
        prefill_queue_s=prefill_queue,
        place_queue_s=place_queue,
        steady_wait_s=latency.ttft_parts_s["prefill_wait"],
    )
    return replace(
        latency,
        ttft_s=ttft_with_queue_s(steady_s=latency.ttft_s, queue_wait_s=wait),
        ttft_parts_s={**latency.ttft_parts_s, "queue_wait": wait},
        queue_spread_s=queue_spread_s(prefill_spread_s=prefill_spread, place_spread_s=place_spread),
        busy={PREFILL: prefill_busy, PLACES: places_busy},
    )


def _queue(
    requests_per_s: Array, *, service_s: Array, servers: Array, variation: Array
) -> tuple[Array, Array, Array]:
    """Mean wait, its standard deviation, and the utilisation that is asked for."""
    asked = utilisation(requests_per_s=requests_per_s, service_s=service_s, servers=servers)
    busy = steady_utilisation(utilisation=asked)
    chance = waiting_probability(utilisation=busy, servers=servers)
    wait = mean_wait_s(
        utilisation=busy,
        waiting_probability=chance,
        service_s=service_s,
        service_variation=variation,
        servers=servers,
        arrival_variation=AT_RANDOM,
    )
    return wait, wait_spread_s(mean_wait_s=wait, waiting_probability=chance), asked
