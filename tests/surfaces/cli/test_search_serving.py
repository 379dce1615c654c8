"""podwright search of a served model: a table, JSON, files, and options that cannot be used."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.slow
KEY = "deepseek_r1_on_8_h200"


def test_search_prints_the_best(run):
    code, out, err = run("search", KEY, "--top", "2", "--mode", "aggregated")
    assert (code, err) == (0, "")
    assert "layouts hold a request" in out
    assert "rejected for memory" in out
    assert "per million tokens" in out


def test_search_as_json_and_files(run, tmp_path):
    csv, xlsx = tmp_path / "found.csv", tmp_path / "found.xlsx"
    words = ("--json", "--top", "3", "--hold", "tp=8", "--objective", "cost", "--power-limit-w", "20000")
    code, out, err = run("search", KEY, *words, "--csv", str(csv), "--xlsx", str(xlsx))
    found = json.loads(out)
    assert code == 0
    assert "bytes" in err
    assert found["kind"] == "serving"
    assert {option["layout"]["tp"] for option in found["best"]} == {8}
    assert found["within_power"]["power_limit_w"] == 20000
    assert csv.read_text().startswith("list,rank")
    assert xlsx.stat().st_size > 1000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--mode", "split"), "aggregated"),
        (("--format", "fp3"), "nvfp4"),
        (("--hardware", "dgx_h20"), "dgx_h200"),
        (("--power-limit-w", "0"), "above 0"),
        (("--objective", "step_time"), "throughput"),
        (("--space", "whole"), "not a known key"),
        (("--hold", "micro_batch=1"), "tp, dp, pp, ep"),
    ],
)
def test_bad_options_are_one_clear_message_and_exit_2(run, words, said):
    code, out, err = run("search", KEY, *words)
    assert (code, out) == (2, "")
    assert said in err


def test_files_of_other_searches_are_refused(run, tmp_path):
    code, _, err = run("search", "edge_node", "--csv", str(tmp_path / "found.csv"))
    assert code == 2
    assert "served models" in err
