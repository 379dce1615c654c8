"""Racks of an evaluation: what is beyond usual practice, what is not built, and whether the fix is one."""

import dataclasses

import numpy as np
import pytest

from app.engine.facility.racks.problems import asked_of_cooling, rack_problems, racks_over
from tests.engine.facility.cases import climate, defaults, evaluate, facility_at, rack
from tests.support import dgx_h100, number


def problems_of(supernode, *, air_handling="perimeter", cooling="auto", **stated):
    given = dataclasses.replace(
        defaults(air_handling=air_handling), **{name: number(value) for name, value in stated.items()}
    )
    place = dataclasses.replace(
        facility_at(climate("ashburn_va"), cooling=cooling), air_handling=air_handling
    )
    power, cooled = evaluate(facility=place, supernode=supernode, given=given)
    return rack_problems(supernode=supernode, facility=place, power=power, cooling=cooled, assumptions=given)


@pytest.mark.parametrize(
    ("racks", "handling", "kind"),
    [
        (1.0, "perimeter", None),
        (0.5, "perimeter", "warning"),
        (0.25, "perimeter", "warning"),
        (0.25, "in_row", None),
        (0.25, "rear_door", None),
        (0.2, "perimeter", "infeasible"),
        (0.2, "in_row", "infeasible"),
        (0.2, "rear_door", "warning"),
        (1 / 8, "rear_door", "infeasible"),
    ],
)
def test_heat_to_air_against_what_takes_it(racks, handling, kind):
    supernode = dataclasses.replace(dgx_h100(), racks=number(racks))
    found = problems_of(supernode, air_handling=handling)
    assert [problem.kind for problem in found] == ([kind] if kind else [])
    for problem in found:
        assert problem.constraint == "rack density"
        assert problem.missed_by == pytest.approx(10200 / racks - problem.limit)


def test_rear_doors_mend_a_rack_that_is_unusual_for_the_perimeter():
    supernode = dataclasses.replace(dgx_h100(), racks=number(0.25))
    (problem,) = problems_of(supernode)
    assert (problem.field, problem.fix.value) == ("facility.air_handling", "rear_door")
    assert problems_of(supernode, air_handling=problem.fix.value) == []


@pytest.mark.parametrize("handling", ["perimeter", "in_row"])
def test_fewer_in_a_rack_mend_what_is_not_built(handling):
    supernode = dataclasses.replace(dgx_h100(), racks=number(0.2))
    (problem,) = problems_of(supernode, air_handling=handling)
    assert problem.fix.field == "pod.floor.nodes_per_rack"
    mended = dataclasses.replace(supernode, racks=number(1 / problem.fix.value))
    assert "infeasible" not in [each.kind for each in problems_of(mended, air_handling=handling)]
    one_more = dataclasses.replace(supernode, racks=number(1 / (problem.fix.value + 1)))
    assert [each.kind for each in problems_of(one_more, air_handling=handling)] == ["infeasible"]


@pytest.mark.parametrize(
    ("power_kw", "share", "found"),
    [
        (132, 0.87, []),  # GB200 NVL72
        (
            230,
            1.0,
            [("coolant flow", "warning")],
        ),  # Vera Rubin NVL72: 344 L/min want a wider hose than 2 inch
        (250, 0.85, [("cooling class", "warning"), ("coolant flow", "warning")]),  # MI355X rack of 128
        (320, 0.95, [("cooling class", "warning"), ("coolant flow", "warning")]),
        (320, 0.9, [("cooling class", "infeasible"), ("coolant flow", "warning")]),
        (600, 1.0, [("cooling class", "warning"), ("coolant flow", "warning")]),  # Rubin Ultra NVL576
        (800, 1.0, [("cooling class", "infeasible"), ("coolant flow", "infeasible")]),
    ],
)
def test_density_against_the_class_of_cooling(power_kw, share, found):
    problems = problems_of(rack(liquid_share=share, max_power_w=power_kw * 1e3), air_handling="rear_door")
    assert [(problem.constraint, problem.kind) for problem in problems] == found


def test_spread_over_more_racks_a_dense_supernode_is_built():
    supernode = rack(liquid_share=0.9, max_power_w=320e3)
    problem = problems_of(supernode, air_handling="rear_door")[0]
    mended = dataclasses.replace(supernode, racks=number(problem.fix.value))
    assert "infeasible" not in [each.kind for each in problems_of(mended, air_handling="rear_door")]


def test_a_wasteful_flow_does_not_go_through_the_hose():
    """Frontier ran 2.9 times the needed flow: 600 kW at that flow is 2,600 L/min."""
    constraints = {
        problem.constraint: problem
        for problem in problems_of(rack(1.0, max_power_w=599e3), coolant_flow_excess=2.9)
    }
    flow = constraints["coolant flow"]
    assert flow.kind == "infeasible"
    assert flow.value == pytest.approx(2.9 * 599 * 1.4966, rel=1e-3)
    assert flow.limit == pytest.approx(2.4 * np.pi / 4 * 0.1016**2 * 60e3)


def test_a_tank_takes_all_the_heat():
    tank = rack(0.87, max_power_w=90e3)
    assert problems_of(tank, cooling="immersion_dry") == []
    (problem,) = problems_of(rack(0.87, max_power_w=120e3), cooling="immersion_dry")
    assert (problem.constraint, problem.kind) == ("cooling class", "warning")


@pytest.mark.parametrize("unknown", ["racks", "max_power_w", "liquid_share"])
def test_the_unknown_is_not_judged(unknown):
    assert problems_of(rack(**{unknown: float("nan")})) == []


def test_nothing_is_asked_by_racks_without_power():
    place = facility_at(climate("ashburn_va"))
    power, cooled = evaluate(facility=place, supernode=rack())
    nothing = number(0.0)
    power = dataclasses.replace(power, power_per_rack_w=nothing)
    cooled = dataclasses.replace(
        cooled, air_heat_per_rack_w=nothing, liquid_heat_design_w=nothing, coolant_flow_l_per_min=nothing
    )
    given = {"power": power, "cooling": cooled, "assumptions": defaults()}
    assert [float(value[0]) for value in asked_of_cooling(**given).values.values()] == [0, 0, 0]
    assert rack_problems(supernode=rack(), facility=place, **given) == []


def test_samples_are_judged_one_by_one():
    supernode = rack(liquid_share=0.87, max_power_w=np.array([[132e3], [320e3], [np.nan]]))
    place = facility_at(climate("ashburn_va"))
    power, cooled = evaluate(facility=place, supernode=supernode)
    asked = asked_of_cooling(power=power, cooling=cooled, assumptions=defaults())
    over = racks_over(asked)
    assert over["cooling class"].ravel().tolist() == [False, True, False]
    assert over["rack density"].ravel().tolist() == [False, False, False]
