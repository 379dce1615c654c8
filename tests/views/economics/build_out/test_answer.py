"""The build-out of a scenario: terms reach the engine, dates have words, faults name their field."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario, read_scenario
from app.views.economics.build_out.answer import build_out_answer
from app.views.economics.build_out.files import FORMATS
from app.views.economics.build_out.report import BuildOutReport
from app.views.economics.cash_flow import cash_flow_answer
from tests.scenarios.support import faults, scenario

CAMPUS = Path(__file__).parents[3] / "fixtures" / "campus_1_gw.yaml"


def evaluated(**economics: Any) -> EvaluatedScenario:
    laid_out = scenario(parallelism={"tp": 8, "pp": 1, "zero_stage": 1}, economics=economics)
    return evaluate_scenario(build_scenario(laid_out), ready_catalog())


def answer(build_out: dict[str, Any] | None = None, **financing: Any) -> BuildOutReport:
    stated = {} if build_out is None else {"build_out": build_out}
    return build_out_answer(evaluated(**stated, financing=financing), ready_catalog())


@pytest.mark.slow
def test_without_a_build_out_the_sums_are_those_of_the_cash_flow() -> None:
    found = evaluated()
    report, yearly = build_out_answer(found, ready_catalog()), cash_flow_answer(found)
    assert sum(month.revenue_usd for month in report.months) == pytest.approx(yearly.totals.revenue_usd)
    assert sum(month.operating_usd for month in report.months) == pytest.approx(
        yearly.totals.operating_total_usd
    )
    assert sum(month.tax_usd for month in report.months) == pytest.approx(yearly.totals.tax_usd)
    assert report.capital_usd == pytest.approx(yearly.totals.purchase_usd)
    assert report.months[-1].cumulative_usd == pytest.approx(yearly.totals.flow_usd)
    assert report.verdict.startswith("Bought at once")
    assert "no build-out is set" in " ".join(report.notes).lower()


def test_defaults_are_those_of_the_catalog_and_wait_for_the_grid() -> None:
    report = answer({})
    (phase,) = report.phases
    assert (phase.ready_month, phase.grid_month, phase.delivery_month) == (18, 48, 48)
    assert any("waits 30 months for power" in note for note in report.notes)
    assert all(term.source for term in report.terms if term.kind != "scenario")
    assert report.sources[0].title == "Grid"
    assert len(report.sources) == 1


@pytest.mark.slow
def test_bridge_power_comes_by_its_lead_time() -> None:
    for kind, lead in (("gas_turbine", 36), ("gas_engine", 18), ("fuel_cell", 9), ("diesel_engine", 12)):
        report = answer({"bridge": kind})
        assert report.phases[0].delivery_month == max(18, lead)
        bridge = report.sources[1]
        assert bridge.source == kind
        assert bridge.kg == pytest.approx(bridge.kwh * bridge.kg_per_kwh)
    dear = answer({"bridge": "gas_engine", "bridge_usd_per_kwh": 0.5})
    assert dear.npv_usd < answer({"bridge": "gas_engine"}).npv_usd


@pytest.mark.slow
def test_ways_are_told_apart_and_one_is_chosen() -> None:
    report = answer({"grid_month": 12, "construction_months": 12}, funding="level_loan", loan_share=0.5)
    keys = [way.key for way in report.ways]
    assert keys == ["cash", "level_loan", "sculpted_loan", "lease", "sale_and_leaseback", "colocate"]
    level = report.ways[1]
    assert report.npv_usd == level.npv_usd
    assert report.construction_interest_usd == level.construction_interest_usd > 0
    assert sum(month.drawn_usd for month in report.months) == pytest.approx(
        report.capital_usd * 0.5, rel=1e-6
    )
    assert report.months[-1].owed_usd == 0
    colocated = answer({"grid_month": 12}, funding="colocate", colocation_escalator=0.1)
    assert colocated.npv_usd < answer({"grid_month": 12}, funding="colocate").npv_usd
    crossed = answer({"grid_month": 12}, funding="colocate", cross_connects=100)
    assert crossed.npv_usd < answer({"grid_month": 12}, funding="colocate").npv_usd


def test_faults_name_their_field() -> None:
    with pytest.raises(Exception, match=r"3 of the pod's 1 SuperNodes") as refused:
        answer({"phases": [{"supernodes": 1}, {"supernodes": 2}]})
    assert "leave the size of one out" in str(refused.value.errors[0])
    found = faults(scenario(economics={"build_out": {"phases": [{"share": 0.5, "supernodes": 1}]}}))
    assert any("states its size twice" in str(fault) for fault in found)
    found = faults(scenario(economics={"build_out": {"phase_count": 2, "phases": [{}]}}))
    assert any("phases are listed" in str(fault) for fault in found)


def test_files_hold_every_month() -> None:
    report = answer({"grid_month": 6})
    lines = FORMATS["csv"].content(report).decode().splitlines()
    assert len(lines) == len(report.months) + 1
    assert lines[0].split(",")[-1].endswith("bridge_kg")
    assert len(json.loads(FORMATS["json"].content(report))["months"]) == len(report.months)


@pytest.mark.slow
def test_a_campus_of_a_gigawatt_in_three_phases_with_a_gas_bridge() -> None:
    report = build_out_answer(evaluate_scenario(read_scenario(CAMPUS), ready_catalog()), ready_catalog())
    assert report.needed_w == pytest.approx(1.0e9, rel=0.01)
    assert [phase.supernodes for phase in report.phases] == pytest.approx([1752, 2628, 2628])
    assert [phase.delivery_month for phase in report.phases] == [18, 30, 42]
    assert (report.full_power_month, report.full_power_date) == (42, "2029-07")
    assert (report.full_load_month, report.full_load_date) == (48, "2030-01")
    grid, engine = report.sources
    # 0.202 kg of CO2 and 1.5 % of methane for a kWh of gas, over 45 %; the bridge is most of the emissions, though less than half of the energy.
    assert engine.kg == pytest.approx((0.202 + 0.015 * 29.8 / 50 * 3.6) / 0.45 * engine.kwh, rel=2e-3)
    assert report.bridge_share == pytest.approx(engine.kwh / (engine.kwh + grid.kwh))
    assert engine.kg > grid.kg
    sculpted = next(way for way in report.ways if way.key == "sculpted_loan")
    assert sculpted.full_load_cover == pytest.approx(1.4)
    assert report.npv_usd == sculpted.npv_usd
    assert all(math.isfinite(month.cumulative_usd) for month in report.months)
    assert max(month.grid_w + month.bridge_w for month in report.months) >= report.needed_w * (1 - 1e-9)
