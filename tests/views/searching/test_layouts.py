"""A search of a scenario as plain JSON: ranks, tallies, the stated layout, and the way out where none fits."""

from __future__ import annotations

import json

import pytest

from app.catalog.ready import ready_catalog
from app.engine.performance.simplicity import TIE
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_document, build_scenario
from app.views.searching import layouts
from app.views.searching.layouts import search_scenario
from app.views.searching.options import SearchOptions
from tests.scenarios.support import scenario

pytestmark = pytest.mark.slow

STATED = {"tp": 2, "pp": 1, "cp": 1, "ep": 1, "vpp": 1, "micro_batch": 1}


def _evaluated(**changes: object) -> EvaluatedScenario:
    values = scenario(workload__global_batch_sequences=128, pod__supernodes=8) | changes
    return evaluate_scenario(build_scenario(values), ready_catalog())


def _options(**values: object) -> SearchOptions:
    return build_document(SearchOptions, values)


@pytest.fixture(scope="module")
def stated(seeded_data_dir: object) -> EvaluatedScenario:
    return _evaluated(parallelism=STATED)


def test_an_answer_is_plain_json_and_adds_up(stated: EvaluatedScenario) -> None:
    found = search_scenario(stated, _options(top=5))
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["feasible_strategies"] + sum(found["rejected"].values()) == found["strategies"]
    assert sum(pair["strategies"] for pair in found["degrees"]) == found["strategies"]
    assert [row["rank"] for row in found["best"]] == [1, 2, 3, 4, 5]
    best = found["best"][0]
    fastest = min(pair["step_time_s"] for pair in found["degrees"] if pair["step_time_s"])
    assert fastest <= best["step_time_s"] <= (1 + TIE) * fastest
    assert sum(best["time_breakdown_s"].values()) == pytest.approx(best["step_time_s"])
    assert found["pareto"][0]["step_time_s"] == fastest
    assert found["fix"] is None


def test_variants_tie_with_their_answer_and_differ_from_it(stated: EvaluatedScenario) -> None:
    best = search_scenario(stated, _options(top=100))["best"]
    assert max(row["variant_count"] for row in best) > layouts.VARIANTS_SHOWN
    assert all(len(row["variants"]) == min(row["variant_count"], layouts.VARIANTS_SHOWN) for row in best)
    variants = [(row, variant) for row in best for variant in row["variants"]]
    for row, variant in variants:
        assert variant["parallelism"] != row["parallelism"]
        assert abs(variant["step_time_s"] / row["step_time_s"] - 1) <= 1.001 * TIE
    row, variant = variants[0]
    adopted = _evaluated(parallelism=variant["parallelism"]).as_json
    assert adopted["performance"]["step_time_s"] == pytest.approx(variant["step_time_s"])


def test_the_best_of_a_pair_can_be_stated(stated: EvaluatedScenario) -> None:
    pair = next(one for one in search_scenario(stated, _options())["degrees"] if one["parallelism"])
    assert (pair["parallelism"]["tp"], pair["parallelism"]["pp"]) == (pair["tp"], pair["pp"])
    adopted = _evaluated(parallelism=pair["parallelism"]).as_json
    assert adopted["performance"]["step_time_s"] == pytest.approx(pair["step_time_s"])


@pytest.mark.parametrize("choices", [{"offload": ["both"]}, {"schedule": ["zb_h1"]}])
def test_every_layout_listed_is_the_one_that_was_searched(
    stated: EvaluatedScenario, choices: dict[str, list[str]]
) -> None:
    """Stated as it is listed, a layout of the sample, the front or the heat map takes the time given there."""
    found = search_scenario(stated, _options(hold=choices))
    listed = [found["sample"][0], found["sample"][-1], found["pareto"][-1]]
    listed += [next(pair for pair in found["degrees"] if pair["parallelism"])]
    for row in listed:
        assert all(row["parallelism"][name] in values for name, values in choices.items())
        adopted = _evaluated(parallelism=row["parallelism"]).as_json
        assert adopted["performance"]["step_time_s"] == pytest.approx(row["step_time_s"])


def test_the_stated_layout_is_ranked_among_the_others(stated: EvaluatedScenario) -> None:
    found = search_scenario(stated, _options())
    rank = found["stated"]["rank"]
    assert rank > 1
    assert found["stated"]["slower_by"] == pytest.approx(
        found["stated"]["step_time_s"] / found["best"][0]["step_time_s"] - 1
    )
    best = search_scenario(_evaluated(parallelism=found["best"][0]["parallelism"]), _options())
    assert best["stated"]["rank"] == 1
    assert 0 <= best["stated"]["slower_by"] <= TIE
    assert search_scenario(_evaluated(), _options())["stated"] is None


def test_a_held_axis_is_held(stated: EvaluatedScenario) -> None:
    found = search_scenario(
        stated, _options(hold={"tp": [2, 4], "recompute": ["full"], "sequence_parallel": [True]})
    )
    assert {row["parallelism"]["tp"] for row in found["sample"]} <= {2, 4}
    assert {row["parallelism"]["recompute"] for row in found["sample"]} == {"full"}
    assert {row["parallelism"]["sequence_parallel"] for row in found["sample"]} == {True}


