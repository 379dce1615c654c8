"""Ladders of a design and of systems: from the catalog, from assumptions, or not published."""

from __future__ import annotations

import pytest

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.views.fabric.bandwidth import (
    LEVELS,
    BandwidthOptions,
    Ladder,
    Rung,
    bandwidth_ladders,
    comparable_systems,
)
from tests.scenarios.support import document

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return ready_catalog()


@pytest.fixture(scope="module")
def evaluated(catalog: Catalog) -> EvaluatedScenario:
    return evaluate_scenario(document(pod__supernodes=16), catalog)


def rung(ladder: Ladder, level: str) -> Rung:
    return next(one for one in ladder.rungs if one.level == level)


def test_the_design_comes_first_and_has_every_level(evaluated: EvaluatedScenario, catalog: Catalog) -> None:
    (own,) = bandwidth_ladders(evaluated, catalog, BandwidthOptions()).ladders
    assert (own.key, own.name) == ("", evaluated.resolved.design.name)
    assert [one.level for one in own.rungs] == list(LEVELS)
    fabric = evaluated.as_json["fabric"]
    assert rung(own, "scale_up").bandwidth_bytes_per_s == fabric["scale_up_bandwidth_bytes_per_s"]
    assert rung(own, "scale_out").bandwidth_bytes_per_s == fabric["scale_out_bandwidth_bytes_per_s"]
    assert rung(own, "scale_out").latency_s == fabric["latency_s"]
    assert own.scale_up_over_scale_out == pytest.approx(fabric["bandwidth_gap"])
    assert rung(own, "wan").bandwidth_bytes_per_s is None


def test_levels_fall_from_the_registers_to_the_memory(evaluated: EvaluatedScenario, catalog: Catalog) -> None:
    (own,) = bandwidth_ladders(evaluated, catalog, BandwidthOptions()).ladders
    rates = [rung(own, level).bandwidth_bytes_per_s for level in list(LEVELS)[:5]]
    assert None not in rates
    assert rates == sorted(rates, reverse=True)  # type: ignore[type-var]
    waits = [rung(own, level).latency_s for level in list(LEVELS)[:4]]
    assert None not in waits
    assert waits == sorted(waits)  # type: ignore[type-var]


def test_systems_stand_beside_it_as_the_catalog_has_them(
    evaluated: EvaluatedScenario, catalog: Catalog
) -> None:
    asked = BandwidthOptions(systems=["gb200_nvl72", "aws_trn2_48xlarge"])
    _, nvl72, trn2 = bandwidth_ladders(evaluated, catalog, asked).ladders
    assert nvl72.scale_up_over_scale_out == 900 / 50  # NVLink 5 and one 400 Gbit/s NIC a GPU
    assert rung(nvl72, "memory").flop_per_byte == pytest.approx(2500 / 8)
    assert (
        rung(trn2, "scale_up").bandwidth_bytes_per_s == 512e9
    )  # of the instance, not of the chip's six links
    assert rung(trn2, "shared_memory").bandwidth_bytes_per_s is None
    assert rung(trn2, "shared_memory").bandwidth_source == ""


def test_every_figure_says_where_it_is_from(evaluated: EvaluatedScenario, catalog: Catalog) -> None:
    keys = [part.key for part in comparable_systems(catalog)]
    assert len(keys) > 40
    for start in range(0, len(keys), 4):
        for ladder in bandwidth_ladders(
            evaluated, catalog, BandwidthOptions(systems=keys[start : start + 4])
        ).ladders:
            for one in ladder.rungs:
                assert (one.bandwidth_bytes_per_s is None) == (one.bandwidth_source == ""), (ladder.key, one)
                assert (one.latency_s is None) == (one.latency_source == ""), (ladder.key, one)


def test_a_pod_without_a_fabric_has_no_scale_out(catalog: Catalog) -> None:
    alone = evaluate_scenario(document(pod__supernodes=1), catalog)
    (own,) = bandwidth_ladders(alone, catalog, BandwidthOptions()).ladders
    assert rung(own, "scale_out").bandwidth_bytes_per_s is None
    assert own.scale_up_over_scale_out is None


@pytest.mark.parametrize("key", ["dgx_h1000", "coreweave_fleet_2024"])
def test_what_has_no_ladder_is_named_with_what_is_near(
    evaluated: EvaluatedScenario, catalog: Catalog, key: str
) -> None:
    with pytest.raises(ScenarioError) as refused:
        bandwidth_ladders(evaluated, catalog, BandwidthOptions(systems=["dgx_h100", key]))
    (fault,) = refused.value.errors
    assert (fault.path, fault.value) == ("systems[1]", key)
    assert fault.hint.startswith("Nearest: ")
