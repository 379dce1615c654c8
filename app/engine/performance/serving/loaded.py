"""One replica under load: an instance that does all, or a group of prefill and decode instances."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.engine.performance.serving import figures
from app.engine.performance.serving.aggregated import aggregated, running_at_once
from app.engine.performance.serving.arrivals import at_random, sequences_seen, with_queue
from app.engine.performance.serving.decode import DecodeStep, decode_step
from app.engine.performance.serving.disaggregated import disaggregated
from app.engine.performance.serving.embedding import pooled
from app.engine.performance.serving.footprint import mean_sequence_tokens
from app.engine.performance.serving.latency import Latency, Load
from app.engine.performance.serving.memory import (
    Occupancy,
    ServingMemory,
    batch_limit,
    host_bytes,
    serving_memory,
)
from app.engine.performance.serving.offload import kv_return_s
from app.engine.performance.serving.placement import placed_of
from app.engine.performance.serving.population import bare
from app.engine.performance.serving.prefill import Prefill, prefill_of
from app.engine.performance.serving.setting import Setting
from app.engine.performance.serving.sizing import replicas_held
from app.engine.performance.serving.speculation import step_tokens, tokens_gained
from app.engine.quantities import quantity
from app.engine.specs import Arrivals, ServingLayout
from app.engine.trace import Array, plain

AGGREGATED, DISAGGREGATED = "aggregated", "disaggregated"
STEADY, RANDOM, BURST = "steady", "random", "burst"
TEN_WAVES = 10.0
NOBODY_ELSE = 1e-6
"""Requests in service where they come at random and hardly one finds another."""
MORE = 1.1
"""Of the running sequences, with which a step is computed again for how it grows with them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replica:
    """Layouts of one replica, or of many to choose from. Aggregated: `prefill` is None, and it is one instance."""

    decode: ServingLayout
    decode_instances: Array
    prefill: ServingLayout | None = None
    prefill_instances: Array | None = None

    @property
    def mode(self) -> str:
        return AGGREGATED if self.prefill is None else DISAGGREGATED

    @property
    def prefilling(self) -> ServingLayout:
        """Of the instances that read prompts."""
        return self.decode if self.prefill is None else self.prefill

    @property
    def accelerators(self) -> Array:
        """Of the whole replica, as bare arithmetic for a search; `figures` has the figure."""
        own = self.decode.accelerators * self.decode_instances
        if self.prefill is None or self.prefill_instances is None:
            return own
        return own + self.prefill.accelerators * self.prefill_instances

    def placed(self, domain_accelerators: Array) -> Array:
        """Of the whole replica, with the gaps that it leaves in scale-up domains of so many."""
        return placed_of(
            domain_accelerators=domain_accelerators,
            decode=self.decode,
            decode_instances=self.decode_instances,
            prefill=self.prefill,
            prefill_instances=self.prefill_instances,
        )


def load_of(setting: Setting, replica: Replica, concurrency: Array) -> Load:
    """Requests of the workload, so many in flight on a replica."""
    asked, arrivals = setting.workload.requests, setting.workload.arrivals
    return Load(
        input_tokens=asked.input_tokens,
        output_tokens=asked.output_tokens,
        cached_share=asked.cached_share,
        concurrency=concurrency,
        burst=burst_weight(waves=arrivals.waves) if arrivals.kind == BURST else np.zeros(1),
        shared_tokens=asked.shared_prefix_tokens,
        return_s=kv_return_s(setting, replica.prefilling),
    )


@quantity(unit="1", source="definition: constants are fitted to ten waves")
def burst_weight(*, waves: Array) -> Array:
    """How much the start of all at once weighs in the mean over so many requests for each of them."""
    return TEN_WAVES / waves


def limit_of(setting: Setting, replica: Replica) -> Array:
    """Sequences that one decode instance of a replica holds in memory."""
    return batch_limit(occupancy(setting, replica), setting.machine)