def test_memory_comes_first_where_it_is_asked_for(stated: EvaluatedScenario) -> None:
    found = search_scenario(stated, _options(objective="memory", top=4))
    needed = [row["memory_per_accelerator_bytes"] for row in found["best"]]
    assert needed == sorted(needed)
    assert found["best"][0]["memory_headroom_bytes"] > 0


def test_where_no_layout_fits_the_smallest_change_is_named(seeded_data_dir: object) -> None:
    crowded = _evaluated(workload=scenario()["workload"] | {"model": "llama_3_1_405b"}, pod={"supernodes": 1})
    found = search_scenario(crowded, _options(space="usual"))
    assert found["feasible_strategies"] == 0
    assert (found["pareto"], found["sample"]) == ([], [])
    assert found["best"][0]["feasible"] is False
    assert found["fix"]["field"]
    assert found["fix"]["value"]
    assert found["fix"]["message"]


def test_sizes_hold_the_own_one_and_are_ranked(stated: EvaluatedScenario) -> None:
    found = search_scenario(stated, _options(objective="cost", top=3))
    assert 8 in [row["supernodes"] for row in found["sizes"]]
    assert found["strategies"] == sum(row["strategies"] for row in found["sizes"])
    cheapest = min(row["usd_per_million_tokens"] for row in found["sizes"] if row["feasible"])
    assert found["best"][0]["usd_per_million_tokens"] == cheapest


def test_the_fewest_accelerators_that_meet_a_deadline(stated: EvaluatedScenario) -> None:
    sizes = search_scenario(stated, _options(objective="cost"))["sizes"]
    days = sorted(row["elapsed_time_s"] / 86400 for row in sizes if row["feasible"])
    deadline = days[len(days) // 2] * 1.001
    found = search_scenario(stated, _options(objective="accelerators", deadline_days=deadline))
    meets = [row["accelerators"] for row in sizes if row["elapsed_time_s"] <= deadline * 86400]
    assert found["best"][0]["accelerators"] == min(meets)
    with pytest.raises(ScenarioError, match="deadline_days"):
        search_scenario(stated, _options(objective="accelerators"))


def test_a_space_beyond_the_limit_is_refused(
    stated: EvaluatedScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layouts, "MOST_LAYOUTS", 10)
    with pytest.raises(ScenarioError, match="more than 10") as refused:
        search_scenario(stated, _options())
    assert refused.value.errors[0].path == "hold"


def test_a_job_that_nothing_divides_has_no_layouts_but_a_fix(seeded_data_dir: object) -> None:
    pod = {"supernodes": 64, "accelerators_used": 509}
    found = search_scenario(_evaluated(pod=pod), _options())
    assert (found["strategies"], found["best"], found["degrees"]) == (0, [], [])
    assert (found["fix"]["field"], found["fix"]["value"]) == ("workload.global_batch_sequences", 509)
    batch = {"global_batch_sequences": 509}
    mended = _evaluated(pod=pod, workload={**scenario()["workload"], **batch})
    assert search_scenario(mended, _options())["feasible_strategies"] > 0
    (other,) = found["alternatives"]
    assert other["field"] == "pod.accelerators_used"
    used = _evaluated(pod=pod | {"accelerators_used": int(other["value"])})
    assert search_scenario(used, _options())["feasible_strategies"] > 0


def test_the_size_that_is_named_holds_the_axes_that_are_held(seeded_data_dir: object) -> None:
    """With few stages, which hold optimiser states only to be shared by replicas, it takes more servers than with any."""
    hold = {"tp": [8], "pp": [2, 4], "zero_stage": [2]}
    changes: dict[str, object] = {"workload": scenario()["workload"] | {"model": "llama_3_1_405b"}}
    crowded = _evaluated(**changes, pod={"supernodes": 8})
    held, free = (search_scenario(crowded, _options(hold=axes))["fix"] for axes in (hold, {}))
    assert held["field"] == free["field"] == "pod.supernodes"
    assert held["value"] > free["value"]
    mended = _evaluated(**changes, pod={"supernodes": int(held["value"])})
    assert search_scenario(mended, _options(hold=hold))["feasible_strategies"] > 0


def test_an_odd_part_of_a_pod_is_offered_the_nearest_sizes_that_a_framework_runs(
    seeded_data_dir: object,
) -> None:
    """448 of 512 A100 and 3,072 sequences: stages of Megatron-LM are even, its batches whole, and seven divides neither."""
    workload = {
        **scenario()["workload"],
        "model": "gpt_3_175b",
        "sequence_length": 2048,
        "global_batch_sequences": 3072,
    }
    workload["software"] = {"framework": "megatron_lm"}
    pod = {"supernodes": 64, "accelerators_used": 448}
    changes: dict[str, object] = {"supernode": {"system": "dgx_a100_640"}}
    found = search_scenario(_evaluated(**changes, workload=workload, pod=pod), _options())
    offered = {one["field"]: int(one["value"]) for one in (found["fix"], *found["alternatives"])}
    assert offered == {"workload.global_batch_sequences": 3073, "pod.accelerators_used": 384}
    for other in (
        {"workload": workload | {"global_batch_sequences": 3073}, "pod": pod},
        {"workload": workload, "pod": pod | {"accelerators_used": 384}},
    ):
        assert search_scenario(_evaluated(**changes, **other), _options())["feasible_strategies"] > 0
