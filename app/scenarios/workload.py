"""What the pod is for: training, or a generic job. Serving is known and refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from app.scenarios.architecture import InlineArchitecture
from app.scenarios.calibration import CalibrationDocument
from app.scenarios.fields import Either, Key, Part, Precision, Value, Whole, Word, fault
from app.scenarios.generic import GenericDocument
from app.scenarios.software import SoftwareDocument

NOT_BUILT = ("serving",)
KINDS = ("training", "generic")

Model = Annotated[Annotated[Key, Word] | Annotated[InlineArchitecture, Value], Either]


class TrainingDocument(Part):
    """One training run."""

    kind: Literal["training"] = Field(description="training, or generic; serving is not built yet.")
    model: Model = Field(description="Catalog key of a model, or an inline architecture.")
    tokens: Annotated[float, Field(gt=0, le=1e18)] = Field(description="Tokens of the whole run.")
    sequence_length: Annotated[Whole, Field(ge=1, le=100_000_000)] = Field(
        description="Tokens of one sequence."
    )
    global_batch_sequences: Annotated[Whole, Field(ge=1, le=100_000_000)] = Field(
        description="Sequences of one step, over all replicas."
    )
    prediction_modules: Annotated[Whole, Field(ge=0, le=16)] = Field(
        default=0,
        description="Multi-token prediction: modules of one layer that predict tokens further ahead while training.",
    )
    precision: Precision = Field(default="bf16", description="Number format of the matrix products.")
    software: SoftwareDocument = Field(default=SoftwareDocument(), description="What it is trained with.")
    calibration: CalibrationDocument | None = Field(
        default=None, description="What own runs measured against what is predicted."
    )


def refuse_unbuilt(workload: object) -> object:
    """Stops kinds of workload that the document knows and the engine cannot do yet."""
    kind = workload.get("kind") if isinstance(workload, dict) else None
    if isinstance(kind, str) and kind in NOT_BUILT:
        raise fault(
            "not_built",
            f"'{kind}' is not built yet",
            hint="what works is kind: training or generic",
            field="kind",
        )
    return workload


def _kind(workload: Any) -> str:
    kind = workload.get("kind") if isinstance(workload, dict) else getattr(workload, "kind", None)
    return "<generic>" if kind == "generic" else "<training>"


WorkloadDocument = Annotated[
    Annotated[TrainingDocument, Tag("<training>")] | Annotated[GenericDocument, Tag("<generic>")],
    Discriminator(_kind),
]
