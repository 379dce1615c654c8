"""Groups of prefill and decode instances to try: to every batch of every decode instance the prefill that feeds it.

A group that prefills just as fast as it decodes has no queue before prefill, so its time per token is that of its
decode instances and its time to first token that of its prefill instances. That settles which groups are worth
the whole model; what is shown of them comes from the model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.performance.serving.aggregated import per_token_s
from app.engine.performance.serving.disaggregated import (
    disaggregated_requests_per_s,
    prefill_only_s,
    prefill_requests_per_s,
)
from app.engine.performance.serving.expert_load import ranks_of
from app.engine.performance.serving.kv_transfer import kv_transfer
from app.engine.performance.serving.offload import kv_return_s, turn_with_return_s
from app.engine.performance.serving.replica_load import (
    RANDOM,
    Replica,
    has_room,
    prefill_limit_of,
    prompt_of,
    replicas_with_room,
    step_of,
)
from app.engine.performance.serving.search.front import undominated
from app.engine.performance.serving.search.space import ServingSpace, holds_a_request, instances_of
from app.engine.performance.serving.search.tried import Rows, loads_between, lowest_load
from app.engine.performance.serving.setting import Setting
from app.engine.performance.serving.space import DEGREES, at_rows, cuts_of
from app.engine.performance.serving.speculation import tokens_gained
from app.engine.specs import ServingLayout
from app.engine.trace import Array, first_of

PREFILLS = 6
"""Layouts of a prefill instance that are tried, from the quickest prompt to the least work for one."""
FEWER = 8
"""Numbers of decode instances that are tried of each pair, downwards from the most that can be fed: with instances of
both kinds side by side in a domain, and with gaps alongside them."""
FILLING = (2.0, 3.0, 4.0, 5.0, 6.0, 8.0)
"""Multiples of a group that are tried together over SuperNodes which single groups do not fill."""
BUSY_AT_RANDOM = 0.8
"""Of the time of prefill instances, that requests at random times may take: prompts then wait about twice their time."""
MANY_WAITING = 1e9
"""Prompts of a full queue, which share passes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """Groups at loads, of shape (n,), and how many layouts and pairs of layout and batch they were picked from.

    `replica` is None where prefill and decode have no room beside each other.
    """

    replica: Replica | None
    concurrency: Array  # requests in flight on one group
    limit: Array  # sequences that one decode instance holds
    layouts: int
    steps: int
    too_large: int  # decode layouts that hold no request
    without_prefill: int  # those that no prefill instance fits beside


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prefills:
    layouts: ServingLayout
    requests_per_s: Array  # of one instance
    first_token_s: Array  # of a prompt that waits for no other, without its transfer
    prefill_s: Array  # of it


def groups_of(setting: Setting, space: ServingSpace, loads: int) -> Groups:
    """Groups worth trying: of each prefill layout those that no other beats in time per token and throughput."""
    decode = instances_of(setting, space, prefills=False)
    limit = holds_a_request(setting, decode, prefills=False)
    able = np.flatnonzero(limit >= 1)
    size = decode.accelerators
    beside = size[able].min() if able.size and setting.reading is None else 0.0
    prefills = _prefills(setting.prefilling, beside) if able.size else None
    if prefills is None:
        return _none(int(size.size), int(able.size), 0)
    row = np.repeat(able, loads)
    batch = loads_between(lowest_load(at_rows(decode, able)), limit[able], loads).ravel()
    layouts = at_rows(decode, row)
    tpot = _tpot_s(setting, layouts, batch)
    output = setting.workload.requests.output_tokens
    answered = disaggregated_requests_per_s(decoding=batch, output_tokens=output, tpot_s=tpot)
    p, d, rate = _paired(setting, prefills, layouts, answered)
    rows, columns = _worth_trying(tpot, rate)
    if not rows.size:
        return _none(int(size.size), int(able.size), int(row.size))
    prefilled = columns % prefills.prefill_s.size
    first = prefills.first_token_s[prefilled] + _transfer_s(
        setting, at_rows(prefills.layouts, prefilled), p[rows, columns], at_rows(layouts, rows), d[rows, columns],
        prefills.prefill_s[prefilled],
    )  # fmt: skip
    in_flight = batch[rows] * (1 + first / (output * tpot[rows]))
    paired = np.count_nonzero((rate > 0).any(axis=1).reshape(able.size, loads).any(axis=1))
    return Groups(
        replica=Replica(
            decode=at_rows(layouts, rows),
            decode_instances=d[rows, columns],
            prefill=at_rows(prefills.layouts, prefilled),
            prefill_instances=p[rows, columns],
        ),
        concurrency=np.maximum(np.floor(d[rows, columns] * in_flight), 1.0),
        limit=limit[row][rows],
        layouts=int(size.size),
        steps=int(row.size),
        too_large=int(size.size - able.size),
        without_prefill=int(able.size - paired),
    )


