"""Prompts that are read and not answered: embeddings and rerankers, pooled at the end of their prefill.

Nothing is decoded and nothing kept: the time to the first token is that of a whole request, and prompts share passes up to
the token budget.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.engine.performance.serving.aggregated import mean_ttft_s, running_at_once
from app.engine.performance.serving.arrivals import PREFILL, prefill_queue
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.figures import pod_output_tokens_per_s
from app.engine.performance.serving.latency import Latency, Load
from app.engine.performance.serving.offload import with_return_s
from app.engine.performance.serving.prefill import Prefill, new_tokens
from app.engine.performance.serving.roofline import flop_of_prompt
from app.engine.performance.serving.setting import Setting
from app.engine.quantities import quantity
from app.engine.specs import Requests, ServingLayout
from app.engine.trace import Array

_LITTLE = "[1] Little 1961, Operations Research 9 383-387 (L = lambda W)"
_POOLED = "[1] Reimers and Gurevych 2019, arXiv 1908.10084 (pooled embeddings)"


@quantity(unit="s", source=_LITTLE)
def pooled_wait_s(*, concurrency: Array, turn_s: Array, served_s: Array) -> Array:
    """Wait of a prompt where as one ends another comes: each takes as long as the turns of all in flight."""
    return np.maximum(concurrency * turn_s - served_s, 0.0)


@quantity(unit="1/s", source=_LITTLE)
def pooled_requests_per_s(*, concurrency: Array, ttft_s: Array) -> Array:
    """Prompts that an instance reads: those in flight over the time each takes."""
    return concurrency / ttft_s


@quantity(unit="tokens/s", source=_POOLED, also_at="performance.tokens_per_s")
def read_tokens_per_s(*, requests_per_s: Array, input_tokens: Array) -> Array:
    """Tokens of the prompts that the pod reads: of embeddings, which give none."""
    return requests_per_s * input_tokens


@quantity(
    unit="1", source="[1] Chowdhery et al. 2022, arXiv 2204.02311, appendix B", also_at="performance.mfu"
)
def reading_mfu(
    *, tokens_per_s: Array, model_flop_per_token: Array, accelerators_used: Array, peak_flop_per_s: Array
) -> Array:
    """Model FLOPs of the prompts that are read over what the accelerators could do."""
    return tokens_per_s * model_flop_per_token / (accelerators_used * peak_flop_per_s)


@quantity(
    unit="FLOP",
    source="[1] Hoffmann et al. 2022, arXiv 2203.15556, appendix F",
    also_at="performance.model_flop_per_token",
)
def flop_per_read_token(*, prompt_flop: Array, input_tokens: Array) -> Array:
    """Model FLOPs of a prompt for each of its tokens; there is no output head."""
    return prompt_flop / input_tokens


def read_flop_per_token(setting: Setting) -> Array:
    """Model FLOPs of a prompt of mean length for each of its tokens."""
    asked = setting.workload.requests
    tokens = np.maximum(new_tokens(input_tokens=asked.input_tokens, cached_share=asked.cached_share), 1.0)
    return flop_per_read_token(
        prompt_flop=flop_of_prompt(setting.model, tokens, asked.input_tokens * asked.cached_share),
        input_tokens=asked.input_tokens,
    )


def pod_tokens_per_s(requests: Requests, requests_per_s: Array) -> Array:
    """Tokens of the pod that are paid for: those of the answers, of embeddings those of the prompts."""
    if requests.pooled:
        return read_tokens_per_s(requests_per_s=requests_per_s, input_tokens=requests.input_tokens)
    return pod_output_tokens_per_s(requests_per_s=requests_per_s, output_tokens=requests.output_tokens)


def pooled(
    *,
    load: Load,
    requests: Requests,
    prompt: Prefill,
    layout: ServingLayout,
    limit: Array,
    random: bool,
    assumptions: ServingAssumptions,
) -> Latency:
    """Latencies of an instance that reads prompts, at a number of them in flight.

    Parameters
    ----------
    prompt : where as many as are in flight may share passes
    limit : prompts that the instance holds in memory
    random : prompts come at random times and queue, else one as another ends
    """
    own = load.returned_s | prompt.before_s
    overhead = 1 * assumptions.first_token_overhead_s + 0 * prompt.alone_s
    served = sum(own.values(), start=overhead + prompt.alone_s)
    turn = with_return_s(prompt.cost_s, load, layout)
    reading = running_at_once(concurrency=load.concurrency, batch_limit=limit)
    parts = {
        "overhead": overhead,
        **own,
        "prefill": prompt.alone_s,
        "prefill_wait": pooled_wait_s(concurrency=load.concurrency, turn_s=turn, served_s=served),
    }
    ttft = mean_ttft_s(parts_s=tuple(parts.values()))
    none = 0 * ttft
    found = Latency(
        ttft_s=ttft,
        tpot_s=none,
        ttft_parts_s=parts,
        tpot_parts_s={},
        decode_step_s=prompt.alone_s,
        prefill_s=prompt.alone_s,
        prefill_cost_s=turn,
        running=reading + none,
        requests_per_s=pooled_requests_per_s(concurrency=load.concurrency, ttft_s=ttft),
        output_tokens_per_s=none,
    )
    if not random:
        return found
    queue, spread, busy = prefill_queue(found.requests_per_s, turn_s=turn, variation=requests.input_variation)
    parts = parts | {"prefill_wait": none, "queue_wait": queue}
    return replace(
        found,
        ttft_s=mean_ttft_s(parts_s=tuple(parts.values())),
        ttft_parts_s=parts,
        queue_spread_s=spread,
        busy={PREFILL: busy},
    )
