"""A scenario over sizes of its SuperNode."""

from __future__ import annotations

import dataclasses
import math
import random
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.charts.fabric.supernode_sizes import size_causes_figure, size_cost_figure
from app.charts.format import show
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_document, build_scenario
from app.surfaces.pages.explore.supernode_sizes import size_figures
from app.views.fabric.sized_document import document_of_size
from app.views.fabric.supernode import supernode_inside, supernode_text
from app.views.fabric.supernode_sizes import (
    FLAT,
    SuperNodeSizes,
    SuperNodeSizesOptions,
    sizes_text,
    supernode_sizes,
)
from tests.scenarios.support import scenario
from tests.support import read_example

pytestmark = pytest.mark.slow


def study(values: Any, *sizes: int) -> SuperNodeSizes:
    document = build_scenario(values) if isinstance(values, dict) else values
    evaluated = evaluate_scenario(document, ready_catalog())
    return supernode_sizes(evaluated, ready_catalog(), SuperNodeSizesOptions(sizes=sizes))


def of_parts(accelerators: int, **stated: Any) -> dict[str, Any]:
    values = scenario(pod__supernodes=1024 // accelerators)
    values["supernode"] = {
        "custom": {
            "name": "GB200 in trays of four",
            "accelerator": "nvidia_gb200",
            "accelerators": accelerators,
            "nic_gbit_s": 400,
            "parts": {"accelerators_per_tray": 4, "processor": "cpu_grace"},
            **stated,
        }
    }
    return values


@pytest.fixture(scope="module")
def racks() -> SuperNodeSizes:
    return study(read_example("llama_3_1_405b_on_gb200_nvl72"), 8, 36, 72, 144, 288)


def test_the_best_size_is_the_one_of_least_cost(racks: SuperNodeSizes) -> None:
    priced = [row for row in racks.sizes if not math.isnan(row.usd_per_unit)]
    least = min(priced, key=lambda row: row.usd_per_unit)
    assert racks.best == least.accelerators
    assert least.against_best is not None
    assert dataclasses.astuple(least.against_best) == pytest.approx((1, 1, 1))
    assert racks.flat == tuple(
        row.accelerators for row in priced if row.usd_per_unit <= least.usd_per_unit * (1 + FLAT)
    )


def test_cost_is_the_product_of_its_causes(racks: SuperNodeSizes) -> None:
    least = next(row for row in racks.sizes if row.accelerators == racks.best)
    for row in racks.sizes:
        assert row.against_best is not None
        product = math.prod(dataclasses.astuple(row.against_best))
        assert product == pytest.approx(row.usd_per_unit / least.usd_per_unit)


def test_a_larger_domain_never_slows_the_step_and_a_second_tier_is_paid_for(racks: SuperNodeSizes) -> None:
    by_size = {row.accelerators: row for row in racks.sizes}
    times = [row.step_time_s for row in racks.sizes]
    assert times == sorted(times, reverse=True)
    assert [row.switch_tiers for row in racks.sizes] == [1, 1, 1, 2, 2]
    assert by_size[144].capex_usd_per_accelerator > 1.1 * by_size[72].capex_usd_per_accelerator
    assert by_size[144].rated_power_w_per_accelerator > by_size[72].rated_power_w_per_accelerator
    assert any("second tier" in words for words in racks.findings)


def test_sizes_have_the_interval_of_the_design_and_a_speed_at_equal_capital(racks: SuperNodeSizes) -> None:
    """The interval moves all sizes alike; at its own size the capital buys what the design has."""
    shares = {
        (
            round(row.usd_per_unit_low / row.usd_per_unit, 9),
            round(row.usd_per_unit_high / row.usd_per_unit, 9),
        )
        for row in racks.sizes
    }
    ((low, high),) = shares
    assert low < 1 < high
    by_size = {row.accelerators: row for row in racks.sizes}
    own = by_size[racks.own]
    assert own.speed_at_equal_capex == own.speed_at_equal_accelerators == 1
    assert by_size[144].speed_at_equal_capex < 1 < by_size[144].speed_at_equal_accelerators


def test_what_turns_the_curve_is_said_with_figures(racks: SuperNodeSizes) -> None:
    words = " ".join(racks.findings)
    for begin in (
        "Exchange that nothing hides takes",
        "a second tier of switches",
        "over pluggable optics",
        "kW",
    ):
        assert begin in words
    assert [row.medium for row in racks.sizes] == ["", "", "", "active_copper", "pluggable"]
    exchange = [row.exposed_exchange_s for row in racks.sizes]
    assert exchange[0] > exchange[-1] > 0


def test_catalog_systems_of_the_generation_stand_beside_the_sizes() -> None:
    scenario_ = evaluate_scenario(read_example("llama_3_1_405b_on_gb200_nvl72"), ready_catalog())
    options = SuperNodeSizesOptions(sizes=(36, 72), systems=True)
    found = supernode_sizes(scenario_, ready_catalog(), options)
    by_key = {one.key: one for one in found.systems}
    assert {"dgx_b200", "gb300_nvl72", "gb200_nvl36x2"} <= by_key.keys()
    assert "gb200_nvl72" not in by_key  # the design itself
    assert by_key["gb200_nvl36x2"].size.accelerators == 72
    assert not by_key["gb200_nvl36x2"].has_price
    assert all(one.size.usd_per_unit > 0 for one in found.systems if not one.size.refusal)
    (cost, _) = size_figures(found)
    assert len(cost.rows) == len(found.sizes) + len(found.systems)
    assert "by the price of its accelerators" in sizes_text(found)
    # the sizes have their best layouts, the design has its own: two costs of a run, told apart
    own = float(scenario_.evaluation.sections.cost.usd_per_run[0])
    assert found.usd_per_unit_as_designed == own
    assert own > 1.05 * found.sizes[1].usd_per_unit
    assert f"As it is laid out, this design costs {show(own, 'USD').text}" in cost.takeaway


def test_text_and_charts_name_the_best_size(racks: SuperNodeSizes) -> None:
    assert f"costs least at {racks.best:,} accelerators" in sizes_text(racks)
    cost, causes = size_figures(racks)
    assert f"costs least at {racks.best:,} accelerators" in cost.takeaway
    assert len(cost.rows) == len(racks.sizes)
    assert causes.plot is not None
    assert "n/a" not in " ".join(cell for row in causes.rows for cell in row.cells)


def test_sizes_that_cannot_be_built_say_why() -> None:
    found = study(scenario(pod__supernodes=512), 8, 64, 2048)
    (refused,) = [row for row in found.sizes if row.refusal]
    assert (refused.accelerators, refused.switch_tiers) == (2048, 0)
    assert "joins at most 1,152 accelerators" in refused.refusal or "at most" in refused.refusal
    assert "2,048" in sizes_text(found)


def test_a_design_of_parts_has_sizes_too() -> None:
    """What a size costs is the same, whether it is the design or one of the sizes alongside it."""
    of_16, of_64 = (study(of_parts(own), 16, 64) for own in (16, 64))
    for one, other in zip(of_16.sizes, of_64.sizes, strict=True):
        assert one.usd_per_unit == pytest.approx(other.usd_per_unit)
    assert (of_16.own, of_64.own) == (16, 64)


@pytest.mark.parametrize("name", ["deepseek_r1_on_cloudmatrix384", "deepseek_r1_on_gb200_nvl72"])
def test_a_served_model_always_has_other_sizes(name: str) -> None:
    """Also one that states its layout and has no scale-out fabric: both are found at each size."""
    found = study(read_example(name), 16, 72)
    assert found.unit == "million output tokens"
    known = [row for row in found.sizes if not row.refusal]
    assert len(known) == len(found.sizes) >= 2
    assert all(row.tokens_per_s_per_accelerator > 0 and row.usd_per_unit > 0 for row in known)


def test_one_size_alone_is_refused() -> None:
    values = scenario(pod__supernodes=8)
    values["supernode"]["override"] = {"price_usd": 1e6}
    with pytest.raises(ScenarioError, match="described at one size"):
        study(values)
    with pytest.raises(ScenarioError, match="does not rise"):
        build_document(SuperNodeSizesOptions, {"sizes": [72, 8]})


def test_nothing_to_compare_is_said() -> None:
    empty = size_cost_figure([], unit="run", own=8, best=None, flat=(), accelerators=8)
    assert empty.plot is None
    assert size_causes_figure([], unit="run", best=None).plot is None


def test_random_sizes_buy_as_many_accelerators() -> None:
    """At least as many as the design, less than one SuperNode more, and never fewer in use than before."""
    chance = random.Random(5)
    document = read_example("llama_3_1_405b_on_gb200_nvl72")
    for _ in range(200):
        size, bought = chance.randint(1, 2000), chance.randint(1, 20_000)
        used = chance.randint(1, bought)
        found = document_of_size(document, size, bought=bought, used=used)
        whole = found.pod.supernodes * size
        assert bought <= whole < bought + size
        assert found.pod.accelerators_used == "all" or found.pod.accelerators_used == used < whole


def test_what_is_inside_is_said_or_refused() -> None:
    catalog = ready_catalog()
    whole = evaluate_scenario(build_scenario(of_parts(72)), catalog)
    answer = supernode_inside(whole, catalog)
    assert sum(part.price_usd.typical for part in answer.parts) == pytest.approx(answer.price_usd.typical)
    assert answer.compared == ()
    assert "Scale-up switch chips" in supernode_text(answer)
    lost = {one.name: (one.accelerators, one.bandwidth_share) for one in answer.losses}
    chips_and_links = {"switch": (0, 1 / 18), "link": (0, 1 / 18)}
    assert lost == {"accelerator": (1, 0), "tray": (4, 0), "rack": (72, 0)} | chips_and_links
    assert answer.rack_liquid_power_w + answer.rack_air_power_w == pytest.approx(answer.rack_power_w)
    assert answer.rack_weight_kg == pytest.approx(answer.weight_kg)
    two = supernode_inside(evaluate_scenario(build_scenario(of_parts(144)), catalog), catalog)
    chips = {one.name: one.bandwidth_share for one in two.losses}
    assert (chips["switch"], chips["upper_switch"]) == (1 / 18, 1 / 36)
    rack = evaluate_scenario(read_example("llama_3_1_405b_on_gb200_nvl72"), catalog)
    compared = {one.name: one for one in supernode_inside(rack, catalog).compared}
    assert compared["max_power_w"].built == pytest.approx(compared["max_power_w"].published, rel=0.1)
    values = scenario(pod__supernodes=2)
    values["supernode"] = {
        "custom": {"name": "Unknown inside", "accelerator": "nvidia_h100_sxm", "accelerators": 8}
    }
    with pytest.raises(ScenarioError, match="The inside is unknown: "):
        supernode_inside(evaluate_scenario(build_scenario(values), catalog), catalog)
