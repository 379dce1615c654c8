"""An attack on the training model: over random designs no layout outruns what a pod can do.

Bounds are computed here from the architecture, the data sheet and the bytes that are shown, not by the formulas of the
step time: arithmetic at the peak, weights and optimiser states through memory, gradients over every link at once, and
the pipeline as an event simulation runs it.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.design import performance_of
from app.engine.explore.layout_search import design_layouts, search_of
from app.engine.performance.job import job_of
from app.engine.performance.schedules import ONE_F_ONE_B, SCHEDULES
from app.engine.performance.section import Performance
from app.engine.performance.space import WHOLE, Space
from app.engine.running import step_timeline as timelines
from app.engine.running.job import Running, running
from app.engine.specs import Design, Layout
from app.engine.trace import plain
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
from tests.engine.performance.cases import layout as layout_with
from tests.support import part_of

SEEDS = 300
STARTS = part_of(range(0, SEEDS, SEEDS // 10))
TAKEN = [seed for start in STARTS for seed in range(start, start + SEEDS // 10)]
"""The seeds of this commit, thirty of each start: all tests take the same, so that layouts are found once."""
MOST_OPERATIONS = 3_000
"""Of a simulation: a step of more is simulated with fewer micro-batches, and so is the formula."""
MOST_LAYOUTS = 40_000
SIMULATED = 0.03
"""How much faster than the simulation the formula may be; its schedules are held to as much where they are tested."""
NODES = {  # SuperNodes and how many accelerators each has
    "dgx2_v100": 16, "dgx_a100_640": 8, "dgx_h100": 8, "dgx_b200": 8, "gb200_nvl72": 72, "dgx_a100_320": 8,
}  # fmt: skip
FP8 = ("dgx_h100", "dgx_b200", "gb200_nvl72")
MODELS = (
    "gpt_2_small", "gpt_2_xl", "gpt_3_13b", "gpt_3_175b", "llama_3_1_8b", "llama_3_1_70b", "llama_2_70b", "megatron_22b",
    "gemma_2_27b", "mixtral_8x7b", "mixtral_8x22b", "deepseek_v2_lite", "deepseek_v3", "qwen3_30b_a3b",
)  # fmt: skip


def any_values(seed: int) -> dict[str, Any]:
    """A scenario of any model, node, size, sequence, batch, format and framework."""
    random = np.random.default_rng(seed)
    system = str(random.choice(list(NODES)))
    most = max(512 // NODES[system], 1)
    workload = {
        "kind": "training",
        "model": str(random.choice(MODELS)),
        "tokens": 1e12,
        "sequence_length": int(2 ** random.integers(9, 18)),
        "global_batch_sequences": int(
            random.choice([1, 2, 3, 8, 16, 48, 64, 100, 256, 512, 1000, 1024, 2048, 4096])
        ),
        "precision": str(random.choice(["bf16", "fp8"]))
        if system in FP8
        else "fp16"
        if "v100" in system
        else "bf16",
        "software": {"framework": str(random.choice(["auto", "megatron", "deepspeed", "fsdp"]))},
    }
    return {
        "workload": workload,
        "supernode": {"system": system},
        "pod": {"supernodes": int(random.integers(1, most + 1))},
    }


def any_space(seed: int) -> Space:
    """A part of the whole space: a few values of the choices that multiply it, any degrees."""
    random = np.random.default_rng(10_000 + seed)
    only: dict[str, tuple[float, ...]] = {
        "schedule": (0.0, float(random.choice(list(SCHEDULES)))),
        "sequence_parallel": (float(random.integers(2)), 1.0),
        "tensor_overlap": (1.0,),
        "data_overlap": (1.0,),
        "zero_stage": (1.0, float(random.integers(4))),
        "micro_batch": (1.0, float(random.choice([2, 3, 4, 8]))),
        "context_exchange": (0.0, float(random.integers(4))),
        "offload": (0.0, float(random.integers(4))) if random.random() < 0.2 else (0.0,),
        "shard_ranks": (0.0, 8.0) if random.random() < 0.3 else (0.0,),
    }
    return dataclasses.replace(WHOLE, only=only)


def design_of(values: dict[str, Any]) -> Design:
    return resolve(build_scenario(values), ready_catalog()).design


class Ran(NamedTuple):
    """A design with the layout that it runs with, and what the model says of it."""

    job: Running
    performance: Performance

    @property
    def layout(self) -> Layout:
        assert self.job.design.layout is not None
        return self.job.design.layout


def ran(job: Running) -> Ran:
    with np.errstate(invalid="ignore", divide="ignore"):
        performance = performance_of(job.design, job.fabric, job.kinds)
    assert isinstance(performance, Performance)
    return Ran(job, performance)


def one(values: Any) -> float:
    return float(np.median(plain(values)))


def broken(case: Ran) -> Iterator[str]:
    """The laws that a run breaks, with figures."""
    p = case.performance
    step = one(p.step_time_s)
    if not np.isfinite(step) or step <= 0:
        yield f"step time {step}"
        return
    yield from _parts(p, step)
    for name, bound in _bounds(case).items():
        if not step >= bound * (1 - 1e-9):
            yield f"{name}: step {step:.6g} s below {bound:.6g} s"
    yield from _pipeline(case)


def _parts(p: Performance, step: float) -> Iterator[str]:
    for whole, parts in (
        (step, p.time_breakdown_s),
        (one(p.memory_per_accelerator_bytes), p.memory_breakdown_bytes),
    ):
        sizes = {name: one(part) for name, part in parts.items()}
        # What a calibration takes off is the only part that may be negative.
        wrong = {
            name: size
            for name, size in sizes.items()
            if not (size >= 0 or name == "calibration") or not np.isfinite(size)
        }
        if wrong:
            yield f"parts {wrong}"
        if not np.isclose(sum(sizes.values()), whole, rtol=1e-9):
            yield f"parts sum to {sum(sizes.values()):.9g}, not {whole:.9g}"
    if not 0 < one(p.mfu) <= one(p.hfu) * (1 + 1e-9) <= 1 + 1e-9:
        yield f"MFU {one(p.mfu):.4f}, HFU {one(p.hfu):.4f}"


def _bounds(case: Ran) -> dict[str, float]:
    """Least step times [s] by the pod's arithmetic, memory and links, each as if all else were free."""
    design, p = case.job.design, case.performance
    workload, layout = design.training, case.layout
    chip, job = design.supernode.accelerator, job_of(workload)
    m = workload.architecture
    used = one(design.pod.accelerators_used)
    tp, pp, cp = (
        one(part) for part in (layout.tensor_parallel, layout.pipeline_parallel, layout.context_parallel)
    )
    dp, count = one(p.strategy["dp"]), one(p.strategy["micro_batches"])
    zero = one(layout.zero_stage)
    step = one(p.step_time_s)

    tokens = one(workload.global_batch_sequences) * one(workload.sequence_length)
    done = one(p.hardware_flop_per_s_per_accelerator) * used * step  # model and recomputed FLOPs
    peak, peak_16 = one(chip.peak_flop_per_s), one(chip.peak_16_bit_flop_per_s)
    # Scores of attention and the head are computed in 16 bit, whatever the format of the rest.
    sixteen = (
        tokens
        * 3
        * (
            one(m.attention_layers) * one(job.flops.attention_forward_per_layer)
            + 2 * one(m.hidden) * one(m.vocabulary)
        )
    )
    compute = (max(done - sixteen, 0) / peak + min(sixteen, done) / peak_16) / used

    # Dense weights of a stage pass once a micro-batch each way; experts may be left out by routing.
    element = 1 if workload.precision == "fp8" else 2
    bandwidth = one(chip.memory_bandwidth_bytes_per_s)
    dense = one(m.layers) * one(job.counts.dense_per_layer) / (tp * pp)
    weights = 2 * count * dense * element / bandwidth
    states = one(p.memory_breakdown_bytes["optimizer"])
    optimizer = 2 * states / bandwidth * (1 - one(layout.optimizer_offload))
    rewritten = 0.0 if zero > 2 else dense * element / bandwidth

    # Gradients are summed over replicas in 16 bit and weights gathered, over all links at once.
    ranks = dp * cp
    links = one(chip.scale_up_bandwidth_bytes_per_s) if one(design.supernode.accelerators) > 1 else 0.0
    links = np.nan_to_num(links) + np.nan_to_num(one(case.job.fabric.scale_out_bandwidth_bytes_per_s))
    exchanged = dense * (2 + element) * (ranks - 1) / ranks
    network = exchanged / links if ranks > 1 else 0.0
    return {"compute": compute, "memory": weights + optimizer + rewritten, "network": network}


