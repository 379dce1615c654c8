"""Published power, PUE, water and flow: what is said of the shipped file, and of files never seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.paths import seed_data
from app.validation.power.study import POWER
from app.validation.study import ValidationFileError
from tests.validation.power.rows import predicted, reason, row

PUBLISHED = seed_data() / "validation" / "power_cooling.csv"


@pytest.fixture(scope="module")
def report(catalog):
    return POWER.report(PUBLISHED, catalog)


@pytest.fixture(scope="module")
def by_key(report):
    return {one.key: one for one in report.predictions}


@pytest.mark.slow
def test_every_scored_row_is_predicted_and_none_is_dropped(report):
    found = report.as_json()
    assert found["rows"] == 127
    assert found["scored"] == found["supported"] + len(found["unsupported"]) == 67
    assert found["unsupported"] == []
    assert found["fitted_constants"] == 0
    assert found["median_abs_error"] < 0.06
    assert found["p90_abs_error"] < 0.15
    json.dumps(found, allow_nan=False)


@pytest.mark.slow
def test_errors_by_quantity(report):
    groups = report.as_json()["groups"]["quantity"]
    assert {name: one["rows"] for name, one in groups.items()} == {
        "node power": 21, "energy": 1, "PUE provider": 41, "PUE facility": 1, "flow": 1, "sizing": 2,
    }  # fmt: skip
    assert groups["node power"]["median_abs_error"] < 0.05
    assert groups["PUE provider"]["median_abs_error"] < 0.07
    assert groups["sizing"]["p90_abs_error"] < 0.05


@pytest.mark.slow
@pytest.mark.parametrize(
    "key",
    [
        "b200_node_llama2_70b_lora", "b200_node_bert", "b200_node_retinanet", "b200_node_stable_diffusion",
        "dell_h100_lora_mean", "dell_h100_lora_peak",
    ],
)  # fmt: skip
def test_nodes_that_no_default_was_taken_from_are_within_7_percent(by_key, key):
    """8x B200 of MLPerf Training v5.0 (Lenovo) and 8x H100 of v4.1 (Dell), while they work."""
    assert abs(by_key[key].error) < 0.07


@pytest.mark.slow
def test_strong_scaling_and_what_it_misses(by_key):
    """LoRA on one node and on 64 (MLPerf v4.0) come out; eight nodes lie between the two profiles."""
    assert abs(by_key["h100_node_lora1"].error) < 0.03
    assert abs(by_key["h100_node_lora64"].error) < 0.03
    assert 0.15 < by_key["h100_node_lora8"].error < 0.3


@pytest.mark.slow
def test_pue_is_also_judged_without_the_one(report):
    overhead = report.as_json()["pue_less_one"]
    assert overhead["rows"] == 42
    whole = report.as_json()["groups"]["quantity"]["PUE provider"]
    assert overhead["median_abs_error"] > 4 * whole["median_abs_error"]


@pytest.mark.slow
def test_ranks_leave_out_places_with_a_far_climate(report):
    found = report.as_json()
    near, all_of_them = found["rank_correlation"], found["rank_correlation_with_far"]
    assert near["all"]["pairs"] < all_of_them["all"]["pairs"] == 42
    assert all_of_them["Amazon Web Services"]["spearman"] > 0.6
    assert 0.2 < near["all"]["spearman"] < 0.9
    assert near["no provider"]["spearman"] is None  # a single place has no rank


@pytest.mark.slow
def test_as_text_and_rows(report):
    text = report.as_text()
    assert "67 predicted, 0 unsupported; 0 constants fitted" in text
    assert "rank correlation of PUE (Spearman)" in text
    lines = report.as_csv().splitlines()
    assert lines[0] == "id,measured,predicted,error,low,high"
    assert len(lines) == 68
    assert lines[1].startswith("h100_node_gpt3_mean,6.85,7.14,")


def test_nothing_comes_from_the_value_of_the_row(catalog):
    said = ("8xH100 node power, mean", "GPT-3 175B pretraining, 64 nodes")
    low, high = (predicted(catalog, *said, value=value).prediction for value in (1, 50))
    assert low.predicted == high.predicted == pytest.approx(7.14, rel=0.01)


def test_unscored_rows_are_kept_out_and_a_missing_column_means_scored(catalog):
    rows = [row("8xH100 node power, mean", scored="no"), row("8xH100 node power, mean", scored="")]
    found = POWER.compare(rows, catalog)
    assert (len(found.figures), len(found.unsupported), len(found.unscored)) == (1, 0, 1)


def test_hardware_that_a_row_leaves_open_is_that_of_its_submission(catalog):
    rows = [
        row("cluster peak divided by nodes", "same run", unit="kW/node", url="u"),
        row("8xB200 node power, mean", "BERT, one node", url="u", id="two"),
        row("cluster peak divided by nodes", unit="kW/node", url="another", id="three"),
    ]
    found = POWER.compare(rows, catalog)
    checked, unsupported = found.figures, found.unsupported
    assert [one.prediction.key for one in checked] == ["one", "two"]
    assert "DGX B200" in checked[0].prediction.assumed[-1]
    assert unsupported[0].row.key == "three"
    assert "names no accelerator" in unsupported[0].reason


def test_the_same_run_is_that_of_the_row_before(catalog):
    rows = [
        row("8xH100 node power, mean", "Llama-2 70B LoRA, 64 nodes", url="u"),
        row("8xH100 node power, mean", "same, steady state", url="u", id="two"),
    ]
    checked = POWER.compare(rows, catalog).figures
    assert checked[1].prediction.predicted == checked[0].prediction.predicted


@pytest.mark.parametrize(
    ("quantity", "cells", "why"),
    [
        ("chip temperature", {}, "no figure for 'chip temperature'"),
        ("8xH100 node power, mean", {"value": "6.5-7"}, "not a number"),
        ("8xH100 node power, mean", {"value": ""}, "value is empty"),
        ("8xH100 node power, mean", {"value": "0"}, "not above 0"),
        ("8xH100 node power, mean", {"unit": "L"}, "no unit of power"),
        ("8xZ900 node power, mean", {}, "no system of Z900"),
        ("maximum system power, 8xH100", {}, "a rating is what the engine starts from"),
        ("8xH100 node power, 1st percentile", {}, "no other percentile"),
        ("largest one-second step, 8xH100 node", {}, "no changes within seconds"),
        ("8xB200 node power, mean, SDXL Offline", {}, "no language model"),
        ("industry mean PUE", {"unit": "-"}, "names no place"),
        ("flow of 60 % propylene glycol per kW", {"unit": "L/min/kW", "conditions": "40 C supply"}, "60 % glycol"),
        ("flow of 25 % propylene glycol per kW", {"unit": "L/min/kW"}, "at which temperature"),
        ("energy of the run, 8xH100 nodes", {"unit": "kWh"}, "how long the run took"),
    ],
)  # fmt: skip
def test_what_cannot_be_predicted_is_said_with_the_reason(catalog, quantity, cells, why):
    assert why in reason(catalog, quantity, **cells)


def test_bad_files_name_what_they_lack(catalog, tmp_path: Path):
    path = tmp_path / "rows.csv"
    path.write_text("id,quantity,measured\n1,power,2\n", encoding="utf-8")
    with pytest.raises(ValidationFileError, match="has no column value and no column unit"):
        POWER.report(path, catalog)
    with pytest.raises(ValidationFileError, match="cannot be read"):
        POWER.report(tmp_path / "nowhere.csv", catalog)


def test_the_totals_cover_the_file_alone(catalog, tmp_path: Path):
    path = tmp_path / "rows.csv"
    header = "quantity,value,unit,conditions\n"
    path.write_text(header + '"8xH100 node power, mean",7.0,kW,ResNet-50\n', encoding="utf-8")
    found = POWER.report(path, catalog).as_json()
    assert (found["rows"], found["scored"], found["supported"]) == (1, 1, 1)
    assert found["median_abs_error"] == pytest.approx(0.02, abs=0.01)
    assert found["rank_correlation"]["all"] == {"pairs": 0, "spearman": None}
