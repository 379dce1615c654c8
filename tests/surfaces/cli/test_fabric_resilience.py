"""podwright fabric faults, sharing and utilisation: text, JSON, and what cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.scenarios.load import build_scenario
from tests.scenarios.support import scenario


@pytest.fixture
def pod(tmp_path: Path) -> str:
    file = tmp_path / "pod.yaml"
    file.write_text(build_scenario(scenario(pod__supernodes=64, parallelism={"tp": 1})).as_yaml())
    return str(file)


def test_faults_as_text(run, pod: str) -> None:
    code, out, err = run("fabric", "faults", pod, "--switch", "leaf-3", "--between", "node-0001", "unit-2")
    assert (code, err) == (0, "")
    assert "Failed switches: 1, links: 0; links lost in all: 64." in out
    assert "between node-0001 and unit-2" in out
    assert [line.split("  ")[0] for line in out.splitlines()[-5:]] == [
        "Leaf link", "Spine link", "Leaf switch", "Spine switch", "Rail",
    ]  # fmt: skip


def test_faults_by_chance_as_json(run, pod: str) -> None:
    words = ("--random-links", "5", "--seed", "3", "--json")
    found = json.loads(run("fabric", "faults", pod, *words)[1])
    assert found["failed"]["links"] == 5
    assert found == json.loads(run("fabric", "faults", pod, *words)[1])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--switch", "laef-3"), "switches[0]: There is no device 'laef-3'"),
        (("--feed", "C"), "power.feed"),
        (("--rack", "R01-01"), "Add --feed A."),
        (("--seed", "-1"), "seed"),
    ],
)
def test_what_cannot_fail_exits_2(run, pod: str, words: tuple[str, ...], said: str) -> None:
    code, _, err = run("fabric", "faults", pod, *words)
    assert code == 2
    assert said in err


def test_jobs_of_a_file(run, pod: str, tmp_path: Path) -> None:
    jobs = tmp_path / "jobs.yaml"
    jobs.write_text(
        "jobs:\n- {name: Big, hosts: 48, placement: spread}\n- {hosts: 16, pattern: all_to_all}\n"
    )
    code, out, _ = run("fabric", "sharing", pod, jobs)
    assert code == 0
    assert "0 hosts free" in out
    assert [line.split()[0] for line in out.splitlines()[3:5]] == ["Big", "Job"]
    found = json.loads(run("fabric", "sharing", pod, jobs, "--json")[1])
    assert [job["hosts"] for job in found["jobs"]] == [48, 16]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("jobs: []", "jobs"),
        ("jobs: [{hosts: 99}]", "jobs[0].hosts: 99 hosts are more than the 64"),
    ],
)
def test_jobs_that_cannot_be_exit_2(run, pod: str, tmp_path: Path, text: str, said: str) -> None:
    jobs = tmp_path / "jobs.yaml"
    jobs.write_text(text)
    code, _, err = run("fabric", "sharing", pod, jobs)
    assert code == 2
    assert said in err


def test_utilisation(run, pod: str) -> None:
    code, out, _ = run("fabric", "utilisation", pod)
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[-3:]] == ["Scale-up", "Leaf", "Spine"]
    assert json.loads(run("fabric", "utilisation", pod, "--json")[1])["traffic"][0]["kind"] == "dp"
