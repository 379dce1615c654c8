"""Plants that a system cannot use, and coolants and networks that a plant cannot: each with a fix."""

import dataclasses

import pytest

from app.engine.facility.cooling.plants import PLANTS, cannot_use
from app.engine.facility.section import facility_problems
from app.engine.specs import HeatReuse
from tests.engine.facility.cases import climate, defaults, evaluate, facility_at, pod_of, rack
from tests.support import dgx_h100, number


def _problems(supernode, *, reuse=None, **facility):
    place = facility_at(climate("ashburn_va"), **facility)
    if reuse is not None:
        place = dataclasses.replace(place, heat_reuse=HeatReuse(share=number(reuse), supply_c=number(60)))
    power, cooling = evaluate(facility=place, supernode=supernode)
    found = facility_problems(
        supernode=supernode,
        pod=pod_of(16, 16),
        facility=place,
        power=power,
        cooling=cooling,
        assumptions=defaults(),
    )
    return {problem.constraint: problem for problem in found}


@pytest.mark.slow
@pytest.mark.parametrize("plant", sorted(PLANTS))
@pytest.mark.parametrize(("share", "suits"), [(0.0, "air"), (0.87, "liquid")])
def test_every_plant_against_both_kinds_of_server(plant, share, suits):
    supernode = rack(share) if suits == "liquid" else dataclasses.replace(dgx_h100(), racks=number(1))
    found = _problems(supernode, cooling=plant).get("cooling plant")
    for_air = PLANTS[plant].liquid == "none"
    wrong = plant.startswith("immersion") if suits == "air" else for_air
    assert bool(cannot_use(plant=plant, liquid_share=number(share))[0]) == wrong
    if wrong:
        assert (found.kind, found.field, found.fix.value) == ("infeasible", "facility.cooling", "auto")
    elif suits == "air" and not for_air:
        assert found.kind == "warning"
        assert "stands idle" in found.message
    elif plant.startswith("immersion"):
        assert found.kind == "warning"
        assert "cold plates" in found.message
    else:
        assert found is None


def test_coolant_above_the_limit_names_field_and_limit():
    problem = _problems(rack(), coolant_supply_c=52)["coolant temperature"]
    assert (problem.field, problem.limit, problem.fix.value) == ("facility.coolant_supply_c", 45, 45)
    assert "45 °C" in problem.message


def test_liquid_to_air_cannot_make_coolant_colder_than_its_hall():
    """The hall supplies 24 °C and the unit needs 12 K."""
    problem = _problems(rack(), cooling="liquid_to_air", coolant_supply_c=30)["liquid to air"]
    assert (problem.kind, problem.missed_by, problem.fix.value) == ("infeasible", 6, 36)
    assert "liquid to air" not in _problems(rack(), cooling="liquid_to_air", coolant_supply_c=36)


@pytest.mark.parametrize(
    ("plant", "said"), [("air", True), ("liquid_to_air", True), ("direct_liquid_dry", False)]
)
def test_a_network_needs_facility_water(plant, said):
    found = _problems(rack(0.0) if plant == "air" else rack(), cooling=plant, reuse=0.5)
    assert ("heat reuse" in found) == said
    assert "heat reuse" not in _problems(rack(), cooling=plant, reuse=0.0)
