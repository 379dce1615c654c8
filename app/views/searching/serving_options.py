"""What a search of a served model is asked for: modes, formats and hardware, what comes first, and what is held."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from app.engine.performance.serving.search.space import ServingSpace
from app.scenarios.document.serving_parts import ServingPrecision
from app.scenarios.fields import Key, Part, Positive, Whole, each_once, fault
from app.views.economics.systems_compared import MOST_SYSTEMS

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


def _held(held: dict[str, list[Any]]) -> dict[str, list[Any]]:
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
    hold: Annotated[dict[str, list[Any]], AfterValidator(_held)] = Field(
        default={},
        description="Values that a degree of the answering instance may take, such as tp: [4, 8]. Pipeline stages "
        "are tried where the memory needs them, or as they are named here.",
    )
    top: Annotated[Whole, Field(ge=1, le=100)] = Field(
        default=10, description="How many of the best to list, one of each layout."
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
