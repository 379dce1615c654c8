"""One replica under load: an instance that does all, or a group of prefill and decode instances."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.memory_tiers import POOL, TIERS
from app.engine.performance.serving import figures
from app.engine.performance.serving.aggregated import aggregated, running_at_once
from app.engine.performance.serving.arrivals import at_random, sequences_seen, with_queue
from app.engine.performance.serving.decode import DecodeStep, decode_step
from app.engine.performance.serving.disaggregated import Side, disaggregated
from app.engine.performance.serving.embedding import pooled
from app.engine.performance.serving.footprint import running_tokens
from app.engine.performance.serving.kv_cache import request_bytes, sequence_held_bytes
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
from app.engine.performance.serving.prefill import Prefill, prefill_over
from app.engine.performance.serving.sessions import (
    MISSED,
    Reuse,
    characteristic_time_s,
    finished_tokens,
    former_tokens,
    former_turns,
    hit_share,
    hits_by_tier,
    idle_room_tokens,
    later_context_tokens,
    later_found_share,
    later_turn_share,
    pool_room_tokens,
    session_requests,
    tier_room_tokens,
    time_found_s,
)
from app.engine.performance.serving.setting import AGGREGATED, DISAGGREGATED, Setting
from app.engine.performance.serving.sizing import replicas_held
from app.engine.performance.serving.speculation import step_tokens, tokens_gained
from app.engine.quantities import quantity
from app.engine.specs import Arrivals, RequestClass, Requests, ServingLayout, Sessions
from app.engine.trace import Array, plain

STEADY, RANDOM, BURST = "steady", "random", "burst"
TEN_WAVES = 10.0
NOBODY_ELSE = 1e-6
"""Requests in service where they come at random and hardly one finds another."""
REUSE_ROUNDS, AGREE = 20, 0.003
"""Of the rate of requests of sessions: times that it is tried at most, and how near it and its answer come."""
WIDEST, CLOSE = 5.0, 1e-9
"""Logarithm of that rate below the one with all contexts found, and what two differ by at least for a secant.
"""
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
    def halves(self) -> tuple[Replica, ...]:
        """Its decode instances and its prefill instances, each as a replica; itself where one instance does both."""
        if self.prefill is None or self.prefill_instances is None:
            return (self,)
        return (
            Replica(decode=self.decode, decode_instances=self.decode_instances),
            Replica(decode=self.prefill, decode_instances=self.prefill_instances),
        )

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
        return_s=kv_return_s(setting.prefilling, replica.prefilling),
        classes=asked.classes,
        running_tokens=None if asked.running is None else asked.running.tokens,
    )


@quantity(unit="1", source="definition: constants are fitted to ten waves")
def burst_weight(*, waves: Array) -> Array:
    """Weight of the simultaneous start in the mean over requests."""
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
        prefix_tokens=_prefix_tokens(asked),
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
    asked = setting.workload.requests
    return Occupancy(
        architecture=setting.workload.architecture,
        layout=replica.decode,
        parts=setting.parts,
        sequence_tokens=sequence_tokens(setting),
        shared_tokens=asked.shared_prefix_tokens if asked.running is None else asked.running.shared_tokens,
        prefix_tokens=_prefix_tokens(asked),
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


def _prefix_tokens(asked: Requests) -> Array | None:
    """Of all prefixes that prompts share; None: that of a prompt is the only one."""
    return None if asked.running is None else asked.running.prefix_tokens


def request_limit_of(setting: Setting, replica: Replica) -> Array:
    """As `limit_of`, but 0 where a replica has prefill instances that hold no prompt: it can serve nothing."""
    limit = limit_of(setting, replica)
    if replica.prefill is None:
        return limit
    return prefilled_limit(limit=limit, prompts=prefill_limit_of(setting.prefilling, replica.prefill))


@quantity(unit="1", source="definition")
def prefilled_limit(*, limit: Array, prompts: Array) -> Array:
    """Sequences that one decode instance holds, of which there are none where no prompt can be prefilled."""
    return np.where(prompts < 1, 0.0, limit)


def whole_replicas(setting: Setting, replica: Replica) -> Array:
    """Replicas that the pod has: whole ones of each SuperNode, with the gaps they leave, and one at least."""
    return figures.replicas_that_fit(replicas_held=replicas_with_room(setting, replica))


def replicas_with_room(setting: Setting, replica: Replica) -> Array:
    """Whole replicas of each SuperNode that the pod has the accelerators of; of two kinds as many as the fuller holds."""
    held = tuple(
        replicas_held(
            accelerators=side.accelerators_used,
            supernode_accelerators=side.supernode_accelerators,
            accelerators_per_replica=part.placed(side.machine.domain_accelerators),
        )
        for side, part in sides_of(setting, replica)
    )
    return held[0] if len(held) == 1 else replicas_of_both(by_kind=held)


def sides_of(setting: Setting, replica: Replica) -> tuple[tuple[Setting, Replica], ...]:
    """Parts of a replica by the kind of SuperNode that they are on; a replica on one kind is whole."""
    if setting.reading is None or replica.prefill is None:
        return ((setting, replica),)
    return tuple(zip((setting, setting.prefilling), replica.halves, strict=True))


def has_room(setting: Setting, replica: Replica, *, gaps: bool = True) -> NDArray[np.bool_]:
    """Return whether the pod has the accelerators of a replica; with the gaps that it leaves in scale-up domains."""
    fits = [
        plain(part.placed(side.machine.domain_accelerators) if gaps else part.accelerators)
        <= plain(side.accelerators_used)
        for side, part in sides_of(setting, replica)
    ]
    found: NDArray[np.bool_] = np.all(np.broadcast_arrays(*fits), axis=0)
    return found


@quantity(unit="1", source="definition")
def replicas_of_both(*, by_kind: tuple[Array, ...]) -> Array:
    """Whole replicas of a mixed pod: as many as the kind of SuperNode that holds fewer."""
    return functools.reduce(np.minimum, by_kind)


def held_by(setting: Setting, replica: Replica, batch: Array) -> ServingMemory:
    """Memory of an accelerator of a decode instance that holds so many sequences."""
    return serving_memory(occupancy(setting, replica), batch)


def in_host_by(setting: Setting, replica: Replica, batch: Array) -> Array:
    """Contents of the host's memory for one accelerator of a decode instance that holds so many sequences."""
    return host_bytes(occupancy(setting, replica), batch)