def _pipeline(case: Ran) -> Iterator[str]:
    """What an event simulation of the pipeline, and one micro-batch on its way through it, say against the formula."""
    layout = case.layout
    if one(layout.pipeline_parallel) == 1 or one(layout.activation_offload) or one(layout.recompute) % 1:
        return
    found = timelines.step_timeline(case.job, MOST_OPERATIONS)
    formula, span, count = found.formula_s, found.step.span_s, found.simulated_micro_batches
    if formula < (1 - SIMULATED) * span:
        yield f"pipeline {formula:.6g} s, simulated {span:.6g} s ({count} of {found.micro_batches} micro-batches)"
    if one(layout.schedule) != ONE_F_ONE_B:
        return  # others put off gradients of weights, or hide exchange of one micro-batch behind another
    first = found.step.micro_batch == 0
    through = float((found.step.end_s - found.step.start_s)[first].sum())
    filled = (count + (found.stages - 1) / found.chunks) * through / found.stages
    for name, bound in (("one micro-batch", through), ("work and bubble", filled)):
        if not formula >= bound * (1 - 1e-9):
            yield f"{name}: pipeline {formula:.6g} s below {bound:.6g} s"


def said(seed: int, values: dict[str, Any], case: Ran, law: str) -> str:
    layout = {field.name: one(getattr(case.layout, field.name)) for field in dataclasses.fields(Layout)}
    special = {name: value for name, value in layout.items() if value != one(getattr(layout_with(), name))}
    return f"seed {seed}, {values['workload']}, {values['supernode']}, {values['pod']}, {special}: {law}"


