"""The scenario that an address carries from the studio to another page of the design, and the way back."""

from __future__ import annotations

from typing import NamedTuple

from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.surfaces.pages.designs import Designs
from app.surfaces.pages.studio.form import Values, stated_values
from app.surfaces.pages.studio.state import decode_state, encode_state


class Carried(NamedTuple):
    """`scenario` is None where the scenario of the address cannot be used; `refusal` says why."""

    key: str
    title: str
    state: str
    values: Values
    scenario: ScenarioDocument | None
    refusal: str

    @property
    def query(self) -> str:
        return f"?s={self.state}" if self.state else ""

    @property
    def studio(self) -> str:
        """The way back, with what is not saved."""
        return f"/designs/{self.key}{self.query}"

    def studio_with(self, values: Values) -> str:
        """The studio with another scenario in place of this one."""
        return f"/designs/{self.key}?s={encode_state(values)}"


def carried(designs: Designs, key: str, state: str) -> Carried:
    """The scenario of an address: its state, else that of the design.

    Raises
    ------
    KeyError : there is no such design
    """
    own = designs.evaluated(key)
    typed = decode_state(state) if state else None
    values = stated_values(own.document) if typed is None else typed
    scenario, refusal = _built(designs, key, values)
    return Carried(
        key=key,
        title=scenario.name if scenario else own.document.name,
        state=state if typed is not None else "",
        values=values,
        scenario=scenario,
        refusal=refusal,
    )


def _built(designs: Designs, key: str, values: Values) -> tuple[ScenarioDocument | None, str]:
    try:
        scenario = build_scenario(values)
        designs.evaluate(key, scenario)
    except ScenarioError as error:
        return None, str(error.errors[0])
    return scenario, ""
