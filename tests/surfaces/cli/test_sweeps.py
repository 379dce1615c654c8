"""`podwright sweep` and `podwright jobs`: results on disk, bad input, and Ctrl-C."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.running_server import environment_of
from tests.surfaces.cli.conftest import EDGE_NODE

pytestmark = pytest.mark.slow

SWEEP: dict[str, Any] = {
    "name": "Money",
    "scenario": "edge_node",
    "axes": [
        {"field": "economics.wacc", "values": [0.05, 0.1]},
        {"field": "economics.utilisation", "from": 0.5, "to": 1, "steps": 3},
    ],
    "outputs": ["cost.tco_usd"],
}


@pytest.fixture
def sweep(tmp_path: Path):
    """The file of a sweep with some of its parts put otherwise."""

    def write(**changes: Any) -> Path:
        path = tmp_path / "sweep.json"
        path.write_text(json.dumps(SWEEP | changes), encoding="utf-8")
        return path

    return write


def test_a_sweep_is_run_written_and_kept(run, sweep, tmp_path: Path) -> None:
    out = tmp_path / "money.csv"
    code, said, err = run("sweep", sweep(), "--out", out)
    assert code == 0
    assert said.startswith("Money: done, 6 of 6 designs, 6 feasible")
    assert "6 designs" in err
    rows = list(csv.DictReader(io.StringIO(out.read_bytes().decode(), newline="")))
    assert [row["economics.wacc"] for row in rows] == ["0.05"] * 3 + ["0.1"] * 3
    assert all(float(row["cost.tco_usd"]) > 0 for row in rows)

    _, listed, _ = run("jobs", "list", "--json")
    id = json.loads(listed)[0]["id"]
    _, shown, _ = run("jobs", "show", id, "--json")
    assert json.loads(shown)["best"]["cost.tco_usd"][0]["inputs"]["economics.wacc"] == 0.05
    _, columns, _ = run("jobs", "results", id, "--json")
    assert json.loads(columns)["outputs"]["cost.tco_usd"] == [float(row["cost.tco_usd"]) for row in rows]
    _, written, _ = run("jobs", "results", id)
    assert written == out.read_bytes().decode()
    assert run("jobs", "cancel", id)[1].strip() == "done"
    assert run("jobs", "remove", id)[0] == 0
    assert run("jobs", "list")[1].strip() == "No jobs."


def test_a_saved_scenario_goes_by_its_name(run, sweep) -> None:
    run("save", EDGE_NODE)
    (saved,) = json.loads(run("scenarios", "--json")[1])
    code, said, _ = run("sweep", sweep(scenario=saved["name"]), "--json")
    assert (code, json.loads(said)["state"]) == (0, "done")


@pytest.mark.parametrize(
    ("changes", "words", "said"),
    [
        (
            {"axes": [{"field": "economics.wac", "values": [1]}]},
            (),
            "axes[0].field: 'economics.wac' is not a field",
        ),
        ({"outputs": ["cost.tco"]}, (), "Nearest: cost.tco_usd"),
        ({"scenario": "edge_nod"}, (), "Nearest: edge_node"),
        ({}, ("--out", "x.xlsx"), "ends neither in .csv nor in .json"),
        ({}, ("--out", "/no/such/folder/x.csv"), "there is no folder /no/such/folder"),
        ({}, ("--scheduler", "nonsense://x"), "No Dask scheduler answers at nonsense://x"),
    ],
)
def test_bad_input_is_one_clear_message_and_exit_2(run, sweep, changes, words, said) -> None:
    code, out, err = run("sweep", sweep(**changes), *words)
    assert (code, out) == (2, "")
    assert said in " ".join(err.replace("│", " ").split())
    assert "Traceback" not in err


def test_an_unknown_job_is_exit_2(run) -> None:
    code, _, err = run("jobs", "show", "nothing")
    assert (code, err.strip()) == (2, "podwright: There is no job nothing.")


def test_ctrl_c_cancels_and_keeps_what_is_done(run, sweep, own_database: Path) -> None:
    """A sweep of many seconds, in a process of its own, as a terminal would end it."""
    approaches = {"field": "assumptions.facility.cdu_approach_k", "from": 1, "to": 9, "steps": 4000}
    command = [
        sys.executable,
        "-c",
        "from app.surfaces.cli import main; main()",
        "sweep",
        str(sweep(axes=[approaches])),
        "--workers",
        "1",
    ]
    running = subprocess.Popen(
        command,
        env=environment_of(own_database),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        for _ in range(600):
            listed = json.loads(run("jobs", "list", "--json")[1])
            if listed and listed[0]["state"] == "running" and listed[0]["done"] > 0:
                break
            assert running.poll() is None, running.communicate()
            time.sleep(0.1)
        os.killpg(running.pid, signal.SIGINT)
        _, err = running.communicate(timeout=60)
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
            running.communicate()
    assert running.returncode == 130, err
    assert b"cancelled; what is done stays" in err
    job = json.loads(run("jobs", "list", "--json")[1])[0]
    assert job["state"] == "cancelled"
    assert 0 < job["done"] < job["total"]
