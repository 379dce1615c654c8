"""The parts of a step, and the groups and colours people see them in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.engine.quantities import short_label_at


class Group(NamedTuple):
    """Parts of `performance.time_breakdown_s` that share a colour."""

    label: str
    slot: str
    parts: tuple[str, ...]


PARTS = "performance.time_breakdown_s"
CALIBRATION = "calibration"
"""Time of own runs beyond the other parts, or below 0 less: a correction, in no group."""

ARITHMETIC = Group("Arithmetic", "c1", ("gemm", "attention"))
MEMORY_BOUND = Group("Memory-bound kernels", "c6", ("memory_bound",))
MODEL_PARALLEL = Group("Model-parallel traffic", "c2", ("tp", "cp", "ep", "pp_transfer"))
WAITING = Group("Bubble and stragglers", "c4", ("pp_bubble", "straggler"))
DATA_PARALLEL = Group("Data-parallel traffic", "c3", ("dp",))
OPTIMISER = Group("Optimiser", "c5", ("optimizer",))
OTHER = Group(
    "Recompute, offload, launches, prediction", "c7", ("recompute", "offload", "launch", "prediction")
)

STEP_GROUPS = (ARITHMETIC, MEMORY_BOUND, MODEL_PARALLEL, WAITING, DATA_PARALLEL, OPTIMISER, OTHER)

GENERIC_GROUPS = (
    Group("Arithmetic", "c1", ("arithmetic",)),
    Group("Further memory traffic", "c6", ("memory_traffic",)),
    Group("Halo exchange", "c2", ("halo_exchange",)),
    Group("All-to-all", "c3", ("all_to_all",)),
    Group("All-reduce", "c5", ("all_reduce",)),
    Group("Load imbalance", "c4", ("load_imbalance",)),
)
"""Parts of a step that is no step of an optimiser."""
GENERIC_TRAFFIC = ("halo_exchange", "all_to_all", "all_reduce")
GENERIC_CARD_GROUPS = (
    GENERIC_GROUPS[0],
    Group("Traffic", "c2", GENERIC_TRAFFIC),
    Group("Waiting", "c4", ("load_imbalance",)),
    Group("Memory", "c6", ("memory_traffic",)),
)

SERVING_GROUPS = (
    Group(
        "Matrix products and guesses",
        "c1",
        ("dense_matmul", "output_head", "guessing", "host_weights", "adapters"),
    ),
    Group("Routed experts", "c3", ("experts",)),
    Group("Attention", "c6", ("attention",)),
    Group("Exchange between ranks", "c2", ("all_reduce", "expert_exchange", "stage_exchange", "stage_wait")),
    Group("Kernel launches", "c7", ("launch",)),
    Group("Scheduling and sampling", "c4", ("step_overhead", "sequence_overhead")),
    Group("Prefill of others", "c5", ("prefill_interference",)),
)
"""Parts of the time of one output token."""
SERVING_CARD_GROUPS = (
    Group(
        "Models and attention",
        "c1",
        ("dense_matmul", "output_head", "experts", "attention", "guessing", "host_weights", "adapters"),
    ),
    SERVING_GROUPS[3],
    Group("Launches and scheduling", "c7", ("launch", "step_overhead", "sequence_overhead")),
    SERVING_GROUPS[6],
)

CARD_GROUPS = (
    Group("Arithmetic", "c1", ARITHMETIC.parts),
    Group("Traffic", "c2", MODEL_PARALLEL.parts + DATA_PARALLEL.parts),
    Group("Waiting", "c4", WAITING.parts),
    Group("Memory", "c6", MEMORY_BOUND.parts),
    Group("Other", "c7", OPTIMISER.parts + OTHER.parts),
)


def group_seconds(breakdown: Mapping[str, float | None], group: Group) -> float | None:
    """Seconds of a group. None when any part is unknown; a part the engine has not named is 0."""
    values = [breakdown.get(part, 0.0) for part in group.parts]
    return None if any(value is None for value in values) else sum(value or 0.0 for value in values)


def step_groups(breakdown: Mapping[str, float]) -> tuple[Group, ...]:
    """The groups that the parts of a step are shown in."""
    if "dense_matmul" in breakdown:
        return SERVING_GROUPS
    return GENERIC_GROUPS if "arithmetic" in breakdown else STEP_GROUPS


def card_groups(breakdown: Mapping[str, float]) -> tuple[Group, ...]:
    """The same in the few groups of a card."""
    if "dense_matmul" in breakdown:
        return SERVING_CARD_GROUPS
    return GENERIC_CARD_GROUPS if "arithmetic" in breakdown else CARD_GROUPS


def predicted_step_s(breakdown: Mapping[str, float]) -> float:
    """The step as it was predicted: every part but the correction by own runs."""
    return sum(seconds for part, seconds in breakdown.items() if part != CALIBRATION)


def complete_breakdown(breakdown: object) -> dict[str, float] | None:
    """The breakdown when every part of it is known, else None."""
    if not isinstance(breakdown, dict) or not breakdown:
        return None
    if any(value is None for value in breakdown.values()):
        return None
    return dict(breakdown)


def part_label(name: str) -> str:
    """Label of a part of a step.

    >>> part_label("tp")
    'Tensor-parallel traffic'
    """
    return short_label_at(f"{PARTS}.{name}")