def sequence_tokens(setting: Setting) -> Array:
    """Of a running sequence, on average."""
    return running_tokens(setting.workload.requests)


def latency_of(setting: Setting, replica: Replica, concurrency: Array, limit: Array) -> Latency:
    """Latencies of a replica with so many requests in flight.

    `limit` as of `limit_of`; where not one sequence fits, latencies are those of one that did. Of sessions with what
    the prefix cache holds at this load.
    """
    if setting.workload.requests.sessions is None:
        return loaded_latency(setting, replica, concurrency, limit)
    found, reuse = reused(setting, replica, concurrency, limit)
    return replace(loaded_latency(found, replica, concurrency, limit), reuse=reuse)


def reused(setting: Setting, replica: Replica, concurrency: Array, limit: Array) -> tuple[Setting, Reuse]:
    """The setting of sessions with what their requests find in the cache at a load.

    The more is found the faster requests are answered, the more come, and the sooner contexts are pushed out: the rate
    at which both agree. Of a rate that is tried and the one that answers with its reuse, one is below it and one above;
    within these by secants.
    """
    plain_setting, plain_replica, plain_limit = bare(setting), bare(replica), plain(limit)
    load, sessions = plain(concurrency), _sessions(plain_setting)
    tiers = len(setting.prefilling.tiers)
    shared = setting.workload.requests.cache_tier == TIERS[POOL]

    def at(hits: tuple[Array, ...]) -> Latency:
        return loaded_latency(_with_hits(plain_setting, replica, hits), plain_replica, load, plain_limit)

    rooms = _rooms(setting, replica, concurrency, limit)
    none = np.zeros(1)
    latency = at((np.ones(1), *((none,) * tiers)))
    rate = np.log(latency.requests_per_s)
    low, high, before, answered = rate - WIDEST, rate, rate, rate
    room = plain(rooms)
    for turn in range(REUSE_ROUNDS):
        latency = at(hits_by_tier(_times(sessions, room, np.exp(rate), shared), sessions, pooled=shared))
        now = np.log(latency.requests_per_s)
        low, high = np.maximum(low, np.minimum(rate, now)), np.minimum(high, np.maximum(rate, now))
        apart = rate - before
        slope = np.where(np.abs(apart) > CLOSE, (now - answered) / np.where(apart == 0, 1.0, apart), 0.0)
        slope = np.minimum(slope, 0.0) if turn else np.full(1, -1.0)
        before, answered = rate, now
        reached = (now - slope * rate) / (1 - slope)
        secant = (reached >= low) & (reached <= high) & (turn % 3 < 2)
        rate = np.where(secant, reached, (low + high) / 2)
        if not (np.abs(now - before) > AGREE).any():
            break
    times = _times(sessions, room, np.exp(rate), shared)
    s = _sessions(setting)
    hits = tuple(
        hit_share(
            found=found,
            held_tokens=room,
            turns=s.turns,
            turn_tokens=s.added_tokens + s.answer_tokens,
            gap_s=s.gap_s,
            gap_variation=s.gap_variation,
            concurrency=concurrency,
            kept_share=s.kept_share,
        )
        for found, room in zip(hits_by_tier(times, sessions, pooled=shared), rooms, strict=True)
    )
    found = _with_hits(setting, replica, hits)
    return found, Reuse(
        hit_shares=hits,
        times_s=tuple(
            time_found_s(found=time, held_tokens=room) for time, room in zip(times, rooms, strict=True)
        ),
        held_tokens=rooms,
        requests=found.workload.requests,
    )


