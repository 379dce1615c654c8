"""A search of a served model as an answer: rows that evaluate to what they say, hardware, formats and refusals."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.db.tables import PERSONAL_WORKSPACE_ID
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_document, build_scenario
from app.views.plain import without_unknown
from app.views.searching.options import ServingSearchOptions
from app.views.searching.serving import search_serving_scenario
from app.views.searching.serving_rows import MOST_PODS, ServingSearchAnswer
from tests.support import read_example

pytestmark = pytest.mark.slow


def served(**workload: Any) -> dict[str, Any]:
    return {
        "name": "Small",
        "workload": {
            "kind": "serving",
            "model": "llama_3_1_8b",
            "precision": "fp8",
            "requests": {"input_tokens": 1000, "output_tokens": 500},
            "service_level": {"ttft_s": 1, "tpot_s": 0.02},
            **workload,
        },
        "supernode": {"system": "dgx_h100"},
        "pod": {"supernodes": 1},
    }


def evaluated(values: dict[str, Any]) -> EvaluatedScenario:
    return evaluate_scenario(build_scenario(values), ready_catalog())


def search(scenario: EvaluatedScenario, **options: Any) -> ServingSearchAnswer:
    catalog = ready_catalog().of(PERSONAL_WORKSPACE_ID)
    return search_serving_scenario(scenario, catalog, build_document(ServingSearchOptions, options))


@pytest.fixture(scope="module")
def small(seeded_data_dir: object) -> EvaluatedScenario:
    return evaluated(served())


@pytest.fixture(scope="module")
def mixture(seeded_data_dir: object) -> EvaluatedScenario:
    return evaluate_scenario(read_example("deepseek_r1_on_gb200_nvl72"), ready_catalog())


def test_an_answer_is_plain_json_and_adds_up(small: EvaluatedScenario) -> None:
    found = search(small, top=3, power_limit_w=4000)
    plain = without_unknown(dataclasses.asdict(found))
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert found.feasible_layouts + sum(found.rejected.values()) == found.layouts
    assert len(found.best) == 3
    assert all(option.keeps_level for option in found.best)
    assert found.cheapest is not None
    assert found.cheapest.usd_per_million_tokens == min(o.usd_per_million_tokens for o in found.best)
    assert found.nearest is None
    assert found.within_power is not None
    assert found.within_power.accelerators <= 4
    users = [option.tokens_per_s_per_user for option in found.pareto]
    assert users == sorted(users, reverse=True)


@pytest.mark.parametrize("mode", ["aggregated", "disaggregated"])
def test_a_row_that_is_adopted_evaluates_to_what_it_says(mixture: EvaluatedScenario, mode: str) -> None:
    (option,) = search(mixture, modes=[mode], top=1).best
    values = mixture.document.as_dict()
    values["workload"] |= {"layout": option.layout, "mode": mode, "concurrency": option.concurrency}
    performance = evaluated(values).as_json["performance"]
    for name in ("ttft_s", "tpot_s", "ttft_within_s", "tokens_per_s", "tokens_per_s_per_user", "batch_limit",
                 "tokens_per_s_per_accelerator", "memory_per_accelerator_bytes"):  # fmt: skip
        assert performance[name] == pytest.approx(getattr(option, name), rel=1e-9), name
    assert performance["replicas"] == option.replicas


def test_no_auto_layout_is_better_on_the_same_hardware(small: EvaluatedScenario) -> None:
    found = search(small)
    assert found.best_over_stated is not None
    assert found.best_over_stated >= 0.99
    assert found.stated is not None
    assert found.stated.tokens_per_s == small.as_json["performance"]["tokens_per_s"]


def test_hardware_and_formats_are_compared_with_as_many_accelerators(small: EvaluatedScenario) -> None:
    found = search(small, hardware=["dgx_b200", "dgx_h100"], formats=["nvfp4"], top=100)
    assert [(pod.system, pod.precision) for pod in found.pods] == [
        (None, "fp8"), (None, "nvfp4"), ("dgx_b200", "fp8"), ("dgx_b200", "nvfp4")
    ]  # fmt: skip
    assert "no published peak at nvfp4" in found.pods[1].refused
    assert {pod.accelerators for pod in found.pods} == {8}
    assert {option.pod for option in found.best} == {0, 2, 3}
    assert {option.pod for option in found.pareto} == {0, 2, 3}


def test_degrees_are_held(small: EvaluatedScenario) -> None:
    found = search(small, hold={"tp": [2]}, modes=["aggregated"])
    assert {option.layout["tp"] for option in (*found.best, *found.pareto)} == {2}


def test_where_nothing_keeps_the_promise_the_nearest_is_named(seeded_data_dir: object) -> None:
    found = search(evaluated(served(service_level={"tpot_s": 1e-4})))
    assert not found.best
    assert found.cheapest is found.within_power is None
    assert found.nearest is not None
    assert found.nearest.over_promise > 1
    assert found.pareto


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"hold": {"tp": [7]}}, ("hold tp is 7", "divides the 32 attention heads", "1, 2, 4, 8")),
        ({"hold": {"tp": [8], "pp": [100]}}, ("hold is tp 8, pp 100", "Hold fewer degrees")),
        ({"power_limit_w": 1}, ("power_limit_w is 1 W", "smallest replica", "W or more")),
    ],
)
def test_what_has_no_answer_is_said(
    small: EvaluatedScenario, options: dict[str, Any], said: tuple[str, ...]
) -> None:
    (sentence,) = search(small, **options).unanswered
    assert all(words in sentence for words in said)


def test_the_power_that_is_named_is_enough(small: EvaluatedScenario) -> None:
    (sentence,) = search(small, power_limit_w=1).unanswered
    least = float(sentence.split("Allow ")[1].split(" W")[0].replace(",", ""))
    enough = search(small, power_limit_w=least)
    assert enough.within_power is not None
    assert enough.unanswered == ()


def test_a_price_that_decides_and_is_unknown_is_named(seeded_data_dir: object) -> None:
    unpriced = evaluated(served(precision="bf16") | {"supernode": {"system": "tpu_v5e_pod"}})
    assert search(unpriced).unanswered == ()
    found = search(unpriced, objective="cost")
    assert not found.best
    (sentence,) = found.unanswered
    assert sentence.startswith("Cost per accelerator-hour is unknown on ")
    assert "State " in sentence
    assert "supernode.override.price_usd" in sentence


def test_a_model_that_fits_nowhere_has_no_rows(seeded_data_dir: object) -> None:
    values = served(model="llama_3_1_405b", precision="bf16")
    values["pod"] = {"supernodes": 1, "accelerators_used": 1}
    found = search(evaluated(values))
    assert (found.best, found.pareto, found.nearest) == ((), (), None)
    assert found.feasible_layouts == 0
    assert found.rejected["memory"] == found.layouts


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"objective": "step_time"}, "throughput"),
        ({"modes": []}, "1 or more"),
        ({"modes": ["both"]}, "aggregated"),
        ({"formats": ["fp3"]}, "nvfp4"),
        ({"formats": ["fp8", "fp8"]}, "twice"),
        ({"hardware": ["No key"]}, "catalog key"),
        ({"power_limit_w": 0}, "above 0"),
        ({"hold": {"cp": [1]}}, "tp, dp, pp, ep"),
        ({"hold": {"tp": []}}, "1 to 100"),
        ({"hold": {"tp": [1.5]}}, "whole numbers"),
        ({"hold": {"tp": [True]}}, "whole numbers"),
        ({"top": 0}, "at least 1"),
        ({"deadline_days": 1}, "not a known key"),
    ],
)
def test_options_that_cannot_be_used_are_said(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        build_document(ServingSearchOptions, options)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"hardware": ["dgx_h10"]}, "is not in the catalog of systems"),
        ({"hold": {"ep": [4]}}, "has none"),
        (
            {"hardware": ["dgx_a100_640", "dgx_h200", "dgx_b200", "dgx_b300"],
             "formats": ["bf16", "fp16", "mxfp8", "nvfp4", "mxfp4", "int8"]},
            f"at most {MOST_PODS}",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_searched_is_refused(
    small: EvaluatedScenario, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ScenarioError) as caught:
        search(small, **options)
    assert said in str(caught.value)


def test_other_workloads_are_refused(seeded_data_dir: object) -> None:
    training = evaluate_scenario(read_example("edge_node"), ready_catalog())
    with pytest.raises(ScenarioError, match="of served models"):
        search(training)
