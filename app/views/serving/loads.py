"""One replica under many loads at once: what users wait for, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.serving.answers import Answers, answers_of, over_promise, promised_percentiles_s
from app.engine.performance.serving.layout_selection import loads_up_to
from app.engine.performance.serving.replica_load import Replica, latency_of
from app.engine.performance.serving.setting import Setting
from app.engine.trace import Array
from app.views.serving.served import Served

PLENTY = 1e9
"""Prefill instances of a group that only its decode instances limit."""

Row = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loads:
    """Everything of shape (n,), n loads; of one replica."""

    concurrency: Row
    answers: Answers
    requests_per_s: Row
    ttft_s: Row
    ttft_within_s: Row
    tpot_s: Row
    tpot_within_s: Row
    end_to_end_s: Row
    batch: Row  # sequences that one decode instance works on at once
    decode_step_s: Row
    prefill_cost_s: Row  # that a prompt keeps a prefill instance from other work
    over_promise: Row


def under(
    served: Served,
    concurrency: Row,
    replica: Replica | None = None,
    setting: Setting | None = None,
    limit: Array | None = None,
) -> Loads:
    """A replica, its own layout unless another is given, with so many requests in flight."""
    chosen = served.replica if replica is None else replica
    setting = served.setting if setting is None else setting
    limit = served.limit if limit is None else limit
    latency = latency_of(setting, chosen, concurrency, limit)
    answers = answers_of(setting, latency)
    within = promised_percentiles_s(setting, answers)

    def row(value: Array) -> Row:
        return np.broadcast_to(value, concurrency.shape).astype(np.float64)

    return Loads(
        concurrency=concurrency,
        answers=answers,
        requests_per_s=row(answers.requests_per_s),
        ttft_s=row(answers.ttft_s),
        ttft_within_s=row(within[0]),
        tpot_s=row(answers.tpot_s),
        tpot_within_s=row(within[1]),
        end_to_end_s=row(answers.end_to_end_s),
        batch=row(latency.running / chosen.decode_instances),
        decode_step_s=row(latency.decode_step_s),
        prefill_cost_s=row(latency.prefill_cost_s),
        over_promise=row(np.where(limit < 1, np.inf, over_promise(setting, answers))),
    )


def fullest(served: Served) -> float:
    """Requests that the memory of a replica holds at once; one where it holds none, as loads begin with one."""
    return max(batch_capacity(served), 1.0)


def batch_capacity(served: Served) -> float:
    """Requests that the memory of a replica holds at once."""
    return float(np.max(served.limit * served.replica.decode_instances))


def many_loads(setting: Setting, highest: float) -> Row:
    """Up to so many requests in flight on a replica: the loads that the engine tries."""
    return loads_up_to(setting, highest).astype(np.float64)


def decode_alone(served: Served) -> Replica:
    """One decode instance of the replica, with as much prefill as it can take where others do that."""
    replica = served.replica
    if replica.prefill is None:
        return replica
    return replace(replica, prefill_instances=np.full(1, PLENTY), decode_instances=np.ones(1))


def most_kept(loads: Loads) -> int | None:
    """The load that answers most and meets the SLO, as the engine finds it; None where none does."""
    keeps = loads.over_promise <= 1
    return int(np.argmax(np.where(keeps, loads.requests_per_s, -1.0))) if keeps.any() else None
