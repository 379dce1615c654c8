"""The page of a calibration: the form on the left, and on the right what the runs say of the design."""

from __future__ import annotations

from typing import NamedTuple

from app.scenarios.document import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.web.calibrate.answer import CalibrationAnswer, calibration_answer
from app.web.calibrate.form import CalibrationForm
from app.web.designs import Designs
from app.web.studio.form import Values, stated_values
from app.web.studio.state import decode_state, encode_state
from app.web.studio.values import MISSING, with_value

CALIBRATION = "workload.calibration"


class CalibratePage(NamedTuple):
    """`scenario` is None where the scenario of the address cannot be used; `refusal` says why."""

    key: str
    title: str
    state: str
    values: Values
    scenario: ScenarioDocument | None
    refusal: str
    form: CalibrationForm
    answer: CalibrationAnswer | None = None

    @property
    def query(self) -> str:
        return f"?s={self.state}" if self.state else ""

    @property
    def studio(self) -> str:
        """The way back, with what is not saved."""
        return f"/designs/{self.key}{self.query}"

    @property
    def stated(self) -> float | None:
        """The correction that the scenario states already."""
        own = self.scenario.workload.calibration if self.scenario else None
        return own.measured_over_predicted if own else None

    @property
    def without(self) -> str:
        """The studio without what is stated of own runs."""
        return f"/designs/{self.key}?s={encode_state(with_value(self.values, CALIBRATION, MISSING))}"


def calibrate_page(designs: Designs, key: str, state: str, form: CalibrationForm) -> CalibratePage:
    """The page of a design, with the scenario that the address carries in place of its own.

    Raises
    ------
    KeyError : there is no such design
    """
    own = designs.evaluated(key)
    typed = decode_state(state) if state else None
    values = stated_values(own.document) if typed is None else typed
    scenario, refusal = _built(designs, key, values)
    page = CalibratePage(
        key=key,
        title=scenario.name if scenario else own.document.name,
        state=state if typed is not None else "",
        values=values,
        scenario=scenario,
        refusal=refusal,
        form=form,
    )
    return page if scenario is None or form.measured is None else _answered(designs, page, scenario)


def _answered(designs: Designs, page: CalibratePage, scenario: ScenarioDocument) -> CalibratePage:
    assert page.form.measured is not None
    try:
        found = designs.calibrate(scenario, page.form.measured)
    except ScenarioError as error:
        return page._replace(form=page.form.refused(error.errors[0]))
    stated = found.workload_calibration.model_dump(mode="json")
    applied = with_value(page.values, CALIBRATION, stated)
    apply = f"/designs/{page.key}?s={encode_state(applied)}"
    return page._replace(answer=calibration_answer(found, apply))


def _built(designs: Designs, key: str, values: Values) -> tuple[ScenarioDocument | None, str]:
    try:
        scenario = build_scenario(values)
        designs.evaluate(key, scenario)
    except ScenarioError as error:
        return None, str(error.errors[0])
    return scenario, ""
