"""Instances that prefill and decode by turns: continuous batching with chunked prefill."""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.decode import decode_step
from app.engine.performance.serving.latency import Latency, Load
from app.engine.performance.serving.machine import ServingMachine
from app.engine.performance.serving.offload import with_return_s
from app.engine.performance.serving.prefill import prefill_over
from app.engine.performance.serving.served_model import ServedModel
from app.engine.performance.serving.speculation import step_tokens, tokens_gained
from app.engine.quantities import quantity
from app.engine.specs import PartPrecision, ServingLayout, Speculation
from app.engine.trace import Array

_BATCHING = (
    "[1] Yu et al. 2022, Orca, OSDI 22 (continuous batching); [2] Agrawal et al. 2024, arXiv 2403.02310"
)
_FITTED = "constants fitted to measured runs"
_LITTLE = "[1] Little 1961, Operations Research 9 383-387 (L = lambda W)"

MOST_BUSY = 0.9
"""Of the time of an instance, that prefill is taken to fill at most: beyond it no mean wait is known."""


@quantity(unit="1", source=_BATCHING)
def running_at_once(*, concurrency: Array, batch_limit: Array) -> Array:
    """Sequences that are decoded at once: all in flight, as far as the memory holds them."""
    return np.minimum(concurrency, batch_limit)


@quantity(unit="1", source=_FITTED)
def prefill_share_felt(*, share: Array, spread: Array, data_parallel: Array) -> Array:
    """Share of the prefill of others by which running sequences are held up; more between replicas of attention."""
    return share * np.where(data_parallel > 1, spread, 1.0)


@quantity(unit="s", source=_BATCHING)
def interference_s(*, running: Array, output_tokens: Array, prefill_s: Array, felt: Array) -> Array:
    """Prefill of others between two tokens.

    Each of the other running sequences ends and is replaced once in its output: (running - 1) / output x prefill.
    """
    return felt * np.maximum(running - 1, 0.0) / output_tokens * prefill_s


@quantity(unit="s", source="definition")
def mean_tpot_s(*, parts_s: tuple[Array, ...]) -> Array:
    """Predicted time per output token."""
    return sum(parts_s[1:], start=parts_s[0])


@quantity(unit="s", source="definition")
def mean_ttft_s(*, parts_s: tuple[Array, ...]) -> Array:
    """Predicted time to first token."""
    return sum(parts_s[1:], start=parts_s[0])


@quantity(unit="s", source="definition")
def per_token_s(*, step_part_s: Array, tokens_per_step: Array) -> Array:
    """A part of a step, for each token that stands at its end."""
    return step_part_s / tokens_per_step


@quantity(unit="s", source=_FITTED)
def step_wait_s(*, steps: Array, step_s: Array) -> Array:
    """Decode steps that a prompt waits for before, and its first token after, its prefill."""
    return steps * step_s


@quantity(unit="1", source="definition")
def prefill_load(*, running: Array, prefill_s: Array, output_tokens: Array, tpot_s: Array) -> Array:
    """Share of the time of an instance that goes to prefill of others."""
    return np.minimum(np.maximum(running - 1, 0.0) * prefill_s / (output_tokens * tpot_s), MOST_BUSY)


@quantity(unit="s", source=_FITTED)
def passing_prefill_s(*, load: Array, prefill_s: Array, prefills: Array) -> Array:
    """Wait for the prefill of others in steady traffic."""
    return prefills * load * prefill_s


@quantity(unit="s", source=_LITTLE)
def prefill_wait_s(
    *, concurrency: Array, prefill_s: Array, passing_s: Array, other_s: Array, decoding_s: Array
) -> Array:
    """Wait before prefill.

    That of steady traffic; where answers are so short that prefill fills all time, what Little's law leaves: each
    request takes as long as the prefills of all in flight.
    """
    return np.maximum(passing_s, concurrency * prefill_s - other_s - decoding_s)


@quantity(unit="s", source=_FITTED)
def burst_wait_s(
    *, burst: Array, share: Array, spread: Array, data_parallel: Array, running: Array, prefill_s: Array
) -> Array:
    """Wait for the prefill of all that came at once, in the mean over all waves of a benchmark."""
    each = share * np.where(data_parallel > 1, spread, 1.0)
    return burst * each * np.maximum(running - 1, 0.0) * prefill_s


@quantity(unit="s", source=_LITTLE)
def place_wait_s(*, concurrency: Array, batch_limit: Array, output_tokens: Array, tpot_s: Array) -> Array:
    """Wait for a place in memory, where more are in flight than it holds.

    (c / B - 1) whole answers.
    """
    return np.maximum(concurrency / batch_limit - 1, 0.0) * output_tokens * tpot_s


