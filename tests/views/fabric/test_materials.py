"""The detailed bill of a scenario: agreement with the evaluation, other media and lengths, other networks."""

from __future__ import annotations

import math
from typing import Any

import pytest

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_document
from app.views.fabric.bill_answer import bill_answer
from app.views.fabric.materials import BillOptions, FabricBill, fabric_bill
from tests.scenarios.support import document

OWN = {"carried_by": "own"}
ALL = {"storage": OWN, "in_band": OWN, "out_of_band": OWN}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return ready_catalog()


def evaluated(catalog: Catalog, supernodes: int = 127, **changes: Any) -> EvaluatedScenario:
    return evaluate_scenario(document(pod__supernodes=supernodes, **changes), catalog)


def bill(catalog: Catalog, scenario: EvaluatedScenario, **options: Any) -> FabricBill:
    return fabric_bill(scenario, catalog, build_document(BillOptions, options))


def test_a_part_that_the_catalog_lacks_has_a_name_for_people(catalog: Catalog) -> None:
    found = bill(catalog, evaluated(catalog, 16, pod__fabric={"nic_gbit_s": 450}, parallelism={"tp": 1}))
    (nic,) = (line for line in found.lines if line.role == "nic")
    assert nic.piece.name == "NIC of 450 Gbit/s"


def test_the_name_of_a_part_says_nothing_of_its_price(catalog: Catalog) -> None:
    found = bill(catalog, evaluated(catalog, 31, pod__networks=ALL))
    assert {line.piece.name for line in found.lines if line.role == "nic"} == {
        "ConnectX-7 (MCX75310AAS-NEAT)"
    }
    assert not [
        line.piece.name for line in found.lines if "price" in line.piece.name or ":" in line.piece.name
    ]


def test_one_scalable_unit_by_hand(catalog: Catalog) -> None:
    """31 nodes and 4 managers: 252 + 256 links, 8 x 16 + 256 modules in switches, 4 a node, 508 fibres."""
    scenario = evaluated(catalog, 31, pod__fabric={"management_ports": 4, "media": "multimode"})
    found = bill(catalog, scenario)
    installed = {(line.role, line.tier): line.installed for line in found.lines}
    assert installed == {
        ("switch", "leaf"): 8, ("switch", "spine"): 4, ("nic", ""): 248,
        ("module", "leaf"): 128, ("module", "spine"): 256, ("module", ""): 124,
        ("fibre", "leaf"): 252, ("fibre", "spine"): 256,
    }  # fmt: skip


def test_where_media_are_the_planned_ones_both_bills_agree(catalog: Catalog) -> None:
    scenario = evaluated(catalog, pod__fabric={"media": "multimode"})
    found = bill(catalog, scenario, lengths="assumed")
    fabric = scenario.as_json["fabric"]
    assert found.totals.price.typical == pytest.approx(fabric["network_price_usd"])
    assert found.totals.power_w == pytest.approx(fabric["network_power_w"])
    assert [one.group for one in found.differences if not one.is_same] == ["NICs and DPUs"]
    assert all("NICs" in reason or "Spares" in reason for reason in found.reasons)


def test_longer_cables_take_other_modules_and_the_bill_says_so(catalog: Catalog) -> None:
    scenario = evaluated(catalog, assumptions={"fabric.spine_cable_length_m": 80})
    found = bill(catalog, scenario, lengths="assumed")
    spine = next(count for count in found.made.counts["compute"] if count.tier == "spine")
    assert spine.medium is not None
    assert spine.medium.family == "single_mode"
    assert spine.length_m == 80 * spine.links
    assert found.totals.price.typical > scenario.as_json["fabric"]["network_price_usd"]
    assert found.reasons[0].endswith(
        "the evaluation takes MMA4Z00-NS 2xSR4 for every link, whatever its length."
    )


def test_what_does_not_reach_is_a_problem_with_a_way_out(catalog: Catalog) -> None:
    scenario = evaluated(catalog, 31, pod__fabric={"media": {"leaf": "copper"}})
    found = bill(catalog, scenario, lengths="assumed")
    problem = next(problem for problem in found.problems if problem.constraint == "reach")
    assert problem.field == "pod.fabric.media.leaf"
    assert (problem.value, problem.limit) == (20, 3)  # of the splitter, which is not for twin cages
    assert problem.fix is not None
    assert problem.fix.value == "multimode"
    assert math.isnan(found.totals.price.typical)


