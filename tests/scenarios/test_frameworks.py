"""The framework of a training job: what it refuses, what auto takes, and that no search breaks its rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.explore.layout_search import search_layouts
from app.engine.performance.layout_rules import layout_errors
from app.engine.performance.space import USUAL
from app.engine.specs import Design
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.resolve import Resolved, resolve
from app.surfaces.files.text import evaluation_text
from app.views.searching.layouts import search_scenario
from app.views.searching.options import SearchOptions
from tests.scenarios.support import document
from tests.support import part_of

FOUR: dict[str, Any] = {"pod__supernodes": 4, "supernode": {"system": "dgx_h100"}}
SYSTEMS = ("dgx_a100_640", "dgx_h100", "dgx_b200", "gb200_nvl72", "aws_trn2_ultraserver")
MODELS = ("llama_3_1_8b", "llama_3_1_70b", "mixtral_8x7b", "gpt_3_175b")


def resolved(framework: str = "auto", **changes: Any) -> Resolved:
    values = {**FOUR, **changes}
    if framework != "auto":
        values["workload__software"] = {"framework": framework}
    return resolve(document(**values), ready_catalog())


def refusals(framework: str, **changes: Any) -> dict[str, str]:
    with pytest.raises(ScenarioError) as raised:
        resolved(framework, **changes)
    assert {error.rule for error in raised.value.errors} == {"framework"}
    return {error.path: error.words for error in raised.value.errors}


def test_a_refusal_names_the_rule_and_the_frameworks_that_run_it() -> None:
    assert refusals("megatron", parallelism={"tp": 8, "zero_stage": 3}) == {
        "parallelism.zero_stage": "Megatron-Core runs ZeRO 0, 1 and 2, and zero_stage is 3. Set zero_stage 2. "
        "software.framework fsdp or megatron_fsdp or deepspeed runs it."
    }
    assert (
        resolved("megatron_fsdp", parallelism={"tp": 8, "zero_stage": 3}).context["framework"]
        == "megatron_fsdp"
    )


def test_a_precision_is_refused_before_any_layout_is_looked_for() -> None:
    with pytest.raises(ScenarioError) as raised:
        resolved("internevo", parallelism="auto", workload__precision="fp8")
    (error,) = raised.value.errors
    assert (error.path, error.rule) == ("workload.precision", "framework")
    assert "megatron or fsdp or megatron_fsdp" in error.hint


@pytest.mark.parametrize(
    ("parallelism", "framework"),
    [
        ({"tp": 8, "zero_stage": 3}, "fsdp"),
        ({"tp": 8, "zero_stage": 1}, "megatron"),
        ({"tp": 4, "pp": 2, "schedule": "zb_h1"}, "fsdp"),
        ({"tp": 4, "pp": 2, "schedule": "dualpipe"}, "fsdp"),
        ({"tp": 8, "zero_stage": 1, "offload": "optimizer", "offload_to": "nvme"}, "deepspeed"),
    ],
)
def test_auto_takes_a_framework_that_runs_the_stated_layout(
    parallelism: dict[str, Any], framework: str
) -> None:
    found = resolved(parallelism=parallelism)
    assert found.context["framework"] == framework
    assert found.design.framework is not None
    assert found.design.framework.key == framework


def test_weights_are_never_sharded_at_the_speed_of_megatron() -> None:
    auto, fsdp = resolved(parallelism={"zero_stage": 3}), resolved("fsdp", parallelism={"zero_stage": 3})
    for name, value in fsdp.values.items():
        np.testing.assert_array_equal(auto.values[name], value, err_msg=name)
    assert resolved(parallelism={"zero_stage": 1}).values != fsdp.values


def test_what_no_framework_runs_is_refused_as_the_first_says_it() -> None:
    layout = {"tp": 4, "pp": 2, "schedule": "zb_h1", "offload": "optimizer", "offload_to": "nvme"}
    found = refusals("auto", parallelism=layout)
    assert "No framework in use runs it." in found["parallelism.schedule"]


def test_compiled_hardware_runs_maxtext() -> None:
    found = resolved(supernode={"system": "aws_trn2_ultraserver"}, pod__supernodes=1, parallelism="auto")
    assert (found.context["framework"], found.others) == ("xla", ())


def test_auto_takes_the_fastest_of_what_it_compares() -> None:
    found = resolved(parallelism="auto")
    (other,) = found.others
    alone = {
        key: evaluate_scenario(
            document(**FOUR, parallelism="auto", workload__software={"framework": key}), ready_catalog()
        )
        for key in ("megatron", "fsdp")
    }
    times = {key: float(one.evaluation.sections.performance.step_time_s[0]) for key, one in alone.items()}
    assert found.context["framework"] == min(times, key=times.__getitem__)
    assert other.framework is not None
    assert {found.context["framework"], other.framework.key} == {"megatron", "fsdp"}


def test_a_batch_that_megatron_would_pad_runs_elsewhere() -> None:
    changes = {"pod__supernodes": 67, "workload__global_batch_sequences": 128, "parallelism": "auto"}
    assert resolved(**changes).context["framework"] == "fsdp"
    alone = evaluate_scenario(
        document(**{**FOUR, **changes}, workload__software={"framework": "megatron"}), ready_catalog()
    )
    (problem,) = [one for one in alone.problems if one.constraint == "layout"]
    assert "Megatron-Core runs no layout of 536 accelerators and 128 sequences per step" in problem.message
    assert "whole batch" in problem.message
    fixed = document(
        **{**FOUR, **changes, "workload__global_batch_sequences": int(problem.fixes[0].value)},
        workload__software={"framework": "megatron"},
    )
    assert not [
        one for one in evaluate_scenario(fixed, ready_catalog()).problems if one.constraint == "layout"
    ]


def test_every_surface_says_which_framework() -> None:
    auto = evaluate_scenario(document(**FOUR, parallelism={"tp": 8, "zero_stage": 3}), ready_catalog())
    words = "PyTorch FSDP, PyTorch 1.12 or later"
    assert auto.as_json["performance"]["framework"] == words
    (decision,) = [one for one in auto.decisions if one.field == "workload.software.framework"]
    assert (decision.value, decision.message) == ("fsdp", f"Framework: {words}.")
    assert f"Framework: {words}" in evaluation_text(auto.as_json)
    named = document(**FOUR, parallelism={"tp": 8}, workload__software={"framework": "megatron"})
    found = evaluate_scenario(named, ready_catalog())
    assert not [one for one in found.decisions if one.field == "workload.software.framework"]
    assert "Framework: Megatron-Core, 0.4.0 or later" in evaluation_text(found.as_json)


def test_a_search_tells_what_each_framework_refuses() -> None:
    scenario = evaluate_scenario(document(**FOUR, parallelism={"tp": 8}), ready_catalog())
    found = search_scenario(scenario, SearchOptions(space="usual"))
    assert found["refused"]["Megatron-Core: ZeRO stage"] > 0
    runs = {
        (row["parallelism"]["zero_stage"], row["framework"]) for row in (*found["sample"], *found["pareto"])
    }
    assert {framework for stage, framework in runs if stage == 3} == {"PyTorch FSDP"}
    named = document(**FOUR, parallelism="auto", workload__software={"framework": "megatron"})
    alone = search_scenario(evaluate_scenario(named, ready_catalog()), SearchOptions(space="usual"))
    assert {row["framework"] for row in alone["sample"]} == {"Megatron-Core"}
    assert {row["parallelism"]["zero_stage"] for row in alone["sample"]} <= {1, 2}


@pytest.mark.parametrize("seed", part_of(range(60)))
def test_no_layout_that_is_chosen_breaks_a_rule_of_its_framework(seed: int) -> None:
    """What auto takes, and the front of a search, by the rules as a stated layout is held to them."""
    draw = np.random.default_rng(seed)
    system = str(draw.choice(SYSTEMS))
    found = resolved(
        str(draw.choice(("auto", "auto", "megatron", "fsdp", "megatron_fsdp", "deepspeed"))) if "trn" not in system else "auto",
        supernode={"system": system},
        pod__supernodes=int(draw.integers(1, 4 if "nvl72" in system or "trn" in system else 12)),
        parallelism="auto",
        workload__model=str(draw.choice(MODELS)),
        workload__global_batch_sequences=int(draw.choice((60, 96, 128, 250, 512))),
        workload__sequence_length=int(draw.choice((2048, 4096, 8192))),
    )  # fmt: skip
    search = search_layouts(found.design, USUAL, found.others)
    positions = np.unique(np.concatenate([search.front, search.best(3)]))
    for design in search.designs_at(positions):
        assert not broken(design)
    if positions.size:
        best = search.designs_at(search.best(1))[0]
        assert best.framework == found.design.framework


def broken(design: Design) -> list[tuple[str, str]]:
    assert design.layout is not None
    assert design.framework is not None
    return layout_errors(
        workload=design.training, supernode=design.supernode, pod=design.pod, layout=design.layout,
        framework=design.framework,
    )  # fmt: skip
