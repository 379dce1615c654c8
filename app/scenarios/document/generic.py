"""A workload that is no language model: what one step does, and how its accelerators talk to one another."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from app.scenarios.fields import (
    PERCENT,
    Count,
    Either,
    Line,
    NotNegative,
    Part,
    Positive,
    Share,
    Value,
    Word,
    fault,
)

PATTERNS = ("halo_exchange", "all_to_all", "all_reduce")
GenericPrecision = Literal["fp32", "tf32", "bf16", "fp16", "fp8", "int8"]
Group = Literal["job", "supernode"]


class PatternDocument(Part):
    """Fields common to all communication patterns."""

    group: Group = Field(default="job", description="Who takes part: the whole job, or each SuperNode alone.")
    per_step: Annotated[float, Field(ge=0, le=1e9)] = Field(default=1, description="Times in one step.")
    overlap: Share = Field(
        default=0, description="Share that can run beside arithmetic and memory traffic, 0 to 1."
    )


class HaloExchangeDocument(PatternDocument):
    """Neighbours in a grid of accelerators pass on the edges of their blocks."""

    pattern: Literal["halo_exchange"] = Field(description="Name of the pattern.")
    process_grid: Annotated[
        Annotated[Literal["auto"], Word]
        | Annotated[Annotated[tuple[Count, ...], Field(strict=False, min_length=1, max_length=3)], Value],
        Either,
    ] = Field(
        default="auto",
        description="Accelerators along each axis, or auto: the grid of least surface.",
    )
    grid_points: Annotated[tuple[Positive, ...], Field(strict=False, min_length=1, max_length=3)] | None = (
        Field(
            default=None,
            description="Points along each axis: of the whole grid, or of one accelerator under weak scaling.",
        )
    )
    halo_width: Positive = Field(default=1, description="Points that a halo is deep.")
    bytes_per_point: Positive = Field(default=4, description="Bytes passed on for each point of a halo.")
    face_bytes: Annotated[tuple[NotNegative, ...], Field(strict=False, min_length=1, max_length=3)] | None = (
        Field(default=None, description="Bytes of a face across each axis, in place of grid_points.")
    )
    periodic: bool = Field(default=False, description="Whether the last block is a neighbour of the first.")

    @property
    def dimensions(self) -> int:
        return len(self.grid_points or self.face_bytes or ())

    @model_validator(mode="after")
    def _one_size(self) -> Self:
        if (self.grid_points is None) == (self.face_bytes is None):
            raise fault(
                "one_of",
                "states the size of its faces not once",
                hint="give grid_points or face_bytes, not both",
            )
        if self.process_grid != "auto" and len(self.process_grid) != self.dimensions:
            raise fault(
                "length",
                f"has {len(self.process_grid)} axes where the grid has {self.dimensions}",
                hint="give as many numbers, or auto",
                field="process_grid",
            )
        return self


class AllToAllDocument(PatternDocument):
    """Everybody sends a part of what it has to everybody: a transposition, a shuffle, a sort."""

    pattern: Literal["all_to_all"] = Field(description="Name of the pattern.")
    bytes: NotNegative = Field(
        description="Bytes that are redistributed: of the whole job, or of one accelerator under weak scaling."
    )


class AllReduceDocument(PatternDocument):
    """Everybody ends with the sum of all: a norm, a dot product, a histogram."""

    pattern: Literal["all_reduce"] = Field(description="Name of the pattern.")
    bytes: NotNegative = Field(description="Bytes of the result, which every accelerator ends with.")


def _pattern_name(value: Any) -> Any:
    name = value.get("pattern") if isinstance(value, dict) else getattr(value, "pattern", None)
    return f"<{name}>" if name in PATTERNS else "<halo_exchange>"


def _known_pattern(value: Any) -> Any:
    if isinstance(value, dict) and "pattern" in value and value["pattern"] not in PATTERNS:
        raise fault(
            "one_of", f"must be one of {', '.join(PATTERNS)}", hint="see docs/generic.md", field="pattern"
        )
    return value


Communication = Annotated[
    Annotated[HaloExchangeDocument, Tag("<halo_exchange>")]
    | Annotated[AllToAllDocument, Tag("<all_to_all>")]
    | Annotated[AllReduceDocument, Tag("<all_reduce>")],
    Discriminator(_pattern_name),
    BeforeValidator(_known_pattern),
]


class GenericDocument(Part):
    """A simulation, an analysis or any other job of many equal steps."""

    kind: Literal["generic"] = Field(
        title="Workload type", description="generic: what one step computes, moves and exchanges."
    )
    name: Line = Field(title="Job name", default="Generic job", description="Name of the job.")
    scaling: Literal["strong", "weak"] = Field(
        title="Scaling",
        default="strong",
        description="strong: amounts are of the whole job and divided. weak: each accelerator has them.",
    )
    flop_per_step: NotNegative = Field(
        title="FLOP per step", description="Floating-point operations of one step."
    )
    memory_traffic_per_step_bytes: NotNegative = Field(
        title="Memory traffic per step",
        description="Bytes read from and written to accelerator memory in one step.",
    )
    memory_held_bytes: NotNegative = Field(
        title="Memory footprint", description="Accelerator memory that the job holds."
    )
    steps: Annotated[float, Field(gt=0, le=1e18)] = Field(
        title="Steps", description="Steps of the whole run."
    )
    precision: GenericPrecision = Field(title="Precision", description="Number format of the arithmetic.")
    communication: Annotated[tuple[Communication, ...], Field(strict=False, max_length=20)] = Field(
        default=(), description="Patterns of every step."
    )
    compute_efficiency: Annotated[Annotated[float, Field(gt=0, le=1)] | None, PERCENT] = Field(
        title="Compute efficiency",
        default=None,
        description="Share of the dense peak that its kernels sustain where memory does not limit.",
    )
    load_imbalance: Annotated[float, Field(ge=1, le=1_000)] = Field(
        title="Load imbalance (max / mean)",
        default=1,
        description="Load imbalance: time of the slowest accelerator over the mean.",
    )
    checkpoint_held_share: Share = Field(
        title="Checkpointed share of memory",
        default=1,
        description="Share of the memory held that a checkpoint has to save.",
    )
    dataset_bytes: NotNegative = Field(
        title="Dataset size", default=0, description="Input and output that lie on shared storage."
    )