def prefill_limit_of(setting: Setting, layout: ServingLayout) -> Array:
    """Prompts that one instance that only prefills holds in memory, whole; 0 where not even one fits."""
    return batch_limit(_prompts(setting, layout), setting.machine)


def prefill_held_by(setting: Setting, layout: ServingLayout) -> ServingMemory:
    """Memory of an accelerator of an instance that only prefills, with one prompt on it."""
    return serving_memory(_prompts(setting, layout), np.ones(1))


def _prompts(setting: Setting, layout: ServingLayout) -> Occupancy:
    asked = setting.workload.requests
    return Occupancy(
        architecture=setting.workload.architecture,
        layout=layout,
        parts=setting.parts,
        sequence_tokens=asked.input_tokens,
        shared_tokens=asked.shared_prefix_tokens,
        assumptions=setting.assumptions,
        most_sequences=setting.workload.most_sequences,
        host=setting.machine.host,
        adapters=setting.model.adapters,
        encoder=setting.model.encoder,
        pooled=setting.workload.requests.pooled,
        bidirectional=setting.workload.bidirectional,
    )


def occupancy(setting: Setting, replica: Replica) -> Occupancy:
    """What one decode instance of a replica holds in memory."""
    return Occupancy(
        architecture=setting.workload.architecture,
        layout=replica.decode,
        parts=setting.parts,
        sequence_tokens=sequence_tokens(setting),
        shared_tokens=setting.workload.requests.shared_prefix_tokens,
        assumptions=setting.assumptions,
        prefills=np.full(1, float(replica.prefill is None)),
        speculation=setting.workload.speculation,
        most_sequences=setting.workload.most_sequences,
        host=setting.machine.host,
        adapters=setting.model.adapters,
        encoder=setting.model.encoder,
        pooled=setting.workload.requests.pooled,
        bidirectional=setting.workload.bidirectional,
    )


def request_limit_of(setting: Setting, replica: Replica) -> Array:
    """As `limit_of`, but 0 where a replica has prefill instances that hold no prompt: it can serve nothing."""
    limit = limit_of(setting, replica)
    if replica.prefill is None:
        return limit
    return prefilled_limit(limit=limit, prompts=prefill_limit_of(setting, replica.prefill))


@quantity(unit="1", source="definition")
def prefilled_limit(*, limit: Array, prompts: Array) -> Array:
    """Sequences that one decode instance holds, of which there are none where no prompt can be prefilled."""
    return np.where(prompts < 1, 0.0, limit)


def whole_replicas(setting: Setting, replica: Replica) -> Array:
    """Replicas that the pod has: whole ones of each SuperNode, with the gaps they leave, and one at least."""
    return figures.replicas_that_fit(
        replicas_held=replicas_held(
            accelerators=setting.accelerators_used,
            supernode_accelerators=setting.supernode_accelerators,
            accelerators_per_replica=replica.placed(setting.machine.domain_accelerators),
        )
    )


def held_by(setting: Setting, replica: Replica, batch: Array) -> ServingMemory:
    """Memory of an accelerator of a decode instance that holds so many sequences."""
    return serving_memory(occupancy(setting, replica), batch)


def in_host_by(setting: Setting, replica: Replica, batch: Array) -> Array:
    """What lies in the host's memory for one accelerator of a decode instance that holds so many sequences."""
    return host_bytes(occupancy(setting, replica), batch)


def sequence_tokens(setting: Setting) -> Array:
    """Of a running sequence, on average."""
    asked = setting.workload.requests
    return mean_sequence_tokens(input_tokens=asked.input_tokens, output_tokens=asked.output_tokens)


