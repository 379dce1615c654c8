"""Workload of the pod: training, serving or a generic job."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from app.likeness import nearest_names
from app.scenarios.document.architecture import Model
from app.scenarios.document.calibration import CalibrationDocument
from app.scenarios.document.generic import GenericDocument
from app.scenarios.document.serving import ServingDocument
from app.scenarios.document.software import SoftwareDocument
from app.scenarios.fields import Display, Part, Precision, Whole, fault

KINDS = ("training", "serving", "generic")


class TrainingDocument(Part):
    """One training run."""

    kind: Literal["training"] = Field(title="Workload type", description="training, serving or generic.")
    model: Model = Field(title="Model", description="Catalog key of a model, or an inline architecture.")
    tokens: Annotated[float, Field(gt=0, le=1e18)] = Field(
        title="Training tokens", description="Tokens of the whole run."
    )
    sequence_length: Annotated[Annotated[Whole, Field(ge=1, le=100_000_000)], Display(unit="tokens_each")] = (
        Field(title="Sequence length", description="Tokens of one sequence.")
    )
    global_batch_sequences: Annotated[Annotated[Whole, Field(ge=1, le=100_000_000)], Display(unit="seqs")] = (
        Field(title="Global batch size", description="Sequences of one step, over all replicas.")
    )
    prediction_modules: Annotated[Whole, Field(ge=0, le=16)] = Field(
        title="Multi-token-prediction layers",
        default=0,
        description="Multi-token prediction: modules of one layer that predict tokens further ahead while training.",
    )
    precision: Precision = Field(
        title="Precision", default="bf16", description="Number format of the matrix products."
    )
    routing: Literal["balanced", "measured", "worst"] = Field(
        title="Expert load balance",
        default="measured",
        description="How evenly tokens spread over experts: balanced (forced, as in benchmarks), measured (as published "
        "pairs of runs with and without forced balance differ), or worst (dropless, without a balancing loss).",
    )
    software: SoftwareDocument = Field(default=SoftwareDocument(), description="Training software.")
    calibration: CalibrationDocument | None = Field(
        default=None, description="Calibration by own measured runs."
    )


def known_kind(workload: object) -> object:
    """Stops kinds of workload that there are none of."""
    kind = workload.get("kind") if isinstance(workload, dict) else None
    if isinstance(kind, str) and kind not in KINDS:
        near = nearest_names(kind, KINDS, count=1)
        raise fault(
            "one_of",
            f"'{kind[:60]}' must be one of {', '.join(KINDS)}",
            hint=f"did you mean {near}?",
            field="kind",
        )
    return workload


def _kind(workload: Any) -> str:
    kind = workload.get("kind") if isinstance(workload, dict) else getattr(workload, "kind", None)
    return f"<{kind}>" if kind in KINDS else "<training>"


WorkloadDocument = Annotated[
    Annotated[TrainingDocument, Tag("<training>")]
    | Annotated[ServingDocument, Tag("<serving>")]
    | Annotated[GenericDocument, Tag("<generic>")],
    Discriminator(_kind),
]
