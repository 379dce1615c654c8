"""Problems, by how much, and whether the fix is one."""

import dataclasses

import pytest

from app.engine.facility.section import facility_problems
from tests.engine.facility.cases import climate, defaults, evaluate, facility_at, pod_of, rack
from tests.support import dgx_h100, number


def _problems(*, supernode, **facility):
    place = facility_at(climate("ashburn_va"), **facility)
    power, cooling = evaluate(facility=place, supernode=supernode)
    return facility_problems(
        supernode=supernode,
        pod=pod_of(16, 16),
        facility=place,
        power=power,
        cooling=cooling,
        assumptions=defaults(),
    )


def test_nothing_stands_in_the_way_of_a_liquid_rack():
    assert _problems(supernode=rack()) == []


def test_air_plant_cannot_cool_a_liquid_rack():
    found = {problem.constraint: problem for problem in _problems(supernode=rack(), cooling="air")}
    assert found["cooling plant"].kind == "infeasible"
    assert found["cooling plant"].fix.value == "auto"
    assert found["rack density"].kind == "infeasible"


@pytest.mark.parametrize(
    ("supply_c", "constraint", "kind"),
    [
        (52, "coolant temperature", "infeasible"),
        (16, "condensation", "warning"),
        (14, "condensation", "infeasible"),
    ],
)
def test_coolant_beyond_its_limits(supply_c, constraint, kind):
    (problem,) = _problems(supernode=rack(), coolant_supply_c=supply_c)
    assert (problem.constraint, problem.kind) == (constraint, kind)
    assert problem.missed_by == pytest.approx(abs(supply_c - problem.limit))
    assert _problems(supernode=rack(), coolant_supply_c=problem.fix.value) == []


def test_coolant_is_no_matter_for_air():
    supernode = dataclasses.replace(dgx_h100(), racks=number(1))
    assert _problems(supernode=supernode, coolant_supply_c=60) == []


def test_liquid_plant_for_air_servers_stands_idle():
    supernode = dataclasses.replace(dgx_h100(), racks=number(1))
    (problem,) = _problems(supernode=supernode, cooling="direct_liquid_dry")
    assert (problem.kind, problem.fix.value) == ("warning", "auto")


def test_unknown_racks_are_not_judged():
    assert _problems(supernode=rack(racks=float("nan"))) == []
