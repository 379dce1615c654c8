"""Prefill and decode on the roofline of the accelerator, at several batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.mixed import all_kinds
from app.engine.performance.serving import work
from app.engine.performance.serving.disaggregated import prefill_only_s
from app.engine.performance.serving.prefill import new_tokens, passes_alone, passes_together, prefill_of
from app.engine.performance.serving.replica_load import sequence_tokens
from app.engine.performance.serving.roofline import (
    achieved_flop_per_s,
    arithmetic_intensity,
    attainable_flop_per_s,
    decode_flop,
    prompt_work,
    ridge_intensity,
)
from app.engine.performance.serving.setting import Setting
from app.engine.performance.serving.traffic import decode_traffic
from app.engine.trace import Array, first_of
from app.engine.workload.transformer import parameter_counts
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.serving.loads import decode_alone, under
from app.views.serving.served import Served, replica_words, served

BATCHES = 10
TOGETHER = (1, 2, 4, 8, 16, 32)
"""Prompts that wait together and may share a pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RooflinePoint:
    """`batch` is sequences of a decode instance, or prompts that share a pass; of one accelerator."""

    phase: str  # decode | prefill
    batch: float
    arithmetic_intensity: float  # FLOP/B
    flop_per_s: float
    attainable_flop_per_s: float
    roof_share: float
    bound: str  # memory | arithmetic, by the side of the ridge
    time_s: float  # of the step, or of a prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefillRoof:
    """The roof of one accelerator that prefills."""

    accelerator: str
    peak_flop_per_s: float
    peak_16_bit_flop_per_s: float
    memory_bandwidth_bytes_per_s: float
    ridge_intensity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RooflineView:
    """The roof of what decodes; `prefill` is that of instances that read prompts on another kind of SuperNode."""

    name: str
    accelerator: str
    precision: str
    layout: str
    peak_flop_per_s: float
    peak_16_bit_flop_per_s: float
    memory_bandwidth_bytes_per_s: float
    ridge_intensity: float
    prefill: PrefillRoof | None  # None: the same
    points: tuple[RooflinePoint, ...]


def roofline_view(scenario: EvaluatedScenario) -> RooflineView:
    """Prefill and decode on the roofline of the format of the workload.

    Raises
    ------
    ScenarioError : the scenario serves no model
    """
    found = served(scenario, "The roofline of prefill and decode", mixed=True)
    accelerator, machine = found.supernode.accelerator, found.setting.machine
    roof, reading = _roof(found.setting), _roof(found.setting.prefilling)
    return RooflineView(
        name=found.name,
        accelerator=accelerator.name,
        precision=found.setting.workload.precision,
        layout=replica_words(found.replica, found.on),
        peak_flop_per_s=first_of(roof["peak_flop_per_s"]),
        peak_16_bit_flop_per_s=first_of(machine.peak_16_bit_flop_per_s),
        memory_bandwidth_bytes_per_s=first_of(machine.memory_bandwidth_bytes_per_s),
        ridge_intensity=first_of(ridge_intensity(**roof)),
        prefill=_prefill_roof(found),
        points=(*_decode(found, roof), *_prefill(found, reading)),
    )


def _roof(setting: Setting) -> dict[str, Array]:
    """The highest peak that parts of the model are multiplied at, under the cap of its power, and the bandwidth."""
    parts = setting.parts
    experts = first_of(setting.workload.architecture.experts) > 0
    return {
        "peak_flop_per_s": np.maximum(
            parts.dense_peak_flop_per_s, parts.expert_peak_flop_per_s if experts else 0.0
        ),
        "memory_bandwidth_bytes_per_s": setting.machine.memory_bandwidth_bytes_per_s,
    }


