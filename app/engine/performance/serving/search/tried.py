"""Replicas under load, computed: one row a layout and load, whatever its mode."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.serving import figures
from app.engine.performance.serving.answers import answers_of, over_promise, promised_percentiles_s
from app.engine.performance.serving.embedding import pod_tokens_per_s
from app.engine.performance.serving.replica_load import Replica, held_by, latency_of, whole_replicas
from app.engine.performance.serving.setting import Setting
from app.engine.performance.serving.space import DEGREES, replica_count, replica_rows
from app.engine.specs import ServingLayout
from app.engine.trace import Array

BLOCK = 16_384
"""Rows computed at once: what a cache holds of them is quickest."""
Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """Figures of the whole pod, all of shape (n,), for layouts as `layout` has them.

    `layout` has the degrees of the decode instance by their names, those of prefill with `prefill_` before, and
    both numbers of instances; of an instance that does all, `prefill_instances` is 0. `decode_on` and `prefill_on` are
    kinds of SuperNode of a mixed pod, by place.
    """

    layout: dict[str, Array]
    concurrency: Array  # requests in flight on the pod
    replicas: Array
    accelerators_per_replica: Array
    batch: Array  # sequences that one instance decodes at once
    batch_limit: Array
    ttft_s: Array
    tpot_s: Array
    ttft_within_s: Array  # at the SLO percentile, as the next
    tpot_within_s: Array
    over_promise: Array  # as of `answers.over_promise`
    requests_per_s: Array
    tokens_per_s: Array
    tokens_per_s_per_user: Array
    tokens_per_s_per_accelerator: Array
    memory_per_accelerator_bytes: Array

    @property
    def size(self) -> int:
        return int(self.tpot_s.size)

    @property
    def known(self) -> NDArray[np.bool_]:
        """Rows whose throughput and latencies are numbers."""
        return np.isfinite(self.tokens_per_s) & np.isfinite(self.tpot_s) & np.isfinite(self.over_promise)

    def at(self, rows: Rows) -> Tried:
        return Tried(
            layout={name: column[rows] for name, column in self.layout.items()},
            **{name: getattr(self, name)[rows] for name in FIGURES},
        )

    def replica_at(self, rows: Rows) -> Replica:
        """The replicas of some rows, which must be of one mode."""
        grouped = bool(np.any(self.layout["prefill_instances"][rows] > 0))
        decode = {name: self.layout[name][rows] for name in DEGREES}
        prefill = {name: self.layout[f"prefill_{name}"][rows] for name in DEGREES}
        return Replica(
            decode=ServingLayout(**decode),
            decode_instances=self.layout["decode_instances"][rows],
            prefill=ServingLayout(**prefill) if grouped else None,
            prefill_instances=self.layout["prefill_instances"][rows] if grouped else None,
        )


FIGURES = tuple(field.name for field in dataclasses.fields(Tried) if field.name != "layout")


def joined(parts: Sequence[Tried]) -> Tried:
    """Several tables as one, in their order."""
    return Tried(
        layout={name: np.concatenate([part.layout[name] for part in parts]) for name in parts[0].layout},
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in FIGURES},
    )


def try_all(setting: Setting, replica: Replica, concurrency: Array, limit: Array) -> Tried:
    """Replicas at loads, row by row.

    Parameters
    ----------
    replica : of shape (n,)
    concurrency : requests in flight on each replica, (n,)
    limit : sequences that a decode instance holds in memory, (n,)
    """
    size = replica_count(replica)
    starts = range(0, size, BLOCK) if size else (0,)
    return joined(
        [
            _block(
                setting,
                replica_rows(replica, np.arange(start, min(start + BLOCK, size))),
                concurrency[start : start + BLOCK],
                limit[start : start + BLOCK],
            )
            for start in starts
        ]
    )


def layout_index(tried: Tried) -> tuple[Rows, int]:
    """Which layout each row has, numbered from 0, and how many there are."""
    table = np.stack(list(tried.layout.values()))
    distinct, index = np.unique(table, axis=1, return_inverse=True)
    return index.ravel(), int(distinct.shape[1])


def loads_between(lowest: Array, highest: Array, count: int) -> Array:
    """Loads of each replica from the lowest to the highest, whole and in about even ratios: (n, count).

    >>> loads_between(np.array([1.0, 1.0, 9.0]), np.array([1.0, 100.0, 4.0]), 3).tolist()
    [[1.0, 1.0, 1.0], [1.0, 10.0, 100.0], [4.0, 4.0, 4.0]]
    """
    most = np.maximum(highest, 1.0)[:, None]
    least = np.minimum(lowest[:, None], most)
    # A hair above, as 1000 ** (1 / 3) is a hair below 10.
    return np.floor(least * (most / least) ** np.linspace(0.0, 1.0, count) * (1 + 1e-12))


def lowest_load(layout: ServingLayout) -> Array:
    """One sequence for each replica of attention and each pipeline stage.

    With fewer some ranks have nothing to do, and means over ranks say too little of those that have.
    """
    return layout.data_parallel * layout.pipeline_parallel


def _block(setting: Setting, replica: Replica, concurrency: Array, limit: Array) -> Tried:
    latency = latency_of(setting, replica, concurrency, limit)
    seen = answers_of(setting, latency)
    within = promised_percentiles_s(setting, seen)
    size = replica.accelerators
    replicas = whole_replicas(setting, replica)
    requests = figures.pod_requests_per_s(replica_requests_per_s=seen.requests_per_s, replicas=replicas)
    asked = setting.workload.requests
    tokens = pod_tokens_per_s(asked, requests)
    batch = figures.decode_batch(running=latency.running, decode_instances=replica.decode_instances)
    found = {
        "concurrency": figures.pod_concurrency(replica_concurrency=concurrency, replicas=replicas),
        "replicas": replicas,
        "accelerators_per_replica": size,
        "batch": batch,
        "batch_limit": limit,
        "ttft_s": seen.ttft_s,
        "tpot_s": seen.tpot_s,
        "ttft_within_s": within[0],
        "tpot_within_s": within[1],
        "over_promise": over_promise(setting, seen),
        "requests_per_s": requests,
        "tokens_per_s": tokens,
        "tokens_per_s_per_user": asked.input_tokens / seen.ttft_s
        if asked.pooled
        else figures.tokens_per_s_per_user(tpot_s=seen.tpot_s),
        "tokens_per_s_per_accelerator": figures.pod_tokens_per_s_per_accelerator(
            tokens_per_s=tokens, accelerators_used=setting.pod_accelerators
        ),
        "memory_per_accelerator_bytes": held_by(setting, replica, batch).memory_per_accelerator_bytes,
    }
    shape = concurrency.shape
    return Tried(
        layout={
            name: np.broadcast_to(column, shape)
            for name, column in (_columns(replica) | _kinds(setting, replica)).items()
        },
        **{name: np.broadcast_to(column, shape) for name, column in found.items()},
    )


def _kinds(setting: Setting, replica: Replica) -> dict[str, Array]:
    """Kinds of SuperNode that decode and prefill in a mixed pod; -1 where there is none to say."""
    grouped = replica.prefill is not None
    places = {"decode_on": setting.on, "prefill_on": setting.prefilling.on if grouped else None}
    return {name: np.full(1, -1.0 if place is None else float(place)) for name, place in places.items()}


def _columns(replica: Replica) -> dict[str, Array]:
    prefill, instances = replica.prefill, replica.prefill_instances
    none = np.zeros(1)
    return {
        **{name: getattr(replica.decode, name) for name in DEGREES},
        "decode_instances": replica.decode_instances,
        **{f"prefill_{name}": none if prefill is None else getattr(prefill, name) for name in DEGREES},
        "prefill_instances": none if instances is None else instances,
    }
