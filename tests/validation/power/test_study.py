"""Published power, PUE, water and flow: what is said of the shipped file, and how rows are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.paths import seed_data
from app.validation.power.nodes import accelerator_of, named_in
from app.validation.power.statement import LARGE_BATCH, SERVING, STRONG_SCALED, Statement, profile_of
from app.validation.power.study import POWER
from tests.validation.power.rows import predicted, reason, row

# Published power, PUE, water and flow: what is said of the shipped file, and of files never seen.

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


def test_the_totals_cover_the_file_alone(catalog, tmp_path: Path):
    path = tmp_path / "rows.csv"
    header = "quantity,value,unit,conditions\n"
    path.write_text(header + '"8xH100 node power, mean",7.0,kW,ResNet-50\n', encoding="utf-8")
    found = POWER.report(path, catalog).as_json()
    assert (found["rows"], found["scored"], found["supported"]) == (1, 1, 1)
    assert found["median_abs_error"] == pytest.approx(0.02, abs=0.01)
    assert found["rank_correlation"]["all"] == {"pairs": 0, "spearman": None}


# How rows are read: hardware, counts, workloads, units and coolants, whatever their id.


def statement(quantity: str, conditions: str = "", **cells: object) -> Statement:
    return Statement(row(quantity, conditions, **cells))


@pytest.mark.parametrize(
    ("text", "system", "accelerators"),
    [
        ("8xH100 node power, mean", "dgx_h100", 8),
        ("8x H200 node power", "dgx_h200", 8),
        ("8xA100 node power", "dgx_a100_640", 8),
        ("8xMI300X node power", "amd_mi300x_8way", 8),
        ("4xH100 node power", "dgx_h100", 4),
        ("GB200 NVL72 rack power, mean", "gb200_nvl72", 72),
        ("GB300 compute tray power", "gb300_nvl72", 72),
    ],
)
def test_hardware_is_a_system_of_the_catalog(catalog, text, system, accelerators):
    found = named_in(statement(text), catalog)
    assert found is not None
    assert (found.system.key, found.accelerators) == (system, accelerators)


def test_a_smaller_node_has_its_share_of_the_rating(catalog):
    whole, half = (
        predicted(catalog, f"{count}xH100 node power, mean", "ResNet-50, one node").prediction
        for count in (8, 4)
    )
    assert half.predicted == pytest.approx(whole.predicted / 2)
    assert "in proportion" in half.assumed[0]


@pytest.mark.parametrize("name", ["V3", "GPT", "E9680", "SR780a"])
def test_names_that_are_no_accelerators(catalog, name):
    assert accelerator_of(name, catalog) is None


@pytest.mark.parametrize(
    ("conditions", "nodes"),
    [
        ("GPT-3 175B, 64 nodes / 512 GPUs", 64),
        ("Llama-2 70B LoRA, one node, peak 7.36", 1),
        ("three runs, 1,024 nodes", 1024),
        ("one liquid-cooled node, highest reading 10.10 kW", 1),
        ("ResNet-50", None),
        ("GPT-3; 0.983 on 64 nodes", None),  # a remark on another measurement
    ],
)
def test_counts_of_nodes(conditions, nodes):
    assert statement("8xH100 node power, mean", conditions).nodes == nodes


@pytest.mark.parametrize(
    ("said", "accelerators", "profile"),
    [
        ("GPT-3 175B pretraining", 512, LARGE_BATCH),
        ("Llama-2 70B LoRA", 64, LARGE_BATCH),
        ("Llama-2 70B LoRA", 512, STRONG_SCALED),
        ("fine-tuning of a 7B model", 128, STRONG_SCALED),
        ("llama2-70b Offline", 8, SERVING),
        ("llama3.1-405b Server liquid", 8, SERVING),
        ("BERT", 8, LARGE_BATCH),
        ("ResNet-50 on a server", 8, LARGE_BATCH),
    ],
)
def test_profiles(said, accelerators, profile):
    assert profile_of(statement("8xH100 node power, mean", said), accelerators) == profile


@pytest.mark.parametrize(
    ("unit", "factor", "dimension"),
    [("kW", 1e3, "W"), ("MW", 1e6, "W"), ("kW/node", 1e3, "W"), ("kWh", 3.6e6, "J"), ("%", 0.01, "1")],
)
def test_units(unit, factor, dimension):
    assert statement("x", unit=unit).factor(dimension) == factor


def test_what_a_power_is_of(catalog):
    """One node, one accelerator, and all nodes together."""
    node, card, cluster = (
        predicted(catalog, quantity, "GPT-3, 64 nodes", unit=unit).prediction.predicted
        for quantity, unit in (
            ("8xH100 node power, mean", "kW"),
            ("power of a GPU, 8xH100 nodes", "kW/GPU"),
            ("8xH100 cluster power, mean", "MW"),
        )
    )
    assert card == pytest.approx(node / 8)
    assert cluster == pytest.approx(node * 64 / 1e3)


def test_energy_is_power_for_as_long_as_the_run_took(catalog):
    found = predicted(
        catalog, "energy of the run, 8xH100 nodes", "64 nodes, 2 s sampling, 3,600 s", unit="kWh"
    )
    assert found.prediction.predicted == pytest.approx(64 * 7.14, rel=0.01)


@pytest.mark.parametrize(
    "quantity",
    ["power of a DGX H100 in training", "average power, 8xH100 server", "H100 system power, mean"],
)
def test_other_words_for_the_power_of_a_node(catalog, quantity):
    assert predicted(catalog, quantity, "GPT-3").prediction.predicted == pytest.approx(7.14, rel=0.01)


def test_a_rack_while_it_trains_is_no_rating(catalog):
    found = predicted(catalog, "GB200 NVL72 rack power, mean", "Llama 3.1 405B, 8 racks").prediction
    assert found.predicted == pytest.approx(0.7 * 132, rel=0.01)


def test_idle_pause_and_peak_of_a_node(catalog):
    """In the order of what was measured: 2.1, 3.5 and 8.4 kW (MLPerf v4.0, Latif et al.)."""
    idle, pause, peak = (
        predicted(catalog, f"8xH100 node power, {what}", "GPT-3").prediction.predicted
        for what in ("idle", "evaluation pauses", "maximum")
    )
    assert idle == pytest.approx(2.1, rel=0.1)
    assert pause == pytest.approx(3.5, rel=0.1)
    assert peak == pytest.approx(8.4, rel=0.05)


def test_the_diversity_and_the_share_of_the_rating(catalog):
    diversity = predicted(catalog, "diversity factor, 8xH100", "64 nodes, GPT-3", unit="-").prediction
    assert diversity.predicted == pytest.approx(0.987, abs=0.005)
    ratio = predicted(catalog, "training power / rated power, 8xH100 node", unit="-").prediction
    assert ratio.predicted == pytest.approx(0.70, abs=0.01)


def test_a_tray_at_the_tdp_of_its_chips(catalog):
    """Four GPUs of 1,200 W and two Grace of 300 W: the superchip of 2.7 kW twice."""
    assert predicted(catalog, "GB200 compute tray power").prediction.predicted == pytest.approx(5.4)


def test_a_unit_of_eight_racks(catalog):
    """1.2 MW of the DGX SuperPOD GB200 reference architecture, network and storage included."""
    found = predicted(
        catalog, "thermal design power of one scalable unit (8 racks, 576 GPUs)", "GB200", unit="MW"
    ).prediction
    assert found.predicted == pytest.approx(1.2, rel=0.05)


@pytest.mark.parametrize(
    ("quantity", "conditions", "litres"),
    [
        ("flow of 25 % propylene glycol per kW", "40 C supply, 10 K rise", 1.49),
        ("flow of 25 % propylene glycol per kW", "40 C supply, 7.5 K rise", 1.99),
        ("flow of 25 % propylene glycol per kW", "40 C supply, 5 K rise", 2.99),
        ("flow of 25 % propylene glycol per kW", "40 C supply, 15 K rise", 0.995),
        ("flow of water per kW", "30 C supply, 10 K rise", 1.447),  # 60 / (0.992 x 4.18 x 10)
    ],
)
def test_coolant_flow(catalog, quantity, conditions, litres):
    """Against CoolProp 8.0.0."""
    found = predicted(catalog, quantity, conditions, unit="L/min/kW").prediction
    assert found.predicted == pytest.approx(litres, rel=0.01)
