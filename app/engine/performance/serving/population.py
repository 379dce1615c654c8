"""How many sequences a group of prefill and decode instances decodes: the fixed point of Little's law, on bare values."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import numpy as np

from app.engine.performance.serving.decode import DecodeStep, decode_step
from app.engine.performance.serving.kv_transfer import Transfer, transfer_wait_s
from app.engine.performance.serving.latency import Load
from app.engine.trace import Array, plain

ROUNDS = 20
"""Halvings of the range that the fixed point lies in: it is then known to 0.01 %."""
FEWEST = 1e-6
"""Of what could be decoded at once, that is at least: the rest of a request's time takes no longer than so many answers."""

Record = TypeVar("Record")


def population(
    stepped: dict[str, Any],
    *,
    load: Load,
    served_s: Array,
    most_per_s: Array,
    transfer: Transfer,
    instances: Array,
    limit: Array,
    share: Array,
) -> Array:
    """Sequences being decoded over all decode instances.

    `stepped` is what a decode step is computed with, `served_s` what a request takes besides waiting and decoding;
    it waits for the transfers of others at the rate that so many sequences mean.
    """
    concurrency, output = load.concurrency, load.output_tokens
    most = np.minimum(concurrency, limit * instances)
    low, high = np.log(FEWEST * most), np.log(most)
    for _ in range(ROUNDS):
        # the time of a step grows less than its sequences, so more than the fixed point are never reached
        found = np.exp((low + high) / 2)
        step: DecodeStep = decode_step(sequences=found / instances, **stepped)
        answer = output * step.step_s / share
        wait = transfer_wait_s(
            requests_per_s=found / answer,
            requests_per_s_limit=transfer.requests_per_s,
            concurrency=concurrency,
            transfer_s=transfer.whole_s,
        )
        reached = np.minimum(concurrency / (served_s + wait + answer), most_per_s) * answer
        low = np.where(reached >= found, np.log(found), low)
        high = np.where(reached >= found, high, np.log(found))
    found = np.exp((low + high) / 2)
    return found


def bare(record: Record) -> Record:
    """A record with the traces of its values taken off, those in its tuples too."""
    if isinstance(record, tuple):
        return tuple(bare(part) for part in record)  # type: ignore[return-value]
    if not dataclasses.is_dataclass(record) or isinstance(record, type):
        return plain(record)  # type: ignore[no-any-return]
    fields = {field.name: bare(getattr(record, field.name)) for field in dataclasses.fields(record)}
    return type(record)(**fields)
