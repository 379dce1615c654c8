"""How right the engine is: its errors on published measurements."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from app.api.catalog_models import Answer
from app.api.conditional import conditional, content_etag
from app.api.documented import ETAG, IF_NONE_MATCH, NOT_MODIFIED, problem_answers, query_parameter
from app.api.parameters import only, parameter_problem
from app.api.problem_types import INVALID_PARAMETER
from app.catalog.validated_runs import validated_runs
from app.scenarios.errors import shorten
from app.validation.published.basis import ACCELERATOR, BASES, Basis, Judged, judged
from app.validation.published.groups import GROUPINGS, groups
from app.validation.published.summary import summary_of

router = APIRouter(prefix="/validation", tags=["validation"])

GivenBasis = Annotated[dict[str, str], only("basis")]
BASIS = query_parameter(
    "basis",
    "By which fit runs are predicted: "
    + "; ".join(f"`{basis.key}`, {basis.says}" for basis in BASES.values())
    + ".",
    {"type": "string", "enum": list(BASES), "default": ACCELERATOR.key},
)


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


@router.get(
    "/training",
    summary="Read how right training speeds are",
    response_model=TrainingErrorsAnswer,
    response_description="Errors of all published runs, by group and run by run.",
    responses={200: {"headers": ETAG}, 304: NOT_MODIFIED, **problem_answers(INVALID_PARAMETER)},
    openapi_extra={"parameters": [BASIS, IF_NONE_MATCH]},
)
def read_training_errors(request: Request, given: GivenBasis) -> Response:
    """Every published training run that the engine is held against, measured and predicted, and the errors in a
    few numbers. Left alone, each run is predicted with constants that were fitted without its accelerator.
    """
    name = given.get("basis", ACCELERATOR.key)
    if name not in BASES:
        message = f"{shorten(name)} is not a fit to predict by."
        raise parameter_problem("basis", "one_of", message, f"Fits: {', '.join(BASES)}.")
    content = _training_errors(BASES[name])
    return conditional(request, content_etag(content), lambda: (content, {}))


def _training_errors(basis: Basis) -> dict[str, Any]:
    everything = judged(validated_runs(), basis)
    return {
        "basis": basis.key,
        "errors": _errors(everything),
        "errors_by_source": _errors(everything, sources_equal=True),
        "groupings": [
            {
                "name": name,
                "groups": [
                    {"name": group.name, "errors": _errors(group.members)}
                    for group in groups(everything, grouping)
                ],
            }
            for name, grouping in GROUPINGS.items()
        ],
        "runs": [_run(one) for one in everything],
    }


def _errors(members: Sequence[Judged], *, sources_equal: bool = False) -> dict[str, Any] | None:
    summary = summary_of(members, sources_equal=sources_equal)
    return dataclasses.asdict(summary) if summary else None


def _run(one: Judged) -> dict[str, Any]:
    values = dataclasses.asdict(one.run) | {
        "predicted_tokens_per_s": one.predicted_tokens_per_s,
        "error": one.error,
        "held": one.held,
        "href": f"/validation/training/{one.run.id}",
    }
    return {name: values[name] for name in ValidatedRunAnswer.model_fields}
