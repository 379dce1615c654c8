"""The hours of a scenario, and their report."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_document, build_scenario
from app.views.facility.hours import HoursOptions, hours_answer, hours_report
from app.views.plain import report_json
from tests.scenarios.support import scenario


def evaluated(**changes: object) -> EvaluatedScenario:
    return evaluate_scenario(build_scenario(scenario(**changes)), ready_catalog())


def test_hours_are_those_of_the_evaluation() -> None:
    found = evaluated(facility__site="phoenix")
    cooling, power = found.evaluation.sections.cooling, found.evaluation.sections.power
    answer = hours_answer(found)
    assert answer.hours.pue.mean() == pytest.approx(cooling.pue[0], rel=1e-12)
    assert answer.hours.utility_w.mean() == pytest.approx(power.utility_mean_w[0], rel=1e-12)
    assert answer.hottest_hour is not None
    assert answer.hottest_hour.pue == pytest.approx(cooling.pue_hottest_hour[0], rel=1e-12)
    assert answer.part_load.pue[-1] == pytest.approx(cooling.pue[0], rel=1e-12)
    assert answer.first_year.pue > cooling.pue[0]


def test_warming_makes_the_hottest_hour_hotter() -> None:
    cold, warm = (hours_answer(evaluated(facility={"warming_k": kelvin})) for kelvin in (0, 2))
    assert cold.hottest_hour is not None
    assert warm.hottest_hour is not None
    assert warm.hottest_hour.dry_bulb_c == pytest.approx(cold.hottest_hour.dry_bulb_c + 2, abs=0.2)


def test_contracts_add_a_market_based_figure() -> None:
    answer = hours_answer(evaluated(facility={"clean_energy_share": 0.9}))
    of = {metric.name: metric.annual for metric in answer.metrics}
    assert of["cue_market_kg_per_kwh"] == pytest.approx(0.1 * of["cue_kg_per_kwh"])


@pytest.mark.parametrize(("system", "known"), [("dgx_h100", True), ("amd_helios_72", False)])
def test_report_is_plain_and_says_what_is_unknown(system: str, known: bool) -> None:
    found = evaluated(supernode={"system": system})
    report = report_json(hours_report(hours_answer(found)))
    assert set(report["months_and_hours"]) == {"pue", "water_l_per_h", "free_cooling_share"}
    assert len(report["months_and_hours"]["pue"]) == 12
    assert {type(value) for value in report["duration"]["dry_bulb_c"]} == {float}
    unknown = [metric for metric in report["metrics"] if metric["annual"] is None]
    assert known == bool(np.isfinite(found.evaluation.sections.cooling.pue[0]))
    assert (report["hottest_hour"] is not None) == known
    assert (not unknown) == known


@pytest.mark.parametrize("months", [-1, 37, 1.5, "soon"])
def test_ramp_that_cannot_be_is_refused(months: object) -> None:
    with pytest.raises(ScenarioError) as caught:
        build_document(HoursOptions, {"ramp_months": months})
    assert caught.value.errors[0].path == "ramp_months"
