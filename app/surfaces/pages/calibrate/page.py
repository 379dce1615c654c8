"""The page of a calibration: the form on the left, and on the right what the runs say of the design."""

from __future__ import annotations

from typing import NamedTuple

from app.scenarios.document.calibration import CalibrationDocument
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.document.serving_calibration import ServingCalibrationDocument
from app.scenarios.errors import ScenarioError
from app.surfaces.pages.calibrate.answer import CalibrationAnswer, calibration_answer, serving_answer
from app.surfaces.pages.calibrate.form import CalibrationForm
from app.surfaces.pages.calibrate.kept import KeptLine, kept_lines
from app.surfaces.pages.designs import Designs
from app.surfaces.pages.studio.carried import Carried, carried
from app.surfaces.pages.studio.values import MISSING, value_at, with_value
from app.validation.calibration.latency import ServingCalibration

CALIBRATION = "workload.calibration"


class CalibratePage(NamedTuple):
    """A scenario, the runs that were typed or kept, and what they say of it."""

    carried: Carried
    form: CalibrationForm
    kept: tuple[KeptLine, ...] = ()
    answer: CalibrationAnswer | None = None

    @property
    def own_kept(self) -> int:
        """How many runs are kept of the deployment of this design."""
        return sum(line.own for line in self.kept)

    @property
    def stated(self) -> float | None:
        """The correction that the scenario states already."""
        scenario = self.carried.scenario
        own = getattr(scenario.workload, "calibration", None) if scenario else None
        return own.measured_over_predicted if isinstance(own, CalibrationDocument) else None

    @property
    def serves(self) -> bool:
        """Whether latencies of a served model are asked for."""
        return bool(value_at(self.carried.values, "workload.kind") == "serving")

    @property
    def stated_of_latencies(self) -> str:
        """The corrections that a served model states already, "" where there are none."""
        scenario = self.carried.scenario
        own = getattr(scenario.workload, "calibration", None) if scenario else None
        if not isinstance(own, ServingCalibrationDocument):
            return ""
        words = {
            "the time to the first token": own.measured_ttft_over_predicted,
            "the time per output token": own.measured_tpot_over_predicted,
        }
        return " and ".join(f"{ratio:g} of {name}" for name, ratio in words.items() if ratio is not None)

    @property
    def without(self) -> str:
        """The studio without what is stated of own runs."""
        return self.carried.studio_with(with_value(self.carried.values, CALIBRATION, MISSING))


def calibrate_page(designs: Designs, key: str, state: str, form: CalibrationForm) -> CalibratePage:
    """The page of a design, with the scenario that the address carries in place of its own.

    Raises
    ------
    KeyError : there is no such design
    """
    designs = designs.of(key)
    page = CalibratePage(carried(designs, key, state), form)
    scenario = page.carried.scenario
    if scenario is not None and form.measured is not None:
        page = _answered(designs, page, scenario)
    return page._replace(kept=kept_lines(designs, scenario))


def _answered(designs: Designs, page: CalibratePage, scenario: ScenarioDocument) -> CalibratePage:
    assert page.form.measured is not None
    try:
        found = designs.calibrate(scenario, page.form.measured)
    except ScenarioError as error:
        return page._replace(form=page.form.refused(error.errors[0]))
    stated = found.workload_calibration.model_dump(mode="json", exclude_none=True)
    apply = page.carried.studio_with(with_value(page.carried.values, CALIBRATION, stated))
    if isinstance(found, ServingCalibration):
        return page._replace(answer=serving_answer(found, apply))
    return page._replace(answer=calibration_answer(found, apply))
