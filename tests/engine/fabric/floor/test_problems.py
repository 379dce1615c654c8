"""Messages that name the limit of a rack and the nearest design that works."""

from __future__ import annotations

import dataclasses

import numpy as np

from app.engine.fabric.floor.floor import SuperNodeSize
from app.engine.fabric.floor.problems import floor_problems
from app.engine.problems import Problem
from app.engine.specs import FloorRules
from tests.engine.fabric.floor.cases import DGX_H100, NVL72, SIZES, UNKNOWN, laid_out, of, two_tiers
from tests.engine.fabric.floor.rules import floor_rules


def problems(rules: FloorRules, size: SuperNodeSize = DGX_H100) -> list[Problem]:
    supernodes = [of(size, 4)]
    floor = laid_out(two_tiers([4 * size.nodes]), rules, *supernodes)
    found = floor_problems(supernodes, {"compute": SIZES}, floor, rules)
    return [problem for problem in found if problem.kind == "infeasible"]


def test_racks_that_carry_their_load_have_none():
    assert problems(floor_rules()) == []
    assert problems(floor_rules(rack_power_w=132e3), NVL72) == []


def test_a_server_that_draws_more_than_a_rack_may():
    (found,) = problems(floor_rules(rack_power_w=10_000.0))
    assert found.field == "pod.floor.rack_power_w"
    assert found.message == (
        "A rack with one DGX H100 draws 10,200 W, and a rack may draw 10,000 W. It takes racks of 10,200 W."
    )
    assert (found.value, found.limit, found.missed_by, found.unit) == (10_200, 10_000, 200, "W")
    assert found.fix is not None
    assert problems(floor_rules(rack_power_w=found.fix.value)) == []


def test_heat_that_air_cannot_take_names_the_share_that_liquid_would():
    (found,) = problems(floor_rules(rack_air_heat_w=5_100.0))
    assert "or 50% or more of its heat to liquid" in found.message
    half = dataclasses.replace(DGX_H100, liquid_share=0.5)
    assert problems(floor_rules(rack_air_heat_w=5_100.0), half) == []


def test_height_and_weight_count_what_the_rack_has_of_its_own():
    (found,) = problems(floor_rules(rack_units=13))
    assert found.message.startswith("A rack with one DGX H100 is 14 U high, and a rack has 13 U.")
    (found,) = problems(floor_rules(rack_weight_kg=291))
    assert found.value == 161 + 130.5
    assert found.fix is not None
    assert problems(floor_rules(rack_weight_kg=found.fix.value)) == []


def test_a_rack_that_comes_with_its_supernode_is_checked_too():
    (found,) = problems(floor_rules(rack_power_w=100e3), NVL72)
    assert found.message.startswith("A rack of GB200 NVL72 draws 132,000 W, and a rack may draw 100,000 W.")
    (found,) = problems(floor_rules(), dataclasses.replace(NVL72, weight_kg=1400))
    assert found.field == "pod.floor.rack_weight_kg"


def test_it_is_powered_for_what_it_comes_with_where_nobody_says_otherwise():
    assert problems(floor_rules(), NVL72) == []


def test_more_servers_asked_for_than_a_rack_carries():
    (found,) = problems(floor_rules(nodes_per_rack=5), dataclasses.replace(DGX_H100, servers_asked=5))
    assert found.field == "pod.floor.nodes_per_rack"
    assert found.message == (
        "5 DGX H100 in a rack draw 51,000 W, and a rack may draw 41,000 W: 4 fit. 5 take racks of 51,000 W "
        "(pod.floor.rack_power_w)."
    )
    assert found.fix is not None
    fewer = int(found.fix.value)
    mended = dataclasses.replace(DGX_H100, servers_asked=fewer)
    assert problems(floor_rules(nodes_per_rack=fewer), mended) == []


def test_switches_that_find_no_room_in_the_racks():
    (found,) = problems(floor_rules(switch_position="in_rack", rack_power_w=132e3), NVL72)
    assert found.field == "pod.floor.switch_position"
    assert found.fix is not None
    assert found.fix.value == "middle_of_row"


def test_what_nobody_published_is_said_once_and_limits_nothing():
    unknown = dataclasses.replace(DGX_H100, name="Box", power_w=UNKNOWN, weight_kg=UNKNOWN)
    rules, supernodes = floor_rules(), [of(unknown, 5)]
    floor = laid_out(two_tiers([5]), rules, *supernodes)
    found = floor_problems(supernodes, {"compute": SIZES}, floor, rules)
    assert [(problem.kind, problem.constraint) for problem in found] == [
        ("warning", "rack power"),
        ("warning", "rack weight"),
    ]
    assert found[0].message == (
        "Unpublished: the power of Box: the limit of racks with them was not checked."
    )
    assert "Box, QM9700, Server" in found[1].message
    assert np.bincount(floor.hosts.rack).max() == 5  # five of 8 U fill 40 of 42 U
