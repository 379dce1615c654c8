"""One replica under load: an instance that does all, or a group of prefill and decode instances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.performance.serving.aggregated import aggregated
from app.engine.performance.serving.disaggregated import disaggregated
from app.engine.performance.serving.footprint import mean_sequence_tokens
from app.engine.performance.serving.latency import Latency, Load
from app.engine.performance.serving.memory import ServingMemory, batch_limit, serving_memory
from app.engine.performance.serving.setting import Setting
from app.engine.specs import ServingLayout
from app.engine.trace import Array

AGGREGATED, DISAGGREGATED = "aggregated", "disaggregated"


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
    def accelerators(self) -> Array:
        """Of the whole replica, as bare arithmetic for a search; `figures` has the figure."""
        own = self.decode.accelerators * self.decode_instances
        if self.prefill is None or self.prefill_instances is None:
            return own
        return own + self.prefill.accelerators * self.prefill_instances


def load_of(setting: Setting, concurrency: Array) -> Load:
    """Requests of the workload, so many in flight on a replica."""
    asked = setting.workload.requests
    return Load(
        input_tokens=asked.input_tokens,
        output_tokens=asked.output_tokens,
        cached_share=asked.cached_share,
        concurrency=concurrency,
    )


def limit_of(setting: Setting, replica: Replica) -> Array:
    """Sequences that one decode instance of a replica holds in memory."""
    return batch_limit(
        architecture=setting.workload.architecture,
        layout=replica.decode,
        parts=setting.parts,
        machine=setting.machine,
        sequence_tokens=sequence_tokens(setting),
        assumptions=setting.assumptions,
        prefills=np.full(1, float(replica.prefill is None)),
        tokens_per_step=1 + setting.workload.speculation.tokens,
    )


def held_by(setting: Setting, replica: Replica, batch: Array) -> ServingMemory:
    """Memory of an accelerator of a decode instance that holds so many sequences."""
    return serving_memory(
        architecture=setting.workload.architecture,
        layout=replica.decode,
        parts=setting.parts,
        sequence_tokens=sequence_tokens(setting),
        batch=batch,
        assumptions=setting.assumptions,
        prefills=np.full(1, float(replica.prefill is None)),
        tokens_per_step=1 + setting.workload.speculation.tokens,
    )


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
        "load": load_of(setting, concurrency),
        "speculation": setting.workload.speculation,
        "batch_limit": np.maximum(limit, 1.0),
        "engine_year": setting.workload.engine_year,
        "assumptions": setting.assumptions,
    }
    if replica.prefill is None or replica.prefill_instances is None:
        return aggregated(layout=replica.decode, **common)
    return disaggregated(
        prefill=replica.prefill,
        prefill_instances=replica.prefill_instances,
        decode=replica.decode,
        decode_instances=replica.decode_instances,
        **common,
    )
