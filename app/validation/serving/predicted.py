"""Latencies of all rows of a file in a few passes of the engine, and the shortest that a roofline allows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from app.engine.performance.serving.aggregated import aggregated
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.decode import decode_step
from app.engine.performance.serving.disaggregated import disaggregated
from app.engine.performance.serving.footprint import mean_sequence_tokens
from app.engine.performance.serving.latency import Latency
from app.engine.performance.serving.memory import Occupancy, batch_limit
from app.engine.performance.serving.prefill import prefill_of
from app.engine.performance.serving.served_model import served_model
from app.engine.performance.serving.speculation import step_tokens, tokens_gained
from app.validation.serving import protocol
from app.validation.serving.deployment import Deployment, selected_rows
from app.validation.study import Numbers

# Latencies of all rows of a file in a few passes of the engine: one for each kind of attention and of serving.


class Predicted(NamedTuple):
    """Of each row; not a number where an input is not known."""

    ttft_s: Numbers
    tpot_s: Numbers
    output_tokens_per_s: Numbers
    held: Numbers  # sequences that the memory of a decode instance is reckoned to hold


def predicted(deployment: Deployment, assumptions: ServingAssumptions) -> Predicted:
    """Every row of a file."""
    kinds = deployment.attention
    found = Predicted(*(np.full(len(kinds), np.nan) for _ in Predicted._fields))
    together = ~np.isfinite(deployment.prefill_instances)
    with np.errstate(all="ignore"):
        for kind in sorted(set(kinds.tolist())):
            for aggregates in (True, False):
                members = np.flatnonzero((kinds == kind) & (together == aggregates))
                if not members.size:
                    continue
                some: Deployment = selected_rows(deployment, members)
                some = replace(some, architecture=replace(some.architecture, attention=kind))
                constants = _launched(some, selected_rows(assumptions, members))
                held = _held_when_run(some, constants)
                latency = _latency(some, constants, held, aggregates=aggregates)
                found.ttft_s[members] = latency.ttft_s
                found.tpot_s[members] = latency.tpot_s
                found.output_tokens_per_s[members] = latency.output_tokens_per_s
                found.held[members] = held
    return found


def _launched(deployment: Deployment, assumptions: ServingAssumptions) -> ServingAssumptions:
    """As far as the scripts of a benchmark say how the engine was launched."""
    chunk = deployment.chunk_tokens
    return replace(
        assumptions,
        first_token_steps=assumptions.first_token_steps + deployment.polled_steps,
        chunk_tokens=np.where(np.isfinite(chunk), chunk, assumptions.chunk_tokens),
    )


def sequences_held(deployment: Deployment, assumptions: ServingAssumptions) -> Numbers:
    """Sequences that one decode instance holds, when each has half of its answer."""
    load = deployment.load
    with np.errstate(all="ignore"):
        return batch_limit(
            Occupancy(
                architecture=deployment.architecture,
                layout=deployment.decode,
                parts=deployment.parts,
                sequence_tokens=load.input_tokens + load.output_tokens / 2,
                prefills=np.isnan(deployment.prefill_instances).astype(float),
                speculation=deployment.speculation,
                assumptions=assumptions,
            ),
            deployment.machine,
        )


def _held_when_run(deployment: Deployment, assumptions: ServingAssumptions) -> Numbers:
    """The same with the larger share of memory that tight runs are launched with."""
    held = sequences_held(deployment, assumptions)
    tight = held < deployment.load.concurrency / deployment.decode_instances
    return np.where(tight, most_held(deployment, assumptions), held)


def most_held(deployment: Deployment, assumptions: ServingAssumptions) -> Numbers:
    """Sequences that one decode instance holds with the larger share of memory."""
    share = np.maximum(assumptions.memory_fraction, protocol.TIGHT_MEMORY_FRACTION)
    return sequences_held(deployment, replace(assumptions, memory_fraction=share))


def _latency(
    deployment: Deployment, assumptions: ServingAssumptions, held: Numbers, *, aggregates: bool
) -> Latency:
    """Rows with one kind of attention, all aggregated or none.

    What was measured did fit: where not one sequence is reckoned to, all in flight are taken to.
    """
    model = served_model(deployment.architecture)
    held = np.where(held < 1, deployment.load.concurrency, held)
    if aggregates:
        return aggregated(
            model=model,
            parts=deployment.parts,
            machine=deployment.machine,
            layout=deployment.decode,
            load=deployment.load,
            speculation=deployment.speculation,
            batch_limit=held,
            engine_year=deployment.engine_year,
            assumptions=assumptions,
        )
    return disaggregated(
        model=model,
        parts=deployment.parts,
        machine=deployment.machine,
        prefill=deployment.prefill,
        prefill_instances=deployment.prefill_instances,
        decode=deployment.decode,
        decode_instances=deployment.decode_instances,
        load=deployment.load,
        speculation=deployment.speculation,
        batch_limit=held,
        engine_year=deployment.engine_year,
        assumptions=assumptions,
    )


# Measured times that no engine reaches: shorter than reading what must be read, or multiplying what must be, takes.
#
# Everything that an engine adds is left out, memory and units are at the peak of their data sheet, links take no time. What
# is faster was measured on something else than the row says: tokens guessed ahead, a prefix that was cached, another model,
# a rate that is not of one request.


WHOLE = (
    "weight_read_efficiency", "expert_read_efficiency", "kv_read_efficiency", "latent_read_ratio",
    "decode_matmul_efficiency", "decode_expert_efficiency", "decode_16_bit_efficiency", "decode_attention_efficiency",
    "prefill_matmul_efficiency", "prefill_expert_efficiency", "prefill_attention_efficiency",
    "prefill_dense_format_ratio", "prefill_expert_format_ratio", "all_reduce_bandwidth_share",
    "dispatch_bandwidth_share", "across_bandwidth_share", "kv_transfer_bandwidth_share",
)  # fmt: skip
"""What a roofline has in full."""
NOTHING = (
    "expert_read_overhead_bytes", "expert_spread", "permute_passes", "kernel_time_s", "all_reduce_latency_s",
    "across_domain_latency_s", "dispatch_latency_s", "decode_step_overhead_s", "sequence_overhead_s",
    "prefill_kernel_time_s", "across_exposed", "prefill_interference", "first_token_overhead_s", "first_token_steps",
    "disaggregated_overhead_s", "expert_popularity", "expert_half_width", "kv_transfer_overhead_s",
)  # fmt: skip
"""What it has not at all."""
UNITS, MEMORY = "units", "memory"
UNBOUND = np.full(1, np.inf)


class Least(NamedTuple):
    """The shortest times that the roofline of each row allows; not a number where an input is not known."""

    tpot_s: Numbers
    ttft_s: Numbers


def ideal_of(assumptions: ServingAssumptions) -> ServingAssumptions:
    """The same without anything that an engine adds or a data sheet promises in vain."""
    return replace(
        assumptions, **{name: np.ones(1) for name in WHOLE}, **{name: np.zeros(1) for name in NOTHING}
    )


def reasons(bound: Least, *, ttft_s: Numbers, tpot_s: Numbers) -> list[str]:
    """Of each row why no engine reaches its times; empty where one may."""
    found = [""] * len(tpot_s)
    for name, measured, most in (("ttft", ttft_s, bound.ttft_s), ("tpot", tpot_s, bound.tpot_s)):
        for at in np.flatnonzero(measured < most).tolist():
            found[at] = (
                f"beyond the roofline: {name} {measured[at] * 1e3:.3g} ms, and reading its weights and cache or "
                f"multiplying its tokens takes {most[at] * 1e3:.3g} ms at the peak of the data sheet"
            )
    return found


def least(
    deployment: Deployment, assumptions: ServingAssumptions, *, ttft_s: Numbers, tpot_s: Numbers
) -> Least:
    """Of each row, with as many sequences being decoded as its own times say (Little's law)."""
    found = Least(*np.full((2, len(deployment.attention)), np.nan))
    ideal = ideal_of(assumptions)
    load = deployment.load
    answer = np.maximum(load.output_tokens - 1, 0) * tpot_s
    share = np.where(np.isfinite(ttft_s + answer), answer / (ttft_s + answer), 0.0)
    decoding = np.maximum(share * load.concurrency / deployment.decode_instances, 1.0)
    with np.errstate(all="ignore"):
        for kind in sorted(set(deployment.attention.tolist())):
            members = np.flatnonzero(deployment.attention == kind)
            some: Deployment = selected_rows(deployment, members)
            some = replace(some, architecture=replace(some.architecture, attention=kind))
            sequences, constants = decoding[members], selected_rows(ideal, members)
            bounds = [_tpot_s(_endless(some, what), constants, sequences, what) for what in (UNITS, MEMORY)]
            found.tpot_s[members] = np.fmax(*bounds)
            found.ttft_s[members] = _ttft_s(_endless(some, MEMORY), constants)
    return found


def _endless(deployment: Deployment, what: str) -> Deployment:
    """With links that take no time, and units or memory that take none."""
    machine = replace(
        deployment.machine, scale_up_bandwidth_bytes_per_s=UNBOUND, scale_out_bandwidth_bytes_per_s=UNBOUND
    )
    if what == MEMORY:
        return replace(deployment, machine=replace(machine, memory_bandwidth_bytes_per_s=UNBOUND))
    return replace(
        deployment,
        parts=replace(deployment.parts, dense_peak_flop_per_s=UNBOUND, expert_peak_flop_per_s=UNBOUND),
        machine=replace(machine, peak_16_bit_flop_per_s=UNBOUND),
    )


def _tpot_s(deployment: Deployment, ideal: ServingAssumptions, sequences: Numbers, endless: str) -> Numbers:
    """A step, in which only the experts of one token are read: those of all may be the same."""
    model = served_model(deployment.architecture)
    load = deployment.load
    context = mean_sequence_tokens(input_tokens=load.input_tokens, output_tokens=load.output_tokens)
    common: dict[str, Any] = {
        "model": model,
        "parts": deployment.parts,
        "machine": deployment.machine,
        "layout": deployment.decode,
        "context_tokens": context,
        "step_tokens": step_tokens(deployment.speculation),
        "engine_year": deployment.engine_year,
        "assumptions": ideal,
    }
    step = decode_step(sequences=sequences, **common)
    whole = step.step_s
    if endless == UNITS:
        one = decode_step(sequences=np.ones(len(sequences)), **common)
        whole = whole - step.parts_s["experts"] + one.parts_s["experts"]
    found: Numbers = whole / tokens_gained(deployment.speculation)
    return found


def _ttft_s(deployment: Deployment, ideal: ServingAssumptions) -> Numbers:
    """One prompt by itself, on the instance that prefills it."""
    load = deployment.load
    together = ~np.isfinite(deployment.prefill_instances)
    layout = replace(
        deployment.prefill,
        **{
            name: np.where(together, getattr(deployment.decode, name), getattr(deployment.prefill, name))
            for name in ("tensor_parallel", "data_parallel", "pipeline_parallel", "expert_parallel")
        },
    )
    found: Numbers = prefill_of(
        model=served_model(deployment.architecture),
        parts=deployment.parts,
        machine=deployment.machine,
        layout=layout,
        input_tokens=load.input_tokens,
        cached_share=load.cached_share,
        waiting=np.ones(1),
        assumptions=ideal,
    ).alone_s
    return found
