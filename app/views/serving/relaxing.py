"""What a replica would answer if one promise, its memory or its requests were otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from app.engine.performance.serving.regions import ttft_allowed_s
from app.engine.performance.serving.replica_load import Replica, request_limit_of
from app.engine.performance.serving.request_mix import with_cached_share
from app.engine.performance.serving.setting import Setting
from app.engine.performance.serving.slo import pod_ttft_s
from app.engine.trace import first_of
from app.views.serving.loads import fullest, many_loads, most_kept, under
from app.views.serving.served import Served
from app.views.serving.sizing_row import Relaxed

MORE = 1.25
"""A quarter more: the same change of each, so that they can be compared."""


def relaxed(
    found: Served, now_per_s: float, supernodes: Callable[[float, Replica], float | None]
) -> tuple[Relaxed, ...]:
    """Every change with what a replica then answers, the one that gains most first.

    `supernodes` gives those needed where replicas answer so much each.
    """
    rows = []
    changes = [(*change, found.replica) for change in _changes(found.setting)]
    for change, title, setting, replica in (*changes, *_more_prefill(found)):
        answered = answered_per_s(found, setting, replica)
        gain = answered / now_per_s - 1 if now_per_s > 0 else np.nan
        rows.append(
            Relaxed(
                change=change,
                title=title,
                requests_per_s=answered,
                gain=float(gain),
                supernodes=supernodes(answered, replica),
            )
        )
    return tuple(sorted(rows, key=lambda row: -row.requests_per_s))


def answered_per_s(found: Served, setting: Setting, replica: Replica) -> float:
    """Requests per second that a replica answers at most within the SLO; 0 where it keeps it at no load."""
    limit = request_limit_of(setting, replica)
    highest = max(float(np.max(limit * replica.decode_instances)), 1.0)
    own, more = many_loads(setting, fullest(found)), many_loads(setting, highest)
    # Loads that the scenario is judged by, and those beyond: steps between loads would look like a gain.
    tried = np.unique([*own[own <= highest], *more[more > own[-1]]])
    loads = under(found, tried, replica, setting, limit)
    most = most_kept(loads)
    return 0.0 if most is None else float(loads.requests_per_s[most])


def _more_prefill(found: Served) -> Iterator[tuple[str, str, Setting, Replica]]:
    """A group with one more of its prefill instances; an aggregated replica has none."""
    replica = found.replica
    if replica.prefill is None or replica.prefill_instances is None:
        return
    now, each = first_of(replica.prefill_instances), first_of(replica.prefill.accelerators)
    more = replace(replica, prefill_instances=np.full(1, now + 1))
    title = f"One more prefill instance for each group: {now + 1:,.0f} in place of {now:,.0f}, {each:,.0f} accelerators more"
    yield "prefill_instances", title, found.setting, more


def _larger_budget(setting: Setting) -> Iterator[tuple[str, str, Setting]]:
    """Of the regions that ask most of the pod; nothing where no budget asks more than the promise to all."""
    workload, demand = setting.workload, setting.workload.demand
    strictest, promised = first_of(pod_ttft_s(workload)), first_of(workload.level.ttft_s)
    if demand is None or np.isnan(strictest) or strictest >= promised:
        return
    regions, said = [], []
    for one in demand.regions:
        left = ttft_allowed_s(latency_budget_s=one.latency_budget_s, round_trip_s=one.round_trip_s)
        if first_of(left) != strictest:
            regions.append(one)
            continue
        budget = first_of(one.latency_budget_s)
        regions.append(replace(one, latency_budget_s=MORE * one.latency_budget_s))
        said.append(f"{one.name}, {1e3 * MORE * budget:,.4g} ms in place of {1e3 * budget:,.4g} ms")
    changed = replace(workload, demand=replace(demand, regions=tuple(regions)))
    title = f"A quarter more latency budget of {' and of '.join(said)}"
    yield "latency_budget_s", title, replace(setting, workload=changed)


def _with_more_memory(setting: Setting) -> Setting:
    machine = replace(setting.machine, memory_bytes=setting.machine.memory_bytes * MORE)
    reading = None if setting.reading is None else _with_more_memory(setting.reading)
    return replace(setting, machine=machine, reading=reading)


def _changes(setting: Setting) -> Iterator[tuple[str, str, Setting]]:
    workload = setting.workload
    level, asked = workload.level, workload.requests

    def with_level(**values: float) -> Setting:
        arrays: dict[str, Any] = {name: np.full(1, value) for name, value in values.items()}
        changed = replace(level, **arrays)
        return replace(setting, workload=replace(workload, level=changed))

    for name, words in (("ttft_s", "time to the first token"), ("tpot_s", "time per token")):
        promised = first_of(getattr(level, name))
        if not np.isnan(promised):
            title = f"A quarter more {words}: {1e3 * MORE * promised:,.4g} ms in place of {1e3 * promised:,.4g} ms"
            yield name, title, with_level(**{name: MORE * promised})
    yield from _larger_budget(setting)
    if not (np.isnan(first_of(pod_ttft_s(workload))) and np.isnan(first_of(level.tpot_s))):
        share = first_of(level.percentile)
        fewer = max(1 - 2 * (1 - share), 0.5)
        title = f"The promise for {100 * fewer:.4g} % of the requests in place of {100 * share:.4g} %"
        yield "percentile", title, with_level(percentile=fewer)
    yield "memory", "A quarter more memory on each accelerator", _with_more_memory(setting)
    if asked.sessions is not None:
        return  # what is found of their contexts follows from the memory
    missed = (1 - asked.cached_share) / MORE
    cached = with_cached_share(asked, 1 - missed)
    title = f"A prefix cache that finds {100 * first_of(cached.cached_share):.3g} % of the input in place of {100 * first_of(asked.cached_share):.3g} %"
    yield "cached_share", title, replace(setting, workload=replace(workload, requests=cached))