def _prefill_roof(found: Served) -> PrefillRoof | None:
    reading = found.setting.reading
    if reading is None:
        return None
    roof = _roof(found.setting.prefilling)
    return PrefillRoof(
        accelerator=all_kinds(found.design)[reading.on or 0].supernode.accelerator.name,
        peak_flop_per_s=first_of(roof["peak_flop_per_s"]),
        peak_16_bit_flop_per_s=first_of(reading.machine.peak_16_bit_flop_per_s),
        memory_bandwidth_bytes_per_s=first_of(roof["memory_bandwidth_bytes_per_s"]),
        ridge_intensity=first_of(ridge_intensity(**roof)),
    )


def _decode(found: Served, roof: dict[str, Array]) -> list[RooflinePoint]:
    setting = found.setting
    m, counts = setting.workload.architecture, parameter_counts(architecture=setting.workload.architecture)
    decode = found.replica.decode
    loads = np.unique(np.round(np.geomspace(1.0, max(float(np.max(found.limit)), 1.0), BATCHES)))
    run = under(found, loads, decode_alone(found))
    batch = run.batch
    tokens = 1 + setting.workload.speculation.tokens
    flop = decode_flop(
        batch=batch,
        step_tokens=tokens,
        model_flop_per_token=work.flop_per_decoded_token(m, counts, sequence_tokens(setting)),
        accelerators=decode.accelerators,
    )
    traffic = decode_traffic(setting, decode, batch)
    return _on_roof("decode", batch, flop, traffic, run.decode_step_s, roof)


def _prefill(found: Served, roof: dict[str, Array]) -> list[RooflinePoint]:
    """One prompt by itself, and several that share a pass as far as its tokens reach."""
    setting, replica = found.setting.prefilling, found.replica
    a, asked = setting.assumptions, setting.workload.requests
    layout = replica.decode if replica.prefill is None else replica.prefill
    length = {"input_tokens": asked.input_tokens, "cached_share": asked.cached_share}
    tokens = np.maximum(new_tokens(**length), 1.0)
    room = max(np.floor(first_of(a.chunk_tokens) / first_of(tokens)), 1.0) * first_of(layout.data_parallel)
    together = np.array([float(count) for count in TOGETHER if count <= room])
    work_of: dict[str, Any] = {"model": setting.model, "parts": setting.parts, "layout": layout, **length}
    run = prefill_of(**work_of, machine=setting.machine, waiting=together, assumptions=a)
    alone = together < 2
    cost = np.broadcast_to(run.cost_s, together.shape)
    if replica.prefill is not None:
        cost = prefill_only_s(prefill_s=cost, ratio=a.disaggregated_prefill_ratio)
    once = passes_alone(tokens=tokens, chunk_tokens=a.chunk_tokens)
    flop, traffic = prompt_work(
        **work_of,
        passes=np.where(alone, once, passes_together(layout, tokens, a.chunk_tokens, together)),
        shared=np.where(alone, 0.0, 1.0),
        assumptions=a,
        host=setting.machine.host,
    )
    seconds = np.where(alone, run.alone_s, cost)
    return _on_roof("prefill", together, flop, traffic, seconds, roof)


def _on_roof(
    phase: str, batch: Array, flop: Array, traffic: Array, time_s: Array, roof: dict[str, Array]
) -> list[RooflinePoint]:
    intensity = arithmetic_intensity(flop=flop, traffic_bytes=traffic)
    columns = np.broadcast_arrays(
        batch,
        intensity,
        achieved_flop_per_s(flop=flop, time_s=time_s),
        attainable_flop_per_s(intensity=intensity, **roof),
        time_s,
    )
    ridge = first_of(ridge_intensity(**roof))
    return [
        RooflinePoint(
            phase=phase,
            batch=float(count),
            arithmetic_intensity=float(point),
            flop_per_s=float(rate),
            attainable_flop_per_s=float(most),
            roof_share=float(rate / most),
            bound="memory" if point < ridge else "arithmetic",
            time_s=float(seconds),
        )
        for count, point, rate, most, seconds in zip(*columns, strict=True)
    ]
