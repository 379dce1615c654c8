"""`podwright fleet`: text, JSON, a trace, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.surfaces.cli import app
from app.surfaces.rest.fleets import EXAMPLES

FLEET = EXAMPLES["classes"]["value"]


def ran(*arguments: str):
    return CliRunner().invoke(app, ["fleet", *arguments])


@pytest.mark.slow
def test_text_and_json(tmp_path: Path) -> None:
    file = tmp_path / "fleet.json"
    file.write_text(json.dumps(FLEET | {"find": ["smallest_fleet"], "level": {"wait_hours": 3}}))
    text = ran(str(file))
    assert text.exit_code == 0, text.output
    assert "Priority with preemption, 2 replications" in text.output
    assert "Smallest fleet for the service level" in text.output
    found = json.loads(ran(str(file), "--json").output)
    assert found["findings"][0]["found"]["is_met"] is True
    assert 0 < found["utilisation"] < 1


def test_a_trace_takes_the_place_of_classes(tmp_path: Path) -> None:
    file, trace = tmp_path / "fleet.json", tmp_path / "trace.csv"
    file.write_text(json.dumps(FLEET | {"replications": 1}))
    trace.write_text("arrival_s,accelerators,duration_s\n0,4,3600\n5,2,-1\n")
    refused = ran(str(file), "--trace", str(trace))
    assert refused.exit_code != 0
    assert "Row 3" in str(refused.exception)
    text = ran(str(file), "--trace", str(trace), "--skip-bad-rows")
    assert text.exit_code == 0, text.output
    assert "2 rows, 1 left out" in text.output
