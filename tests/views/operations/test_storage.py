"""Storage of a design: demand, tiers and price, and the size of checkpoints."""

from __future__ import annotations

import math

import pytest

from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.operations.storage import StorageReport, storage_report, storage_text
from tests.scenarios.support import scenario
from tests.support import read_example
from tests.views.searching.test_recent import ready_catalog

LLAMA = "llama_3_1_405b_on_2048_dgx_h100"


def report(key: str) -> StorageReport:
    return storage_report(evaluate_scenario(read_example(key), ready_catalog()), ready_catalog())


def test_llama_is_no_longer_several_times_too_cheap() -> None:
    found = report(LLAMA)
    assert 0.01 < found.share_of_capex < 0.03  # Bernstein: 1 to 1.5 % of a site
    sizes = {one.title: one.checkpoint_bytes for one in found.checkpoints}
    assert sizes["Adam, BF16 with FP32 master"] == pytest.approx(405.85e9 * 14, rel=1e-3)
    assert sizes["Weights only, BF16"] == pytest.approx(405.85e9 * 2, rel=1e-3)
    tiers = {one.key: one for one in found.tiers}
    assert (tiers["flash"].sized_by, tiers["bulk"].sized_by) == ("write bandwidth", "capacity")
    assert tiers["flash"].units == math.ceil(5.12e12 / 40e9)
    price = next(one.value for one in found.supply if one.key == "price")
    assert sum(one.price_usd for one in found.tiers) == pytest.approx(price)
    assert "Storage is 2.8% of the capital." in storage_text(found)


def test_what_serves_has_no_checkpoints() -> None:
    found = report("deepseek_r1_on_8_h200")
    assert found.checkpoints == ()
    assert {"weights", "load_time"} <= {one.key for one in found.demand}


def test_stated_storage_goes_first() -> None:
    stated = {"write_bandwidth_bytes_per_s": 1e11, "capacity_bytes": 2e15, "price_usd_per_tb": 400}
    document = build_scenario(scenario(operations__storage=stated))
    found = evaluate_scenario(document, ready_catalog())
    assert found.evaluation.sections.reliability.storage_write_bandwidth_bytes_per_s[0] == 1e11
    assert found.evaluation.sections.cost.capex_breakdown_usd["storage"][0] == 2000 * 400


@pytest.mark.parametrize(
    ("field", "value", "limit"),
    [
        ("write_bandwidth_bytes_per_s", 0, "1,000,000"),
        ("write_bandwidth_bytes_per_s", -5, "1,000,000"),
        ("read_bandwidth_bytes_per_s", 1e30, "1e+17"),
        ("capacity_bytes", -1, "1,000,000,000"),
        ("price_usd_per_tb", -1, "0"),
        ("price_usd_per_tb", 1e12, "1,000,000"),
    ],
)
def test_absurd_storage_is_refused_with_the_range(field: str, value: float, limit: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        build_scenario(scenario(operations__storage={field: value}))
    said = str(refused.value)
    assert field in said
    assert limit.replace(",", "") in said.replace(",", "") or limit in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("storage_write_efficiency", 0),
        ("storage_write_efficiency", 1.5),
        ("storage_bulk_per_accelerator_bytes", -1),
        ("storage_port_bytes_per_s", 0),
        ("checkpoints_kept", 0),
    ],
)
def test_absurd_assumptions_of_storage_are_refused(name: str, value: float) -> None:
    with pytest.raises(ScenarioError, match=name):
        evaluate_scenario(
            build_scenario(scenario(assumptions={f"operations.{name}": value})), ready_catalog()
        )


@pytest.mark.slow
def test_tiers_add_up_to_what_is_bought() -> None:
    """Capacity, power, racks and price of the tiers are those of the evaluation; the largest need binds."""
    for key in (
        LLAMA,
        "edge_node",
        "deepseek_r1_on_8_h200",
        "fft_3d_on_512_dgx_a100",
        "training_and_serving_on_8_dgx_h200",
    ):
        found = report(key)
        supply = {one.key: one.value for one in found.supply}
        assert sum(one.capacity_bytes for one in found.tiers) == pytest.approx(supply["capacity"])
        assert sum(one.power_w for one in found.tiers) == pytest.approx(supply["power"])
        assert math.ceil(sum(one.racks for one in found.tiers)) == supply["racks"]
        flash = found.tiers[0]
        assert max(one.capacity_bytes for one in found.flash_needs) == pytest.approx(flash.capacity_bytes)
        assert [one.binds for one in found.flash_needs].count(True) >= 1
        assert flash.price_usd == pytest.approx(flash.price_usd_per_tb * flash.capacity_bytes / 1e12)


def test_beside_meta() -> None:
    """Llama 3.1 405B within a third of what Meta built, by accelerators: 160 PB, 1.33 TB/s sustained, 4.67 at the peak."""
    found = report(LLAMA)
    supply = {one.key: one.value for one in found.supply}
    meta = {one.key: one.value for one in found.published}
    write = next(one.value for one in found.demand if one.key == "write")
    assert supply["capacity"] / meta["meta_capacity"] == pytest.approx(1, abs=1 / 3)
    assert write / meta["meta_sustained"] == pytest.approx(1, abs=1 / 3)
    assert supply["rated_write"] / meta["meta_peak"] == pytest.approx(1, abs=1 / 3)


@pytest.mark.slow
def test_a_storage_network_too_small_for_its_storage_is_named() -> None:
    """One server of four links under 100 GB/s for jobs, which is 400 GB/s rated and 9 ports of 45 GB/s."""
    stated = {
        "pod__networks": {"storage": {"servers": 1}},
        "operations__storage": {"write_bandwidth_bytes_per_s": 1e11, "read_bandwidth_bytes_per_s": 1e11},
        "pod__supernodes": 32,
    }
    found = evaluate_scenario(build_scenario(scenario(**stated)), ready_catalog()).evaluation.problems
    problem = next(one for one in found if one.constraint == "links of storage servers")
    assert (problem.value, problem.limit) == (4, 9)
    assert problem.fix is not None
    assert problem.fix.value == 3
    stated["pod__networks"] = {"storage": {"servers": 3}}
    mended = evaluate_scenario(build_scenario(scenario(**stated)), ready_catalog()).evaluation.problems
    assert all(one.constraint != "links of storage servers" for one in mended)