@quantity(unit="s", source="definition")
def answer_s(*, output_tokens: Array, tpot_s: Array) -> Array:
    """Time from the first token of an answer to its last: one token less than it has."""
    return np.maximum(output_tokens - 1, 0.0) * tpot_s


@quantity(unit="1/s", source=_LITTLE)
def closed_loop_requests_per_s(*, concurrency: Array, ttft_s: Array, answer_s: Array) -> Array:
    """Requests that an instance answers: those in flight over the time each takes."""
    return concurrency / (ttft_s + answer_s)


@quantity(unit="tokens/s", source="definition")
def instance_output_tokens_per_s(*, requests_per_s: Array, output_tokens: Array) -> Array:
    """Output tokens of an instance, or of a group of instances."""
    return requests_per_s * output_tokens


def aggregated(
    *,
    model: ServedModel,
    parts: PartPrecision,
    machine: ServingMachine,
    layout: ServingLayout,
    load: Load,
    speculation: Speculation,
    batch_limit: Array,
    engine_year: Array,
    assumptions: ServingAssumptions,
) -> Latency:
    """Latencies of one instance that prefills and decodes, at a number of requests in flight.

    Means over requests. Not to be trusted above some 128 requests in flight on an instance for the time to first
    token of a benchmark, which the start of all at once rules.
    """
    a, m = assumptions, model.architecture
    running = running_at_once(concurrency=load.concurrency, batch_limit=batch_limit)
    step = decode_step(
        model=model,
        parts=parts,
        machine=machine,
        layout=layout,
        sequences=running,
        context_tokens=load.context_tokens,
        step_tokens=step_tokens(speculation),
        speculation=speculation,
        engine_year=engine_year,
        assumptions=a,
    )
    prompt = prefill_over(
        load.classes,
        model=model,
        parts=parts,
        machine=machine,
        layout=layout,
        input_tokens=load.input_tokens,
        cached_share=load.cached_share,
        waiting=running,
        assumptions=a,
    )
    share = tokens_gained(speculation)
    tpot_parts = {
        name: per_token_s(step_part_s=part, tokens_per_step=share) for name, part in step.parts_s.items()
    }
    tpot_parts["prefill_interference"] = interference_s(
        running=running,
        output_tokens=load.output_tokens,
        prefill_s=prompt.cost_s,
        felt=prefill_share_felt(
            share=a.prefill_interference,
            spread=a.prefill_interference_attention_parallel,
            data_parallel=layout.data_parallel,
        ),
    )
    tpot = mean_tpot_s(parts_s=tuple(tpot_parts.values()))
    busy = prefill_load(
        running=running, prefill_s=prompt.cost_s, output_tokens=load.output_tokens, tpot_s=tpot
    )
    decoding = answer_s(output_tokens=load.output_tokens, tpot_s=tpot)
    overhead = 1 * a.first_token_overhead_s + 0 * m.layers
    steps = step_wait_s(steps=a.first_token_steps, step_s=step.step_s)
    ttft_parts = {
        "overhead": overhead,
        **load.returned_s,
        **prompt.before_s,
        "prefill": prompt.alone_s,
        "decode_wait": steps,
        "prefill_wait": prefill_wait_s(
            concurrency=running,
            prefill_s=with_return_s(prompt.cost_s, load, layout),
            passing_s=passing_prefill_s(load=busy, prefill_s=prompt.cost_s, prefills=a.first_token_prefills),
            other_s=sum(
                (load.returned_s | prompt.before_s).values(), start=overhead + prompt.alone_s + steps
            ),
            decoding_s=decoding,
        ),
        "burst_wait": burst_wait_s(
            burst=load.burst,
            share=a.burst_share,
            spread=a.burst_attention_parallel,
            data_parallel=layout.data_parallel,
            running=running,
            prefill_s=prompt.cost_s,
        ),
        "place_wait": place_wait_s(
            concurrency=load.concurrency,
            batch_limit=batch_limit,
            output_tokens=load.output_tokens,
            tpot_s=tpot,
        ),
    }
    ttft = mean_ttft_s(parts_s=tuple(ttft_parts.values()))
    rate = closed_loop_requests_per_s(concurrency=load.concurrency, ttft_s=ttft, answer_s=decoding)
    return Latency(
        ttft_s=ttft,
        tpot_s=tpot,
        ttft_parts_s=ttft_parts,
        tpot_parts_s=tpot_parts,
        decode_step_s=step.step_s,
        prefill_s=prompt.alone_s,
        prefill_cost_s=prompt.cost_s,
        running=running,
        requests_per_s=rate,
        output_tokens_per_s=instance_output_tokens_per_s(
            requests_per_s=rate, output_tokens=load.output_tokens
        ),
    )