@functools.cache
def layouts_of(seed: int) -> tuple[tuple[str, Ran], ...]:
    return tuple(_layouts_of(seed))


def _layouts_of(seed: int) -> Iterator[tuple[str, Ran]]:
    """Layouts of a random design: that of `auto`, and of a part of the whole space the best, one of its Pareto front and
    any one that can run. Every other design takes layouts that no framework runs as well."""
    random = np.random.default_rng(20_000 + seed)
    job = running(design_of(any_values(seed)))
    layout = job.design.layout
    if layout is not None and np.isfinite(one(layout.tensor_parallel)):
        yield "auto", ran(job)
    design = job.design if seed % 2 else dataclasses.replace(job.design, framework=None)
    layouts = design_layouts(design, any_space(seed))
    if not 0 < layouts.size <= MOST_LAYOUTS:
        return
    found = search_of([(design, layouts)])
    if found.fastest.size:
        chosen = {
            "best": found.best(1)[0],
            "front": random.choice(found.front),
            "any": random.choice(found.fastest),
        }
        for name, searched in zip(chosen, found.designs_at(np.array(list(chosen.values()))), strict=True):
            yield name, ran(dataclasses.replace(job, design=searched))


@pytest.fixture(autouse=True)
def short_simulations(monkeypatch: pytest.MonkeyPatch, seeded_data_dir: object) -> None:
    monkeypatch.setattr(timelines, "MOST_OPERATIONS", MOST_OPERATIONS)


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_no_layout_outruns_what_a_pod_can_do(start: int) -> None:
    """Thirty random designs at a time, four layouts each."""
    found, tried = [], 0
    for seed in range(start, start + SEEDS // 10):
        for name, case in layouts_of(seed):
            tried += 1
            laws = [*broken(case)]
            if name != "auto":  # which is the nearest where none fits
                laws += [*_fits(case)]
            found += [said(seed, any_values(seed), case, law) for law in laws]
    assert not found, "\n".join(found)
    assert tried > 60


def _fits(case: Ran) -> Iterator[str]:
    needed = one(case.performance.memory_per_accelerator_bytes)
    capacity = one(case.performance.memory_capacity_bytes)
    if not needed <= capacity:
        yield f"memory {needed / 1e9:.1f} of {capacity / 1e9:.1f} GB"


@pytest.mark.slow
def test_the_bounds_bind() -> None:
    """Of so many layouts some come near each bound: one that nothing could break would say nothing."""
    near: dict[str, float] = {}
    for seed in TAKEN:
        for _, case in layouts_of(seed):
            for name, bound in _bounds(case).items():
                near[name] = max(near.get(name, 0.0), bound / one(case.performance.step_time_s))
    assert near["compute"] > 0.5
    assert near["memory"] > 0.1
    assert near["network"] > 0.05


FASTER = {
    "arithmetic": ("peak_flop_per_s", "peak_16_bit_flop_per_s"),
    "memory": ("memory_bandwidth_bytes_per_s",),
    "scale-up": ("scale_up_bandwidth_bytes_per_s", "scale_up_pair_bandwidth_bytes_per_s"),
}


@pytest.mark.slow
def test_more_of_anything_and_fewer_layers_never_make_a_layout_slower() -> None:
    found, tried = [], 0
    for seed in TAKEN[::2]:
        for name, case in layouts_of(seed):
            step = one(case.performance.step_time_s)
            for what, better in _improved(case):
                tried += 1
                after = one(ran(better).performance.step_time_s)
                if not after <= step * (1 + 1e-9):
                    found.append(
                        said(seed, any_values(seed), case, f"{name}, {what}: {step:.6g} to {after:.6g} s")
                    )
    assert not found, "\n".join(found)
    assert tried > 1000 * len(TAKEN) / SEEDS


def _improved(case: Ran) -> Iterator[tuple[str, Running]]:
    """The same run on a faster accelerator or fabric, and with as many layers less as there are chunks."""
    job, design = case.job, case.job.design
    chip, m = design.supernode.accelerator, design.training.architecture
    for what, names in FASTER.items():
        faster = dataclasses.replace(chip, **{name: 1.5 * getattr(chip, name) for name in names})
        supernode = dataclasses.replace(design.supernode, accelerator=faster)
        yield what, dataclasses.replace(job, design=dataclasses.replace(design, supernode=supernode))
    fabric = dataclasses.replace(
        job.fabric, scale_out_bandwidth_bytes_per_s=1.5 * job.fabric.scale_out_bandwidth_bytes_per_s
    )
    yield "scale-out", dataclasses.replace(job, fabric=fabric)
    chunks = case.layout.pipeline_parallel * case.layout.virtual_stages
    if (
        one(m.expert_layers) == 0
        and one(m.layers) == one(m.attention_layers) > one(chunks)
        and one(m.window_layers) == 0
    ):
        fewer = dataclasses.replace(m, layers=m.layers - chunks, attention_layers=m.layers - chunks)
        workload = dataclasses.replace(design.training, architecture=fewer)
        yield "fewer layers", dataclasses.replace(job, design=dataclasses.replace(design, workload=workload))


@pytest.mark.parametrize("vpp", [1, 2, 5, 10])
def test_virtual_stages_speed_no_micro_batch_up(vpp: int) -> None:
    """Llama 3.1 70B, 8 sequences on 8 replicas of 8 stages: the only micro-batch of each passes them one after another."""
    values = {
        "workload": {
            "kind": "training", "tokens": 1e12, "model": "llama_3_1_70b", "sequence_length": 8192,
            "global_batch_sequences": 8,
        },
        "supernode": {"system": "dgx_h100"},
        "pod": {"supernodes": 32},
        "parallelism": {"tp": 4, "pp": 8},
    }  # fmt: skip
    job = running(design_of(values))
    assert job.design.layout is not None
    # Megatron-Core refuses it; whoever runs it without gains nothing.
    layout = dataclasses.replace(job.design.layout, virtual_stages=np.full(1, float(vpp)))
    case = ran(
        dataclasses.replace(job, design=dataclasses.replace(job.design, layout=layout, framework=None))
    )
    assert one(case.performance.strategy["micro_batches"]) == 1
    assert [*broken(case)] == []
    work = {name: one(part) for name, part in case.performance.time_breakdown_s.items()}
    stage = sum(work[name] for name in ("gemm", "attention", "memory_bound", "recompute", "tp"))
    assert one(case.performance.step_time_s) > 7.5 * stage


@pytest.mark.slow
@pytest.mark.parametrize("batch", [512, 4096])
def test_the_best_of_gpt_3_is_above_one_micro_batch_through_its_stages(batch: int) -> None:
    """Every layout of 512 A100: the ten best, the front, and what `auto` takes."""
    values = {
        "workload": {
            "kind": "training", "tokens": 3e11, "model": "gpt_3_175b", "sequence_length": 2048,
            "global_batch_sequences": batch,
        },
        "supernode": {"system": "dgx_a100_640"},
        "pod": {"supernodes": 64},
    }  # fmt: skip
    job = running(design_of(values))
    found = search_of([(job.design, design_layouts(job.design, WHOLE))])
    places = np.concatenate([found.best(10), found.front[:: max(found.front.size // 10, 1)]])
    cases = [ran(job), *(ran(dataclasses.replace(job, design=one)) for one in found.designs_at(places))]
    assert [law for case in cases for law in (*broken(case), *_fits(case))] == []
