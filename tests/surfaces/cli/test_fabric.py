"""podwright fabric: what its commands print."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.scenarios.load import build_scenario
from tests.scenarios.support import scenario


def written(folder: Path, supernodes: int, **pod: object) -> str:
    file = folder / "pod.yaml"
    values = scenario(pod__supernodes=supernodes, **{f"pod__{name}": value for name, value in pod.items()})
    file.write_text(build_scenario(values).as_yaml())
    return str(file)


def test_topologies_side_by_side(run, tmp_path: Path) -> None:
    code, out, err = run(
        "fabric", "topologies", written(tmp_path, 32, fabric={"topology": "torus_2d", "shape": "4 x 8"})
    )
    assert (code, err) == (0, "")
    lines = {line[:28].strip(): line[28:] for line in out.splitlines()}
    assert lines["* 2D torus"].split()[:2] == ["0", "128"]
    assert lines["* 2D torus"].endswith("4 x 8")
    assert lines["Full mesh"].startswith("A lattice of 9 holds 9 nodes, not 32")


def test_one_supernode_alone(run) -> None:
    code, out, _ = run("fabric", "topologies", "edge_node")
    assert (code, out.strip()) == (0, "One SuperNode by itself needs no scale-out fabric.")


def test_four_networks_and_their_total(run, tmp_path: Path) -> None:
    own = {"carried_by": "own"}
    code, out, err = run(
        "fabric",
        "networks",
        written(tmp_path, 128, networks={"storage": own, "in_band": own, "out_of_band": own}),
    )
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line.split("  ")[0] for line in lines[1:6]] == [
        "Compute fabric",
        "Storage network",
        "In-band network",
        "Out-of-band network",
        "Total",
    ]
    assert "2 x 400 Gbit/s" in lines[2]
    assert "InfiniBand: Adaptive routing" in out
    assert "Not built" not in out


def test_what_is_not_built_and_how_to_build_it(run, tmp_path: Path) -> None:
    _, out, _ = run(
        "fabric", "networks", written(tmp_path, 128, networks={"storage": {"carried_by": "in_band"}})
    )
    assert "Not built: out_of_band. To build them: pod.networks.out_of_band.carried_by: own." in out


POD = "gpt_3_175b_on_128_dgx_a100"


@pytest.mark.slow
def test_growth(run) -> None:
    code, out, err = run("fabric", "growth", POD, "--stages", "20,64,128")
    assert (code, err) == (0, "")
    assert "Laid out for the final size" in out
    assert out.count("links moved") == 2
    _, out, _ = run("fabric", "growth", POD, "--json")
    assert [stage["supernodes"] for stage in json.loads(out)["plans"][0]["stages"]] == [32, 64, 96, 128]


@pytest.mark.slow
def test_sizes(run) -> None:
    code, out, err = run(
        "fabric", "sizes", POD, "--topologies", "fat_tree,dragonfly", "--supernodes", "16,1024"
    )
    assert (code, err) == (0, "")
    assert "Fat tree by rack" in out
    assert "Dragonfly" in out
    _, out, _ = run("fabric", "sizes", POD, "--json")
    assert len(json.loads(out)["topologies"]) == 4


def test_sums_cables_and_a_rack(run, tmp_path: Path) -> None:
    code, out, err = run("fabric", "floor", written(tmp_path, 64), "--rack", "R01-01")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Racks           20 (17 compute, 3 network) in one row"
    assert lines[5].split() == ["Network", "Tier", "Links", "Mean", "m", "Longest", "m", "km"]
    assert lines[6].split()[:3] == ["compute", "leaf", "512"]
    assert "U25       8 U  node-0004" in out
    assert "warning: Unpublished: the weight of QM9700" in out


def test_a_rack_that_cannot_carry_its_load(run, tmp_path: Path) -> None:
    code, out, _ = run("fabric", "floor", written(tmp_path, 64, floor={"rack_power_w": 10e3}))
    assert code == 0
    assert "infeasible: A rack with one DGX H100 draws 10,200 W, and a rack may draw 10,000 W." in out


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
