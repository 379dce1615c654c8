"""How sure the figures of a scenario are, from its ranges to the report."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.views.plain import report_json
from app.views.uncertainty.answer import uncertainty_answer, uncertainty_steps
from app.views.uncertainty.report import Progress, UncertaintyOptions
from tests.support import read_example
from tests.views.uncertainty.cases import LAYOUT, asked, evaluated, figure

PRICE = {"economics.electricity_price_usd_per_kwh": {"low": 0.05, "high": 0.15}}
WACC = {"economics.wacc": {"low": 0.08, "high": 0.12, "distribution": "normal"}}
ALONE = {"inputs": PRICE, "catalog_ranges": False}
FOUR_STAGES = LAYOUT | {"pp": 4}


def test_a_figure_that_is_a_line_of_its_input_has_its_percentiles(catalog: Catalog) -> None:
    """Running cost rises in a line with the price of electricity, which is uniform: percentiles lie on the line."""
    found = evaluated(catalog, ALONE, economics__electricity_price_usd_per_kwh=0.1)
    report = asked(found, catalog, figures=("cost.opex_usd_per_year",), samples=4000).report
    opex = figure(report, "cost.opex_usd_per_year")
    kwh = float(found.evaluation.sections.cost.opex_breakdown_usd_per_year["electricity"][0]) / 0.1
    assert opex.point is not None
    for percentile, price in ((opex.p10, 0.06), (opex.p50, 0.1), (opex.p90, 0.14)):
        assert percentile == pytest.approx(opex.point + (price - 0.1) * kwh, rel=2e-4)
    bar = report.tornado[0]
    assert (bar.low_value, bar.high_value) == (0.05, 0.15)
    assert bar.at_high - bar.at_low == pytest.approx(0.1 * kwh, rel=1e-3)  # type: ignore[operator]


def test_nothing_that_varies_is_no_doubt(catalog: Catalog) -> None:
    report = asked(evaluated(catalog, {"catalog_ranges": False}), catalog).report
    assert report.inputs == report.tornado == report.spider == report.correlations == ()
    cost = figure(report, "cost.usd_per_run")
    assert cost.p10 == cost.p90
    assert cost.point == pytest.approx(cost.p50, rel=1e-3)  # the binned year against every hour of it
    assert "No input that varies" in report.matters


def test_the_seed_draws_the_answer(catalog: Catalog) -> None:
    found = evaluated(catalog, {"inputs": WACC | PRICE, "catalog_ranges": False})
    one, same, other = (asked(found, catalog, seed=seed).report for seed in (1, 1, 2))
    assert one == same
    assert figure(one, "cost.usd_per_run").p50 != figure(other, "cost.usd_per_run").p50


def test_progress_leads_to_the_answer_and_may_be_ended(catalog: Catalog) -> None:
    found = evaluated(catalog)
    told: list[tuple[int, int]] = []
    uncertainty_answer(
        found,
        catalog,
        UncertaintyOptions(samples=5000, sobol=False, figures=("cost.capex_usd",)),
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1] > 5000
    steps = uncertainty_steps(found, catalog)
    assert isinstance(next(steps), Progress)
    steps.close()  # type: ignore[attr-defined]
    assert list(steps) == []


def test_limits_that_are_stated_have_a_probability(catalog: Catalog) -> None:
    found = evaluated(catalog)
    days = float(found.evaluation.sections.performance.elapsed_time_s[0]) / 86_400
    sure = {"deadline_days": 100 * days, "budget_usd": 1.0}
    report = asked(evaluated(catalog, sure), catalog).report
    shares = {one.name: one.share for one in report.probabilities}
    assert (shares["deadline"], shares["budget"], shares["power_limit"]) == (1, 0, None)
    assert shares["own_below_rent"] is not None
    even = asked(evaluated(catalog, {"deadline_days": days}), catalog).report
    assert 0.05 < {one.name: one.share for one in even.probabilities}["deadline"] < 0.95  # type: ignore[operator]


def test_the_connection_is_a_limit_of_the_peak(catalog: Catalog) -> None:
    peak_w = float(evaluated(catalog).evaluation.sections.power.utility_peak_w[0])
    report = asked(evaluated(catalog, facility__utility_limit_w=1.05 * peak_w), catalog).report
    found = {one.name: one for one in report.probabilities}
    assert found["power_limit"].limit == pytest.approx(1.05 * peak_w)
    share, feasible = found["power_limit"].share, found["feasible"].share
    assert share is not None
    assert 0 < share < 1
    assert feasible == pytest.approx(share)


def test_prices_move_together_as_the_catalog_assumes(catalog: Catalog) -> None:
    answer = asked(evaluated(catalog), catalog, samples=2000)
    pairs = {(pair.one, pair.other): pair for pair in answer.report.correlations}
    assert {pair.origin for pair in pairs.values()} == {"assumption"}
    rents = [f"economics.rental_{kind}_usd_per_accelerator_hour" for kind in ("on_demand", "reserved")]
    assert pairs[rents[0], rents[1]].coefficient == 0.8
    columns = [answer.samples.input_places.index(place) for place in rents]
    ranks = np.argsort(np.argsort(answer.samples.inputs[:, columns], axis=0), axis=0)
    assert np.corrcoef(ranks.T)[0, 1] == pytest.approx(0.8, abs=0.03)


def test_correlations_of_the_scenario_take_the_place_of_the_assumed(catalog: Catalog) -> None:
    pair = {"between": ["economics.wacc", "economics.electricity_price_usd_per_kwh"], "coefficient": -0.5}
    stated = {"inputs": WACC | PRICE, "correlations": [pair]}
    report = asked(evaluated(catalog, stated), catalog).report
    (found,) = report.correlations
    assert (found.one, found.other) == ("economics.wacc", "facility.site.electricity_price_usd_per_kwh")
    assert (found.coefficient, found.origin) == (-0.5, "scenario")


def test_a_correlation_of_what_does_not_vary_is_named(catalog: Catalog) -> None:
    pair = {"between": ["economics.wacc", "economics.price_discount"], "coefficient": 0.5}
    with pytest.raises(ScenarioError, match=r"economics\.price_discount does not vary"):
        asked(evaluated(catalog, {"inputs": WACC, "correlations": [pair]}), catalog)


def test_structure_is_resolved_for_each_of_its_values(catalog: Catalog) -> None:
    """Tensor parallelism of 8 and four stages take 32 accelerators: four SuperNodes, or eight."""
    stated = {"inputs": {"pod.supernodes": {"low": 2, "high": 8}}, "catalog_ranges": False}
    found = evaluated(catalog, stated, parallelism=FOUR_STAGES)
    answer = asked(found, catalog, figures=("cost.capex_usd",), samples=70)
    supernodes, capex = answer.samples.inputs[:, 0], answer.samples.figures[0]
    assert set(np.unique(supernodes)) == {2, 3, 4, 5, 6, 7, 8}
    for number in (4, 8):
        own = evaluated(
            catalog, pod__supernodes=number, parallelism=FOUR_STAGES
        ).evaluation.sections.cost.capex_usd[0]
        np.testing.assert_allclose(capex[supernodes == number], own, rtol=1e-3)
    cannot_be = np.isin(supernodes, [2, 3, 5, 6, 7])
    np.testing.assert_array_equal(np.isnan(capex), cannot_be)
    assert answer.report.refused_share == pytest.approx(cannot_be.mean())
    assert figure(answer.report, "cost.capex_usd").unknown_share == pytest.approx(cannot_be.mean())
    said = " ".join(answer.report.notes)
    assert "pod.supernodes decides the structure of the design: 7 values" in said
    assert "designs that cannot be" in said


def test_a_range_in_which_no_design_can_be_is_refused(catalog: Catalog) -> None:
    stated = {"inputs": {"pod.supernodes": {"low": 5, "high": 7}}, "catalog_ranges": False}
    with pytest.raises(ScenarioError, match=r"none of the values that pod\.supernodes take"):
        asked(evaluated(catalog, stated, parallelism=FOUR_STAGES), catalog, samples=8)


@pytest.mark.slow
def test_sobol_indices_name_what_matters(catalog: Catalog) -> None:
    report = asked(evaluated(catalog), catalog, sobol=True, figures=("cost.usd_per_accelerator_hour",)).report
    shares = {one.place: one for one in report.sobol}
    assert shares["economics.utilisation"].first > 0.4
    assert shares["supernode.price_usd"].first > 0.05
    electricity = shares.get("facility.site.electricity_price_usd_per_kwh")
    assert electricity is None or abs(electricity.first) < 0.02  # None: 30 others move more
    assert report.matters.startswith("Levelised cost per utilised accelerator-hour: Utilisation (")
    for one in shares.values():
        assert one.first_low <= one.first <= one.first_high
        assert one.total_low <= one.total <= one.total_high
    assert any("correlations are left out" in note for note in report.notes)


def test_knowing_an_input_is_worth_no_more_than_knowing_everything(catalog: Catalog) -> None:
    report = asked(evaluated(catalog), catalog, samples=2000).report
    everything, *each = report.information
    assert everything.place == ""
    assert all(0 <= one.value_usd <= everything.value_usd for one in each)
    assert [one.value_usd for one in each] == sorted((one.value_usd for one in each), reverse=True)


def test_without_a_rental_price_there_is_nothing_to_decide(catalog: Catalog) -> None:
    from app.scenarios.evaluation.service import evaluate_example

    report = asked(evaluate_example("dense_128b_on_tpu_v5p", catalog), catalog, samples=16).report
    known = {one.name: one.share for one in report.probabilities}
    cost = figure(report, "cost.usd_per_run")
    assert (cost.p50 is None) == (known["own_below_rent"] is None)
    if cost.p50 is None:
        assert report.information == ()


def test_a_searched_layout_is_held(catalog: Catalog) -> None:
    found = evaluated(catalog, parallelism="auto")
    report = asked(found, catalog, samples=32, figures=("performance.step_time_s",)).report
    step = figure(report, "performance.step_time_s")
    assert step.p10 is not None
    assert step.p90 is not None
    assert step.point is not None
    assert step.p10 < step.point * 1.05
    assert step.p90 > step.point * 0.95
    assert any("searched for once" in note for note in report.notes)


def test_spider_lines_pass_through_the_ends_of_the_tornado(catalog: Catalog) -> None:
    report = asked(evaluated(catalog), catalog, figures=("cost.tco_usd",), samples=16).report
    bars = {bar.place: bar for bar in report.tornado}
    for line in report.spider:
        bar = bars[line.place]
        assert (line.values[0], line.values[-1]) == (bar.at_low, bar.at_high)


def test_figures_that_are_not_there_are_named(catalog: Catalog) -> None:
    with pytest.raises(ScenarioError, match=r"Nearest: cost\.tco_usd"):
        asked(evaluated(catalog), catalog, figures=("cost.tco",))
    with pytest.raises(ScenarioError, match="values for one design"):
        asked(
            evaluated(catalog),
            catalog,
            figures=("performance.elapsed_time_s", "cooling.pue_by_month_and_hour"),
        )


def test_too_many_numbers_are_refused_with_a_way_out(catalog: Catalog) -> None:
    with pytest.raises(ScenarioError, match=r"1,000,000 samples .* Draw \d+,\d+ or fewer"):
        asked(evaluated(catalog), catalog, samples=1_000_000)


def test_the_report_is_plain_json(catalog: Catalog) -> None:
    import orjson

    plain = report_json(asked(evaluated(catalog), catalog, samples=16).report)
    assert b"NaN" not in orjson.dumps(plain)
    assert plain["inputs"][0]["place"]


def test_a_shared_pod_has_indices(catalog: Catalog) -> None:
    """Of its two workloads one hands the pod over in a time that varies, the other in one that does not."""
    shared = evaluate_scenario(read_example("training_and_serving_on_8_dgx_h200"), catalog)
    report = asked(shared, catalog, sobol=True, figures=("cost.usd_per_accelerator_hour",)).report
    assert report.sobol
