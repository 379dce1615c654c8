"""The shapes of validation answers."""

from __future__ import annotations

from pydantic import Field

from app.surfaces.rest.catalog_models import Answer


class ErrorsAnswer(Answer):
    """Errors of some runs as fractions: predicted over measured, less one."""

    runs: int
    median_abs_error: float
    p90_abs_error: float
    bias: float = Field(description="The error in the middle.")
    within_20_pct: float = Field(description="Share of the runs.")
    low_error: float = Field(description="One of ten errors lies below.")
    high_error: float = Field(description="One of ten errors lies above.")
    held: float = Field(description="Share of the runs that lie in their 80 % interval.")


class GroupErrorsAnswer(Answer):
    """Runs that have something in common."""

    name: str
    errors: ErrorsAnswer


class GroupingErrorsAnswer(Answer):
    """A way to part the runs."""

    name: str
    groups: list[GroupErrorsAnswer]


class ValidatedRunAnswer(Answer):
    """A published run beside what the engine says of it. Speeds are tokens a second and accelerator."""

    id: str
    source: str
    model: str
    accelerator_key: str
    generation: str
    framework: str
    precision: str
    architecture: str
    accelerators: int
    parameters: float = Field(description="Billions.")
    active_parameters: float = Field(description="Billions.")
    sequence_length: int
    software_date: str = Field(description="Empty where nobody says.")
    measured_tokens_per_s: float
    predicted_tokens_per_s: float
    error: float
    low_tokens_per_s: float = Field(description="Lower end of the 80 % interval.")
    high_tokens_per_s: float = Field(description="Upper end of the 80 % interval.")
    held: bool = Field(description="Whether the measurement lies in the interval.")
    assumed: list[str] = Field(description="What stands for what its source leaves open.")
    href: str = Field(description="The page that explains it.")


class TrainingErrorsAnswer(Answer):
    """Errors of the training speed."""

    basis: str
    errors: ErrorsAnswer | None = Field(description="Of all runs; null where none is installed.")
    errors_by_source: ErrorsAnswer | None = Field(description="The same, every source counting as much.")
    groupings: list[GroupingErrorsAnswer]
    runs: list[ValidatedRunAnswer]


class ValidatedCollectiveAnswer(Answer):
    """A measured collective beside what the engine says of it. Times are microseconds."""

    id: str
    system: str
    accelerator_key: str
    generation: str
    collective: str
    level: str = Field(description="scale-up or scale-out.")
    library: str = Field(description="As its source prints it.")
    ranks: int
    domains: int = Field(description="Scale-up domains that the ranks lie in.")
    message_bytes: float | None = Field(description="Null for experts, who are sent tokens.")
    tokens: int | None = Field(description="Of one rank; null for all but experts.")
    measured_us: float
    predicted_us: float
    error: float
    low_us: float = Field(description="Lower end of the 80 % interval.")
    high_us: float = Field(description="Upper end of the 80 % interval.")
    held: bool = Field(description="Whether the measurement lies in the interval.")
    assumed: list[str] = Field(description="What stands for what its source leaves open.")
    href: str = Field(description="The page that explains it.")


class CollectiveErrorsAnswer(Answer):
    """Errors of the time of collectives."""

    basis: str
    errors: ErrorsAnswer | None = Field(description="Of all measurements; null where none is installed.")
    errors_by_system: ErrorsAnswer | None = Field(description="The same, every system counting as much.")
    groupings: list[GroupingErrorsAnswer]
    measurements: list[ValidatedCollectiveAnswer]


class ScalingFigureAnswer(Answer):
    """A figure that a paper prints of its law, beside ours."""

    id: str
    law: str
    case: str
    quantity: str
    input: str
    published: float
    computed: float = Field(description="By the laws of the catalog.")
    error: float = Field(description="Ours over the published one, less one.")
    agrees: bool = Field(description="Whether both are within 1 %.")
    explained: str = Field(description="Why they differ; empty where they agree, or where nobody knows.")
    source: str


class ScalingErrorsAnswer(Answer):
    """Published figures of scaling laws beside ours."""

    figures: int
    within_1_pct: int
    explained: int = Field(description="Figures that differ for a known reason.")
    unexplained: int
    items: list[ScalingFigureAnswer]


class FabricCountAnswer(Answer):
    """A count that a design prints, beside ours."""

    column: str = Field(description="Of the file of reference designs.")
    printed: int
    computed: int | None = Field(description="Null where nothing gives it.")


class PublishedFabricAnswer(Answer):
    """A published fabric beside the one that its inputs give."""

    id: str
    system: str
    fabric: str = Field(description="compute, or scale-up with its link.")
    topology: str
    confidence: str
    exact: bool = Field(description="Whether every printed count comes out.")
    counts: list[FabricCountAnswer]
    flagged: list[str] = Field(description="Why it cannot be right as printed, or is no target.")
    assumed: list[str] = Field(description="What stands for what its source leaves open.")
    source: str


class LeftOutFabricAnswer(Answer):
    """A published fabric that cannot be computed."""

    id: str
    reason: str


class FabricErrorsAnswer(Answer):
    """Published fabrics beside ours."""

    rows: int
    computed: int
    exact: int
    flagged: int
    items: list[PublishedFabricAnswer]
    unsupported: list[LeftOutFabricAnswer]
