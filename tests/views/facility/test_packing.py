"""One packing for a whole design: floor, racks, power, cooling, networks and warnings count the same racks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.fabric.floor.limits import ALMOST, limits_of_rack
from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.views.facility.electrical import ElectricalOptions, electrical_answer
from app.views.facility.racks import RacksOptions, racks_answer
from tests.scenarios.support import document
from tests.support import part_of

DESIGNS = 240
SYSTEMS = (
    "dgx_a100_640", "dgx_h100", "dgx_b200", "amd_mi355x_8way", "amd_mi355x_dlc_rack_128", "aws_trn2_48xlarge",
    "aws_trn2_ultraserver", "gb200_nvl72", "gb200_nvl36x2", "huawei_cloudmatrix384", "cerebras_cs3",
    "pcie_server_h100_8", "single_gpu_workstation", "edge_node_1pf",
)  # fmt: skip


def any_design(seed: int) -> dict[str, Any]:
    """Some design: any system, size, limits of a rack, air handling, topology and spares."""
    draw = np.random.default_rng(seed)
    system = str(draw.choice(SYSTEMS))
    floor: dict[str, Any] = {"switch_position": str(draw.choice(["auto", "end_of_row", "network_rows"]))}
    for name, low, high in (
        ("rack_power_w", 12e3, 120e3), ("rack_air_heat_w", 15e3, 90e3), ("rack_weight_kg", 500, 1500),
    ):  # fmt: skip
        if draw.random() < 0.4:
            floor[name] = float(draw.uniform(low, high))
    if draw.random() < 0.3:
        floor["rack_units"] = int(draw.integers(26, 60))
    if draw.random() < 0.3:
        floor["nodes_per_rack"] = int(draw.integers(1, 8))
    override: dict[str, Any] = {}
    if draw.random() < 0.2:
        override["racks"] = float(draw.choice([0.125, 0.25, 0.5, 1, 1.25, 2]))
    if draw.random() < 0.2:
        override["rack_units"] = float(draw.integers(1, 12))
    facility: dict[str, Any] = {"air_handling": str(draw.choice(["perimeter", "in_row", "rear_door"]))}
    if draw.random() < 0.2:
        facility["power_cap"] = 0.8
    if draw.random() < 0.2:
        facility["distribution"] = "dc_800"
    return {
        "supernode": {"system": system, "override": override},
        "pod": {
            "supernodes": int(draw.integers(1, 5 if draw.random() < 0.3 else 70)),
            "floor": floor,
            "fabric": {"topology": str(draw.choice(["auto", "rail_fat_tree", "fat_tree"]))},
            "networks": {"out_of_band": {"carried_by": "own"}} if draw.random() < 0.3 else {},
        },
        "facility": facility,
        "operations": {"spares": "auto" if draw.random() < 0.5 else int(draw.integers(0, 2))},
    }


def evaluated(design: dict[str, Any]) -> EvaluatedScenario:
    changes = {f"{part}__{name}": value for part, fields in design.items() for name, value in fields.items()}
    each = ready_catalog().part("systems", design["supernode"]["system"]).facts["accelerators"].value
    accelerators = int(each) * design["pod"]["supernodes"]
    changes |= {"pod__accelerators_used": 1 << min(accelerators.bit_length() - 1, 10), "parallelism__tp": 1}
    return evaluate_scenario(document(**changes), ready_catalog())


@pytest.mark.parametrize("first", part_of(range(0, DESIGNS, 40)))
def test_every_page_counts_the_same_racks(first: int) -> None:
    for seed in range(first, first + 40):
        _same_racks_everywhere(any_design(seed), seed)


def _same_racks_everywhere(design: dict[str, Any], seed: int) -> None:
    found = evaluated(design)
    sections, rules = found.evaluation.sections, found.resolved.design.pod.floor
    assert rules is not None
    power, supernode = sections.power, found.resolved.design.supernode
    racks, rack_w = first_of(power.racks), first_of(power.power_per_rack_w)
    air_w = first_of(sections.cooling.air_heat_per_rack_w)
    answer = racks_answer(found, RacksOptions())
    of_supernodes = [kind for kind in answer.kinds if kind.kind == "compute"]
    told = (seed, design)

    assert (
        answer.floor.totals.racks_by_kind["compute"] == racks == sum(kind.racks for kind in of_supernodes)
    ), told
    assert first_of(electrical_answer(found, ElectricalOptions()).racks) == racks, told
    fullest = max(of_supernodes, key=lambda kind: kind.heat.power_w)
    assert fullest.heat.power_w == pytest.approx(rack_w), told
    assert max(kind.heat.air_heat_w for kind in of_supernodes) == pytest.approx(air_w, abs=1e-6), told
    drawn = answer.floor.laid.floor.racks
    assert drawn.power_w[drawn.kind == 0].max() == pytest.approx(rack_w), told
    assert drawn.air_heat_w[drawn.kind == 0].max() == pytest.approx(air_w, abs=1e-6), told

    if not first_of(supernode.racks) >= 1:
        servers, limits = max(kind.servers for kind in of_supernodes), limits_of_rack(rules)
        loads = np.array([fullest.example.used_u + first_of(rules.service_units), rack_w, fullest.weight_kg])
        over = loads > limits[[0, 1, 4]] * (1 + ALMOST)
        assert servers == 1 or not over.any(), told
        assert servers == first_of(power.servers_per_rack), told
    warned = [problem for problem in found.problems if problem.constraint == "rack density"]
    check = next((check for check in fullest.checks if check.key == "air_heat"), None)
    planned = first_of(rules.rack_air_heat_w)
    for problem in warned:
        assert problem.value == pytest.approx(air_w), told
        assert air_w > problem.limit * (1 - ALMOST), told
        assert check is not None, told
        assert check.status in ("unusual", "over"), told
        assert problem.limit in (check.usual, check.limit) or planned < problem.limit, told
    if check is not None and check.status != "fits" and air_w <= planned:
        assert warned, told


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_kinds_of_supernode_are_packed_each_on_its_own(seed: int) -> None:
    draw = np.random.default_rng(seed)
    first, second = (int(count) for count in draw.integers(1, 40, 2))
    design = {
        "supernode": {"system": "dgx_h100"},
        "pod": {
            "supernodes": first,
            "also": [{"supernode": {"system": "dgx_b200"}, "supernodes": second}],
            "floor": {"rack_power_w": float(draw.uniform(15e3, 60e3))},
            "networks": {"out_of_band": {"carried_by": "own"}},
        },
        "operations": {"spares": int(draw.integers(0, 4))},
    }
    _same_racks_everywhere(design, seed)


@pytest.mark.parametrize("seed", part_of(range(30)))
def test_more_supernodes_never_stand_in_fewer_racks(seed: int) -> None:
    design = any_design(1000 + seed)
    design["operations"]["spares"] = 0
    racks = []
    for supernodes in (1, 2, 3, 7, 16, 33, 100):
        design["pod"]["supernodes"] = supernodes
        racks.append(first_of(evaluated(design).evaluation.sections.power.racks))
    assert racks == sorted(racks), (seed, racks)
    assert racks[-1] > racks[0]


def test_a_single_server_is_not_a_full_rack() -> None:
    found = evaluated(
        {"supernode": {"system": "dgx_h100"}, "pod": {"supernodes": 1}, "operations": {"spares": 0}}
    )
    power = found.evaluation.sections.power
    assert (first_of(power.racks), first_of(power.power_per_rack_w)) == (1, 10.2e3)
    assert not [problem for problem in found.problems if problem.constraint == "rack density"]


def test_a_superpod_of_b200_has_the_racks_that_are_published() -> None:
    """DGX SuperPOD B200 of 128 systems: 64 racks (catalog row dgx_superpod_b200_4su); by power alone it was 45."""
    found = evaluated(
        {"supernode": {"system": "dgx_b200"}, "pod": {"supernodes": 128}, "operations": {"spares": 0}}
    )
    assert first_of(found.evaluation.sections.power.racks) == 64


def test_what_is_asked_for_and_does_not_fit_is_said() -> None:
    found = evaluated(
        {"supernode": {"system": "dgx_h100", "override": {"racks": 0.125}}, "pod": {"supernodes": 16}}
    )
    (problem,) = [each for each in found.problems if each.field == "pod.floor.nodes_per_rack"]
    assert (problem.kind, problem.value, problem.limit) == ("warning", 8, 4)
    assert first_of(found.evaluation.sections.power.servers_per_rack) == 4