def _none(layouts: int, able: int, steps: int) -> Groups:
    return Groups(
        replica=None,
        concurrency=np.zeros(0),
        limit=np.zeros(0),
        layouts=layouts,
        steps=steps,
        too_large=layouts - able,
        without_prefill=able,
    )


def _worth_trying(tpot: Array, rate: Array) -> tuple[Rows, Rows]:
    """Rows and columns of the table of rates that no other row of their column beats."""
    chosen = [
        (found[front], np.full(front.size, column))
        for column in range(rate.shape[1])
        for found in (np.flatnonzero(rate[:, column] > 0),)
        for front in (undominated(1 / tpot[found], rate[found, column]),)
    ]
    rows, columns = (np.concatenate(part) for part in zip(*chosen, strict=True))
    return rows, columns


def _tpot_s(setting: Setting, layouts: ServingLayout, sequences: Array) -> Array:
    """Time per token of decode instances, as of a group of them."""
    step = step_of(setting, layouts, sequences)
    share = tokens_gained(setting.workload.speculation)
    return np.broadcast_to(per_token_s(step_part_s=step.step_s, tokens_per_step=share), sequences.shape)


def _prefills(setting: Setting, beside: float) -> _Prefills | None:
    """Prefill instances that leave room for so many accelerators: of no two is one better in both time and work."""
    layouts = instances_of(setting, ServingSpace(), prefills=True, cuts=cuts_of(setting))
    room = layouts.accelerators <= first_of(setting.accelerators_used) - beside
    rows = np.flatnonzero(room & (prefill_limit_of(setting, layouts) >= 1))
    if not rows.size:
        return None
    layouts = at_rows(layouts, rows)
    first, cost, alone = _prompt_s(setting, layouts)
    front = undominated(1 / first, 1 / (cost * layouts.accelerators))
    if front.size > PREFILLS:
        front = front[np.linspace(0, front.size - 1, PREFILLS).astype(np.intp)]
    if not front.size:  # figures that decide it are not known
        return None
    return _Prefills(
        layouts=at_rows(layouts, front),
        requests_per_s=prefill_requests_per_s(instances=np.ones(1), prefill_s=cost[front]),
        first_token_s=first[front],
        prefill_s=alone[front],
    )


def _transfer_s(
    setting: Setting,
    prefill: ServingLayout,
    prefill_instances: Array,
    decode: ServingLayout,
    decode_instances: Array,
    prefill_s: Array,
) -> Array:
    """Time in which keys and values reach a decode instance after the end of the prefill."""
    asked = setting.workload.requests
    return kv_transfer(
        architecture=setting.workload.architecture,
        parts=setting.parts,
        machine=setting.prefilling.machine,
        received_on=None if setting.reading is None else setting.machine,
        prefill=prefill,
        prefill_instances=prefill_instances,
        decode=decode,
        decode_instances=decode_instances,
        input_tokens=asked.input_tokens,
        cached_share=asked.cached_share,
        shared_tokens=asked.shared_prefix_tokens,
        prefill_s=prefill_s,
        assumptions=setting.prefilling.assumptions,
    ).exposed_s


def _prompt_s(setting: Setting, layouts: ServingLayout) -> tuple[Array, Array, Array]:
    """Time to first token without a wait or a transfer, time that a prompt keeps a prefill instance, and its prefill."""
    a = setting.assumptions
    prompt = prompt_of(setting, layouts, np.full(1, MANY_WAITING))
    first = sum(prompt.before_s.values(), start=a.disaggregated_overhead_s + prompt.alone_s)
    cost = prefill_only_s(prefill_s=prompt.cost_s, ratio=a.disaggregated_prefill_ratio)
    back = kv_return_s(setting, layouts)
    if back is not None:
        first = first + back
        cost = turn_with_return_s(turn_s=cost, return_s=back, data_parallel=layouts.data_parallel)
    size = layouts.accelerators.shape
    return (
        np.broadcast_to(first, size),
        np.broadcast_to(cost, size),
        np.broadcast_to(prompt.alone_s, size),
    )


