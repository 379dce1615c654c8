"""Latencies of all rows of a file in a few passes of the engine: one for each kind of attention and of serving."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.serving.aggregated import aggregated
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.disaggregated import disaggregated
from app.engine.performance.serving.latency import Latency
from app.engine.performance.serving.memory import Occupancy, batch_limit
from app.engine.performance.serving.served_model import served_model
from app.validation.serving import protocol
from app.validation.serving.deployment import Deployment
from app.validation.serving.stacking import taken

Numbers = NDArray[np.float64]


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
                some: Deployment = taken(deployment, members)
                some = replace(some, architecture=replace(some.architecture, attention=kind))
                constants = _launched(some, taken(assumptions, members))
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
