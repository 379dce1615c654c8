"""Modules of the bill against a packing of lanes into cages, one link after another, by code of its own."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_document
from app.views.fabric.cables import cables_of
from app.views.fabric.materials import BillOptions, fabric_bill
from tests.scenarios.support import document

pytestmark = pytest.mark.slow

GBIT_S = 1e9 / 8
DESIGNS: dict[str, dict[str, Any]] = {
    "superpod": {"pod__supernodes": 31},
    "with management": {"pod__supernodes": 31, "pod__fabric": {"management_ports": 4}},
    "two planes": {"pod__supernodes": 40, "pod__fabric": {"switch": "sn5600", "planes": 2}},
    "four planes of a slower NIC": {"pod__supernodes": 70, "pod__fabric": {"switch": "sn5600", "planes": 4,
                                                                         "nic_gbit_s": 400}},
    "eight planes": {"pod__supernodes": 24, "supernode__system": "dgx_b300",
                     "pod__fabric": {"switch": "th_ultra", "planes": 8}},
    "800G in one piece": {"pod__supernodes": 24, "supernode__system": "dgx_b300",
                          "pod__fabric": {"switch": "sn5600"}},
    "XDR": {"pod__supernodes": 80, "supernode__system": "dgx_b300"},
    "tapered": {"pod__supernodes": 70, "pod__fabric": {"oversubscription": 2}},
    "uneven": {"pod__supernodes": 96, "pod__fabric": {"spine_spread": "within_one"}},
    "dual ToR": {"pod__supernodes": 70, "pod__fabric": {"topology": "dual_tor"}},
    "HDR": {"pod__supernodes": 40, "supernode__system": "dgx_a100_640"},
    "trays of one NIC a cage": {"pod__supernodes": 4, "supernode__system": "gb200_nvl72"},
    "dragonfly": {"pod__supernodes": 40, "pod__fabric": {"topology": "dragonfly"}},
    "far spines": {"pod__supernodes": 127, "pod__floor": {"switch_position": "network_rows", "nodes_per_rack": 1}},
}  # fmt: skip


def packed(evaluated: Any, catalog: Any) -> dict[str, Any]:
    """Every link into a cage at both ends by its port; lanes, links and media of each cage."""
    design = evaluated.resolved.design
    plan, fabric = design.pod.fabric, evaluated.as_json["fabric"]
    (network,) = [one for one in cables_of(evaluated, catalog) if one.network == "compute"]
    graph = network.graph
    link_gbit_s = float(graph.link_bandwidth_bytes_per_s[0]) / GBIT_S
    ends = {}
    for name in ("switch", "node"):
        part = catalog.part("optics", getattr(plan, f"{name}_transceiver").key)
        lanes = (
            part.facts["module_bandwidth_bytes_per_s"].value / part.facts["lane_bandwidth_bytes_per_s"].value
        )
        lane_gbit_s = part.facts["lane_bandwidth_bytes_per_s"].value / GBIT_S
        ends[name] = (round(lanes), math.ceil(round(link_gbit_s / lane_gbit_s, 6)), part)
    # ports of a switch by its cages: what the catalog says of it, not what the bill counts with
    switch = catalog.part("switches", plan.switch.key).facts
    ports, logical = switch["ports"].value, switch.get("max_logical_ports")
    rate = switch["port_bandwidth_bytes_per_s"].value / GBIT_S
    split = max(math.floor(round(rate / link_gbit_s, 6)), 1)
    if logical is not None:
        split = min(split, math.floor(logical.value / ports))
    module_gbit_s = ends["switch"][2].facts["module_bandwidth_bytes_per_s"].value / GBIT_S
    in_switch = round(module_gbit_s / rate) * split
    nics = float(design.supernode.scale_out_nics[0]) / float(design.supernode.nodes[0])
    cages: dict[tuple[int, int], list[int]] = defaultdict(list)
    sides = zip(
        graph.links.lower.tolist(), graph.links.lower_port.tolist(),
        graph.links.upper.tolist(), graph.links.upper_port.tolist(), strict=True,
    )  # fmt: skip
    kinds = [graph.kinds[kind] for kind in graph.devices.kind.tolist()]
    per_host = Counter(device for device in graph.links.lower.tolist() if kinds[device] == "host")
    per_nic = max(per_host.values()) / nics
    shares = 2 if design.supernode.key in ("dgx_h100", "dgx_h200", "dgx_b200") else 1
    in_node = round(per_nic * shares)
    for link, (lower, lower_port, upper, upper_port) in enumerate(sides):
        for device, port in ((lower, lower_port), (upper, upper_port)):
            if kinds[device] == "management":
                continue
            cages[device, port // (in_node if kinds[device] == "host" else in_switch)].append(link)
    return {"cages": cages, "kinds": kinds, "network": network, "ends": ends, "in_switch": in_switch,
            "in_node": in_node, "ports": ports, "rate": rate, "module_gbit_s": module_gbit_s,
            "fabric": fabric}  # fmt: skip


@pytest.mark.parametrize("name", DESIGNS)
def test_the_bill_has_the_modules_that_a_packing_of_lanes_takes(seeded_data_dir, name: str) -> None:
    catalog = ready_catalog()
    evaluated = evaluate_scenario(document(**DESIGNS[name]), catalog)
    found = packed(evaluated, catalog)
    cages, kinds, network = found["cages"], found["kinds"], found["network"]
    bill = fabric_bill(evaluated, catalog, build_document(BillOptions, {}))
    captive = {medium.name.encode() for medium in bill.parts["compute"].media if medium.captive}
    part = network.part.tolist()
    for (device, _), links in cages.items():
        lanes, each, _ = found["ends"]["node" if kinds[device] == "host" else "switch"]
        assert len(links) * each <= lanes, "a module has no more lanes than its links take"
        assert len({part[link] for link in links}) == 1, "no cage holds two kinds of module"
    used = defaultdict(set)
    for device, cage in cages:
        used[device].add(cage)
    for device, mine in used.items():
        if kinds[device] != "host":  # a switch has as many cages as its ports fill
            assert max(mine) < found["ports"] * found["rate"] / found["module_gbit_s"]
    switch_cages = sum(1 for (device, _), links in cages.items()
                       if kinds[device] != "host" and network.parts[part[links[0]]] not in captive)  # fmt: skip
    node_cages = sum(1 for (device, _), links in cages.items()
                     if kinds[device] == "host" and network.parts[part[links[0]]] not in captive)  # fmt: skip
    modules = [line for line in bill.lines if line.network == "compute" and line.role == "module"]
    assert sum(line.installed for line in modules if line.tier) == switch_cages
    assert sum(line.installed for line in modules if not line.tier) == node_cages
    links_in_modules = sum(1 for at in part if network.parts[at] not in captive)
    assert switch_cages * found["in_switch"] + node_cages * found["in_node"] >= 2 * links_in_modules - sum(
        1 for kind in kinds if kind == "management"
    )
    if not captive & {network.parts[at] for at in set(part)}:
        assert node_cages == evaluated.as_json["fabric"]["modules_total"] - sum(
            tier["switch_modules"] for tier in evaluated.as_json["fabric"]["tiers"]
        )
        said = sum(tier["switch_modules"] for tier in evaluated.as_json["fabric"]["tiers"])
        assert (
            said == switch_cages if name != "dragonfly" else abs(said - switch_cages) <= 0.02 * switch_cages
        )


@pytest.mark.parametrize("name", DESIGNS)
def test_every_module_fits_the_cage_it_sits_in(seeded_data_dir, name: str) -> None:
    catalog = ready_catalog()
    evaluated = evaluate_scenario(document(**DESIGNS[name]), catalog)
    plan = evaluated.resolved.design.pod.fabric
    bill = fabric_bill(evaluated, catalog, build_document(BillOptions, {}))
    form = {key: str(catalog.part("optics", key).attributes["form_factor"]).split()[0] for key in catalog.keys("optics")
            if catalog.part("optics", key).attributes.get("form_factor")}  # fmt: skip
    for line in bill.lines:
        if line.network == "compute" and line.role == "module":
            planned = plan.switch_transceiver if line.tier else plan.node_transceiver
            assert form[line.piece.key] == form[planned.key]
            mine, theirs = (
                catalog.part("optics", key).facts["module_bandwidth_bytes_per_s"].value
                for key in (line.piece.key, planned.key)
            )
            assert mine == theirs


def test_circuits_take_single_mode_alone(seeded_data_dir) -> None:
    catalog = ready_catalog()
    torus = {"topology": "torus_3d", "optical_circuit_switches": True}
    free = evaluate_scenario(document(pod__supernodes=64, pod__fabric=torus), catalog)
    plan = free.resolved.design.pod.fabric
    for module in (plan.switch_transceiver, plan.node_transceiver):
        assert "single mode" in catalog.part("optics", module.key).attributes["fibre_or_medium"]
    asked = evaluate_scenario(
        document(pod__supernodes=64, pod__fabric=torus | {"media": "multimode"}), catalog
    )
    bill = fabric_bill(asked, catalog, build_document(BillOptions, {}))
    problem = next(one for one in bill.problems if "optical circuit switches" in one.message)
    assert problem.fix is not None
    assert problem.fix.value == "single_mode"
    assert any(line.item.endswith("no medium") for line in bill.lines)


def test_a_splitter_joins_a_twin_cage_to_two_nodes(seeded_data_dir) -> None:
    """Trays with a NIC a cage, 2 m from their leaf: passive copper that ends in two."""
    catalog = ready_catalog()
    near = {"fabric.node_cable_length_m": 2.5, "fabric.spine_cable_length_m": 20}
    evaluated = evaluate_scenario(
        document(pod__supernodes=4, supernode__system="gb200_nvl72", assumptions=near), catalog
    )
    bill = fabric_bill(evaluated, catalog, build_document(BillOptions, {"lengths": "assumed"}))
    cables = [line for line in bill.lines if line.network == "compute" and line.role == "cable"]
    assert [line.piece.key for line in cables] == ["dac_800g_splitter"]
    assert cables[0].installed == 4 * 72 / 2
