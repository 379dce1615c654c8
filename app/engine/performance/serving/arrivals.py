"""Requests that come at random times, independent of the others: their extra wait compared with
requests that replace each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from app.engine.performance.serving.aggregated import (
    instance_output_tokens_per_s,
    mean_tpot_s,
    mean_ttft_s,
    per_token_s,
    prefill_share_felt,
    step_wait_s,
)
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.continuous import Instance, Waits, class_waits, requests_per_s, waits_of
from app.engine.performance.serving.decode import DecodeStep
from app.engine.performance.serving.latency import Latency, Load, Spreads
from app.engine.performance.serving.offload import with_return_s
from app.engine.performance.serving.population import bare
from app.engine.performance.serving.prefill import PassTimes, Prefill
from app.engine.performance.serving.queueing import (
    mean_wait_s,
    steady_utilisation,
    utilisation,
    wait_spread_s,
    waiting_probability,
)
from app.engine.quantities import quantity
from app.engine.specs import RequestClass, Requests, ServingLayout
from app.engine.trace import Array, plain

_CONTINUOUS = (
    "[1] Takacs 1962, Introduction to the Theory of Queues, chapter 1 (delay busy period); [2] Neuts 1967, Annals of "
    "Mathematical Statistics 38 759-770 (service in batches); [3] Agrawal et al. 2024, arXiv 2403.02310 (chunked "
    "prefill); held against an event simulation"
)
_LITTLE = "[1] Little 1961, Operations Research 9 383-387 (L = lambda W)"
_HAYWARD = "[1] Fredericks 1980, Bell System Technical Journal 59 807-827 (Hayward's approximation for peaked traffic)"
_MOMENTS = "definition: means add up, and variances of independent waits"
PREFILL, PLACES = "prefill", "places"
"""What requests queue for."""
AT_RANDOM = np.ones(1)
"""Variation of the times between arrivals, of requests that know nothing of each other (Poisson)."""


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


@quantity(
    unit="1", source="[1] Wolff 1982, Operations Research 30 223-231 (Poisson arrivals see time averages)"
)
def sequences_seen(*, in_service: Array, batch_limit: Array) -> Array:
    """Running sequences that an answer is decoded with: itself, and as many as there are at any time."""
    return np.minimum(in_service + 1, np.maximum(batch_limit, 1.0))


@quantity(unit="1/s", source=_LITTLE, leaf=True)
def requests_at_random_per_s(
    *, found: Array, in_service: Array, step_s: Array, prefill_s: Array, output_tokens: Array
) -> Array:
    """Requests that come to an instance at random times while so many are prefilled or decoded, mean.

    Those over the time that each takes: its own pass, and its answer among the prefill of others.
    """
    return found


@quantity(unit="s", source=_CONTINUOUS, leaf=True)
def random_interference_s(
    *, found: Array, requests_per_s: Array, step_s: Array, prefill_s: Array, output_tokens: Array
) -> Array:
    """Prefill of others between two tokens, where requests come at random times.

    (D + W) / (1 - rho) less D over the tokens: D the steps of the answer, rho the share of the time that goes to
    prefill, W the prefill of prompts left behind by the request's own. The more prompts come the more share a pass.
    """
    return found


@quantity(unit="s", source=_CONTINUOUS, leaf=True)
def passes_met_s(
    *, found: Array, requests_per_s: Array, step_s: Array, prefill_s: Array, input_variation: Array
) -> Array:
    """Prefill of others in the pass that a request finds and in its own.

    The rest of the pass that goes on, E[T^2] / (2 E[T]), prompts that share the request's own, and the further passes
    of a long prompt.
    """
    return found


@quantity(unit="s", source=_CONTINUOUS, leaf=True)
def full_passes_wait_s(
    *, found: Array, requests_per_s: Array, step_s: Array, prefill_s: Array, input_variation: Array
) -> Array:
    """Wait for passes whose token budget is taken: a pass with room for b prompts is as b servers (M/G/b)."""
    return found


@quantity(unit="s", source=_HAYWARD, leaf=True)
def random_place_wait_s(
    *, found: Array, requests_per_s: Array, tpot_s: Array, output_tokens: Array, places: Array
) -> Array:
    """Wait for a place in memory, where requests come at random times.

    M/G/m of m / z servers, z the variance of the running sequences over their mean: they hold each other up.
    """
    return found


@quantity(unit="s", source=_CONTINUOUS, leaf=True)
def random_prefill_s(*, found: Array, requests_per_s: Array, prefill_s: Array, step_s: Array) -> Array:
    """Prefill by which a prompt keeps the running sequences waiting: of its pass the part that is its own."""
    return found


@quantity(unit="1", source=_CONTINUOUS, leaf=True)
def prefill_utilisation(*, found: Array, requests_per_s: Array, step_s: Array, prefill_s: Array) -> Array:
    """Prompts that come over those that an instance could prefill in passes that are all full."""
    return found


@quantity(unit="1", source="definition")
def places_taken(*, in_service: Array, places: Array) -> Array:
    """Share of the places in memory that are taken, mean."""
    return in_service / places


@quantity(unit="s", source=_CONTINUOUS, leaf=True)
def interference_of_requests_s(
    *, found: Array, requests_per_s: Array, step_s: Array, prefill_s: Array, output_variation: Array
) -> Array:
    """Prefill of others between two tokens, mean over requests.

    Over gamma-distributed lengths of answers: a short answer bears as much of the prompts behind its own as a long one.
    """
    return found


@quantity(unit="s", source=_CONTINUOUS, leaf=True)
def random_spread_s(*, found: Array, requests_per_s: Array, step_s: Array, prefill_s: Array) -> Array:
    """Standard deviation between requests that come at random times."""
    return found


def instance_of(
    *,
    load: Load,
    requests: Requests,
    step: DecodeStep,
    elasticity: Array,
    tokens_per_step: Array,
    prompt: Prefill,
    layout: ServingLayout,
    assumptions: ServingAssumptions,
) -> Instance:
    """An instance that prefills and decodes, as the formulas of continuous batching take it; bare values."""
    a = assumptions
    further = np.maximum(load.output_tokens - 1, 0.0)
    return Instance(
        step_s=plain(step.step_s),
        step_elasticity=elasticity,
        steps=plain(further / tokens_per_step),
        passes=bare(prompt.passes),
        alone_s=plain(sum(prompt.before_s.values(), start=prompt.alone_s)),
        data_parallel=plain(layout.data_parallel),
        input_variation=plain(requests.input_variation),
        output_variation=plain(requests.output_variation),
        share=plain(
            prefill_share_felt(
                share=a.prefill_interference,
                spread=a.prefill_interference_attention_parallel,
                data_parallel=layout.data_parallel,
            )
        ),
        return_s=plain(with_return_s(np.zeros(1), load, layout)),
        long_variation=_long_variation(requests, bare(prompt.passes)),
    )


def _long_variation(requests: Requests, passes: PassTimes) -> Array:
    """Variation of prompts by the classes whose prompts fill several passes: others wait until they are through."""
    square = np.zeros(1)
    for one in requests.classes:
        tokens = plain(one.input_tokens) * (1 - plain(one.cached_share))
        own = plain(one.share) * (1 + plain(one.input_variation) ** 2) * (tokens / passes.tokens) ** 2
        square = square + np.where(tokens > passes.chunk_tokens, own, 0.0)
    return np.sqrt(square)


def instance_of_class(
    instance: Instance, asked: Requests | RequestClass, passes: PassTimes, tokens_of_step: Array
) -> Instance:
    """The instance as a class of the requests would have it for itself.

    Parameters
    ----------
    tokens_of_step : steps for each token of an answer
    """
    return replace(
        instance,
        steps=np.maximum(plain(asked.output_tokens) - 1, 0.0) * tokens_of_step,
        passes=bare(passes),
        input_variation=plain(asked.input_variation),
        output_variation=plain(asked.output_variation),
    )


def _over_classes(
    waits: Waits, instance: Instance, rate: Array, prompts: Array, requests: Requests,
    class_passes: tuple[PassTimes, ...], tokens_of_step: Array,
) -> Waits:  # fmt: skip
    """Waits with the pace of answers as the mixture of those of the classes, by the law of total variance."""
    if not requests.classes:
        return waits
    shares = [plain(one.share) for one in requests.classes]
    each = [
        class_waits(instance, rate, prompts, own=instance_of_class(instance, one, passes, tokens_of_step))
        for one, passes in zip(requests.classes, class_passes, strict=True)
    ]
    mean, spread = mixed_pace(shares, [one.pace_s for one in each], [one.pace_spread_s for one in each])
    return replace(waits, pace_s=mean, pace_spread_s=np.sqrt(spread**2 + waits.swing_s**2))


def mixed_pace(
    shares: Sequence[Array], means: Sequence[Array], spreads: Sequence[Array]
) -> tuple[Array, Array]:
    """Mean and standard deviation of the pace of answers over classes, by the law of total variance."""
    mean = np.sum([share * one for share, one in zip(shares, means, strict=True)], axis=0)
    square = [
        share * (spread**2 + (one - mean) ** 2)
        for share, one, spread in zip(shares, means, spreads, strict=True)
    ]
    return mean, np.sqrt(np.sum(square, axis=0))


def at_random(
    *,
    load: Load,
    requests: Requests,
    step: DecodeStep,
    elasticity: Array,
    tokens_per_step: Array,
    prompt: Prefill,
    layout: ServingLayout,
    places: Array,
    assumptions: ServingAssumptions,
) -> Latency:
    """Latencies of one instance that prefills and decodes, with so many requests in service.

    `load.concurrency` counts those being prefilled or decoded, mean; waiting requests are not counted.

    Parameters
    ----------
    step : with as many running sequences as an answer finds
    elasticity : relative growth of the step over that of the sequences
    tokens_per_step : that stand in the time of a step
    """
    a = assumptions
    instance = instance_of(
        load=load,
        requests=requests,
        step=step,
        elasticity=elasticity,
        tokens_per_step=tokens_per_step,
        prompt=prompt,
        layout=layout,
        assumptions=a,
    )
    rate, prompts = requests_per_s(instance, plain(load.concurrency))
    per_token = 1 / plain(tokens_per_step)
    waits = waits_of(instance, rate, prompts, plain(places))
    waits = _over_classes(waits, instance, rate, prompts, requests, prompt.class_passes, per_token)
    known: dict[str, Array] = {"step_s": step.step_s, "prefill_s": prompt.alone_s}
    comes = requests_at_random_per_s(
        found=rate, in_service=load.concurrency, output_tokens=load.output_tokens, **known
    )
    known |= {"requests_per_s": comes}
    varied = known | {"input_variation": requests.input_variation}
    tpot_parts = {
        name: per_token_s(step_part_s=part, tokens_per_step=tokens_per_step)
        for name, part in step.parts_s.items()
    }
    tpot_parts["prefill_interference"] = random_interference_s(
        found=waits.held_up_s * per_token, output_tokens=load.output_tokens, **known
    )
    tpot = mean_tpot_s(parts_s=tuple(tpot_parts.values()))
    ttft_parts = {
        "overhead": 1 * a.first_token_overhead_s + 0 * prompt.alone_s,
        **load.returned_s,
        **prompt.before_s,
        "prefill": prompt.alone_s,
        "decode_wait": step_wait_s(steps=a.first_token_steps, step_s=step.step_s),
        "prefill_wait": passes_met_s(found=waits.met_s, **varied),
        "queue_wait": full_passes_wait_s(found=waits.queue_s, **varied),
        "place_wait": random_place_wait_s(
            found=waits.place_s,
            requests_per_s=comes,
            tpot_s=tpot,
            output_tokens=load.output_tokens,
            places=places,
        ),
    }

    def spread(found: Array) -> Array:
        return random_spread_s(found=found, **known)

    return Latency(
        ttft_s=mean_ttft_s(parts_s=tuple(ttft_parts.values())),
        tpot_s=tpot,
        ttft_parts_s=ttft_parts,
        tpot_parts_s=tpot_parts,
        decode_step_s=step.step_s,
        prefill_s=prompt.alone_s,
        prefill_cost_s=random_prefill_s(found=waits.prefill_s, **known),
        running=load.concurrency,
        requests_per_s=comes,
        output_tokens_per_s=instance_output_tokens_per_s(
            requests_per_s=comes, output_tokens=load.output_tokens
        ),
        busy={
            PREFILL: prefill_utilisation(found=waits.utilisation, **known),
            PLACES: places_taken(in_service=load.concurrency, places=places),
        },
        spreads=Spreads(
            ttft_s=spread(waits.ttft_spread_s),
            interference_s=interference_of_requests_s(
                found=waits.pace_s * per_token, output_variation=requests.output_variation, **known
            ),
            tpot_s=spread(waits.pace_spread_s * per_token),
            mean_answer_s=spread(waits.mean_pace_spread_s * per_token),
        ),
    )


def with_queue(
    latency: Latency, *, requests: Requests, turn_s: Array, servers: Array, places: Array
) -> Latency:
    """Latencies of a group that answers as many requests as in a closed loop, where they come at random times.

    Prompts queue for `servers` that take `turn_s` for each, and prefilled ones for `places` among the running
    sequences, each queue by itself (M/G/m).
    """
    prefill_queue, prefill_spread, prefill_busy = _queue(
        latency.requests_per_s,
        service_s=turn_s,
        servers=servers,
        variation=requests.input_variation,
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


def prefill_queue(requests_per_s: Array, *, turn_s: Array, variation: Array) -> tuple[Array, Array, Array]:
    """Mean wait before an instance that only prefills, its standard deviation, and the utilisation that is asked for."""
    return _queue(requests_per_s, service_s=turn_s, servers=np.ones(1), variation=variation)


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