def latency_of(setting: Setting, replica: Replica, concurrency: Array, limit: Array) -> Latency:
    """Latencies of a replica with so many requests in flight.

    `limit` as of `limit_of`; where not one sequence fits, latencies are those of one that did.
    """
    common: dict[str, Any] = {
        "model": setting.model,
        "parts": setting.parts,
        "machine": setting.machine,
        "load": load_of(setting, replica, concurrency),
        "speculation": setting.workload.speculation,
        "batch_limit": np.maximum(limit, 1.0),
        "engine_year": setting.workload.engine_year,
        "assumptions": setting.assumptions,
    }
    random = setting.workload.arrivals.kind == RANDOM
    if setting.workload.requests.pooled:
        return _pooled(setting, replica.decode, common["load"], common["batch_limit"], random=random)
    if replica.prefill is None or replica.prefill_instances is None:
        if random:
            return _at_random(setting, replica.decode, common["load"], common["batch_limit"])
        return aggregated(layout=replica.decode, **common)
    latency = disaggregated(
        prefill=replica.prefill,
        prefill_instances=replica.prefill_instances,
        decode=replica.decode,
        decode_instances=replica.decode_instances,
        **common,
    )
    if not random:
        return latency
    return with_queue(
        latency,
        requests=setting.workload.requests,
        turn_s=latency.prefill_cost_s,
        servers=replica.prefill_instances,
        places=common["batch_limit"] * replica.decode_instances,
    )


def _pooled(setting: Setting, layout: ServingLayout, load: Load, limit: Array, *, random: bool) -> Latency:
    """Latencies of an instance whose prompts are read and not answered."""
    return pooled(
        load=load,
        requests=setting.workload.requests,
        prompt=prompt_of(setting, layout, running_at_once(concurrency=load.concurrency, batch_limit=limit)),
        layout=layout,
        limit=limit,
        random=random,
        assumptions=setting.assumptions,
    )


def step_of(setting: Setting, layout: ServingLayout, sequences: Array) -> DecodeStep:
    """Decode step of one instance with so many running sequences of mean length."""
    w = setting.workload
    return decode_step(
        model=setting.model,
        parts=setting.parts,
        machine=setting.machine,
        layout=layout,
        sequences=sequences,
        context_tokens=sequence_tokens(setting),
        step_tokens=step_tokens(w.speculation),
        speculation=w.speculation,
        engine_year=w.engine_year,
        assumptions=setting.assumptions,
    )


def prompt_of(setting: Setting, layout: ServingLayout, waiting: Array) -> Prefill:
    """Prefill of a prompt of mean length on one instance where so many may wait together."""
    asked = setting.workload.requests
    return prefill_of(
        model=setting.model,
        parts=setting.parts,
        machine=setting.machine,
        layout=layout,
        input_tokens=asked.input_tokens,
        cached_share=asked.cached_share,
        waiting=waiting,
        assumptions=setting.assumptions,
    )


def _at_random(setting: Setting, layout: ServingLayout, load: Load, limit: Array) -> Latency:
    """Latencies of an instance that prefills and decodes, where requests come at random times."""
    running = running_at_once(concurrency=load.concurrency, batch_limit=limit)
    seen = sequences_seen(in_service=running, batch_limit=limit)
    step = step_of(setting, layout, seen)
    more = step_of(bare(setting), bare(layout), plain(seen) * MORE)
    return at_random(
        load=replace(load, concurrency=running),
        requests=setting.workload.requests,
        step=step,
        elasticity=np.log(more.step_s / plain(step.step_s)) / np.log(MORE),
        tokens_per_step=tokens_gained(setting.workload.speculation),
        prompt=prompt_of(setting, layout, np.ones(1)),
        layout=layout,
        places=limit,
        assumptions=setting.assumptions,
    )


def alone(setting: Setting, replica: Replica, limit: Array) -> Latency:
    """Latencies of one request that nobody else is there with."""
    if setting.workload.arrivals.kind == RANDOM and replica.prefill is None:
        return latency_of(setting, replica, np.full(1, NOBODY_ELSE), limit)
    steady = replace(setting.workload, arrivals=Arrivals(kind=STEADY))
    return latency_of(replace(setting, workload=steady), replica, np.ones(1), limit)
