"""All measured runs in a few passes of the one step-time function, as fast as a search over layouts.

Runs of the same structure (shape of the scale-up fabric, experts or none) are stacked: every number of
theirs becomes an array over the runs, and each run is a layout of its own.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import hardware_of
from app.engine.performance.job import Job, job_of
from app.engine.performance.step_time import step_time
from app.engine.performance.strategy import Strategy, strategy_of
from app.engine.specs import SuperNode
from app.validation.training.case import Case

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Stack:
    """Runs of one structure; `position` is where they stand among all."""

    position: NDArray[np.intp]
    job: Job
    supernode: SuperNode
    pod: Any
    fabric: Any
    strategy: Strategy
    assumptions: PerformanceAssumptions


class Batch:
    """Runs that are predicted together, with assumptions of one's own where they are given."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self.cases = tuple(cases)
        self.measured = np.array([case.measured_tokens_per_s for case in cases])
        alike: dict[tuple[Any, ...], list[int]] = defaultdict(list)
        for index, case in enumerate(cases):
            alike[_structure(case)].append(index)
        self._stacks = [_stack_of(self.cases, members) for members in alike.values()]

    def tokens_per_s(self, overrides: Mapping[str, Numbers] | None = None) -> Numbers:
        """Tokens a second and accelerator of every run; `overrides` holds an assumption's value for each."""
        predicted = np.full(len(self.cases), np.nan)
        with np.errstate(all="ignore"):
            for stack in self._stacks:
                chosen = {name: values[stack.position] for name, values in (overrides or {}).items()}
                predicted[stack.position] = _predicted(
                    stack, dataclasses.replace(stack.assumptions, **chosen)
                )
        return predicted


def _predicted(stack: Stack, assumptions: PerformanceAssumptions) -> Numbers:
    workload = stack.job.workload
    hardware = hardware_of(
        workload=workload,
        supernode=stack.supernode,
        pod=stack.pod,
        fabric=stack.fabric,
        assumptions=assumptions,
    )
    step = step_time(job=stack.job, hardware=hardware, strategy=stack.strategy, assumptions=assumptions)
    tokens = workload.global_batch_sequences * workload.sequence_length
    rate: Numbers = tokens / step.step_time_s / stack.pod.accelerators_used
    return rate


def _structure(case: Case) -> tuple[Any, ...]:
    """What decides which operators there are: it cannot differ within one pass."""
    model = case.design.training.architecture
    return (
        case.design.supernode.scale_up_topology,
        model.attention == "mla",
        bool(model.experts[0] > 1),
        bool(model.shared_experts[0] > 0),
        bool(model.expert_layers[0] < model.layers[0]),
    )


def _stack_of(cases: Sequence[Case], members: list[int]) -> Stack:
    chosen = [cases[index] for index in members]
    designs = [case.design for case in chosen]
    used = np.concatenate([design.pod.accelerators_used for design in designs])
    strategy = strategy_of(layout=_stacked([design.layout for design in designs]), accelerators_used=used)
    fabric = {
        name: np.concatenate([np.broadcast_to(getattr(case.fabric, name), (1,)) for case in chosen])
        for name in ("scale_out_bandwidth_bytes_per_s", "oversubscription", "unit_supernodes")
    }
    return Stack(
        position=np.array(members, dtype=np.intp),
        job=job_of(_stacked([design.training for design in designs])),
        # what the scale-up fabric is made of has no bearing on speed, and not every system says it
        supernode=_stacked([dataclasses.replace(design.supernode, scale_up=None) for design in designs]),
        pod=SimpleNamespace(accelerators_used=used, domain_accelerators_used=None),
        fabric=SimpleNamespace(**fabric),
        strategy=dataclasses.replace(strategy, shape_index=np.arange(len(members), dtype=np.intp)),
        assumptions=_stacked([design.assumptions.rooms["performance"] for design in designs]),
    )


def _stacked(parts: list[Any]) -> Any:
    """Records of arrays as one record; what is no number is taken from the first."""
    first = parts[0]
    if isinstance(first, np.ndarray):
        return np.concatenate([np.broadcast_to(part, (1,)) for part in parts])
    if dataclasses.is_dataclass(first) and not isinstance(first, type):
        fields = {field.name for field in dataclasses.fields(first)}
        return type(first)(**{name: _stacked([getattr(part, name) for part in parts]) for name in fields})
    return first
