"""The performance section of a pod that serves a model, from one replica under load to the pod and its demand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.serving import figures, percentiles, work
from app.engine.performance.serving.adapters import hit_share_of
from app.engine.performance.serving.answers import (
    Answers,
    answers_of,
    kept_share,
    over_promise,
    promised_percentiles_s,
)
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.best_length import with_best_length
from app.engine.performance.serving.capacity import by_kind, needed, sides_needed
from app.engine.performance.serving.embedding import pod_tokens_per_s, read_flop_per_token, reading_mfu
from app.engine.performance.serving.expert_load import accelerators_of
from app.engine.performance.serving.footprint import host_capacity_bytes, usable_memory_bytes
from app.engine.performance.serving.host_share import with_least_share
from app.engine.performance.serving.kv_cache import request_bytes
from app.engine.performance.serving.latency import Latency
from app.engine.performance.serving.layout_quantities import (
    explained,
    kinds_of_strategy,
    load_by_search,
    strategy_of,
)
from app.engine.performance.serving.layout_selection import Choice, best_of, choose
from app.engine.performance.serving.offload import saved_by_return, sequences_away
from app.engine.performance.serving.replica_load import (
    Replica,
    alone,
    held_by,
    in_host_by,
    latency_of,
    limit_of,
    request_limit_of,
    sequence_tokens,
    sides_of,
    whole_replicas,
)
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.sessions import (
    cache_time_s,
    found_context_share,
    prefix_hit_share,
    sessions_alive,
)
from app.engine.performance.serving.setting import Setting, settings_of
from app.engine.performance.serving.traffic import decode_traffic
from app.engine.quantities import unknown
from app.engine.specs import Kind, Pod, ServingWorkload, SuperNode
from app.engine.trace import Array
from app.engine.workload.transformer import ParameterCounts, parameter_counts

if TYPE_CHECKING:
    from app.engine.fabric.section import Fabric

TRANSFER = "kv_transfer"
"""The part of the time to first token in which keys and values go from prefill to decode."""


def evaluate_serving(
    *,
    workload: ServingWorkload,
    supernode: SuperNode,
    pod: Pod,
    fabric: Fabric,
    assumptions: ServingAssumptions,
    of_chips: PerformanceAssumptions,
    kinds: tuple[Kind, ...] = (),
) -> ServingPerformance:
    """Latencies, throughput, memory, and how much a demand needs.

    In a pod of several `kinds` of SuperNode every kind is tried for prompts and for answers, where the layout leaves that
    open. Without a layout the best of a modest set is searched for, on the median of the samples, and so is the load
    where neither requests in flight nor a demand are stated; only what was chosen is traced.
    `supernodes_needed_with_headroom` is unknown until reliability is known.
    """
    settings = settings_of(
        workload=workload,
        supernode=supernode,
        pod=pod,
        fabric=fabric,
        assumptions=assumptions,
        of_chips=of_chips,
        kinds=kinds,
    )
    settings = tuple(with_best_length(with_least_share(each)) for each in settings)
    setting, choice = best_of([(each, choose(each)) for each in settings])
    replica = explained(setting, choice)
    size = _size(setting, replica)
    replicas = _replicas(setting, replica)
    load = _load(setting, choice, replicas)
    limit = limit_of(setting, replica)
    latency = latency_of(setting, replica, load, limit)
    seen = answers_of(setting, latency)
    within = promised_percentiles_s(setting, seen)
    counts = parameter_counts(architecture=workload.architecture)
    rates = _rates(setting, seen, replicas, size)
    batch = figures.decode_batch(running=latency.running, decode_instances=replica.decode_instances)
    memory = held_by(setting, replica, batch)
    transfer = latency.ttft_parts_s.get(TRANSFER)
    pooled = workload.requests.pooled
    return ServingPerformance(
        mode=replica.mode,
        ttft_s=seen.ttft_s,
        tpot_s=None if pooled else seen.tpot_s,
        end_to_end_s=seen.end_to_end_s,
        ttft_percentiles_s=percentiles.ttft_percentiles_s(
            mean_s=seen.ttft_s, spread_s=seen.ttft_spread_s, fixed_s=seen.ttft_fixed_s
        ),
        tpot_percentiles_s={}
        if pooled
        else percentiles.tpot_percentiles_s(
            mean_s=seen.tpot_of_requests_s, spread_s=seen.tpot_spread_s, fixed_s=seen.tpot_fixed_s
        ),
        end_to_end_percentiles_s=percentiles.end_to_end_percentiles_s(
            mean_s=seen.end_to_end_s, spread_s=seen.end_to_end_spread_s, fixed_s=seen.end_to_end_fixed_s
        ),
        ttft_within_s=within[0],
        tpot_within_s=None if pooled else within[1],
        within_promise_share=kept_share(setting, seen),
        time_breakdown_s={} if pooled else seen.tpot_breakdown_s,
        ttft_breakdown_s=seen.ttft_breakdown_s,
        **rates,
        tokens_per_s_per_user=None if pooled else figures.tokens_per_s_per_user(tpot_s=seen.tpot_s),
        batch=batch,
        batch_limit=limit,
        concurrency=figures.pod_concurrency(replica_concurrency=load, replicas=replicas),
        replicas=replicas,
        accelerators_per_replica=size,
        accelerators_per_replica_by_kind=None
        if setting.on is None
        else by_kind(
            tuple(part.accelerators for _, part in sides_of(setting, replica)), _places(setting), len(kinds)
        ),
        **_demanded(setting, replica, choice, limit, size, max(len(kinds), 1)),
        prefill_s=figures.prompt_prefill_s(prefill_s=latency.prefill_s),
        prefill_share=_prefill_share(seen, latency, replica, size),
        **_step(setting, replica, latency, batch, counts, rates),
        memory_per_accelerator_bytes=memory.memory_per_accelerator_bytes,
        memory_breakdown_bytes=memory.breakdown_bytes,
        memory_capacity_bytes=usable_memory_bytes(
            memory_bytes=setting.machine.memory_bytes, memory_fraction=setting.assumptions.memory_fraction
        ),
        kv_bytes_per_request=request_bytes(
            architecture=workload.architecture,
            parts=setting.parts,
            sequence_tokens=workload.requests.input_tokens + workload.requests.output_tokens,
            assumptions=setting.assumptions,
        ),
        kv_transfer_s=None if transfer is None else figures.kv_transfer_s(of_ttft_s=transfer),
        offloaded_sequences=sequences_away(setting, replica.decode),
        saved_by_return_s=saved_by_return(setting.prefilling, replica.prefilling, latency),
        **_reused(setting, latency, seen, replicas),
        **_in_host(setting, replica, batch),
        adapter_hit_share=None if workload.adapters is None else hit_share_of(workload.adapters),
        strategy=strategy_of(replica, setting.workload)
        | kinds_of_strategy(setting, grouped=replica.prefill is not None),
        parameters=counts.total,
        active_parameters=counts.active,
    )


def _reused(setting: Setting, latency: Latency, seen: Answers, replicas: Array) -> dict[str, Any]:
    """What the prefix cache finds of sessions, and how many are alive; nothing of other requests."""
    sessions, reuse = setting.workload.requests.sessions, latency.reuse
    if sessions is None or reuse is None:
        return {}
    return {
        "prefix_hit_share": prefix_hit_share(cached_share=reuse.requests.cached_share),
        "context_hit_share": found_context_share(hit_shares=reuse.hit_shares),
        "cache_time_s": cache_time_s(time_s=reuse.times_s[-1]),
        "sessions_alive": sessions_alive(
            requests_per_s=figures.pod_requests_per_s(
                replica_requests_per_s=seen.requests_per_s, replicas=replicas
            ),
            turns=sessions.turns,
            end_to_end_s=seen.end_to_end_s,
            gap_s=sessions.gap_s,
        ),
    }


def _in_host(setting: Setting, replica: Replica, batch: Array) -> dict[str, Any]:
    """Use of host memory; empty where all data is in the memory of the accelerators."""
    host = setting.machine.host
    if host is None:
        return {}
    return {
        "offloaded_per_accelerator_bytes": in_host_by(setting, replica, batch),
        "offload_capacity_bytes": host_capacity_bytes(capacity_bytes=host.capacity_bytes),
    }


def _size(setting: Setting, replica: Replica) -> Array:
    prefill, instances = replica.prefill, replica.prefill_instances
    return figures.accelerators_per_replica(
        prefill_accelerators=np.zeros(1) if prefill is None else accelerators_of(prefill),
        prefill_instances=np.zeros(1) if instances is None else instances,
        decode_accelerators=accelerators_of(replica.decode),
        decode_instances=replica.decode_instances,
    )


def _replicas(setting: Setting, replica: Replica) -> Array:
    plan = setting.workload.plan
    if plan is not None and plan.prefill is None and plan.decode_instances is not None:
        stated: Array = figures.stated_replicas(instances=plan.decode_instances)
        return stated
    return whole_replicas(setting, replica)


def _load(setting: Setting, choice: Choice, replicas: Array) -> Array:
    stated = setting.workload.concurrency
    if stated is not None:
        return figures.replica_concurrency(concurrency=stated, replicas=replicas)
    return load_by_search(setting, "replica_concurrency", choice.concurrency)


def _rates(setting: Setting, seen: Answers, replicas: Array, size: Array) -> dict[str, Any]:
    asked = setting.workload.requests
    requests = figures.pod_requests_per_s(replica_requests_per_s=seen.requests_per_s, replicas=replicas)
    tokens = pod_tokens_per_s(asked, requests)
    return {
        "requests_per_s": requests,
        "tokens_per_s": tokens,
        "tokens_per_s_per_accelerator": figures.pod_tokens_per_s_per_accelerator(
            tokens_per_s=tokens, accelerators_used=setting.pod_accelerators
        ),
        "output_tokens_per_s_per_accelerator": None
        if asked.pooled
        else figures.output_tokens_per_s_per_accelerator(
            tokens_per_s=tokens, replicas=replicas, accelerators_per_replica=size
        ),
        "input_tokens_per_s": figures.input_tokens_per_s(
            requests_per_s=requests, input_tokens=asked.input_tokens
        ),
    }


def _demanded(
    setting: Setting, replica: Replica, choice: Choice, limit: Array, size: Array, kinds: int
) -> dict[str, Any]:
    """The most that the pod answers within the SLO, and how many SuperNodes the demand needs."""
    most = load_by_search(setting, "most_replica_concurrency", choice.most)
    replicas = _replicas(setting, replica)
    by_itself = answers_of(setting, alone(setting, replica, limit))
    answered = figures.requests_per_s_limit(
        replica_requests_per_s=answers_of(setting, latency_of(setting, replica, most, limit)).requests_per_s,
        replicas=replicas,
        over_promise_alone=over_promise(setting, replace(by_itself, margin=np.ones(1))),
        request_limit=request_limit_of(setting, replica),
    )
    asked = needed(
        workload=setting.workload,
        sides=sides_needed(setting, replica),
        requests_per_s_limit=answered,
        replicas=replicas,
        accelerators_per_replica=size,
    )
    return {
        "requests_per_s_limit": answered,
        "supernodes_needed": None if asked is None else asked.supernodes,
        "supernodes_needed_with_headroom": None if asked is None else unknown(),
        "supernodes_needed_by_kind": None
        if asked is None or setting.on is None
        else by_kind(asked.supernodes_of_sides, _places(setting), kinds),
        "supernodes_needed_with_headroom_by_kind": None
        if asked is None or setting.on is None
        else tuple(unknown() for _ in range(kinds)),
    }


def _places(setting: Setting) -> tuple[int, ...]:
    """Kinds of SuperNode of the sides of a replica, as of `sides_of`."""
    return tuple(side.on or 0 for side in (setting, setting.reading) if side is not None)


def _prefill_share(seen: Answers, latency: Latency, replica: Replica, size: Array) -> Array:
    if replica.prefill is None or replica.prefill_instances is None:
        return figures.prefill_share(
            replica_requests_per_s=seen.requests_per_s, prefill_cost_s=latency.prefill_cost_s
        )
    return figures.prefill_accelerator_share(
        prefill_accelerators=accelerators_of(replica.prefill),
        prefill_instances=replica.prefill_instances,
        accelerators_per_replica=size,
    )


def _step(
    setting: Setting,
    replica: Replica,
    latency: Latency,
    batch: Array,
    counts: ParameterCounts,
    rates: dict[str, Any],
) -> dict[str, Any]:
    """Work of a decode step, compared with the peaks of the accelerator."""
    m = setting.workload.architecture
    whole, _ = work.weights(m, counts, setting.parts)
    pooled = setting.workload.requests.pooled
    flop = (
        read_flop_per_token(setting)
        if pooled
        else work.flop_per_decoded_token(m, counts, sequence_tokens(setting))
    )
    step = figures.decode_step_time_s(decode_step_s=latency.decode_step_s)
    shown = {"weights_bytes": whole, "step_time_s": step, "model_flop_per_token": flop}
    if pooled:
        return shown | {
            "mfu": reading_mfu(
                tokens_per_s=rates["tokens_per_s"],
                model_flop_per_token=flop,
                accelerators_used=setting.accelerators_used,
                peak_flop_per_s=setting.peak_flop_per_s,
            ),
            "memory_bandwidth_share": None,
        }
    tokens = 1 + setting.workload.speculation.tokens
    return shown | {
        "mfu": figures.decode_mfu(
            batch=batch,
            step_tokens=tokens,
            model_flop_per_token=flop,
            step_time_s=step,
            accelerators=accelerators_of(replica.decode),
            peak_flop_per_s=setting.peak_flop_per_s,
        ),
        "memory_bandwidth_share": figures.memory_bandwidth_share(
            traffic_bytes=decode_traffic(setting, replica.decode, batch),
            step_time_s=step,
            memory_bandwidth_bytes_per_s=setting.machine.memory_bandwidth_bytes_per_s,
        ),
    }
