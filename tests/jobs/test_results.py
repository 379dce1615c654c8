"""Results: rows, columns and the best designs, while a job runs and when it is over."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

import numpy as np
import pytest

from app.engine.design import evaluate
from app.engine.leaves import leaves
from app.jobs.blocks import OtherVersionError, computed_block, figures_of, packed_figures
from app.jobs.executor import InThread
from app.jobs.queue import JobQueue
from app.jobs.results import NOT_POSSIBLE, Results, csv_parts, job_values, json_parts, row_values, usual_goal
from app.jobs.run import run_job
from app.jobs.store import Jobs
from app.jobs.text import job_text
from app.scenarios.resolve import resolve
from app.scenarios.sweeping.plan import SweepPlan
from tests.jobs.conftest import Plan

WACC = {"field": "economics.wacc", "values": [0.1, 0.05, 0.2]}
PODS = {"field": "pod.supernodes", "values": [8, 33]}
"""Thirty-three SuperNodes have more replicas than the batch has sequences."""


def results(jobs: Jobs, queue: JobQueue, plan: SweepPlan) -> Results:
    job, _ = jobs.start(plan, worker=queue.worker)
    run_job(queue, job, plan, InThread())
    return Results(jobs, jobs.get(job.id))


@pytest.fixture
def swept(jobs: Jobs, queue: JobQueue, plan: Plan) -> Results:
    return results(jobs, queue, plan(1, WACC, PODS))


def test_a_row_is_a_design_and_its_figures(swept: Results, plan: Plan) -> None:
    (rows,) = swept.parts(1, 2)
    assert row_values(rows) | {"outputs": None} == {
        "index": 1,
        "inputs": {"economics.wacc": 0.05, "pod.supernodes": 8},
        "outputs": None,
        "feasible": True,
        "limit": "",
    }
    made = plan(1, WACC, PODS)
    alone = dict(leaves(evaluate(resolve(swept.points.scenario_at(1), made.catalog).design).sections))
    assert row_values(rows)["outputs"]["cost.tco_usd"] == alone["cost.tco_usd"].item()


def test_refusals_give_their_reasons(swept: Results, plan: Plan) -> None:
    ((reason, refused),) = swept.refusals(plan(1, WACC, PODS).catalog).items()
    assert refused.design in (3, 4, 5)
    (way_out,) = refused.ways_out
    assert way_out.field == "pod.supernodes"
    assert way_out.nearest != way_out.refused
    assert "sequences per step" in reason
    assert "Nearest choice" in reason


def test_what_cannot_be_has_no_figures_and_says_so(swept: Results) -> None:
    (rows,) = swept.parts(3)
    assert rows.limit_names == [NOT_POSSIBLE] * 3
    assert not rows.feasible.any()
    assert swept.stopped() == {NOT_POSSIBLE: 3}


def test_csv_and_json_hold_the_same_numbers(swept: Results) -> None:
    table = list(csv.reader(io.StringIO(b"".join(csv_parts(swept)).decode(), newline="")))
    columns = json.loads(b"".join(json_parts(swept)))
    head, *rows = table
    assert head == [
        "index",
        "economics.wacc",
        "pod.supernodes",
        "cooling.pue",
        "cost.tco_usd",
        "feasible",
        "limit",
    ]
    assert len(rows) == len(columns["index"]) == 6
    for place, row in enumerate(rows):
        assert float(row[1]) == columns["inputs"]["economics.wacc"][place]
        cost = columns["outputs"]["cost.tco_usd"][place]
        assert (row[4] == "") if cost is None else float(row[4]) == cost
    assert [row[5] for row in rows] == ["true"] * 3 + ["false"] * 3


def test_parts_begin_and_end_where_they_are_asked_to(jobs: Jobs, queue: JobQueue, plan: Plan) -> None:
    long = results(jobs, queue, plan(3))
    indices = [index for rows in long.parts(5, 18) for index in rows.index]
    assert indices == list(range(5, 18))
    assert [*long.parts(24)] == []


def test_the_best_are_feasible_known_and_in_order(swept: Results) -> None:
    best = swept.best(("cost.tco_usd",), 2, {"cost.tco_usd": "lowest"})["cost.tco_usd"]
    assert [rows.inputs["economics.wacc"][0] for rows in best] == [0.05, 0.1]
    worst = swept.best(("cost.tco_usd",), 1, {"cost.tco_usd": "highest"})["cost.tco_usd"]
    assert worst[0].inputs["economics.wacc"][0] == 0.2
    assert usual_goal("performance.mfu") == "highest"
    assert swept.telling() == ["cost.tco_usd"]  # the PUE does not depend on capital


def test_results_can_be_read_while_the_job_runs(jobs: Jobs, queue: JobQueue, plan: Plan) -> None:
    made = plan(3)
    job, _ = jobs.start(made, worker=queue.worker)
    queue.add(job.id, [computed_block(made.chunk(1), job.engine_version)])
    half = Results(jobs, jobs.get(job.id))
    assert [index for rows in half.parts() for index in rows.index] == list(range(8, 16))
    index, figures, limits = half.columns(("cooling.pue",))
    assert len(index) == len(figures["cooling.pue"]) == len(limits) == 8
    assert len(half.best(("cooling.pue",), 3, {"cooling.pue": "lowest"})["cooling.pue"]) == 3


def test_packing_keeps_every_bit() -> None:
    values = np.array([[1.5, math.nan, -0.0, 1e-320], [math.inf, 2.0, 3.0, 4.0]])
    packed = packed_figures(values)
    np.testing.assert_array_equal(figures_of(packed), values)
    assert math.copysign(1, figures_of(packed)[0, 2]) == -1
    np.testing.assert_array_equal(figures_of(packed, [1]), values[1:])


def test_a_worker_of_another_version_refuses(plan: Plan) -> None:
    with pytest.raises(OtherVersionError, match=r"and this is 0\.0\.1: use one version"):
        computed_block(plan(1).chunk(0), "0.0.1")


def test_the_text_names_the_best_designs(swept: Results) -> None:
    best = swept.best(("cost.tco_usd",), 1, {"cost.tco_usd": "lowest"})
    said = job_text(swept, best)
    assert said.startswith("Approach: done, 6 of 6 designs, 3 feasible")
    assert "design 1: economics.wacc 0.05, pod.supernodes 8" in said
    values: dict[str, Any] = job_values(swept.job)
    assert json.loads(json.dumps(values)) == values