def _sessions(setting: Setting) -> Sessions:
    sessions = setting.workload.requests.sessions
    assert sessions is not None
    return sessions


def _with_hits(setting: Setting, replica: Replica, hits: tuple[Array, ...]) -> Setting:
    """The setting of sessions with so many later turns that find their context in each tier."""
    s, asked = _sessions(setting), setting.workload.requests
    found = session_requests(
        s,
        asked.cache_tier,
        later_found_share(hit_shares=hits),
        answers_found=replica.prefill is None,
    )
    later = later_turn_share(turns=s.turns)
    context = later_context_tokens(
        former_tokens=former_tokens(
            former_turns=former_turns(turns=s.turns, turns_variation=s.turns_variation),
            added_tokens=s.added_tokens,
            answer_tokens=s.answer_tokens,
        ),
        later_turn_share=later,
    )
    return replace(
        setting,
        workload=replace(setting.workload, requests=found),
        returned=tuple(later * share for share in hits[1:]),
        returned_tokens=context if replica.prefill is None else np.maximum(context - s.answer_tokens, 0.0),
    )


def _rooms(setting: Setting, replica: Replica, concurrency: Array, limit: Array) -> tuple[Array, ...]:
    """Tokens of waiting contexts that the cache of a replica holds down to each tier.

    That of the instances that prefill: what runs there leaves the rest of their memory to contexts. An instance that
    only prefills works on one prompt for each of its replicas of attention.
    """
    s, asked, w = _sessions(setting), setting.workload.requests, setting.workload
    alone, reader = replica.prefill is None, setting.prefilling
    layout, count = replica.prefilling, np.ones(1) if alone else _given(replica.prefill_instances)
    held = replace(occupancy(setting, replica) if alone else _prompts(reader, layout), most_sequences=None)
    running = (
        running_at_once(concurrency=concurrency, batch_limit=np.maximum(limit, 1.0))
        if alone
        else layout.data_parallel
    )
    idle = finished_tokens(
        former_turns=former_turns(turns=s.turns, turns_variation=s.turns_variation),
        added_tokens=s.added_tokens,
        answer_tokens=s.answer_tokens,
    )
    shared: dict[str, Any] = {
        "architecture": w.architecture,
        "parts": reader.parts,
        "shared_tokens": asked.shared_prefix_tokens,
        "assumptions": reader.assumptions,
    }
    own = idle_room_tokens(
        fitting=batch_limit(held, reader.machine),
        running=running,
        running_bytes=sequence_held_bytes(layout=layout, sequence_tokens=held.sequence_tokens, **shared),
        idle_bytes=sequence_held_bytes(
            layout=layout, sequence_tokens=idle + asked.shared_prefix_tokens, **shared
        ),
        idle_tokens=idle,
    )
    rooms = [own * count]
    whole = request_bytes(sequence_tokens=idle + asked.shared_prefix_tokens, **shared)
    room_of = pool_room_tokens if asked.cache_tier == TIERS[POOL] else tier_room_tokens
    for tier in reader.tiers:
        rooms.append(
            room_of(
                above_tokens=rooms[-1],
                capacity_bytes=tier.capacity_bytes,
                accelerators=layout.accelerators * count,
                context_bytes=whole,
                idle_tokens=idle,
            )
        )
    return tuple(rooms)


