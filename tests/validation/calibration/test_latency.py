"""Correcting a served model by a measured point of its own deployment."""

from __future__ import annotations

import pytest

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.examples import example
from app.scenarios.load import build_scenario
from app.validation.calibration.kept import KeptRuns
from app.validation.calibration.latency import MeasuredLatency, ServingCalibration, calibrate_serving
from app.validation.calibration.measured import MeasuredRun, MeasuredRuns, calibrated
from app.validation.calibration.runs import uncalibrated, with_calibration
from app.validation.calibration.text import serving_calibration_text


@pytest.fixture(scope="module")
def catalog(seeded_data_dir: object) -> Catalog:
    return ready_catalog()


@pytest.fixture(scope="module")
def served(catalog: Catalog) -> EvaluatedScenario:
    return evaluate_scenario(example("deepseek_r1_on_8_h200").read(), catalog)


def predicted(scenario: EvaluatedScenario, name: str) -> float:
    return float(getattr(scenario.evaluation.sections.performance, name)[0])


def measured(served: EvaluatedScenario, catalog: Catalog, tpot: float = 1.25) -> ServingCalibration:
    return calibrate_serving(
        served, [MeasuredLatency(tpot_s=tpot * predicted(served, "tpot_s"), source="a rack")], catalog
    )


def test_the_corrected_scenario_predicts_what_was_measured(
    served: EvaluatedScenario, catalog: Catalog
) -> None:
    found = measured(served, catalog)
    assert found.workload_calibration.measured_tpot_over_predicted == pytest.approx(1.25)
    assert found.workload_calibration.measured_ttft_over_predicted is None
    assert found.workload_calibration.source == "1 own measurement: a rack"
    after = evaluate_scenario(with_calibration(served.document, found.workload_calibration), catalog)
    assert predicted(after, "tpot_s") == pytest.approx(1.25 * predicted(served, "tpot_s"))
    assert predicted(after, "ttft_s") == pytest.approx(predicted(served, "ttft_s"))
    assert found.figures["performance.tpot_s"].corrected == pytest.approx(predicted(after, "tpot_s"))


def test_the_interval_narrows_around_it(served: EvaluatedScenario, catalog: Catalog) -> None:
    found = measured(served, catalog)
    tpot = found.figures["performance.tpot_s"]
    assert None not in (tpot.low, tpot.high, tpot.predicted_low, tpot.predicted_high)
    assert tpot.high / tpot.low < tpot.predicted_high / tpot.predicted_low  # type: ignore[operator]
    one = found.corrections["tpot"]
    assert one.low < one.correction < one.high
    assert set(found.corrections) == {"tpot"}


def test_several_points_count_by_their_geometric_mean(served: EvaluatedScenario, catalog: Catalog) -> None:
    at = predicted(served, "ttft_s")
    found = calibrate_serving(
        served, [MeasuredLatency(ttft_s=2 * at), MeasuredLatency(ttft_s=0.5 * at)], catalog
    )
    assert found.workload_calibration.measured_ttft_over_predicted == pytest.approx(1)


def test_a_load_that_is_left_open_is_the_same_before_and_after(catalog: Catalog) -> None:
    open_load = evaluate_scenario(
        build_scenario(
            {
                "workload": {
                    "kind": "serving",
                    "model": "deepseek_v3",
                    "layout": {"tp": 8},
                    "service_level": {"ttft_s": 3, "tpot_s": 0.05},
                },
                "supernode": {"system": "dgx_h200"},
                "pod": {"supernodes": 1},
            }
        ),
        catalog,
    )
    wanted = 1.25 * predicted(open_load, "tpot_s")
    found = calibrate_serving(open_load, [MeasuredLatency(tpot_s=wanted)], catalog)
    assert found.concurrency == pytest.approx(predicted(open_load, "concurrency"))
    assert found.figures["performance.tpot_s"].predicted == pytest.approx(predicted(open_load, "tpot_s"))
    # As stated, the ratio has four digits.
    assert found.figures["performance.tpot_s"].corrected == pytest.approx(wanted, rel=1e-3)


def test_a_measurement_that_must_be_wrong_is_named_by_its_place(
    served: EvaluatedScenario, catalog: Catalog
) -> None:
    runs = MeasuredRuns.model_validate({"runs": [{"tpot_s": predicted(served, "tpot_s")}, {"tpot_s": 100}]})
    with pytest.raises(ScenarioError) as caught:
        calibrated(served, catalog, runs, KeptRuns.__new__(KeptRuns))
    assert caught.value.errors[0].path == "runs[1].tpot_s"


def test_what_is_stated_is_set_aside(served: EvaluatedScenario, catalog: Catalog) -> None:
    found = measured(served, catalog)
    stated = evaluate_scenario(with_calibration(served.document, found.workload_calibration), catalog)
    bare = uncalibrated(stated, catalog)
    assert predicted(bare, "tpot_s") == pytest.approx(predicted(served, "tpot_s"))
    assert measured(bare, catalog).workload_calibration == found.workload_calibration


def test_a_unit_that_must_be_wrong_is_refused(served: EvaluatedScenario, catalog: Catalog) -> None:
    with pytest.raises(ScenarioError, match="Check its unit"):
        measured(served, catalog, tpot=1000)
    with pytest.raises(ScenarioError, match="time to the first token"):
        calibrate_serving(served, [MeasuredLatency(ttft_s=1e-6)], catalog)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"runs": [{"step_time_s": 3}]}, "is of a training run"),
        ({"log": "iteration 5/"}, "is of a training run"),
        ({"runs": [{"tpot_s": 0.04}], "keep": True}, "stands in its scenario"),
        ({"use_kept": True}, "stands in its scenario"),
    ],
)
def test_what_is_of_training_runs_is_refused_in_words(
    served: EvaluatedScenario, catalog: Catalog, given: dict[str, object], said: str
) -> None:
    kept = KeptRuns.__new__(KeptRuns)  # is not looked into
    with pytest.raises(ScenarioError, match=said):
        calibrated(served, catalog, MeasuredRuns.model_validate(given), kept)


def test_a_training_run_has_no_users(catalog: Catalog) -> None:
    scenario = evaluate_scenario(example("edge_node").read(), catalog)
    with pytest.raises(ScenarioError, match="of a served model"):
        calibrated(
            scenario,
            catalog,
            MeasuredRuns(runs=(MeasuredRun(tpot_s=0.04),)),
            KeptRuns.__new__(KeptRuns),
        )


def test_a_run_is_of_one_kind() -> None:
    with pytest.raises(ValueError, match="of a served model ttft_s"):
        MeasuredRun(step_time_s=3, tpot_s=0.04)
    assert MeasuredRun(ttft_s=0.3, tpot_s=0.04).serves


def test_as_text_and_as_json(served: EvaluatedScenario, catalog: Catalog) -> None:
    found = measured(served, catalog)
    text = serving_calibration_text(found)
    assert "corrected by 1.250" in text
    assert "measured_tpot_over_predicted: 1.25" in text
    shape = found.as_json()
    assert shape["runs"][0]["ratio"] == pytest.approx(1.25)
    assert shape["concurrency"] == 40
