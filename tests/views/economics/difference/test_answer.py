"""Explanation of a difference: every view adds up to all of it, whatever differs."""

from __future__ import annotations

import functools
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.catalog.ready import ready_catalog
from app.engine.design import at_same_speed
from app.engine.leaves import leaves
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_example, evaluate_scenario
from app.scenarios.load import build_document, build_scenario
from app.views.economics.difference.answer import FIGURES, DifferenceOptions, difference_answer
from app.views.economics.difference.causes import DifferenceLine, DifferenceReport
from app.views.plain import report_json
from tests.scenarios.support import scenario

LAID_OUT = {"tp": 8, "pp": 1, "zero_stage": 1}


@functools.cache
def _evaluated(changes: str) -> EvaluatedScenario:
    values = scenario(parallelism=LAID_OUT, **json.loads(changes))
    return evaluate_scenario(build_scenario(values), ready_catalog())


def evaluated(**changes: Any) -> EvaluatedScenario:
    return _evaluated(json.dumps(changes))


def answer(first: EvaluatedScenario, second: EvaluatedScenario, **options: Any) -> DifferenceReport:
    return difference_answer(first, second, ready_catalog(), build_document(DifferenceOptions, options))


def by_key(lines: tuple[DifferenceLine, ...]) -> dict[str, DifferenceLine]:
    return {line.key: line for line in lines}


def assert_adds_up(found: DifferenceReport) -> None:
    assert found.difference == pytest.approx(found.second - found.first)
    for view in (found.by_category, found.by_cause, found.by_factor):
        scale = max(abs(found.first), abs(found.second))
        assert not view or sum(line.amount for line in view) == pytest.approx(
            found.difference, rel=1e-9, abs=1e-9 * scale
        )
        assert not view or sum(line.share for line in view) == pytest.approx(1, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("figure", [name for name in FIGURES if name != "rent"])
def test_every_view_of_every_figure_adds_up(figure: str) -> None:
    first = evaluated()
    second = evaluated(
        pod__supernodes=4, facility={"site": "paris"}, economics={"life_years": 4, "wacc": 0.06}
    )
    found = answer(first, second, figure=figure)
    assert_adds_up(found)
    assert [line.key for line in found.by_cause] == ["hardware", "site", "terms"]
    assert found.evaluations == 6  # of eight, two are the ends
    assert len(found.said) == 4


def test_one_change_explains_all_of_it() -> None:
    found = answer(evaluated(), evaluated(economics={"utilisation": 0.4}), figure="usd_per_accelerator_hour")
    (cause,) = found.by_cause
    assert (cause.key, cause.share) == ("terms", pytest.approx(1))
    factors = by_key(found.by_factor)
    # half the utilised hours: twice the hours paid, at a slightly cheaper one
    assert factors["available_over_utilised_hours"].second / factors[
        "available_over_utilised_hours"
    ].first == (pytest.approx(2))
    assert factors["available_over_utilised_hours"].share > 1


def test_a_cheaper_server_is_a_price_and_stands_in_compute() -> None:
    first = evaluated(economics={"supernode_price_usd": 300e3})
    second = evaluated(economics={"supernode_price_usd": 250e3})
    found = answer(first, second, figure="tco")
    assert [line.key for line in found.by_cause] == ["prices"]
    assert by_key(found.by_category)["compute"].amount == pytest.approx(-50e3)


def test_the_grid_alone_moves_carbon() -> None:
    found = answer(evaluated(), evaluated(facility={"site": "paris"}), figure="carbon")
    assert [line.key for line in found.by_cause] == ["site"]
    assert by_key(found.by_factor)["kg_for_a_kwh"].share > 0.9
    assert by_key(found.by_category)["embodied_hosts"].amount == 0


@pytest.mark.slow
def test_what_cannot_be_combined_is_taken_together_and_said() -> None:
    first = evaluate_example("llama_3_1_405b_on_2048_dgx_h100", ready_catalog())
    second = evaluate_example("llama_3_1_405b_on_gb200_nvl72", ready_catalog())
    found = answer(first, second)
    assert_adds_up(found)
    assert "hardware+layout" in by_key(found.by_cause)
    assert any(note.startswith("Hardware and layout are taken together") for note in found.notes)


def test_the_same_design_has_no_difference() -> None:
    found = answer(evaluated(), evaluated(name="Another name"))
    assert found.difference == 0
    assert found.by_cause == ()
    assert found.said == ("Cost per run is the same in both.",)
    assert found.notes == ("Both state the same inputs.",)


def test_an_unknown_figure_is_named() -> None:
    found = answer(evaluated(), evaluate_example("dense_128b_on_tpu_v5p", ready_catalog()))
    assert found.by_cause == found.by_category == found.by_factor == ()
    assert "Dense 128B on a TPU v5p slice is not known" in found.notes[0]
    assert report_json(found)["difference"] is None


def test_two_offers_by_what_their_bills_are_made_of() -> None:
    """Ten dollars on demand against eight reserved with support: by hand, for a constant demand."""
    renting = {"peak_over_mean": 1.0, "storage_usd_per_tb_month": 0, "horizon_months": 12}
    prices = {
        "utilisation": 0.5,
        "rental_on_demand_usd_per_accelerator_hour": 10.0,
        "rental_reserved_usd_per_accelerator_hour": 8.0,
    }
    first = evaluated(economics={**prices, "renting": {**renting, "support_share": 0.0}})
    second = evaluated(
        economics={**prices, "renting": {**renting, "support_share": 0.1, "goodput_ratio": 0.8}}
    )
    found = answer(first, second, figure="rent", second_offer="reserved")
    assert_adds_up(found)
    assert (found.first, found.second) == (pytest.approx(10), pytest.approx(8 / 0.8 * 1.1))
    parts = by_key(found.by_category)
    assert parts["hours"].amount == pytest.approx(-2)
    assert parts["goodput"].amount == pytest.approx(2)
    assert parts["support"].amount == pytest.approx(1)
    assert found.by_cause == ()


def test_an_offer_without_a_price_is_refused_by_its_field() -> None:
    with pytest.raises(ScenarioError, match=r"State economics\.renting\.spot_usd") as caught:
        answer(evaluated(supernode={"system": "hgx_h800"}), evaluated(), figure="rent", first_offer="spot")
    assert caught.value.errors[0].path == "first_offer"


def test_a_design_at_the_same_speed_is_what_a_whole_evaluation_gives() -> None:
    second = evaluated(operations={"spares": 0}, economics={"wacc": 0.05})
    with np.errstate(invalid="ignore", divide="ignore"):  # as during every evaluation
        found = dict(leaves(at_same_speed(second.resolved.design, evaluated().evaluation.sections)))
    whole = dict(leaves(second.evaluation.sections))
    assert found.keys() == whole.keys()
    for path, value in found.items():
        assert np.array_equal(value, whole[path], equal_nan=True), path


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(
    supernodes=st.sampled_from([1, 2, 4, 8]),
    site=st.sampled_from(["ashburn", "paris", "phoenix"]),
    life=st.floats(2, 8),
    price=st.floats(0.01, 0.4),
    figure=st.sampled_from(["usd_per_run", "tco", "usd_per_useful_accelerator_hour", "carbon"]),
)
def test_any_difference_adds_up(supernodes: int, site: str, life: float, price: float, figure: str) -> None:
    second = evaluated(
        pod__supernodes=supernodes,
        facility={"site": site},
        economics={"life_years": life, "electricity_price_usd_per_kwh": price},
    )
    assert_adds_up(answer(evaluated(), second, figure=figure))
