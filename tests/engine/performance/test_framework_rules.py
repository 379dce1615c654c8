"""What a framework runs: each rule refuses and allows, and a search leaves out what a stated layout is refused for."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from app.catalog.frameworks import frameworks
from app.engine.performance.context_exchange import CONTEXT_EXCHANGES
from app.engine.performance.framework_rules import first_release, framework_rules
from app.engine.performance.layout_rules import UNIVERSAL, layout_errors
from app.engine.performance.layouts import Layouts
from app.engine.performance.rule import LAYOUT_FIELDS, Asked, asked_of, job_numbers, runs
from app.engine.performance.schedules import CODES
from app.engine.performance.space import Space
from app.engine.specs import Framework, Layout, TrainingWorkload
from tests.engine.performance import cases
from tests.support import dgx_h100

MIXED = cases.training(cases.deepseek_v3(), 4096, 512)
DENSE = cases.training(cases.gpt(24, 2048, 16), 2048, 512)
EVERY_AXIS = Space(
    only={
        "schedule": tuple(CODES.values()), "offload": (0.0, 1.0, 2.0, 3.0), "offload_tier": (0.0, 1.0, 2.0),
        "tensor_overlap": (1.0,), "data_overlap": (1.0,), "recompute": (0.0,), "shard_ranks": (0.0, 2.0),
        "context_exchange": (0.0, 2.0), "expert_tensor_ranks": (0.0, 2.0), "micro_batch": (1.0, 3.0), "virtual_stages": (1.0, 2.0, 3.0),
    }
)  # fmt: skip


def errors(
    key: str, layout: Layout, accelerators: int = 64, workload: TrainingWorkload = DENSE
) -> dict[str, str]:
    """Of the framework alone: the layout breaks no rule of all."""
    node = dgx_h100()
    pod = cases.pod(accelerators, node)
    assert not layout_errors(workload=workload, supernode=node, pod=pod, layout=layout)
    return dict(
        layout_errors(workload=workload, supernode=node, pod=pod, layout=layout, framework=frameworks()[key])
    )


def batch(sequences: int, workload: TrainingWorkload = DENSE) -> TrainingWorkload:
    return replace(workload, global_batch_sequences=np.full(1, float(sequences)))


@pytest.mark.parametrize(
    ("key", "refused", "allowed", "field", "words"),
    [
        ("megatron", {"zero": 3}, {"zero": 2}, "zero_stage", "runs ZeRO 0, 1 and 2, and zero_stage is 3. Set zero_stage 2."),
        ("deepspeed", {"pp": 2, "zero": 2}, {"pp": 2, "zero": 1}, "zero_stage", "Set zero_stage 1, or pp 1."),
        ("deepspeed", {"pp": 2, "vpp": 2}, {"pp": 2}, "vpp", "has no virtual stages and vpp is 2. Set vpp 1."),
        ("megatron_lm", {"cp": 2}, {"cp": 1}, "cp", "has no context parallelism and cp is 2. Set cp 1."),
        ("xla", {"pp": 16}, {"pp": 8}, "pp", "24 layers do not divide into pp 16 x vpp 1 = 16 stages"),
        ("xla", {"zero": 2}, {"zero": 3}, "zero_stage", "Set zero_stage 1."),
        ("megatron", {"pp": 4, "schedule": "zb_h1"}, {"pp": 4}, "schedule", "and not zb_h1. Set schedule 1f1b."),
        ("internevo", {"pp": 4, "zero": 3}, {"zero": 3}, "zero_stage", "With a pipeline InternEvo runs ZeRO 0 and 1"),
        ("deepspeed", {"pp": 4, "schedule": "zb_h1"}, {"pp": 4}, "schedule", "Set schedule 1f1b."),
        ("megatron", {"optimizer_offload": 1, "offload_tier": 2}, {"optimizer_offload": 1}, "offload_to",
         "offloads to host, not to nvme. Set offload_to host."),
        ("megatron_fsdp", {"optimizer_offload": 1}, {"activation_offload": 1}, "offload", "Set offload activations or none."),
        ("megatron_lm", {"shard_ranks": 2}, {"shard_ranks": 64}, "shard_group", "Set shard_group all."),
    ],
)  # fmt: skip
def test_a_framework_refuses_and_allows(
    key: str, refused: dict[str, int], allowed: dict[str, int], field: str, words: str
) -> None:
    usual = {"sequence_parallel": 0, "zero": min(frameworks()[key].zero_stages)}
    found = errors(key, _layout(**{**usual, **refused}))
    assert words in found[f"parallelism.{field}"]
    assert not errors(key, _layout(**{**usual, **allowed}))


def test_interleaving_wants_micro_batches() -> None:
    """16 replicas of pp 4: 8 micro-batches each of 128 sequences, 3 of 48, 5 of 80."""
    layout = _layout(pp=4, vpp=2, zero=0)
    for key, able in {
        "megatron": (128, 80), "fsdp": (128, 80, 48), "megatron_lm": (128,), "xla": (128,), "internevo": (128,),
    }.items():  # fmt: skip
        taken = tuple(count for count in (128, 80, 48) if not errors(key, layout, workload=batch(count)))
        assert taken == able, key
    # pp 8 with one micro-batch for each of 8 replicas: the step that no pipeline of chunks can take.
    message = errors("megatron", _layout(pp=8, vpp=3, zero=0), workload=batch(8))["parallelism.vpp"]
    assert "at least as many micro-batches as stages, pp 8, and a replica has 1. Set vpp 1" in message


def test_a_pipeline_of_maxtext_is_filled_with_a_multiple_of_its_stages() -> None:
    assert "pp" in str(errors("xla", _layout(pp=4, zero=0), workload=batch(80)))
    assert not errors("xla", _layout(pp=4, zero=0), workload=batch(128))


def test_rounds_of_pytorch_have_one_length() -> None:
    """ScheduleInterleaved1F1B: 10 micro-batches on 4 stages are 2 rounds of 5, and 11 are no 2 rounds."""
    layout = _layout(pp=4, vpp=2, zero=0)
    assert not errors("fsdp", layout, workload=batch(160))
    assert "rounds of one length" in errors("fsdp", layout, workload=batch(176))["parallelism.vpp"]


def test_only_some_pad_a_batch() -> None:
    layout = _layout(zero=0)
    found = errors("megatron", layout, workload=batch(100))["workload.global_batch_sequences"]
    assert "64 replicas x micro-batch 1. Nearest choices: 64 and 128." in found
    assert not errors("fsdp", layout, workload=batch(100))


def test_stages_that_count_embedding_and_head() -> None:
    """126 layers on 16 x 8 stages are even with both ends: from Megatron-Core 0.11, and any since 0.13."""
    node = dgx_h100()
    workload = cases.training(cases.gpt(126, 2048, 16), 2048, 512)
    current = frameworks()["megatron"]
    layout = asked_of(workload, cases.pod(64, node), _layout(pp=16, vpp=8, zero=1))
    assert first_release(current, layout) == "Megatron-Core, 0.10.0 or later"
    odd = asked_of(workload, cases.pod(64, node), _layout(pp=16, vpp=7, zero=1))
    assert first_release(current, odd) == "Megatron-Core, 0.13.0 or later"
    sharded = asked_of(workload, cases.pod(64, node), _layout(zero=3))
    assert first_release(current, sharded) == "Megatron-Core"


def test_the_sequence_is_cut_for_context_and_sequence_parallelism() -> None:
    odd = replace(DENSE, sequence_length=np.full(1, 2050.0))
    assert "2 x cp = 4 pieces" in errors("megatron", _layout(cp=2, zero=1), workload=odd)["parallelism.cp"]
    found = errors("megatron", _layout(tp=4, sequence_parallel=1), workload=odd)
    assert "tp 4 does not divide them. Nearest choices: 2 and 5." in found["parallelism.tp"]
    assert not errors("megatron", _layout(tp=2, sequence_parallel=1), workload=odd)


def test_a_sequence_is_shared_in_the_ways_of_the_framework() -> None:
    ways = {word: code for code, word in CONTEXT_EXCHANGES.items()}
    found = errors("deepspeed", _layout(tp=8, cp=2))["parallelism.context"]
    assert "by ulysses, and not ring. Set context ulysses, or cp 1." in found
    assert not errors("deepspeed", _layout(tp=8, cp=2, context=ways["ulysses"]))
    assert not errors("megatron", _layout(tp=8, cp=2, context=ways["hybrid"]))
    assert "hybrid" in str(errors("fsdp", _layout(tp=8, cp=2, zero=3, context=ways["hybrid"])))


def test_a_precision_that_is_not_trained_in() -> None:
    found = errors("deepspeed", _layout(), workload=replace(DENSE, precision="nvfp4"))
    assert found["workload.precision"] == "DeepSpeed trains in bf16, fp16 and fp8, not in nvfp4."


def test_an_expert_is_split_where_the_framework_can() -> None:
    """Columns of 2,048 over two ranks of tensor parallelism."""
    assert "splits no expert and etp is 2" in str(
        errors("deepspeed", _layout(tp=2, ep=8, etp=2), workload=MIXED)
    )
    assert not errors("megatron", _layout(tp=2, ep=8, etp=2), workload=MIXED)


def test_experts_of_a_framework_without_expert_parallelism() -> None:
    layout = _layout(ep=8, zero=0)
    assert "has no expert parallelism" in str(errors("megatron_lm", layout, workload=MIXED))
    assert not errors("megatron", layout, workload=MIXED)


@pytest.mark.slow
@pytest.mark.parametrize("key", list(frameworks()))
@pytest.mark.parametrize("workload", [batch(48), batch(48, MIXED)], ids=["dense", "experts"])
def test_a_search_leaves_out_what_a_stated_layout_is_refused_for(
    key: str, workload: TrainingWorkload
) -> None:
    """Kept and refused are all there is; every rule says of arrays what it says of one layout."""
    framework, node = frameworks()[key], dgx_h100()
    common = {
        "workload": workload, "supernode": node, "accelerators_used": np.full(1, 48.0), "space": EVERY_AXIS,
    }  # fmt: skip
    whole, kept = Layouts(**common), Layouts(**common, framework=framework)
    assert kept.size + sum(kept.refused.values()) == whole.size
    assert kept.size > 0
    assert (kept.size == whole.size) == (key == "own"), "a framework of one's own runs all that is possible"
    everything = whole.at(np.arange(whole.size))
    numbers = job_numbers(workload, np.full(1, 48.0))
    layouts = Asked(**{name: getattr(everything, name) for name in LAYOUT_FIELDS}, **numbers)
    able = runs(layouts, framework_rules(framework))
    assert int(np.count_nonzero(able)) == kept.size
    assert all(runs(layouts, group).all() for group in UNIVERSAL)
    rng = np.random.default_rng(7)
    pod = cases.pod(48, node)
    for position in rng.choice(whole.size, 60, replace=False):
        one = Layout(**{f.name: getattr(everything, f.name)[position : position + 1] for f in fields(Layout)})
        found = layout_errors(workload=workload, supernode=node, pod=pod, layout=one, framework=framework)
        assert bool(found) != bool(able[position]), found


@pytest.mark.parametrize("framework", list(frameworks().values()), ids=lambda one: one.key)
def test_rules_have_names_of_their_own(framework: Framework) -> None:
    names = [rule.name for rule in framework_rules(framework)]
    assert len(set(names)) == len(names)


def _layout(**choices: object) -> Layout:
    """A layout of `cases` with a schedule by its key."""
    values = dict(choices)
    if "schedule" in values:
        values["schedule"] = CODES[str(values["schedule"])]
    return cases.layout(**values)
