"""The cooling of a scenario in detail, and every plant beside its own."""

from __future__ import annotations

import json

import pytest

from app.catalog.ready import ready_catalog
from app.engine.facility.cooling.plants import PLANTS
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_document, build_scenario
from app.views.facility.cooling import CoolingAnswer, CoolingOptions, cooling_answer
from app.views.plain import report_json
from tests.scenarios.support import scenario


def answered(tank_m3: float = 0.0, system: str = "gb200_nvl72", **facility: object) -> CoolingAnswer:
    document = build_scenario(scenario(supernode={"system": system}, facility=facility))
    catalog = ready_catalog()
    return cooling_answer(evaluate_scenario(document, catalog), catalog, CoolingOptions(tank_m3=tank_m3))


@pytest.mark.slow
def test_loops_units_and_checks_of_a_liquid_plant() -> None:
    answer = answered()
    assert answer.plant == "direct_liquid_dry"
    assert [side.name for side in answer.sides] == ["Liquid", "Air"]
    assert answer.flow is not None
    assert answer.water is not None
    assert answer.exchanger is not None
    assert answer.flow.l_per_min_per_kw == pytest.approx(1.497, abs=0.002)
    assert (answer.water.name, answer.water.holds) == ("W40", True)
    assert answer.cdus[0].kind == "liquid_to_liquid"
    assert all(one.velocity_m_per_s <= one.limit_m_per_s for one in answer.headers)
    assert next(one.name for one in answer.surfaces) == "Coolant in the racks"
    assert len(answer.lost) == 5
    assert answer.reuse is None


@pytest.mark.slow
def test_every_plant_is_beside_the_chosen_one() -> None:
    answer = answered(site="phoenix")
    lines = {line.plant: line for line in answer.plants}
    assert list(lines) == list(PLANTS)
    assert [line.plant for line in answer.plants if line.chosen] == [answer.plant]
    assert lines["air"].refusal
    assert lines["air_tower"].refusal
    assert lines["immersion_dry"].warning
    assert not lines["immersion_dry"].refusal
    assert lines["direct_liquid_adiabatic"].pue < lines["direct_liquid_dry"].pue
    assert 0 < lines["direct_liquid_adiabatic"].wue_l_per_kwh < lines["direct_liquid_tower"].wue_l_per_kwh
    assert lines["direct_liquid_chiller"].economiser_hours == 0


@pytest.mark.slow
def test_the_lines_are_those_of_scenarios_that_say_so() -> None:
    lines = {line.plant: line for line in answered().plants}
    for plant in ("direct_liquid_tower", "immersion_dry"):
        own = answered(cooling=plant)
        chosen = next(line for line in own.plants if line.chosen)
        assert chosen.plant == plant
        assert chosen.pue == pytest.approx(lines[plant].pue)


@pytest.mark.slow
def test_oil_has_its_own_rows() -> None:
    answer = answered(cooling="immersion_tower")
    assert answer.coolant == "dielectric"
    assert answer.flow is not None
    assert answer.flow.l_per_min_per_kw == pytest.approx(3.39, abs=0.05)
    assert [one.kind for one in answer.cdus] == ["liquid_to_liquid"]


@pytest.mark.slow
@pytest.mark.parametrize(("coolant", "flow"), [("pg25", 1.497), ("pg30", 1.507), ("eg25", 1.518)])
def test_coolants_differ(coolant: str, flow: float) -> None:
    found = answered(coolant=coolant).flow
    assert found is not None
    assert found.l_per_min_per_kw == pytest.approx(flow, abs=0.01)


@pytest.mark.slow
def test_air_servers_have_no_liquid_parts() -> None:
    answer = answered(system="dgx_h100", air_handling="rear_door")
    assert (answer.flow, answer.water, answer.exchanger, answer.cdus) == (None, None, None, ())
    assert answer.sides[0].exchanges[0].name == "Rear doors"
    assert next(one.lost for one in answer.lost) == "Air handlers stop"


@pytest.mark.slow
def test_liquid_to_air_has_one_chain() -> None:
    answer = answered(cooling="liquid_to_air")
    (side,) = answer.sides
    assert side.exchanges[0].name == "Liquid-to-air CDUs"
    assert answer.cdus[0].kind == "liquid_to_air"
    assert answer.water is None


@pytest.mark.slow
def test_a_tank_buys_time() -> None:
    name = "Heat rejection stops, all water runs on"
    lasts = [next(one for one in answered(tank).lost if one.lost == name).lasts_s for tank in (0.0, 20.0)]
    assert lasts[1] > lasts[0] + 30


@pytest.mark.slow
def test_reused_heat_is_told() -> None:
    reuse = answered(site="stockholm", heat_reuse={"share": 0.5, "supply_c": 70}).reuse
    assert reuse is not None
    assert reuse.cop == pytest.approx(0.5 * 343.15 / (70 - 46))
    assert 0 < reuse.erf < 1
    free = answered(site="stockholm", heat_reuse={"share": 0.5, "supply_c": 40}).reuse
    assert free is not None
    assert free.cop is None


@pytest.mark.slow
def test_report_is_plain_and_says_what_is_unknown() -> None:
    report = report_json(answered(system="amd_helios_72"))
    assert json.loads(json.dumps(report, allow_nan=False))["plants"][2]["pue"] is None
    assert report_json(answered())["plants"][2]["pue"] > 1


@pytest.mark.parametrize("tank", [-1, 1e6, "big"])
def test_a_tank_that_cannot_be_is_refused(tank: object) -> None:
    with pytest.raises(ScenarioError) as caught:
        build_document(CoolingOptions, {"tank_m3": tank})
    assert caught.value.errors[0].path == "tank_m3"
