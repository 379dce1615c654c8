"""podwright search: a table, JSON, and options that cannot be used."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.slow


def test_search_prints_the_best(run):
    code, out, err = run("search", "edge_node", "--top", "12")
    assert (code, err) == (0, "")
    assert "layouts can run" in out
    assert "rejected for memory" in out
    starts = [line.split()[0] for line in out.split("\n\n")[1].splitlines()]
    assert [start for start in starts if start != "also:"] == [str(rank) for rank in range(1, 13)]
    assert "also:" in starts


def test_search_as_json(run):
    code, out, _ = run("search", "edge_node", "--json", "--top", "3", "--hold", "micro_batch=1,2")
    found = json.loads(out)
    assert code == 0
    assert {"strategies", "feasible_strategies", "search_time_s", "rejected", "best"} <= set(found)
    assert found["feasible_strategies"] + sum(found["rejected"].values()) == found["strategies"]
    assert len(found["best"]) == 3
    assert {row["parallelism"]["micro_batch"] for row in found["best"]} <= {1, 2}


def test_several_axes_are_held(run):
    words = ("--hold", "sequence_parallel=false", "--hold", "recompute=none", "--hold", "micro_batch=1")
    _, out, _ = run("search", "edge_node", "--json", *words)
    found = json.loads(out)
    assert found["hold"] == {"sequence_parallel": [False], "recompute": ["none"], "micro_batch": [1]}
    assert {row["parallelism"]["recompute"] for row in found["sample"]} <= {"none"}


def test_the_fewest_accelerators_for_a_deadline(run):
    code, out, _ = run("search", "edge_node", "--objective", "accelerators", "--deadline-days", "2")
    assert code == 0
    assert "2 accelerators" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--hold", "tp"), "AXIS=VALUE"),
        (("--hold", "tpp=1"), "axis"),
        (("--hold", "tp=0"), "whole numbers from 1"),
        (("--hold", "recompute=some"), "selective"),
        (("--objective", "speed"), "step_time"),
        (("--objective", "accelerators"), "deadline_days"),
        (("--space", "half"), "usual"),
        (("--top", "0"), "at least 1"),
    ],
)
def test_bad_options_are_one_clear_message_and_exit_2(run, words, said):
    code, out, err = run("search", "edge_node", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err
