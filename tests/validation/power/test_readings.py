"""How rows are read: hardware, counts, workloads, units and coolants, whatever their id."""

from __future__ import annotations

import pytest

from app.validation.power.nodes import accelerator_of, named_in
from app.validation.power.statement import LARGE_BATCH, SERVING, STRONG_SCALED, Statement, profile_of
from tests.validation.power.rows import predicted, row


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
