"""What a scenario may say of shared pods, and what it is told when it cannot be."""

from __future__ import annotations

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import inputs_hash
from app.scenarios.load import build_scenario, parse_scenario
from app.scenarios.resolve import resolve
from app.views.searching.layouts import search_scenario
from app.views.searching.options import SearchOptions
from tests.scenarios.shared_pod.cases import SERVING, TRAINING, evaluated, other, values

pytestmark = pytest.mark.usefixtures("seeded_data_dir")


def refused(*others, by="day", **changes) -> str:
    with pytest.raises(ScenarioError) as caught:
        resolve(build_scenario(values(by, *others, **changes)), ready_catalog())
    return str(caught.value)


def test_a_scenario_says_nothing_of_sharing_where_one_workload_has_the_pod() -> None:
    document = build_scenario(values(None))
    assert document.sharing is None
    assert "sharing" not in document.as_dict()
    assert inputs_hash(document, "r") != inputs_hash(build_scenario(values("day")), "r")


def test_a_shared_scenario_survives_yaml_and_json() -> None:
    document = build_scenario(values("pod", other(0.3), other(0.2, "Second")))
    assert parse_scenario(document.as_yaml()) == document
    assert parse_scenario(document.as_json(), format="json") == document


@pytest.mark.parametrize(
    ("others", "by", "field", "words"),
    [
        ([other(1.0)], "day", "sharing.others[0].share", "below 1"),
        ([other(0.0)], "day", "sharing.others[0].share", "above 0"),
        ([other(0.5), other(0.5, "Second")], "day", "sharing.others", "nothing is left for the first"),
        ([other(0.1), other(0.1)], "pod", "sharing.others", "two workloads called 'Answers'"),
        ([other(0.1, "Run")], "pod", "sharing.others", "two workloads called 'Run'"),
        ([other()], "hour", "sharing.by", "pod"),
        (
            [other(workload={**SERVING, "model": "nobody"})],
            "day",
            "sharing.others[0].workload.model",
            "not in the catalog",
        ),
        (
            [other(workload={**SERVING, "kind": "sorting"})],
            "day",
            "sharing.others[0].workload.kind",
            "one of",
        ),
        (
            [other() | {"parallelism": {"tp": 2}}],
            "pod",
            "sharing.others[0].parallelism",
            "layout of a training job",
        ),
        (
            [other(workload=TRAINING) | {"parallelism": {"tp": 7}}],
            "pod",
            "sharing.others[0].parallelism",
            "tp",
        ),
        (
            [other(workload={**SERVING, "layout": {"tp": 64}})],
            "pod",
            "sharing.others[0].workload.layout",
            "64",
        ),
    ],
)
def test_bad_input_is_named_with_its_field(others, by: str, field: str, words: str) -> None:
    said = refused(*others, by=by)
    assert field in said
    assert words in said


def test_more_workloads_than_supernodes_are_refused() -> None:
    said = refused(other(0.2), other(0.2, "Second"), by="pod", pod={"supernodes": 2})
    assert "leaves none to Run" in said
    assert "at least 3 SuperNodes" in said


def test_shares_and_a_number_of_accelerators_contradict_each_other() -> None:
    assert "pod.accelerators_used" in refused(pod={"supernodes": 8, "accelerators_used": 32})


def test_several_kinds_of_supernode_are_refused() -> None:
    also = [{"supernode": {"system": "dgx_h100"}, "supernodes": 8}]
    assert "pod.also" in refused(pod={"supernodes": 8, "also": also})


def test_no_time_left_to_work_names_the_workload_and_the_share() -> None:
    found = evaluated("day", other(0.0005))
    (problem,) = [one for one in found.problems if one.kind == "infeasible"]
    assert problem.field == "sharing.others[0].share"
    assert problem.message.startswith("Answers: handing the pod over takes")
    assert problem.fix is not None
    assert problem.fix.value * 86_400 == pytest.approx(problem.value)
    assert not found.evaluation.feasible


def test_an_infeasible_part_names_its_workload() -> None:
    level = {"service_level": {"tpot_s": 1e-6}}
    found = evaluated("pod", other(0.25, workload=SERVING | level))
    (problem,) = [one for one in found.problems if one.kind == "infeasible"]
    assert problem.message.startswith("Answers: ")
    assert problem.field.startswith("sharing.others[0].workload.")
    assert all(path.startswith("workloads[1].") for path in problem.affects)


def test_demand_is_held_against_the_supernodes_that_the_workload_has() -> None:
    demand = {"demand": {"requests_per_s": 1e4}}
    found = evaluated("pod", other(0.25, workload=SERVING | demand))
    (problem,) = [one for one in found.problems if one.kind == "infeasible"]
    assert problem.limit == 2  # of eight
    assert problem.fix is None  # what it lacks is not what the pod would need


def test_what_is_of_one_workload_refuses_a_shared_pod() -> None:
    with pytest.raises(ScenarioError, match="one workload has to itself, and 2 share this one"):
        search_scenario(evaluated("pod"), SearchOptions())
