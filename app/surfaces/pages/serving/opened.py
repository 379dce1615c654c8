"""A design whose serving is looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import Depends, HTTPException, Response

from app.scenarios.document.serving import ServingDocument
from app.scenarios.document.serving_requests import SessionsDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.surfaces.pages.download import download
from app.surfaces.pages.opened import OpenedDesign, opening
from app.views.serving.needs_text import FORMATS
from app.views.serving.served import LATENCIES, served

View = TypeVar("View")

UNPROCESSABLE = 422


OpenedDep = Annotated[OpenedDesign, Depends(opening("serving"))]


def view_of(opened: OpenedDesign, make: Callable[[EvaluatedScenario], View]) -> tuple[View | None, str]:
    """What a tab shows of a design; or nothing, with the words why: the design serves no model."""
    if opened.scenario is None:
        return None, ""
    try:
        return make(opened.scenario), ""
    except ScenarioError as error:
        return None, error.errors[0].words


def refusal(opened: OpenedDesign, purpose: str, needs: tuple[str, ...] = LATENCIES) -> str:
    """Why there is nothing to show of a design, "" where there is; `purpose` begins the words."""
    return view_of(opened, lambda scenario: served(scenario, purpose, needs, mixed=True))[1]


def of_sessions(opened: OpenedDesign) -> bool:
    """Return whether requests of a design are turns of sessions."""
    workload = opened.scenario.document.workload if opened.scenario is not None else None
    return isinstance(workload, ServingDocument) and isinstance(workload.requests, SessionsDocument)


def file_answer(
    opened: OpenedDesign, tab: str, format: str, make: Callable[[EvaluatedScenario], View]
) -> Response:
    """A tab as a file.

    Raises
    ------
    HTTPException : no such kind of file, 404; or nothing to write, 422
    """
    if format not in FORMATS:
        raise HTTPException(404, f"There is no file of the kind {format[:40]} of this.")
    if opened.scenario is None:
        raise HTTPException(422, opened.carried.refusal)
    try:
        view = make(opened.scenario)
    except ScenarioError as error:
        raise HTTPException(422, error.errors[0].words) from error
    return download(FORMATS[format], view, f"{opened.carried.title} {tab}")


def files(opened: OpenedDesign, tab: str, query: dict[str, str] | None = None) -> list[tuple[str, str]]:
    """Title and address of every kind of file of a tab."""
    return [
        (one.title, opened.file_address(tab, {"format": one.name, **(query or {})}))
        for one in FORMATS.values()
    ]
