"""A design whose fabric is looked at: the scenario that the address carries, evaluated."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from fastapi import Depends, HTTPException

from app.catalog.lookup import Catalog
from app.scenarios.service import EvaluatedScenario
from app.web.designs import DesignsDep
from app.web.fabric.tabs import TABS, Tab
from app.web.saved.ready import ReadDep
from app.web.studio.carried import Carried, carried


class OpenedFabric(NamedTuple):
    """`scenario` is None where the scenario of the address cannot be used; `carried.refusal` says why."""

    carried: Carried
    scenario: EvaluatedScenario | None
    catalog: Catalog

    @property
    def tabs(self) -> tuple[Tab, ...]:
        return TABS

    def address(self, tab: str) -> str:
        """Where a tab of this design is, with what is not saved."""
        return f"/fabric/{self.carried.key}/{tab}{self.carried.query}"


def opened_fabric(key: str, source: DesignsDep, work: ReadDep, s: str = "") -> OpenedFabric:
    """The design of an address, as a dependency of the routes of its tabs."""
    try:
        shown, own = carried(source, key, s), source.of(key)
        scenario = own.scenario(shown.scenario) if shown.scenario else None
        return OpenedFabric(carried=shown, scenario=scenario, catalog=own.catalog())
    except KeyError as error:
        raise HTTPException(404, f"There is no design {key}.") from error


OpenedDep = Annotated[OpenedFabric, Depends(opened_fabric)]
