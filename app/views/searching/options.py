"""Options of a search: space, objective and fixed axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from app.engine.performance.context_exchange import CONTEXT_EXCHANGES
from app.engine.performance.memory_tiers import TIERS
from app.engine.performance.schedules import CODES
from app.engine.performance.serving.search.space import ServingSpace
from app.engine.performance.space import (
    ACTIVATIONS_AWAY,
    BOTH_AWAY,
    FULL,
    KEPT,
    NONE,
    SELECTIVE,
    STATES_AWAY,
    USUAL,
    WHOLE,
    Space,
)
from app.scenarios.document.layout import COUNTS, SWITCHES
from app.scenarios.document.serving_parts import ServingPrecision
from app.scenarios.fields import Key, Part, Positive, Whole, each_once, fault
from app.views.economics.systems_compared import MOST_SYSTEMS

Objective = Literal["step_time", "memory", "cost", "energy", "accelerators"]
OVER_SIZES = ("cost", "energy", "accelerators")
"""Objectives that compare pods: for one pod cost and energy of a token go with the step time."""

WORDS: dict[str, tuple[str, dict[str, float]]] = {
    "recompute": ("recompute", {"none": NONE, "selective": SELECTIVE, "full": FULL}),
    "inside": ("pipeline_inside", {"data": 0.0, "pipeline": 1.0}),
    "offload": (
        "offload",
        {"none": KEPT, "optimizer": STATES_AWAY, "activations": ACTIVATIONS_AWAY, "both": BOTH_AWAY},
    ),
    "offload_to": ("offload_tier", {word: code for code, word in TIERS.items()}),
    "context": ("context_exchange", {word: code for code, word in CONTEXT_EXCHANGES.items()}),
    "schedule": ("schedule", CODES),
}
OR_WORD = {"shard_group": ("shard_ranks", "all"), "etp": ("expert_tensor_ranks", "auto")}
"""Axes that take whole numbers above one, or a word that the engine has as 0."""
NUMBERS = (*COUNTS, *OR_WORD)
AXES = (*NUMBERS, *SWITCHES, *WORDS)


def _held(held: dict[str, list[Any]]) -> dict[str, list[Any]]:
    for name, values in held.items():
        if name not in AXES:
            raise fault(
                "unknown_key",
                f"has {name[:60]!r}, which is no axis of a layout",
                hint=f"axes are {', '.join(AXES)}",
            )
        if not 1 <= len(values) <= 100:
            raise fault("length", f"{name} has {len(values)} values", hint="give 1 to 100 of them")
        for value in values:
            _axis_value(name, value)
    return held


def _axis_value(name: str, value: Any) -> float:
    if name in OR_WORD and value == OR_WORD[name][1]:
        return 0.0
    if name in NUMBERS:
        least = 2 if name in OR_WORD else 0 if name == "zero_stage" else 1
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or value < least
            or value != int(value)
        ):
            others = f"{OR_WORD[name][1]}, or " if name in OR_WORD else ""
            hint = f"give {others}whole numbers from {least} up"
            raise fault("whole", f"{name} is {str(value)[:60]!r}", hint=hint)
        return float(value)
    if name in SWITCHES:
        if not isinstance(value, bool):
            raise fault("switch", f"{name} is {str(value)[:60]!r}", hint="give true or false")
        return float(value)
    words = WORDS[name][1]
    if not isinstance(value, str) or value not in words:
        raise fault("word", f"{name} is {str(value)[:60]!r}", hint=f"choose of {', '.join(words)}")
    return words[value]


class SearchOptions(Part):
    """Options of a search."""

    objective: Objective = Field(
        default="step_time",
        description="What comes first: the shortest step_time, the least memory, or over numbers of SuperNodes "
        "the least cost of a token, energy of a token, or accelerators that meet the deadline.",
    )
    space: Literal["whole", "usual"] = Field(
        default="whole", description="whole: every layout. usual: those that parallelism auto looks through."
    )
    hold: Annotated[dict[str, list[Any]], AfterValidator(_held)] = Field(
        default={},
        description="Values that an axis of the layout may take, such as tp: [4, 8]. Groups of shards (shard_group), "
        "offload, context exchange other than ring and schedules other than 1f1b are looked at only where they are named here; offload_to alone asks for "
        "offload of every kind.",
    )
    top: Annotated[Whole, Field(ge=1, le=100)] = Field(
        default=10, description="Number of best results to list."
    )
    deadline_days: Positive | None = Field(
        default=None, description="Days that the run may take in all; needed for the objective accelerators."
    )


def space_of(options: SearchOptions) -> Space:
    """The space that the options leave."""
    base = WHOLE if options.space == "whole" else USUAL
    held = _engine_axes(options.hold)
    if "offload_tier" in held:  # a stated tier asks for offload
        held.setdefault("offload", tuple(WORDS["offload"][1].values()))
    return Space(
        shortest_chunk_tokens=base.shortest_chunk_tokens,
        tensor_in_domain=base.tensor_in_domain,
        only={**base.only, **held},
    )


def _engine_axes(held: Mapping[str, list[Any]]) -> dict[str, tuple[float, ...]]:
    names = (
        COUNTS
        | {name: engine for name, (engine, _) in OR_WORD.items()}
        | {name: name for name in SWITCHES}
        | {name: engine for name, (engine, _) in WORDS.items()}
    )
    return {names[name]: tuple(_axis_value(name, value) for value in values) for name, values in held.items()}


ServingObjective = Literal["throughput", "cost", "energy", "speed"]
ServingMode = Literal["aggregated", "disaggregated"]
SERVING_AXES = {
    "tp": "tensor_parallel",
    "dp": "data_parallel",
    "pp": "pipeline_parallel",
    "ep": "expert_parallel",
}
"""Degrees that can be held, of the instance that answers, and their names in the engine."""
MOST_VALUES, LARGEST = 100, 1_000_000
MOST_FORMATS = 7


def _serving_options_held(held: dict[str, list[Any]]) -> dict[str, list[Any]]:
    for name, values in held.items():
        if name not in SERVING_AXES:
            raise fault(
                "unknown_key",
                f"has {name[:60]!r}, which is no degree of an instance",
                hint=f"degrees are {', '.join(SERVING_AXES)}",
            )
        if not 1 <= len(values) <= MOST_VALUES:
            raise fault("length", f"{name} has {len(values)} values", hint=f"give 1 to {MOST_VALUES} of them")
        for value in values:
            if isinstance(value, bool) or not isinstance(value, int | float) or not _whole(value):
                hint = f"give whole numbers from 1 to {LARGEST:,}"
                raise fault("whole", f"{name} is {str(value)[:60]!r}", hint=hint)
    return held


def _whole(value: float) -> bool:
    return 1 <= value <= LARGEST and value == int(value)


class ServingSearchOptions(Part):
    """Options of a search of a served model."""

    objective: ServingObjective = Field(
        default="throughput",
        description="What comes first of all that keeps the service level: most output tokens for an accelerator "
        "(throughput) or for a user (speed), or the least cost or energy of a token.",
    )
    modes: Annotated[
        tuple[ServingMode, ...], Field(strict=False, min_length=1, max_length=2), AfterValidator(each_once)
    ] = Field(
        default=("aggregated", "disaggregated"),
        description="aggregated: instances that read prompts and answer; disaggregated: some read, others answer.",
    )
    formats: Annotated[
        tuple[ServingPrecision, ...], Field(strict=False, max_length=MOST_FORMATS), AfterValidator(each_once)
    ] = Field(
        default=(),
        description="Number formats to try beside workload.precision; each has its usual parts, as far as the "
        "accelerator has units for it.",
    )
    hardware: Annotated[
        tuple[Key, ...], Field(strict=False, max_length=MOST_SYSTEMS), AfterValidator(each_once)
    ] = Field(
        default=(),
        description="Catalog keys of systems to try beside the scenario's own, each with as many accelerators.",
    )
    power_limit_w: Positive | None = Field(
        default=None,
        description="Power at the utility meter: what serves most within it is listed as within_power.",
    )
    hold: Annotated[dict[str, list[Any]], AfterValidator(_serving_options_held)] = Field(
        default={},
        description="Values that a degree of the answering instance may take, such as tp: [4, 8]. Pipeline stages "
        "are tried where the memory needs them, or as they are named here.",
    )
    top: Annotated[Whole, Field(ge=1, le=100)] = Field(
        default=10, description="Number of the best to list, one of each layout."
    )


def serving_space(options: ServingSearchOptions) -> ServingSpace:
    """The space that the options leave."""
    return ServingSpace(
        modes=options.modes,
        only={
            SERVING_AXES[name]: tuple(float(value) for value in values)
            for name, values in options.hold.items()
        },
    )
