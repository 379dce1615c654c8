"""Measured runs that are kept with the workspace, to correct whatever is designed for their deployment."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response
from pydantic import Field

from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.documented import problem_answers
from app.surfaces.rest.origin import refuse_foreign_site
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import (
    DATABASE_BUSY,
    FOREIGN_SITE,
    INVALID_PARAMETER,
    NOT_FOUND,
    NOT_READY,
    READ_ONLY,
)
from app.surfaces.rest.problems import ProblemError, json_response
from app.surfaces.rest.saved.answers import time_text
from app.surfaces.rest.services import ServicesDep
from app.validation.calibration.kept import KeptRun, NoKeptRunError

router = APIRouter(prefix="/own-runs", tags=["calibrations"])

# PostgreSQL keeps the id in 32 bits and refuses to compare it with more.
RunId = Annotated[int, Path(ge=1, le=2**31 - 1, description="id, as the list gives it.", examples=[1])]


class DeploymentAnswer(Answer):
    """Properties that runs share with a scenario that they correct."""

    accelerator: str
    framework: str
    precision: str


class OwnRunAnswer(Answer):
    """A run that is kept."""

    id: int
    scenario: str = Field(description="Name of the run.")
    deployment: DeploymentAnswer
    source: str = Field(description="Where the measurement stands.")
    measured_tokens_per_s_per_accelerator: float
    kept_at: str


class OwnRunsAnswer(Answer):
    """All runs that are kept, the newest first."""

    items: list[OwnRunAnswer]


@router.get(
    "",
    summary="List kept runs",
    response_model=OwnRunsAnswer,
    response_description="All kept runs, the newest first.",
    responses=problem_answers(INVALID_PARAMETER, NOT_READY),
    dependencies=[only()],
)
def list_own_runs(found: ServicesDep) -> Response:
    """Measured runs that `POST /calibrations` with `keep`, the calibration page or `podwright calibrate --keep` kept
    with the workspace. A run corrects every scenario of its deployment that is calibrated with `use_kept`.
    """
    return json_response({"items": [_answer(run) for run in found.own_runs.listed()]})


@router.delete(
    "/{id}",
    summary="Remove a kept run",
    status_code=204,
    response_description="It is gone.",
    responses=problem_answers(
        INVALID_PARAMETER, NOT_FOUND, FOREIGN_SITE, READ_ONLY, DATABASE_BUSY, NOT_READY
    ),
    dependencies=[only(), Depends(refuse_foreign_site)],
)
def remove_own_run(id: RunId, found: ServicesDep) -> Response:
    """A run that is removed corrects nothing more; what scenarios state already stays as it is."""
    try:
        found.own_runs.remove(id)
    except NoKeptRunError as error:
        raise ProblemError(NOT_FOUND, str(error)) from None
    return Response(status_code=204)


def _answer(run: KeptRun) -> dict[str, object]:
    return {
        "id": run.id,
        "scenario": run.scenario,
        "deployment": run.deployment,
        "source": run.source,
        "measured_tokens_per_s_per_accelerator": run.measured_tokens_per_s,
        "kept_at": time_text(run.kept_at),
    }