def test_measured_lengths_as_assumptions_are_those_of_the_floor(catalog: Catalog) -> None:
    scenario = evaluated(catalog)
    found = bill(catalog, scenario)
    measured = found.measured_assumptions
    assert set(measured) == {"fabric.node_cable_length_m", "fabric.spine_cable_length_m"}
    assert all(0 < length < 100 for length in measured.values())
    taken = evaluated(catalog, assumptions=measured)
    assert bill(catalog, taken).measured_assumptions == {}
    assert taken.as_json["fabric"]["latency_s"] != scenario.as_json["fabric"]["latency_s"]


def test_all_four_networks_stand_in_it_and_agree(catalog: Catalog) -> None:
    scenario = evaluated(catalog, pod__networks=ALL, pod__fabric={"media": "multimode"})
    found = bill(catalog, scenario, lengths="assumed")
    assert list(found.network_totals) == ["compute", "storage", "in_band", "out_of_band"]
    assert {"switch", "nic", "dpu", "module", "cable", "fibre"} <= {line.role for line in found.lines}
    totals = found.network_totals.values()
    assert sum(one.price.typical for one in totals) == pytest.approx(found.totals.price.typical)
    switches = next(one for one in found.differences if one.group == "Switches")
    assert switches.is_same


def test_patch_panels_are_counted_and_not_priced(catalog: Catalog) -> None:
    scenario = evaluated(catalog, 31)
    straight, over = bill(catalog, scenario), bill(catalog, scenario, patched_from_m=1)
    roles = {line.role for line in over.lines} - {line.role for line in straight.lines}
    assert roles == {"trunk", "patch_panel"}
    assert math.isnan(over.totals.price.typical)
    assert over.totals.priced_usd > straight.totals.price.typical
    assert over.totals.unpriced_lines == 1


def test_spares_and_work_follow_the_assumptions_of_the_scenario(catalog: Catalog) -> None:
    few, many = (
        bill(catalog, evaluated(catalog, 31, assumptions=assumptions))
        for assumptions in ({}, {"fabric.switch_spare_share": 0.1, "fabric.switch_installation_s": 5400})
    )
    switches = [next(line for line in found.lines if line.role == "switch") for found in (few, many)]
    assert [line.spare for line in switches] == [0, 1]
    assert [line.installation_s for line in switches] == [8 * 2700, 8 * 5400]


def test_a_single_supernode_needs_no_network(catalog: Catalog) -> None:
    found = bill(catalog, evaluated(catalog, 1))
    assert found.lines == []
    assert bill_answer(found)["totals"]["price_usd"] == {"low": 0, "typical": 0, "high": 0}


def test_the_answer_is_plain_and_has_no_nan(catalog: Catalog) -> None:
    answer = bill_answer(bill(catalog, evaluated(catalog, 31), patched_from_m=1))
    panels = next(line for line in answer["lines"] if line["role"] == "patch_panel")
    assert panels["price_usd"] == {"low": None, "typical": None, "high": None}
    assert answer["totals"]["price_usd"]["typical"] is None
    assert "nan" not in str(answer)


def test_a_chassis_has_its_line_cards(catalog: Catalog) -> None:
    """576 ports of 400G on cards of 36: 16 cards a chassis."""
    found = bill(catalog, evaluated(catalog, 127, pod__fabric={"switch": "arista_7800r3_576"}))
    pieces = {(line.role, line.tier): line.installed for line in found.lines}
    assert pieces["line_card", "leaf"] == 16 * pieces["switch", "leaf"]


SHORT = {f"fabric.{tier}_cable_length_m": 20.0 for tier in ("node", "spine", "core")}


@pytest.mark.slow
@pytest.mark.parametrize(
    "topology", ["fat_tree", "rail_only", "dual_tor", "dragonfly_plus", "torus_3d", "hyperx", "hammingmesh"]
)
def test_both_bills_agree_in_every_topology(catalog: Catalog, topology: str) -> None:
    fabric = {"topology": topology, "media": "multimode"}
    scenario = evaluated(catalog, 64, pod__fabric=fabric, assumptions=SHORT)
    found = bill(catalog, scenario, lengths="assumed")
    cages = 0.005 if topology == "dragonfly_plus" else 1e-6  # the evaluation packs its modules over a tier
    fabric = scenario.as_json["fabric"]
    assert found.totals.price.typical == pytest.approx(fabric["network_price_usd"], rel=cages)
    assert found.totals.power_w == pytest.approx(fabric["network_power_w"], rel=cages)


def test_optical_circuit_switches_take_bare_fibres(catalog: Catalog) -> None:
    fabric = {"topology": "torus_3d", "optical_circuit_switches": True}
    found = bill(catalog, evaluated(catalog, 64, pod__fabric=fabric))
    pieces = {(line.role, line.tier): line.installed for line in found.lines}
    assert pieces["switch", "circuit_switch"] == 48
    assert ("module", "circuit") not in pieces
    assert pieces["module", ""] == (2 * 144 + 96) / 2
