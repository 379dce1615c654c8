"""A design that is looked at in detail, a tab at a time: the scenario that the address carries, evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from fastapi import HTTPException

from app.catalog.lookup import Catalog
from app.scenarios.evaluation.service import EvaluatedScenario
from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.saved.rights import ReadDep
from app.surfaces.pages.studio.carried import Carried, carried


class Tab(NamedTuple):
    key: str
    title: str


class Room(NamedTuple):
    """What is looked at in detail: `key` is where its pages are, `tabs` stand in their order."""

    key: str
    title: str
    tabs: tuple[Tab, ...]


class OpenedDesign(NamedTuple):
    """`scenario` is None where the scenario of the address cannot be used; `carried.refusal` says why."""

    room: Room
    carried: Carried
    scenario: EvaluatedScenario | None
    catalog: Catalog

    @property
    def serves(self) -> bool:
        """Return whether the scenario is of a pod that serves, which has no run."""
        return self.scenario is not None and getattr(self.scenario.document.workload, "kind", "") == "serving"

    def address(self, tab: str) -> str:
        """Where a tab of this design is, with what is not saved."""
        return f"/{self.room.key}/{self.carried.key}/{tab}{self.carried.query}"

    def file_address(self, tab: str, query: Mapping[str, str]) -> str:
        """Where a file of a tab is, with what is not saved."""
        state = {"s": self.carried.state} if self.carried.state else {}
        return f"/{self.room.key}/{self.carried.key}/{tab}/file?{urlencode({**query, **state})}"


def opened_design(room: Room, key: str, source: DesignsDep, work: ReadDep, s: str = "") -> OpenedDesign:
    """The design of an address.

    Raises
    ------
    HTTPException : there is no such design, 404
    """
    try:
        shown, own = carried(source, key, s), source.of(key)
        scenario = own.scenario(shown.scenario) if shown.scenario else None
        return OpenedDesign(room=room, carried=shown, scenario=scenario, catalog=own.catalog())
    except KeyError as error:
        raise HTTPException(404, f"There is no design {key}.") from error