def _paired(
    setting: Setting, prefills: _Prefills, layouts: ServingLayout, answered: Array
) -> tuple[Array, Array, Array]:
    """Instances of prefill and of decode, and requests per second of the pod, of shape (rows, 2 x prefills).

    Of each pair the numbers that answer most with prefill never behind, and the pod holds whole groups. The smallest
    group of a ratio stands for its multiples; in the second half of the columns is the multiple that leaves fewer gaps
    in SuperNodes, whose cache goes over the fabric. The rate is 0 where no numbers fit.
    """
    decode, prefill = _column(layouts, 0), _column(prefills.layouts, 1)
    answers = answered[:, None, None]
    busy = BUSY_AT_RANDOM if setting.workload.arrivals.kind == RANDOM else 1.0
    fed = busy * prefills.requests_per_s[None, :, None]
    d: Array = np.concatenate(
        [most - np.arange(FEWER, dtype=float) for most in _most_fed(setting, decode, prefill, answers / fed)],
        axis=2,
    )
    p = np.maximum(np.ceil(d * answers / fed), 1.0)

    def group(p: Array, d: Array) -> Replica:
        return Replica(decode=decode, decode_instances=d, prefill=prefill, prefill_instances=p)

    fits = (d >= 1) & has_room(setting, group(p, np.maximum(d, 1.0)))
    d, p = np.where(fits, d, 1.0), np.where(fits, p, 1.0)
    shared = np.gcd(p.astype(np.int64), d.astype(np.int64)).astype(np.float64)
    p, d = p / shared, d / shared
    groups = replicas_with_room(setting, group(p, d))
    most_answered = np.argmax(np.where(fits, groups * d * answers, 0.0), axis=2)[:, :, None]

    def taken(table: Array) -> Array:
        return np.take_along_axis(np.broadcast_to(table, fits.shape), most_answered, axis=2)

    p, d, groups, able = taken(p), taken(d), taken(groups), taken(fits.astype(float))
    filling = np.array(FILLING)
    more = filling * replicas_with_room(setting, group(filling * p, filling * d))
    fullest = np.argmax(more, axis=2)[:, :, None]  # the first of equals
    times = np.where(np.take_along_axis(more, fullest, axis=2) > groups, filling[fullest], 0.0)
    rate = able * d * answers
    small, large = groups * rate, np.where(times > 0, np.max(more, axis=2, keepdims=True), 0.0) * rate
    return (
        np.concatenate([p, np.maximum(times, 1.0) * p], axis=1)[:, :, 0],
        np.concatenate([d, np.maximum(times, 1.0) * d], axis=1)[:, :, 0],
        np.concatenate([small, large], axis=1)[:, :, 0],
    )


def _most_fed(
    setting: Setting, decode: ServingLayout, prefill: ServingLayout, prefill_per_decode: Array
) -> tuple[Array, ...]:
    """The most decode instances with the prefill that feeds them: side by side in a domain, and with gaps
    alongside them."""
    used, domain = first_of(setting.accelerators_used), setting.machine.domain_accelerators
    if setting.reading is None:
        pairs = (
            (decode.accelerators, prefill.accelerators),
            (_alone(decode, domain), _alone(prefill, domain)),
        )
        return tuple(np.floor(used / (one + other * prefill_per_decode)) for one, other in pairs)
    there = setting.prefilling
    reads = first_of(there.accelerators_used) / _alone(prefill, there.machine.domain_accelerators)
    return (
        np.floor(np.minimum(used / _alone(decode, domain), np.floor(reads) / prefill_per_decode)),
        np.floor(used / _alone(decode, domain)) + 0 * prefill_per_decode,
    )


def _column(layouts: ServingLayout, axis: int) -> ServingLayout:
    """Layouts along one axis of three: rows, prefills, numbers of instances."""
    others = tuple(each for each in range(3) if each != axis)
    size = layouts.accelerators.size
    return ServingLayout(
        **{name: np.expand_dims(np.broadcast_to(getattr(layouts, name), size), others) for name in DEGREES}
    )


def _alone(layouts: ServingLayout, domain_accelerators: Array) -> Array:
    """Accelerators of an instance with the gaps that its stages leave where nothing else lies alongside
    them."""
    ranks = ranks_of(layouts)
    gapped = domain_accelerators / np.maximum(np.floor(domain_accelerators / ranks), 1.0)
    found: Array = layouts.pipeline_parallel * np.where(ranks < domain_accelerators, gapped, ranks)
    return found