def _times(sessions: Sessions, rooms: tuple[Array, ...], rate: Array, shared: bool) -> tuple[Array, ...]:
    """Characteristic time down to each tier at a rate of requests; bare values.

    A pool has one copy of a context, whichever replica answered last.
    """
    last, everywhere = len(rooms) - 1, np.ones(1)
    return tuple(
        characteristic_time_s(
            held_tokens=room,
            requests_per_s=rate,
            turn_tokens=sessions.added_tokens + sessions.answer_tokens,
            former_turns=former_turns(turns=sessions.turns, turns_variation=sessions.turns_variation),
            gap_s=sessions.gap_s,
            gap_variation=sessions.gap_variation,
            kept_share=everywhere if shared and place == last else sessions.kept_share,
        )
        for place, room in enumerate(rooms)
    )


def _given(value: Array | None) -> Array:
    assert value is not None
    return value


def loaded_latency(setting: Setting, replica: Replica, concurrency: Array, limit: Array) -> Latency:
    """As `latency_of`, with the cache hits that the setting states."""
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
        reading=None if setting.reading is None else side_of(setting.prefilling),
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


def side_of(setting: Setting) -> Side:
    """What instances of a setting run on."""
    return Side(machine=setting.machine, parts=setting.parts, assumptions=setting.assumptions)


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
    return prefill_over(
        asked.classes,
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
    return at_random(**random_work(setting, layout, load, limit), places=limit)


def only_class(setting: Setting, one: RequestClass) -> Setting:
    """The setting with requests of one class alone."""
    asked = Requests(
        input_tokens=one.input_tokens,
        output_tokens=one.output_tokens,
        input_variation=one.input_variation,
        output_variation=one.output_variation,
        cached_share=one.cached_share,
        shared_prefix_tokens=one.shared_prefix_tokens,
        cache_tier=setting.workload.requests.cache_tier,
        sessions=setting.workload.requests.sessions,
    )
    returns = np.zeros(1) if one.name == MISSED else 1 / one.share  # of sessions: those that are found alone
    return replace(
        setting,
        workload=replace(setting.workload, requests=asked),
        returned=tuple(share * returns for share in setting.returned),
    )


def random_work(setting: Setting, layout: ServingLayout, load: Load, limit: Array) -> dict[str, Any]:
    """What the formulas of random arrivals take of an instance under a load."""
    running = running_at_once(concurrency=load.concurrency, batch_limit=limit)
    seen = sequences_seen(in_service=running, batch_limit=limit)
    step = step_of(setting, layout, seen)
    more = step_of(bare(setting), bare(layout), plain(seen) * MORE)
    return {
        "load": replace(load, concurrency=running),
        "requests": setting.workload.requests,
        "step": step,
        "elasticity": np.log(more.step_s / plain(step.step_s)) / np.log(MORE),
        "tokens_per_step": tokens_gained(setting.workload.speculation),
        "prompt": prompt_of(setting, layout, np.ones(1)),
        "layout": layout,
        "assumptions": setting.assumptions,
    }


def alone(setting: Setting, replica: Replica, limit: Array) -> Latency:
    """Latencies of a single request on an idle instance."""
    if setting.workload.arrivals.kind == RANDOM and replica.prefill is None:
        return latency_of(setting, replica, np.full(1, NOBODY_ELSE), limit)
    steady = replace(setting.workload, arrivals=Arrivals(kind=STEADY))
    return latency_of(replace(setting, workload=steady), replica, np.ones(1), limit)
