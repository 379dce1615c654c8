"""Problems of a pod that serves a model: which term binds, and what would relax it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from app.engine.performance.search import central
from app.engine.performance.serving.answers import answers_of, promised_percentiles_s
from app.engine.performance.serving.binding import binding
from app.engine.performance.serving.footprint import usable_memory_bytes
from app.engine.performance.serving.host_problems import (
    adapter_memory_problem,
    host_memory_problem,
    way_out,
)
from app.engine.performance.serving.layout_problems import cache_problems, layout_problems
from app.engine.performance.serving.replica_load import alone, prefill_held_by, prefill_limit_of, sides_of
from app.engine.performance.serving.replica_memory import replica_of
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.setting import DISAGGREGATED, Setting
from app.engine.performance.serving.slo import pod_tpot_s
from app.engine.performance.serving.transfer_problems import transfer_problems
from app.engine.performance.serving.words import (
    FLOOR_WORDS,
    MEMORY_RELIEF,
    MEMORY_WORDS,
    RELIEF,
    figures,
    seconds,
)
from app.engine.problems import Fix, Problem
from app.engine.specs import Kind, Pod
from app.engine.trace import Array, median_of, plain


def serving_problems(
    *, setting: Setting, pod: Pod, performance: ServingPerformance, kinds: tuple[Kind, ...] = ()
) -> list[Problem]:
    """Why this pod cannot serve as is asked of it. By the median of the samples; `kinds` are of SuperNode."""
    found = [
        *_too_small(setting, pod, performance, kinds),
        *layout_problems(setting),
        _memory(setting, performance),
        host_memory_problem(performance),
        _one_pass(setting),
        _prefill_memory(setting, performance),
    ]
    found.append(_no_way_across(setting, pod, performance))
    if not any(problem and problem.kind == "infeasible" for problem in found):
        found += [_waits_for_memory(setting, performance), *_promises(setting, performance)]
        found += cache_problems(setting.workload.requests, performance)
        found += transfer_problems(setting, performance)
        found.append(adapter_memory_problem(setting))
        beyond = [*(_demand(pod, performance) if not kinds else _demand_by_kind(performance, kinds))]
        found += beyond or _redundancy(setting, pod, performance, one_kind=not kinds)
        found += _idle_kinds(setting, kinds)
    return [problem for problem in found if problem]


def _too_small(
    setting: Setting, pod: Pod, performance: ServingPerformance, kinds: tuple[Kind, ...]
) -> Iterator[Problem]:
    if setting.on is not None:
        yield from _too_small_kinds(setting, performance, kinds)
        return
    needed, used = median_of(performance.accelerators_per_replica), median_of(setting.accelerators_used)
    if not needed > used:
        return
    supernodes = float(np.ceil(median_of(pod.supernodes) * needed / used))
    relief = "Smaller or fewer instances would fit it, and so would more SuperNodes."
    if performance.mode == DISAGGREGATED and setting.workload.plan is None:
        relief = "mode: aggregated, prefill and decode on the same instances, takes fewer; or have more SuperNodes."
    yield Problem(
        kind="infeasible",
        field="workload.layout",
        constraint="layout",
        message=f"One replica takes {needed:,.0f} accelerators, and the pod has {used:,.0f} for it. {relief}",
        value=needed,
        limit=used,
        missed_by=needed - used,
        unit="1",
        fix=Fix(
            field="pod.supernodes",
            value=supernodes,
            message=f"{supernodes:,.0f} SuperNodes would hold a replica.",
        ),
    )


def _too_small_kinds(
    setting: Setting, performance: ServingPerformance, kinds: tuple[Kind, ...]
) -> Iterator[Problem]:
    """Instances of a group that their kind of SuperNode has too few accelerators for."""
    bare: Setting = central(setting)
    for side, part in sides_of(bare, replica_of(performance)):
        needed, used = median_of(part.accelerators), median_of(side.accelerators_used)
        if needed > used and side.on is not None:
            yield Problem(
                kind="infeasible",
                field="workload.layout",
                constraint="layout",
                message=f"One replica takes {needed:,.0f} accelerators of {kinds[side.on].supernode.name}, and the pod has "
                f"{used:,.0f} of them. Choose smaller or fewer instances, or more SuperNodes of this kind.",
                value=needed,
                limit=used,
                missed_by=needed - used,
                unit="1",
            )


def _idle_kinds(setting: Setting, kinds: tuple[Kind, ...]) -> Iterator[Problem]:
    """Kinds of SuperNode that no instance is on; none where all are alike."""
    if setting.on is None:
        return
    for place, kind in enumerate(kinds):
        if place in (setting.on, setting.prefilling.on):
            continue
        yield Problem(
            kind="warning",
            field="workload.layout" if place == 0 else f"pod.also[{place - 1}]",
            constraint="idle_kind",
            message=f"No instance is on the {median_of(kind.supernodes):,.0f} SuperNodes of {kind.supernode.name}: they are "
            "paid for and idle. State on of the instances of workload.layout, or take this kind out of the pod.",
            value=median_of(kind.supernodes),
            unit="1",
        )


def _no_way_across(setting: Setting, pod: Pod, performance: ServingPerformance) -> Problem | None:
    """A replica that reaches beyond a scale-up domain of its SuperNode, with no fabric there.

    Several SuperNodes without one are said to have none whatever they do.
    """
    size, domain = (
        median_of(performance.accelerators_per_replica),
        median_of(setting.machine.domain_accelerators),
    )
    fabric = median_of(setting.machine.scale_out_bandwidth_bytes_per_s)
    if not (size > domain and fabric == 0 and median_of(pod.supernodes) == 1):
        return None
    return Problem(
        kind="infeasible",
        field="pod.fabric.topology",
        constraint="topology",
        message=f"A replica of {size:,.0f} accelerators reaches beyond a scale-up domain of {domain:,.0f}, and there is no "
        "scale-out fabric between them. State pod.fabric.topology, or instances that fit one domain.",
        value=size,
        limit=domain,
        missed_by=size - domain,
        unit="1",
    )


def _memory(setting: Setting, performance: ServingPerformance) -> Problem | None:
    """Not one sequence fits on an instance that decodes."""
    if not median_of(performance.batch_limit) < 1:
        return None
    return _no_room(
        "workload.layout",
        "Not one request fits",
        used=median_of(performance.memory_per_accelerator_bytes),
        capacity=median_of(performance.memory_capacity_bytes),
        parts_bytes=performance.memory_breakdown_bytes,
        fix=way_out(setting, performance),
    )


def _one_pass(setting: Setting) -> Problem | None:
    """Prompts whose tokens see all others, longer than a pass."""
    asked = median_of(setting.workload.requests.input_tokens)
    chunk = median_of(setting.assumptions.chunk_tokens)
    if not (setting.workload.bidirectional and asked > chunk):
        return None
    return Problem(
        kind="infeasible",
        field="workload.engine.chunk_tokens",
        constraint="chunk",
        message=f"Tokens of this model see all others, so a prompt of {asked:,.0f} tokens takes one pass, and a pass takes "
        f"{chunk:,.0f}.",
        value=asked,
        limit=chunk,
        missed_by=asked - chunk,
        unit="tokens",
        fix=Fix(
            field="workload.engine.chunk_tokens",
            value=float(np.ceil(asked)),
            message=f"Passes of {np.ceil(asked):,.0f} tokens take it.",
        ),
    )


def _prefill_memory(setting: Setting, performance: ServingPerformance) -> Problem | None:
    """Not one prompt fits on an instance that only prefills."""
    bare: Setting = central(setting.prefilling)
    prefill = replica_of(performance).prefill
    if prefill is None or not median_of(prefill_limit_of(bare, prefill)) < 1:
        return None
    held = prefill_held_by(bare, prefill)
    return _no_room(
        "workload.layout.prefill",
        "Not one request fits on a prefill instance",
        used=median_of(held.memory_per_accelerator_bytes),
        capacity=median_of(
            usable_memory_bytes(
                memory_bytes=bare.machine.memory_bytes, memory_fraction=bare.assumptions.memory_fraction
            )
        ),
        parts_bytes=held.breakdown_bytes,
    )


def _no_room(
    field: str,
    words: str,
    *,
    used: float,
    capacity: float,
    parts_bytes: dict[str, Array],
    fix: Fix | None = None,
) -> Problem:
    """The largest part of what an accelerator would have to hold is named."""
    parts = {name: median_of(part) for name, part in parts_bytes.items()}
    largest = max(parts, key=lambda name: parts[name])
    share = f"{MEMORY_WORDS[largest]} ({parts[largest] / 1e9:,.1f} GB)"
    return Problem(
        kind="infeasible",
        field=field,
        constraint="memory",
        message=f"{words}: with one on it an accelerator holds {used / 1e9:,.1f} GB, and the engine has "
        f"{capacity / 1e9:,.1f} GB of its memory: {(used - capacity) / 1e9:,.1f} GB too much, most of it {share}. "
        f"{MEMORY_RELIEF[largest]}",
        value=used,
        limit=capacity,
        missed_by=used - capacity,
        unit="B",
        fix=fix,
    )


def _waits_for_memory(setting: Setting, performance: ServingPerformance) -> Problem | None:
    """More requests in flight than memory holds at once: the others wait."""
    stated = setting.workload.concurrency
    replica = replica_of(performance)
    room = (
        median_of(performance.batch_limit)
        * median_of(replica.decode_instances)
        * median_of(performance.replicas)
    )
    if stated is None or not median_of(stated) > room:
        return None
    return Problem(
        kind="warning",
        field="workload.concurrency",
        constraint="memory",
        message=f"{median_of(stated):,.0f} requests are in flight and memory holds {room:,.0f} at once: the others wait for "
        "their first token.",
        value=median_of(stated),
        limit=room,
        missed_by=median_of(stated) - room,
        unit="1",
        fix=Fix(
            field="workload.concurrency",
            value=room,
            message=f"With {room:,.0f} in flight no request waits for memory.",
        ),
    )


class _Promise(NamedTuple):
    field: str
    words: str
    promised_s: float
    at_load_s: float
    alone_s: float
    parts_s: dict[str, Array]  # of one request by itself


def _promises(setting: Setting, performance: ServingPerformance) -> list[Problem]:
    """Time to first token and time per token, at the load and with one request in flight."""
    bare: Setting = central(setting)
    replica, level = replica_of(performance), bare.workload.level
    limit = np.array([median_of(performance.batch_limit)])
    first = answers_of(bare, alone(bare, replica, limit))
    least = promised_percentiles_s(bare, first)
    promises = (
        _Promise(
            "ttft_s",
            "time to first token",
            median_of(level.ttft_s),
            median_of(performance.ttft_within_s),
            median_of(least[0]),
            first.ttft_breakdown_s,
        ),
        _Promise(
            "tpot_s",
            "time per output token",
            median_of(pod_tpot_s(bare.workload)),
            np.nan if performance.tpot_within_s is None else median_of(performance.tpot_within_s),
            median_of(least[1]),
            first.tpot_breakdown_s,
        ),
    )
    share = median_of(level.percentile)
    return [
        _below_floor(promise, share) if promise.alone_s > promise.promised_s else _beyond_load(promise, share)
        for promise in promises
        if promise.at_load_s > promise.promised_s
    ]


def _below_floor(promise: _Promise, share: float) -> Problem:
    known = {name: part for name, part in promise.parts_s.items() if np.isfinite(plain(part)).all()}
    found = binding(parts_s=known, promised_s=np.array([promise.promised_s]))
    shares = sorted(((median_of(part), name) for name, part in found.shares.items()), reverse=True)
    terms = ", ".join(f"{FLOOR_WORDS.get(name, name)} {part:.0%}" for part, name in shares[:3] if part > 0)
    return Problem(
        kind="infeasible",
        field=f"workload.service_level.{promise.field}",
        constraint=promise.field.removesuffix("_s"),
        message=f"Even a single request has a {promise.words} of {seconds(promise.alone_s)} for {share:.0%} of "
        f"requests, above the SLO of {seconds(promise.promised_s)}. Its parts: {terms}. "
        f"{RELIEF.get(found.largest, '')}".rstrip(),
        value=promise.alone_s,
        limit=promise.promised_s,
        missed_by=promise.alone_s - promise.promised_s,
        unit="s",
    )


def _beyond_load(promise: _Promise, share: float) -> Problem:
    return Problem(
        kind="infeasible",
        field=f"workload.service_level.{promise.field}",
        constraint=promise.field.removesuffix("_s"),
        message=f"At this load {share:.0%} of requests have a {promise.words} within {seconds(promise.at_load_s)}, "
        f"above the SLO of {seconds(promise.promised_s)}; a single request has {seconds(promise.alone_s)}. "
        "Fewer requests in flight per replica meet the SLO: more SuperNodes, or a lower demand.",
        value=promise.at_load_s,
        limit=promise.promised_s,
        missed_by=promise.at_load_s - promise.promised_s,
        unit="s",
    )


def _demand_by_kind(performance: ServingPerformance, kinds: tuple[Kind, ...]) -> Iterator[Problem]:
    """Kinds of SuperNode of which a demand needs more than the pod has."""
    for kind, counted in zip(kinds, performance.supernodes_needed_by_kind or (), strict=False):
        needed, there = median_of(counted), median_of(kind.supernodes)
        if needed > there:
            yield Problem(
                kind="infeasible",
                field="workload.demand",
                constraint="demand",
                message=f"The demand at its peak needs {needed:,.0f} SuperNodes of {kind.supernode.name} and the pod has "
                f"{there:,.0f}: its {median_of(performance.replicas):,.0f} replicas answer "
                f"{figures(median_of(performance.requests_per_s_limit))} requests per second within the SLO. Have more "
                "of this kind, or another ratio of prefill to decode instances.",
                value=needed,
                limit=there,
                missed_by=needed - there,
                unit="1",
            )


def _demand(pod: Pod, performance: ServingPerformance) -> list[Problem]:
    if performance.supernodes_needed is None:
        return []
    needed, there = median_of(performance.supernodes_needed), median_of(pod.supernodes)
    if not needed > there:
        return []
    each, answered = (
        median_of(performance.accelerators_per_replica),
        median_of(performance.requests_per_s_limit),
    )
    return [
        Problem(
            kind="infeasible",
            field="workload.demand",
            constraint="demand",
            message=f"The demand at its peak needs {needed:,.0f} SuperNodes and the pod has {there:,.0f}: its "
            f"{median_of(performance.replicas):,.0f} replicas of {each:,.0f} accelerators answer {figures(answered)} requests per "
            "second within the SLO.",
            value=needed,
            limit=there,
            missed_by=needed - there,
            unit="1",
            fix=Fix(
                field="pod.supernodes", value=needed, message=f"{needed:,.0f} SuperNodes would carry it."
            ),
        )
    ]


def _redundancy(
    setting: Setting, pod: Pod, performance: ServingPerformance, *, one_kind: bool
) -> Iterator[Problem]:
    """A pod that bears the demand, but not with the failures that the scenario wants it to bear.

    More SuperNodes are offered where all are of one kind.
    """
    count = median_of(setting.workload.level.n_plus)
    if not count or performance.supernodes_needed_with_headroom is None:
        return
    needed, there = median_of(performance.supernodes_needed_with_headroom), median_of(pod.supernodes)
    if not needed > there or not np.isfinite(needed):
        return
    yield Problem(
        kind="warning",
        field="workload.service_level.n_plus",
        constraint="redundancy",
        message=f"N+{count:,.0f} and the availability target need {needed:,.0f} SuperNodes and the pod has {there:,.0f}: "
        "the demand of the busiest hour is served only while nothing fails.",
        value=needed,
        limit=there,
        missed_by=needed - there,
        unit="1",
        fix=Fix(field="pod.supernodes", value=needed, message=f"{needed:,.0f} SuperNodes would bear it.")
        if one_kind
        else None,
    )
