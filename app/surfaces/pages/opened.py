"""A section of a design's workspace that is a page of a room: the scenario that the address carries,
evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import RedirectResponse

from app.catalog.lookup import Catalog
from app.saved.store import SavedWork
from app.scenarios.evaluation.service import EvaluatedScenario
from app.surfaces.pages.designs import Designs, DesignsDep
from app.surfaces.pages.later import PART_HEADER, SectionComesLaterError, comes_later
from app.surfaces.pages.saved.head import head_of
from app.surfaces.pages.saved.rights import ReadDep
from app.surfaces.pages.studio.carried import Carried, carried
from app.surfaces.pages.studio.page import Studio, studio
from app.surfaces.pages.workspace import first_of


class OpenedDesign(NamedTuple):
    """`scenario` is None where the scenario of the address cannot be used; `carried.refusal` says why."""

    room: str
    carried: Carried
    scenario: EvaluatedScenario | None
    catalog: Catalog
    is_part: bool  # asked for by a workspace that is open already
    designs: Designs
    work: SavedWork

    @property
    def serves(self) -> bool:
        """Return whether the scenario is of a pod that serves, which has no run."""
        return self.scenario is not None and getattr(self.scenario.document.workload, "kind", "") == "serving"

    def address(self, tab: str) -> str:
        """Where a tab of this design is, with what is not saved."""
        return f"/{self.room}/{self.carried.key}/{tab}{self.carried.query}"

    def file_address(self, tab: str, query: Mapping[str, str]) -> str:
        """Where a file of a tab is, with what is not saved."""
        state = {"s": self.carried.state} if self.carried.state else {}
        return f"/{self.room}/{self.carried.key}/{tab}/file?{urlencode({**query, **state})}"

    @property
    def frame(self) -> str:
        """The template around the section: the workspace, or nothing where that is open already."""
        return "part.html" if self.is_part else "workspace.html"

    def studio(self) -> Studio:
        """The inputs and key figures that the section is shown with."""
        key = self.carried.key
        return studio(self.designs, key, self.carried.values, saved=head_of(self.work, key))


def opening(room: str) -> Callable[..., OpenedDesign]:
    """A dependency of the pages of a room: the design of an address, 404 where there is none."""

    def opened_design(
        key: str, request: Request, source: DesignsDep, work: ReadDep, s: str = ""
    ) -> OpenedDesign:
        try:
            shown, own = carried(source, key, s), source.of(key)
            scenario = own.scenario(shown.scenario) if shown.scenario else None
        except KeyError as error:
            raise HTTPException(404, f"There is no design {key}.") from error
        part = PART_HEADER in request.headers
        found = OpenedDesign(room, shown, scenario, own.catalog(), part, source, work)
        if scenario is not None and comes_later(request, room):
            raise SectionComesLaterError(found)
        return found

    return opened_design


def first_section(room: str) -> APIRouter:
    """The address of a room: it leads to the first of its pages."""
    router, opened_design = APIRouter(include_in_schema=False), opening(room)

    @router.get(f"/{room}/{{key}}", name=room)
    def first(key: str, request: Request, source: DesignsDep, work: ReadDep, s: str = "") -> RedirectResponse:
        page = first_of(room).place.rpartition("/")[2]
        return RedirectResponse(opened_design(key, request, source, work, s).address(page), 303)

    return router
