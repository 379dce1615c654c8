"""The four networks of a scenario: what is built, what it costs, and what it leaves as it was."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.fabric.graphs import network_graphs
from app.views.fabric.networks import PodNetworks, pod_networks
from tests.scenarios.support import document, scenario

OWN = {"carried_by": "own"}
ALL = {"storage": OWN, "in_band": OWN, "out_of_band": OWN}


def evaluated(**changes: Any) -> EvaluatedScenario:
    return evaluate_scenario(document(pod__supernodes=128, **changes), ready_catalog())


def shown(**changes: Any) -> PodNetworks:
    return pod_networks(evaluated(**changes), ready_catalog())


@pytest.fixture(scope="module")
def without() -> EvaluatedScenario:
    return evaluated()


@pytest.fixture(scope="module")
def with_all() -> EvaluatedScenario:
    return evaluated(pod__networks=ALL)


def test_networks_are_built_only_where_asked_for(without: EvaluatedScenario) -> None:
    assert without.as_json["fabric"]["networks"] == []
    rows = pod_networks(without, ready_catalog()).networks
    assert [(row.name, row.carried_by) for row in rows] == [
        ("compute", "own"),
        ("storage", "none"),
        ("in_band", "none"),
        ("out_of_band", "none"),
    ]


def test_all_figures_of_the_default_parts_are_known(with_all: EvaluatedScenario) -> None:
    answer = pod_networks(with_all, ready_catalog())
    assert all(row.power_w and row.price_usd and row.switches for row in answer.networks)
    assert with_all.as_json["cost"]["tco_usd"] is not None
    assert [problem for problem in with_all.problems if problem.kind == "missing_input"] == []


def test_totals_are_those_of_the_evaluation(with_all: EvaluatedScenario) -> None:
    total, fabric = pod_networks(with_all, ready_catalog()).total, with_all.as_json["fabric"]
    assert total["power_w"] == pytest.approx(fabric["network_power_w"])
    assert total["price_usd"] == pytest.approx(fabric["network_price_usd"])


def test_networks_cost_money_and_power_and_no_time(
    without: EvaluatedScenario, with_all: EvaluatedScenario
) -> None:
    before, after = without.as_json, with_all.as_json
    assert after["performance"] | {"elapsed_time_s": 0} == before["performance"] | {"elapsed_time_s": 0}
    assert after["cost"]["tco_usd"] > before["cost"]["tco_usd"]
    assert after["power"]["it_power_mean_w"] > before["power"]["it_power_mean_w"]


@pytest.mark.slow
def test_every_figure_is_explained_down_to_a_source(with_all: EvaluatedScenario) -> None:
    tree = with_all.explain("fabric.networks[0].switches")
    assert tree["formula"]
    assert "RA-11333-001" in str(tree)


@pytest.mark.slow
def test_storage_on_the_in_band_network_has_no_switches_of_its_own() -> None:
    answer = shown(pod__networks={"storage": {"carried_by": "in_band", "servers": 20}})
    _, storage, in_band, _ = answer.networks
    assert (storage.carried_by, storage.switches, storage.power_w) == ("in_band", 0, 0)
    assert storage.node_bandwidth_bytes_per_s == in_band.node_bandwidth_bytes_per_s == 50e9
    assert in_band.carried_by == "own"
    assert in_band.servers == 25


def test_hosts_have_the_same_numbers_in_every_graph(with_all: EvaluatedScenario) -> None:
    graphs = network_graphs(with_all.resolved.design)
    assert list(graphs) == ["compute", "storage", "in_band", "out_of_band"]
    assert all(graph.of_kind("host").tolist() == list(range(128)) for graph in graphs.values())
    networks = with_all.as_json["fabric"]["networks"]
    assert [graphs[network["name"]].link_count for network in networks] == [
        network["links"] for network in networks
    ]


def test_one_supernode_has_no_networks_and_says_so() -> None:
    alone = evaluate_scenario(document(pod__supernodes=1, pod__networks=ALL), ready_catalog())
    assert alone.as_json["fabric"]["networks"] == []
    assert network_graphs(alone.resolved.design) == {}
    problem = next(problem for problem in alone.problems if problem.field.startswith("pod.networks"))
    assert problem.fix is not None
    assert (problem.fix.field, problem.fix.value) == ("pod.supernodes", 2)


def test_a_switch_with_slower_ports_is_a_warning_with_a_way_out() -> None:
    slow = evaluated(pod__networks={"in_band": {"switch": "sn3700"}})
    problem = next(
        problem for problem in slow.problems if problem.field == "pod.networks.in_band.port_gbit_s"
    )
    assert (problem.value, problem.limit) == (200, 100)
    assert problem.fix is not None
    assert problem.fix.value == 100


@pytest.mark.slow
def test_a_switch_nobody_priced_leaves_totals_unknown() -> None:
    answer = shown(pod__networks={"in_band": {"switch": "sn4600c", "port_gbit_s": 100}})
    assert answer.networks[2].switches is not None
    assert answer.networks[2].price_usd is None
    assert answer.total["price_usd"] is None
    assert answer.networks[0].price_usd is not None


def test_storage_needs_the_network_that_is_to_carry_it() -> None:
    networks = {"storage": {"carried_by": "in_band"}, "in_band": {"carried_by": "none"}}
    with pytest.raises(ScenarioError, match=r"pod\.networks\.storage\.carried_by"):
        evaluated(pod__networks=networks)


def test_an_unknown_switch_is_named_with_its_field() -> None:
    with pytest.raises(ScenarioError, match=r"pod\.networks\.out_of_band\.switch.*sn2202"):
        evaluated(pod__networks={"out_of_band": {"switch": "sn2202"}})


def test_only_what_is_stated_is_written() -> None:
    written = document(pod__networks={"storage": {"servers": 12}}).as_dict()
    assert written["pod"]["networks"] == {"storage": {"servers": 12}}
    assert build_scenario(written).as_dict() == written
    assert "networks" not in document().as_dict()["pod"]


@pytest.mark.slow
def test_the_kind_follows_the_switch_and_may_be_asked_for() -> None:
    assert shown().kind == "infiniband"
    asked = shown(pod__fabric={"kind": "roce"})
    assert (asked.kind, asked.networks[0].switch) == ("roce", "SN5600 / SN5600D")
    here = [kind.key for kind in asked.kinds if kind.here]
    assert here == ["roce"]


@pytest.mark.slow
def test_a_kind_that_the_switch_does_not_speak_is_infeasible() -> None:
    other = evaluated(pod__fabric={"kind": "ultra_ethernet", "switch": "qm9700"})
    assert not other.evaluation.feasible
    problem = next(problem for problem in other.problems if problem.field == "pod.fabric.kind")
    assert problem.fix is not None
    assert (problem.fix.field, problem.fix.value) == ("pod.fabric.switch", "auto")
    fixed = evaluated(pod__fabric={"kind": "ultra_ethernet", "switch": "auto"})
    assert fixed.evaluation.feasible


def test_parts_of_the_catalog_belong_to_kinds() -> None:
    kinds = {kind.key: kind for kind in shown().kinds}
    assert "qm9700" in kinds["infiniband"].switches
    assert "arista_7700r4_des" in kinds["scheduled_ethernet"].switches
    assert "arista_7700r4_des" not in kinds["roce"].switches
    assert "pollara400" in kinds["ultra_ethernet"].nics
    assert [claim.share for claim in kinds["roce"].line_rate] == [0.95, 0.60]


@pytest.mark.slow
def test_a_kind_of_fabric_changes_no_step_time() -> None:
    """Nothing is put in for a kind: SN5600 in place of QM9700 gives the same figures of speed."""
    times = {evaluated(pod__fabric={"kind": kind}).as_json["performance"]["mfu"] for kind in ("roce", "auto")}
    assert len(times) == 1


def test_scenarios_of_networks_can_be_posted_as_they_are_written() -> None:
    values = scenario(pod__networks=ALL)
    assert build_scenario(values).as_dict()["pod"]["networks"] == ALL
