"""Faults, sharing and utilisation of a scenario's fabric: names, limits, and what is refused."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_document
from app.views.fabric.faults import fabric_faults
from app.views.fabric.faults_answer import FaultsDocument
from app.views.fabric.sharing import fabric_sharing
from app.views.fabric.sharing_document import SharingDocument
from app.views.fabric.utilisation import fabric_utilisation
from tests.scenarios.support import document


@cache
def pod(supernodes: int) -> EvaluatedScenario:
    return evaluate_scenario(document(pod__supernodes=supernodes, parallelism={"tp": 1}), ready_catalog())


def faults(supernodes: int = 64, **asked: Any):
    return fabric_faults(pod(supernodes), build_document(FaultsDocument, {"single": False, **asked}))


def sharing(supernodes: int = 64, **asked: Any):
    return fabric_sharing(pod(supernodes), build_document(SharingDocument, asked))


def refusal(call, **asked: Any):
    with pytest.raises(ScenarioError) as caught:
        call(**asked)
    return caught.value.errors[0]


def test_without_faults_everything_is_as_before():
    found = faults()
    assert (found.reach.cut_off, found.failed.links_lost, found.job.slowdown) == (0, 0, 1.0)
    assert found.bisection.share == found.worst_pair.share == 1.0
    assert {tier.share for tier in found.tiers} == {1.0}


@pytest.mark.slow
def test_parts_are_found_by_name_and_by_number():
    by_name = faults(switches=["leaf-01-3"], links=["node-0001:1", "leaf-01-1/spine-01"])
    by_number = faults(switches=["leaf-3"], links=["node-1:1", "leaf-1/spine-1"])
    assert by_name == by_number
    assert by_name.failed.names[0] == "leaf-01-3"
    assert by_name.failed.links == 1 + 4


def test_a_rail_costs_an_eighth():
    found = faults(rails=[3], between=["node-0001", "unit-2"])
    assert found.job.access_share == found.between.share == found.worst_pair.share == 7 / 8
    assert found.job.slowdown > 1


def test_hosts_that_are_cut_off_stop_the_job():
    found = faults(links=[f"node-0001:{port}" for port in range(1, 9)])
    assert found.reach.cut_off_names == ("node-0001",)
    assert (found.job.runs, found.job.step_time_s) == (False, None)
    assert found.job.reason == "63 hosts reach each other, and the job runs on 64."
    assert found.worst_pair.left_bytes_per_s == 0


def test_a_feed_takes_what_has_one_supply():
    assert faults(power={"feed": "A"}).failed.switches == 0
    found = faults(power={"feed": "A", "one_supply": ["leaf"]})
    assert found.failed.switches == 8  # every other one of 16
    assert found.job.access_share == 1 / 2
    one_rack = faults(power={"feed": "A", "one_supply": ["host"], "racks": ["R01-01"]})
    assert 0 < one_rack.reach.cut_off < 64


def test_the_table_of_single_failures_is_of_every_tier():
    found = faults(single=True)
    assert [(row.part, row.tier) for row in found.single] == [
        ("link", "leaf"), ("link", "spine"), ("switch", "leaf"), ("switch", "spine"), ("rail", ""),
    ]  # fmt: skip
    assert all(row.job.runs for row in found.single)


@pytest.mark.parametrize(
    ("asked", "path", "words"),
    [
        ({"switches": ["laef-3"]}, "switches[0]", "Nearest: leaf"),
        ({"switches": ["node-0001"]}, "switches[0]", "is no switch"),
        ({"links": ["leaf-1"]}, "links[0]", "Write node-0001:1"),
        ({"links": ["leaf-1:99"]}, "links[0]", "port 99"),
        ({"links": ["leaf-1/leaf-2"]}, "links[0]", "No link joins"),
        ({"rails": [9]}, "rails[0]", "Name one of 1 to 8"),
        ({"planes": [2]}, "planes[0]", "it has 1"),
        ({"random_switches": 99}, "random_switches", "at most 24"),
        ({"between": ["node-0001", "unit-1"]}, "between", "in common"),
        ({"between": ["unit-9", "unit-1"]}, "between[0]", "2 units"),
        ({"between": ["leaf-1", "unit-1"]}, "between[0]", "is no host"),
        ({"power": {"feed": "B", "one_supply": ["core"]}}, "power.one_supply[0]", "Its kinds are host"),
        ({"power": {"feed": "B", "racks": ["R99-01"]}}, "power.racks[0]", "Nearest: R"),
    ],
)
def test_what_there_is_not_is_refused_with_a_way_out(asked: dict[str, Any], path: str, words: str):
    error = refusal(faults, **asked)
    assert error.path == path
    assert words in f"{error.message} {error.hint}"


def test_a_pod_without_a_fabric_has_nothing_to_fail_or_share():
    for call in (faults, lambda **asked: sharing(**asked, jobs=[{"hosts": 1}])):
        error = refusal(call, supernodes=1)
        assert (error.path, error.rule) == ("pod.fabric", "no_fabric")


def test_packed_jobs_leave_each_other_alone_and_hashed_ones_do_not():
    jobs = [{"hosts": 32}, {"hosts": 32}]
    assert {job.step_slowdown for job in sharing(jobs=jobs).jobs} == {1.0}
    spread = [
        {"hosts": 32, "placement": "spread"},
        {"hosts": 32, "placement": "spread", "exposed_share": 0.5},
    ]
    found = sharing(jobs=spread, routing="ecmp")
    assert max(job.communication_slowdown for job in found.jobs) > 1
    assert found.jobs[1].held_by_tier == "spine"
    assert found.jobs[0].exposed_share == found.scenario_exposed_share
    assert found.free_hosts == 0


def test_jobs_on_named_hosts():
    found = sharing(jobs=[{"name": "Here", "on": ["unit-1"]}, {"on": ["node-0040", "node-0033"]}])
    assert [(job.name, job.hosts, job.units, job.placement) for job in found.jobs] == [
        ("Here", 32, 1, "named"),
        ("Job 2", 2, 1, "named"),
    ]


def test_a_fabric_that_does_not_join_its_hosts_is_said_to():
    mesh = evaluate_scenario(
        document(pod__supernodes=64, pod__fabric={"topology": "full_mesh"}, parallelism={"tp": 1}),
        ready_catalog(),
    )
    with pytest.raises(ScenarioError, match="has no way to"):
        fabric_sharing(mesh, build_document(SharingDocument, {"jobs": [{"hosts": 64}]}))
    fabric_tiers = fabric_utilisation(mesh).tiers[1:]
    assert fabric_tiers
    assert all(tier.mean is None for tier in fabric_tiers)


def test_hosts_of_a_torus_pass_on():
    torus = evaluate_scenario(
        document(pod__supernodes=64, pod__fabric={"topology": "torus_2d"}, parallelism={"tp": 1}),
        ready_catalog(),
    )
    asked = build_document(FaultsDocument, {"links": ["node-0001/node-0002"]})
    found = fabric_faults(torus, asked)
    assert (found.reach.cut_off, found.reach.joined_share) == (0, 1.0)
    assert 0 < found.job.access_share < 1
    assert {row.part for row in found.single} == {"link"}


@pytest.mark.parametrize(
    ("jobs", "path", "words"),
    [
        ([{"hosts": 40}, {"hosts": 30}], "jobs[1].hosts", "Give at most 24"),
        ([{"on": ["unit-1"]}, {"on": ["node-0001"]}], "jobs[1].on[0]", "has a job already"),
        ([{}], "jobs[0].hosts", "neither how many"),
        ([{"hosts": 1, "on": ["unit-1"]}], "jobs[0].hosts", "both hosts and on"),
        ([{"hosts": 1}] * 9, "jobs", "8"),
    ],
)
def test_jobs_that_cannot_be_are_refused(jobs: list[dict[str, Any]], path: str, words: str):
    error = refusal(sharing, jobs=jobs)
    assert error.path == path
    assert words in f"{error.message} {error.hint}"


def test_utilisation_begins_with_the_scale_up_fabric():
    found = fabric_utilisation(pod(64))
    assert [tier.tier for tier in found.tiers] == ["scale_up", "leaf", "spine"]
    assert [row.kind for row in found.traffic] == ["dp"]
    assert all(0 < tier.mean <= tier.peak * (1 + 1e-9) for tier in found.tiers)
    assert [tier.tier for tier in fabric_utilisation(pod(1)).tiers] == ["scale_up"]


def test_no_job_at_all_is_refused_in_plain_words() -> None:
    with pytest.raises(ScenarioError) as caught:
        build_document(SharingDocument, {"jobs": []})
    (fault,) = caught.value.errors
    assert (fault.path, fault.rule) == ("jobs", "at_least")
    assert fault.message == "a list must have 1 or more entries."
