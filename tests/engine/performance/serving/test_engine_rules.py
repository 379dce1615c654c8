"""Layouts that engines run: each rule by hand, what is stated refused by name, what is searched for kept to them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from app.engine.performance.serving.engine_rules import RULES, rules_of, runs
from app.engine.performance.serving.search.found import search_serving
from app.engine.performance.serving.search.space import ServingSpace, instances_of
from app.engine.performance.serving.setting import Setting
from app.engine.performance.serving.space import layouts_of
from app.engine.problems import Problem
from app.engine.specs import Pod, ServingLayout, Speculation
from tests.engine.performance.serving.pods import instance, llama_8b, plan, problems
from tests.engine.performance.serving.search.cases import MIXTURE, layout, mixture
from tests.support import build

ENGINES = ("vllm", "sglang", "tensorrt_llm")
GUESSING: dict[str, Any] = {"speculation": build(Speculation, tokens=2, acceptance=0.7)}


def on(domain: float, accelerators: int = 384, **changes: Any) -> Setting:
    """A mixture of 64 experts on scale-up domains of so many accelerators."""
    bare = mixture(accelerators, **changes)
    machine = dataclasses.replace(bare.machine, domain_accelerators=np.array([domain]))
    return dataclasses.replace(bare, machine=machine)


def allowed(bare: Setting, chosen: ServingLayout) -> bool:
    return bool(runs(bare.workload, bare.machine.domain_accelerators, chosen)[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tp", "dp", "ep", "domain", "running"),
    [
        (1, 8, 8, 8, ENGINES),
        (8, 1, 1, 8, ENGINES),
        (1, 9, 9, 8, ()),  # one rank in a second box
        (1, 12, 12, 8, ()),  # one and a half of them
        (1, 16, 16, 8, ENGINES),
        (1, 9, 9, 72, ENGINES),
        (1, 96, 96, 72, ()),
        (1, 144, 144, 72, ENGINES),
        (16, 9, 144, 72, ()),  # groups of 16 would lie in two domains
        (16, 1, 16, 8, ENGINES),  # one group in two whole domains
        (1, 64, 8, 8, ("sglang", "tensorrt_llm")),  # vLLM deals experts over all ranks or cuts them over all
        (1, 64, 1, 8, ENGINES),
        (4, 2, 8, 8, ("vllm", "sglang")),  # TensorRT-LLM replicates attention over all ranks or over none
        (4, 2, 4, 8, ("sglang",)),
    ],
)
def test_what_each_engine_runs(
    tp: float, dp: float, ep: float, domain: float, running: tuple[str, ...]
) -> None:
    chosen = layout(tp, dp, ep)
    found = tuple(engine for engine in ENGINES if allowed(on(domain, engine=engine), chosen))
    assert found == running


def test_sglang_guesses_no_tokens_with_stages() -> None:
    staged = layout(8, pp=2)
    assert allowed(on(8, engine="sglang"), staged)
    assert not allowed(on(8, engine="sglang", **GUESSING), staged)
    assert allowed(on(8, engine="vllm", **GUESSING), staged)


def test_every_rule_has_a_source_and_an_engine_without_rules_keeps_those_of_all() -> None:
    assert all(rule.source for engine in RULES for rule in rules_of(engine))
    assert not allowed(on(8, engine="unheard of"), layout(1, 9, 9))


def stated(engine: str, **degrees: float) -> list[Problem]:
    pod = build(Pod, supernodes=8, accelerators_used=64, fabric=None)
    found = problems(
        of=pod,
        engine=engine,
        architecture=llama_8b(**MIXTURE),
        plan=plan(instance(**degrees)),
        concurrency=64,
    )
    return [one for one in found if one.constraint == "layout"]


@pytest.mark.parametrize(
    ("engine", "degrees", "field", "words"),
    [
        ("vllm", {"tp": 1, "dp": 64, "ep": 8}, "ep", "State ep: 64 or ep: 1."),
        ("tensorrt_llm", {"tp": 4, "dp": 2, "ep": 8}, "dp", "State tp: 1 and dp: 8, or tp: 8 and dp: 1."),
        ("sglang", {"tp": 1, "dp": 12, "ep": 12}, "dp", "tp x dp of 8 or 16 and a tp that divides 8"),
    ],
)
def test_a_stated_layout_is_refused_by_name_with_a_way_out(
    engine: str, degrees: dict[str, float], field: str, words: str
) -> None:
    (found,) = stated(engine, **degrees)
    assert (found.kind, found.field) == ("infeasible", f"workload.layout.{field}")
    assert words in found.message
    assert "{" not in found.message


def test_what_an_engine_runs_is_not_refused() -> None:
    assert stated("vllm", tp=1, dp=64, ep=64) == []
    assert stated("sglang", tp=1, dp=64, ep=8) == []


def test_each_kind_of_a_group_is_named_by_its_own_field() -> None:
    pod = build(Pod, supernodes=8, accelerators_used=64, fabric=None)
    prefill, decode = instance(1, dp=8, ep=4), instance(1, dp=8, ep=8)
    found = problems(
        of=pod,
        engine="vllm",
        architecture=llama_8b(**MIXTURE),
        plan=plan(decode, prefill, decode_instances=1, prefill_instances=1),
    )
    assert [one.field for one in found if one.constraint == "layout"] == ["workload.layout.prefill.ep"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("domain", [8.0, 16.0, 72.0])
def test_searches_answer_only_what_their_engine_runs(engine: str, domain: float) -> None:
    """The rules restated: whole domains, whole groups in them, and the engine's own degrees."""
    bare = on(domain, accelerators=432, engine=engine)
    for found in (instances_of(bare, ServingSpace(), prefills=False), layouts_of(bare)):
        tp, dp, ep = found.tensor_parallel, found.data_parallel, found.expert_parallel
        ranks = tp * dp
        wide = ranks > domain
        assert wide.any() == (2 * domain <= 128)
        assert (ranks[wide] % domain == 0).all()
        assert (domain % tp == 0)[wide].all()
        assert (ranks % ep == 0).all()
        if engine == "vllm":
            assert ((ep == 1) | (ep == ranks)).all()
        if engine == "tensorrt_llm":
            assert ((tp == 1) | (dp == 1)).all()
    if engine == "sglang":
        everything = instances_of(bare, ServingSpace(), prefills=False)
        ranks = everything.tensor_parallel * everything.data_parallel
        assert ((everything.expert_parallel > 1) & (everything.expert_parallel < ranks)).any()


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("domain", "accelerators"), [(8.0, 48), (72.0, 144)])
def test_what_a_search_answers_runs_and_fits(engine: str, domain: float, accelerators: int) -> None:
    """All of both modes at all loads: known, within the pod with its gaps, each kind by its engine's rules."""
    bare = on(domain, accelerators, engine=engine)
    found = search_serving(bare, ServingSpace()).tried
    assert found is not None
    assert found.known.all()
    assert found.size > 300
    grouped = found.layout["prefill_instances"] > 0
    assert grouped.any()
    for rows in (np.flatnonzero(grouped), np.flatnonzero(~grouped)):
        replica = found.replica_at(rows)
        for one in (replica.decode, replica.prefilling):
            assert runs(bare.workload, bare.machine.domain_accelerators, one).all()
        placed = replica.placed(bare.machine.domain_accelerators)
        assert (placed * found.replicas[rows] <= accelerators).all()


def test_degrees_that_the_engine_refuses_leave_a_search_nothing() -> None:
    space = ServingSpace(only={"tensor_parallel": (1.0,), "data_parallel": (9.0,), "expert_parallel": (9.0,)})
    assert instances_of(on(8), space, prefills=False).accelerators.size == 0
    assert instances_of(on(72), space, prefills=False).accelerators.size > 0
