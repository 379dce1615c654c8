"""The picture of a pod: marks, failures and routes of the graph, as data, as a figure and as SVG."""

from __future__ import annotations

from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_example, evaluate_scenario
from app.scenarios.load import build_document
from app.views.fabric.compute import compute_fabric
from app.views.fabric.picture import PICTURES, Picture, PictureDocument, picture_text, pod_picture
from tests.scenarios.support import document

LARGE = "llama_3_1_405b_on_2048_dgx_h100"


@cache
def pod(supernodes: int, topology: str = "auto") -> EvaluatedScenario:
    changes: dict[str, Any] = {"pod__supernodes": supernodes, "parallelism": {"tp": 1}}
    if topology != "auto":
        changes["pod__fabric"] = {"topology": topology}
    return evaluate_scenario(document(**changes), ready_catalog())


def drawn(scenario: EvaluatedScenario, **asked: Any) -> Picture:
    return pod_picture(scenario, ready_catalog(), build_document(PictureDocument, asked))


def points(picture: Picture) -> list[list[Any]]:
    assert picture.figure.plot is not None
    return next(
        trace["customdata"] for trace in picture.figure.plot["data"] if trace.get("meta") == "choosable"
    )


@pytest.mark.slow
@pytest.mark.parametrize("supernodes", [2, 8, 64, 128])
@pytest.mark.parametrize("topology", ["rail_fat_tree", "rail_only", "fat_tree"])
def test_marks_and_links_are_those_of_the_graph(supernodes: int, topology: str) -> None:
    scenario = pod(supernodes, topology)
    picture, graph = drawn(scenario), compute_fabric(scenario).graph
    report = picture.report
    for kind in graph.kinds:
        assert sum(mark.devices for mark in report.marks if mark.kind == kind) == graph.of_kind(kind).size
    for tier in graph.tiers:
        assert sum(one.links for one in report.links if one.tier == tier) == graph.of_tier(tier).size
    assert not any(mark.failed for mark in report.marks)
    bundles = {(one.tier, one.lower) for one in report.links}
    assert len(points(picture)) == len(report.marks) + len(bundles) == len(picture.figure.details)


def test_eight_nodes_are_drawn_as_eight() -> None:
    marks = drawn(pod(8)).report.marks
    assert [mark.devices for mark in marks if mark.kind == "host"] == [1] * 8


@pytest.mark.slow
def test_no_link_joins_two_rails_of_a_rail_only_fabric() -> None:
    report = drawn(pod(128, "rail_only")).report
    among_switches = [
        (report.marks[one.lower].part, report.marks[one.upper].part)
        for one in report.links
        if report.marks[one.lower].part
    ]
    assert len(set(among_switches)) == 8
    assert all(one == other for one, other in among_switches)


@pytest.mark.slow
def test_what_has_failed_is_counted_and_the_route_keeps_away_from_it() -> None:
    whole = drawn(pod(64), between=["node-1", "node-64"])
    broken = drawn(pod(64), between=["node-1", "node-64"], switches=["leaf-1", "spine-1"])
    assert sum(mark.failed for mark in broken.report.marks) == 2
    assert sum(one.failed for one in broken.report.links) > 0
    assert whole.report.route_length == broken.report.route_length == 4
    taken = [sum(one.on_route for one in each.report.links) for each in (whole, broken)]
    assert 0 < taken[1] < taken[0]
    assert all(one.on_route + one.failed <= one.links for one in broken.report.links)
    assert "From node-1 to node-64: 4 links" in broken.figure.takeaway
    assert {mark.label for mark in broken.figure.legend} == {"Links", "Route", "Failed"}


def test_a_host_without_links_has_no_route() -> None:
    picture = drawn(pod(8), between=["node-1", "node-2"], links=[f"node-1:{port}" for port in range(1, 9)])
    assert picture.report.route_length is None
    assert "No path is left from node-1 to node-2" in picture.figure.takeaway


@pytest.mark.parametrize(
    ("asked", "path"),
    [({"switches": ["leaf-99999"]}, "switches[0]"), ({"between": ["node-1", "rack"]}, "between[1]")],
)
def test_unknown_parts_are_refused_by_name(asked: dict[str, Any], path: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        drawn(pod(8), **asked)
    assert caught.value.errors[0].path == path


@pytest.mark.slow
def test_one_supernode_is_drawn_from_inside_and_has_nothing_that_could_fail() -> None:
    scenario = evaluate_example("deepseek_r1_on_cloudmatrix384", ready_catalog())
    picture = drawn(scenario)
    assert not picture.report.marks
    assert "336 lower and 112 upper switch chips" in picture.figure.takeaway
    assert [title for title, *_ in points(picture)].count("Upper chip 1 of plane 7") == 1
    with pytest.raises(ScenarioError):
        drawn(scenario, switches=["leaf-1"])


@pytest.mark.slow
def test_panels_say_ports_rate_load_and_loss() -> None:
    picture = drawn(pod(64))
    by_title = {title: picture.figure.details[place] for title, _, place in points(picture)}
    facts = [dict(detail.facts) for detail in by_title.values()]
    links = [found for found in facts if "Rate per port, one way" in found]
    switches = [
        found for found in facts if "Worst-host bandwidth" in found and "Ports in use per device" in found
    ]
    assert links
    assert switches
    assert all(found["Worst-host bandwidth"] != "unknown" for found in (*links, *switches))
    assert all("Mean utilisation over a step" in found for found in links)


@pytest.mark.slow
@pytest.mark.parametrize("file", PICTURES, ids=lambda file: file.name)
def test_the_file_is_the_same_picture(file: Any) -> None:
    picture = drawn(evaluate_example(LARGE, ready_catalog()), between=["node-1", "node-2000"])
    root = ElementTree.fromstring(file.format.write(picture).decode())
    words = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert words.count("128") == sum(mark.devices == 128 for mark in picture.report.marks) == 16
    squares = [one for one in root.iter("{http://www.w3.org/2000/svg}rect") if one.get("stroke")]
    assert len(squares) == len(picture.report.marks)
    assert "var(--" not in file.format.write(picture).decode()


def test_text_lists_marks_and_the_route() -> None:
    said = picture_text(drawn(pod(8), between=["node-1", "node-2"]))
    assert "node-0008" in said or "node-8" in said
    assert "Route: 2 links from end to end" in said


def test_load_and_losses_of_large_fabrics_are_said_to_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.views.fabric.picture.MOST_LINKS", 10)
    facts = [fact for detail in drawn(pod(8)).figure.details for fact in detail.facts]
    assert ("When one fails", "see the faults tab") in facts
    assert ("Mean utilisation over a step", "not computed at this size") in facts
    assert not any(name == "Worst-host bandwidth" for name, _ in facts)
