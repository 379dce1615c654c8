"""The floor of a scenario: rules from fields and assumptions, all networks, and what is said of it."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.specs import FloorRules
from app.scenarios.document.scenario import FloorDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.views.fabric.floor import FloorAnswer, FloorOptions, floor_answer, floor_of, floor_report, floor_text
from app.views.plain import report_json
from tests.scenarios.support import document, fault

OWN = {"carried_by": "own"}
ALL = {"storage": OWN, "in_band": OWN, "out_of_band": OWN}


def evaluated(supernodes: int = 128, **changes: Any) -> EvaluatedScenario:
    changes = {"pod__supernodes": supernodes, "operations__spares": 0} | changes
    return evaluate_scenario(document(**changes), ready_catalog())


def answered(rack: str = "", **changes: Any) -> FloorAnswer:
    return floor_answer(evaluated(**changes), FloorOptions(rack=rack))


@pytest.fixture(scope="module")
def superpod() -> FloorAnswer:
    """A DGX SuperPOD (H100) of four scalable units, with all four networks."""
    return answered(supernodes=127, pod__networks=ALL, pod__fabric={"management_ports": 4})


def test_a_superpod_has_the_racks_of_its_reference_architecture(superpod: FloorAnswer) -> None:
    """DGX SuperPOD (H100), 4 SU: 32 racks of systems, 38 in all (catalog row dgx_superpod_h100_4su).

    Ours are 40: servers of storage and management are 2 U each here, and fill a rack and a bit, and an SN5600 counts
    with a module in each of its 64 cages.
    """
    assert superpod.totals.racks_by_kind == {"compute": 32, "network": 6, "service": 2}
    assert ready_catalog().part("systems", "dgx_superpod_h100_4su").facts["racks"].value == 38


def test_every_network_has_places_and_lengths(superpod: FloorAnswer) -> None:
    laid = superpod.laid
    assert list(laid.graphs) == ["compute", "storage", "in_band", "out_of_band"]
    hosts = laid.floor.hosts.rack
    for name, graph in laid.graphs.items():
        places, devices = laid.floor.places[name], graph.of_kind("host")
        assert places.rack.size == graph.device_count
        assert places.rack[devices].tolist() == hosts[graph.devices.number[devices]].tolist()
        assert laid.lengths_m[name].size == graph.link_count
        assert laid.lengths_m[name].min() > 0
    managed = laid.graphs["out_of_band"].of_kind("managed_switch")
    switches = [
        laid.floor.places[name].rack[laid.graphs[name].of_kind(kind)]
        for name in ("compute", "storage", "in_band")
        for kind in ("leaf", "spine")
    ]
    assert laid.floor.places["out_of_band"].rack[managed].tolist() == np.concatenate(switches).tolist()


def test_racks_hold_every_device_once(superpod: FloorAnswer) -> None:
    assert int(superpod.laid.floor.racks.used_u.sum()) == 127 * 8 + sum(
        size.units * graph.of_kind(kind).size
        for network, graph in superpod.laid.graphs.items()
        for kind, size in superpod.laid.devices[network].items()
        if kind not in ("server", "managed_switch", "gateway")
    )


@pytest.mark.slow
def test_rules_come_from_the_scenario_else_from_assumptions() -> None:
    found = evaluated(pod__floor={"rack_power_w": 21e3, "row_racks": 8}).resolved
    assert found.design.pod.floor is not None
    assert found.design.pod.floor.rack_power_w[0] == 21e3
    assert found.origins["pod.floor.rack_power_w"].kind == "scenario"
    assert found.origins["pod.floor.rack_air_heat_w"].kind == "vendor"
    assert all(
        found.origins[f"pod.floor.{name}"].source
        for name in (
            "rack_units",
            "rack_weight_kg",
            "cold_aisle_m",
            "tray_height_m",
            "slack_share",
            "server_units",
        )
    )
    stated = evaluated(assumptions={"scenario.floor_row_racks": 12}).resolved.design.pod.floor
    assert stated is not None
    assert stated.row_racks[0] == 12


@pytest.mark.slow
def test_racks_that_come_with_supernodes_are_powered_for_them() -> None:
    found = evaluated(supernodes=8, supernode={"system": "gb200_nvl72"})
    laid = floor_of(found)
    racks = laid.floor.racks
    assert racks.power_w[racks.kind == 0].tolist() == [132e3] * 8
    assert racks.power_w[racks.kind == 1].max() <= 41e3
    assert not [problem for problem in laid.problems if problem.kind == "infeasible"]
    stated = evaluated(supernodes=8, supernode={"system": "gb200_nvl72"}, pod__floor={"rack_power_w": 1e5})
    (problem,) = (problem for problem in floor_of(stated).problems if problem.kind == "infeasible")
    assert problem.message.startswith(
        "A rack of GB200 NVL72 (DGX GB200) draws 132,000 W, and a rack may draw"
    )


@pytest.mark.slow
def test_the_floor_changes_no_figure_and_is_not_written_where_it_is_not_stated() -> None:
    plain, stated = evaluated(), evaluated(pod__floor={"nodes_per_rack": 2})
    assert plain.as_json["cost"] == stated.as_json["cost"]
    assert "floor" not in plain.document.as_dict()["pod"]
    assert stated.document.as_dict()["pod"]["floor"] == {"switch_position": "auto", "nodes_per_rack": 2}


@pytest.mark.slow
def test_fewer_servers_in_a_rack_make_longer_cables() -> None:
    four, two = (answered(pod__floor={"nodes_per_rack": count}) for count in (4, 2))
    assert two.totals.racks_by_kind["compute"] == 2 * four.totals.racks_by_kind["compute"]
    assert two.cables[1].mean_length_m > four.cables[1].mean_length_m


def test_a_pod_of_one_supernode_has_a_rack_and_no_cables() -> None:
    answer = answered(supernodes=1)
    assert answer.totals.racks_total == 1
    assert answer.cables == ()
    assert "Network" not in floor_text(answer)


@pytest.mark.slow
def test_kinds_of_supernode_stand_apart() -> None:
    also = [{"supernode": {"system": "dgx_h200"}, "supernodes": 6}]
    answer = answered(supernodes=6, pod__also=also)
    names = [{shelf.what for shelf in rack.shelves} for rack in answer.examples if rack.kind == "compute"]
    assert {"DGX H100"} in names
    assert {"DGX H200"} in names
    assert {"DGX H100", "DGX H200"} not in names


def test_a_rack_by_its_name() -> None:
    answer = answered(rack="r01-05")
    assert answer.rack is not None
    assert (answer.rack.name, answer.rack.kind, answer.rack.used_u) == ("R01-05", "network", 8)
    assert [shelf.name for shelf in answer.rack.shelves][:2] == ["leaf-01-1", "leaf-01-2"]
    text = floor_text(answer)
    assert "Rack R01-05, 8 of 48 U, 13.8 kW, unknown kg" in text
    assert "U8        1 U  leaf-01-8" in text


def test_a_rack_that_is_not_there() -> None:
    with pytest.raises(ScenarioError) as caught:
        answered(rack="R99-99")
    (error,) = caught.value.errors
    assert error.path == "rack"
    assert "R01-0" in error.hint


def test_unknown_stays_unknown_in_the_report() -> None:
    report = report_json(floor_report(answered(rack="R01-05")))
    assert report["rack"]["weight_kg"] is None
    assert {rack["weight_kg"] for rack in report["racks"] if rack["kind"] == "network"} == {None}
    assert report["totals"]["heaviest_rack_kg"] == pytest.approx(4 * 130.5 + 170)
    assert [problem["constraint"] for problem in report["problems"]] == ["rack weight"]


@pytest.mark.parametrize(
    ("floor", "field"),
    [
        ({"rack_power_w": 0}, "pod.floor.rack_power_w"),
        ({"switch_position": "roof"}, "pod.floor.switch_position"),
        ({"nodes_per_rack": 2.5}, "pod.floor.nodes_per_rack"),
        ({"slack_share": 2}, "pod.floor.slack_share"),
        ({"rack_powr_w": 1e4}, "pod.floor.rack_powr_w"),
    ],
)
def test_what_cannot_be_is_named(floor: dict[str, object], field: str) -> None:
    assert fault(pod__floor=floor).path == field


def test_every_rule_has_a_field_or_an_assumption() -> None:
    rules = {field.name for field in dataclasses.fields(FloorRules)} - {"stated"}
    assert set(FloorDocument.model_fields) < rules
    assert rules - set(FloorDocument.model_fields) == {
        "node_units",
        "switch_units",
        "server_units",
        "server_power_w",
    }
