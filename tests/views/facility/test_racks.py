"""The racks of whole scenarios: kinds, checks against published figures, and what an option changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.views.facility.racks import RacksAnswer, RacksOptions, racks_answer, racks_report, racks_text
from app.views.plain import report_json
from tests.scenarios.support import document


def answered(rack: str = "", standard: Any = "nec", **changes: Any) -> RacksAnswer:
    changes = {"pod__supernodes": 8, "operations__spares": 0} | changes
    evaluated = evaluate_scenario(document(**changes), ready_catalog())
    return racks_answer(evaluated, RacksOptions(rack=rack, standard=standard))


@pytest.fixture(scope="module")
def dgx() -> RacksAnswer:
    return answered(pod__supernodes=64)


@pytest.fixture(scope="module")
def nvl72() -> RacksAnswer:
    return answered(supernode__system="gb200_nvl72")


def checks(answer: RacksAnswer) -> dict[str, Any]:
    assert answer.chosen is not None
    return {check.key: check for check in answer.chosen.checks}


def test_four_dgx_h100_in_a_rack(dgx: RacksAnswer) -> None:
    assert dgx.chosen is not None
    assert (dgx.chosen.name, dgx.chosen.servers, dgx.chosen.racks) == ("4 \u00d7 DGX H100", 4, 16)
    assert dgx.chosen.heat.power_w == 40.8e3
    assert dgx.chosen.weight_kg == 4 * 130.5 + 170
    assert dgx.chosen.first is not None
    assert (dgx.chosen.first.key, dgx.chosen.first.more) == ("power", 0)
    assert checks(dgx)["air_heat"].status == "unusual"
    assert "coolant_flow" not in checks(dgx)
    assert dgx.fits


def test_racks_that_hold_the_same_are_one_kind(dgx: RacksAnswer) -> None:
    assert [kind.kind for kind in dgx.kinds] == ["compute", *["network"] * (len(dgx.kinds) - 1)]
    assert sum(kind.racks for kind in dgx.kinds) == dgx.floor.totals.racks_total
    assert len({kind.name for kind in dgx.kinds}) == len(dgx.kinds)


def test_weight_of_switches_is_unknown_and_said(dgx: RacksAnswer) -> None:
    statuses = {check.key: check.status for check in dgx.kinds[1].checks}
    assert {statuses[key] for key in ("weight", "floor_load", "panel_load")} == {"unknown"}


def test_an_nvl72_as_published(nvl72: RacksAnswer) -> None:
    """NVIDIA: 132 kW, 1.36 t, eight shelves of 33 kW; OCP: 1.5 L/min for each kilowatt at 10 K, within 1 %."""
    kind = nvl72.chosen
    assert kind is not None
    assert kind.whole
    assert (kind.feeds.feeds_per_side, kind.feeds.shelves) == (4, 8)
    assert kind.heat.liquid_heat_w == pytest.approx(114.84e3)
    assert kind.coolant_flow_l_per_min == pytest.approx(1.5 * 114.84, rel=0.01)
    assert kind.pumping_units == 2
    assert kind.footprint_load_kg_per_m2 == pytest.approx(1360 / (0.75 * 1.2))
    assert kind.footprint_load_n_per_m2 == pytest.approx(1360 / 0.9 * 9.80665)
    assert "height" not in checks(nvl72)  # it is as high as it is
    assert nvl72.fits


def test_what_the_scenario_states_binds_a_whole_rack() -> None:
    answer = answered(supernode__system="gb200_nvl72", pod__floor={"rack_power_w": 100e3})
    assert checks(answer)["power"].status == "over"
    assert not answer.fits


@pytest.mark.slow
def test_rear_doors_take_more_than_the_perimeter() -> None:
    """Five DGX H100, 51 kW, are beyond the air of a hall and within a rear door."""
    five = {"pod__floor": {"nodes_per_rack": 5, "rack_power_w": 60e3}, "pod__supernodes": 5}
    at_the_wall = answered(**five)
    at_the_door = answered(**five, facility__air_handling="rear_door")
    assert checks(at_the_wall)["air_heat"].status == "over"
    assert checks(at_the_door)["air_heat"].status == "unusual"
    assert (at_the_wall.fits, at_the_door.fits) == (False, True)
    assert "in_row or rear_door" in at_the_wall.ways_out["air_heat"]


@pytest.mark.slow
def test_what_the_floor_plans_for_air_binds_where_it_is_less() -> None:
    answer = answered(pod__floor={"rack_air_heat_w": 32e3})
    assert checks(answer)["air_heat"].limit == 32e3


def test_immersion_takes_the_fans_out() -> None:
    answer = answered(
        supernode__system="dgx_h100",
        facility__cooling="immersion_dry",
        supernode__override={"liquid_share": 0.8},
    )
    assert answer.chosen is not None
    heat = answer.chosen.heat
    assert heat.power_w < 40.8e3
    assert heat.liquid_heat_w == heat.power_w
    assert checks(answer)["density"].usual == 100e3


def test_standards_and_voltages(nvl72: RacksAnswer) -> None:
    by_iec = answered(supernode__system="gb200_nvl72", standard="iec")
    direct = answered(supernode__system="gb200_nvl72", facility__distribution="dc_800")
    assert [answer.chosen.feeds.feeds_per_side for answer in (nvl72, by_iec, direct) if answer.chosen] == [
        4,
        3,
        1,
    ]
    assert "current_kind" in checks(nvl72)
    assert "current_kind" not in checks(direct)


def test_a_rack_is_chosen_by_its_name(dgx: RacksAnswer) -> None:
    other = dgx.kinds[1].example.name
    chosen = answered(other, pod__supernodes=64).chosen
    assert chosen is not None
    assert chosen.example.name == other
    with pytest.raises(ScenarioError, match="is not a rack"):
        answered("R77-01")


def test_unknown_power_leaves_power_and_heat_unchecked() -> None:
    answer = answered(supernode__system="tpu_v5p_pod", pod__supernodes=1)
    statuses = {key: check.status for key, check in checks(answer).items()}
    assert statuses["air_heat"] == statuses["feeds"] == "unknown"
    assert answer.chosen is not None
    assert answer.chosen.first is None
    assert "nothing of it is known" in racks_text(answer)


def test_the_report_has_no_number_that_json_cannot_say(nvl72: RacksAnswer) -> None:
    report = report_json(racks_report(nvl72))
    (kind, *_) = report["racks"]
    assert kind["first_limit"] == "weight"
    lines = {line["check"]: line for line in kind["checks"]}
    assert lines["current_kind"]["limit"] is None
    assert lines["weight"]["servers_until_limit"] is None
    assert all(line["way_out"].endswith(".") for line in lines.values())

    def numbers(item: Any) -> list[float]:
        if isinstance(item, dict):
            return [number for part in item.values() for number in numbers(part)]
        if isinstance(item, list):
            return [number for part in item for number in numbers(part)]
        return [item] if isinstance(item, float) else []

    assert np.isfinite(numbers(report)).all()
