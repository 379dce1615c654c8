"""The search: what a plain loop would find, and what the choices of a layout cost and bring."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.performance import section
from app.engine.performance.search import Computed, computed, computed_on, layout_of
from app.engine.performance.simplicity import TIE
from app.engine.performance.space import GROUPS, USUAL, WHOLE, Space
from app.engine.performance.strategy import take
from app.engine.specs import SuperNode, TrainingWorkload
from tests.engine.performance import cases
from tests.support import dgx_h100, number, part_of

GPT_3 = cases.training(cases.gpt(96, 12288, 96), 2048, 4096)
SMALL = cases.training(cases.gpt(24, 2048, 16), 4096, 64)
MIXTURE = cases.training(cases.deepseek_v3(), 4096, 15360, "fp8")


ASKED_FOR = Space(
    only={
        "shard_ranks": (0, 2, 8, 64), "offload": (0, 1, 2, 3), "offload_tier": (0, 1, 2), "schedule": (0, 1),
        "sequence_parallel": (1,), "tensor_overlap": (1,), "data_overlap": (1,), "micro_batch": (1, 2),
    }
)  # fmt: skip
"""The axes that are looked at only where they are asked for."""


def _computed(
    workload: TrainingWorkload, node: SuperNode, used: float, space: Space = WHOLE, **better: float
) -> Computed:
    a = cases.assumed(workload, node)
    a = replace(a, **{name: getattr(a, name) * factor for name, factor in better.items()})
    return computed(
        job=cases.job(workload),
        hardware=cases.hardware(workload, node, used, a),
        layouts=cases.layouts(workload, node, used, space),
        assumptions=a,
    )


def fastest(found: Computed) -> float:
    return float(found.step_time_s[found.fits].min())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("workload", "node", "used", "space", "tried"),
    [
        (GPT_3, cases.dgx_a100(), 4096, WHOLE, 1000),
        (GPT_3, cases.dgx_a100(), 1024, ASKED_FOR, 600),
        (replace(MIXTURE, prediction_modules=number(1)), dgx_h100(), 2048, USUAL, 400),
    ],
    ids=["dense", "groups of shards and tiers", "experts and modules"],
)
def test_search_is_a_loop_over_single_layouts(
    workload: TrainingWorkload, node: SuperNode, used: float, space: Space, tried: int
) -> None:
    found = _computed(workload, node, used, space)
    layouts = cases.layouts(workload, node, used, space)
    assert found.step_time_s.shape == (layouts.size,)
    positions = part_of(np.random.default_rng(1).choice(layouts.size, tried, replace=False))
    every = layouts.at(np.array(positions))
    a = cases.assumed(workload, node)
    for place, position in enumerate(positions):
        one = layout_of(take(every, slice(place, place + 1)))
        alone = cases.timed(workload, one, used, supernode=node).step_time_s[0]
        held = cases.held(workload, one, used, a).memory_per_accelerator_bytes[0]
        np.testing.assert_allclose(found.step_time_s[position], alone, rtol=1e-12)
        np.testing.assert_allclose(found.memory_bytes[position], held, rtol=1e-12)


def test_every_layout_is_counted_once() -> None:
    found = _computed(GPT_3, cases.dgx_a100(), 4096)
    assert found.fits.sum() + sum(found.rejected.values()) == found.step_time_s.size
    best = found.best(cases.layouts(GPT_3, cases.dgx_a100(), 4096))
    assert best is not None
    assert found.step_time_s[best] <= (1 + TIE) * fastest(found)


def test_of_layouts_that_tie_the_simplest_is_best() -> None:
    """Four layouts by hand: whether a tie is decided by the fewest splits and choices, else by the time."""
    layouts = cases.layouts(SMALL, dgx_h100(), 64, Space(only={"tensor_overlap": (0, 1)}))
    every = layouts.at(np.arange(layouts.size))
    usual = (
        (every.zero_stage == 1)
        & (every.data_overlap == 1)
        & (every.recompute + every.selective_recompute == 0)
    )
    usual &= (every.micro_batch == 1) & (every.pipeline_parallel == 1) & (every.context_parallel == 1)
    usual &= ((every.sequence_parallel == 1) | (every.tensor_parallel == 1)) & (every.shard_ranks == 0)
    one, two, plain = (
        int(np.flatnonzero(usual & (every.tensor_parallel == tp) & (every.tensor_overlap == overlap))[0])
        for tp, overlap in ((1, 1), (2, 1), (2, 0))
    )

    def best(times: dict[int, float]) -> int | None:
        time = np.full(layouts.size, np.nan)
        time[list(times)] = list(times.values())
        zeros = np.zeros(layouts.size)
        return Computed(
            step_time_s=time, memory_bytes=zeros, tier_excess_bytes=zeros,
            memory_capacity_bytes=1.0, margin=0.0, rejected={},
        ).best(layouts)  # fmt: skip

    assert best({two: 1.0, one: 1.0004, plain: 0.9995}) == one
    assert best({two: 1.0, one: 1.0011, plain: 1.0005}) == two
    assert best({two: 1.0015, plain: 1.0, one: 1.0011}) == plain
    assert best({}) is not None  # nothing is known to fit: what misses the memory by least


def test_groups_of_shards_hold_what_the_whole_has() -> None:
    """Groups are looked at where no one asks for less; with them nothing slower is found."""
    whole, all_of_them, open_ = (
        _computed(SMALL, dgx_h100(), 64, Space(only={**USUAL.only, **asked}))
        for asked in ({"shard_ranks": GROUPS}, {"shard_ranks": (0,)}, {})
    )
    np.testing.assert_array_equal(whole.step_time_s, open_.step_time_s)
    assert open_.step_time_s.size > all_of_them.step_time_s.size
    assert fastest(open_) <= fastest(all_of_them)


def test_where_none_fits_the_nearest_is_best() -> None:
    found = _computed(GPT_3, cases.dgx_a100(), 32)
    assert not found.fits.any()
    assert found.memory_bytes[found.nearest()] == found.memory_bytes.min()


def test_usual_layouts_are_nearly_as_fast_as_any() -> None:
    for workload, used in ((GPT_3, 1024), (SMALL, 64)):
        usual, whole = (_computed(workload, dgx_h100(), used, space) for space in (USUAL, WHOLE))
        best = [fastest(one) for one in (usual, whole)]
        assert best[1] <= best[0] <= 1.08 * best[1]


@settings(max_examples=12, deadline=None)
@given(
    gain=st.floats(1.05, 4),
    name=st.sampled_from(
        ["matmul_ratio", "memory_bandwidth_fraction", "scale_up_efficiency", "scale_out_efficiency",
         "attention_fraction"]
    ),
)  # fmt: skip
def test_better_hardware_never_makes_the_best_slower(gain: float, name: str) -> None:
    before, after = (_computed(SMALL, dgx_h100(), 64, USUAL, **better) for better in ({}, {name: gain}))
    assert fastest(after) <= fastest(before) * (1 + 1e-12)


@settings(max_examples=12, deadline=None)
@given(gain=st.floats(1.05, 8))
def test_more_memory_never_makes_the_best_slower(gain: float) -> None:
    node = dgx_h100()
    larger = replace(
        node, accelerator=replace(node.accelerator, memory_bytes=node.accelerator.memory_bytes * gain)
    )
    workload = cases.training(cases.gpt(48, 8192, 64), 8192, 128)
    before, after = (_computed(workload, one, 128, USUAL) for one in (node, larger))
    assert fastest(after) <= fastest(before)
    assert after.fits.sum() >= before.fits.sum()


def test_nothing_beside_compute_costs_time_and_saves_no_memory() -> None:
    shown = cases.layout(tp=8, pp=4, vpp=4, micro_batch=1)
    for name in ("tensor_overlap", "data_overlap"):
        hidden, open_ = (replace(shown, **{name: np.full(1, value)}) for value in (1.0, 0.0))
        part = {"tensor_overlap": "tp", "data_overlap": "dp"}[name]
        times = [cases.timed(GPT_3, one, 1024).breakdown_s[part][0] for one in (hidden, open_)]
        assert times[0] < times[1]


def test_pipeline_inside_a_large_domain() -> None:
    """Sixteen stages of eight ranks fill a domain of 128: transfers stay inside, replicas go outside."""
    node = replace(dgx_h100(), scale_up_domain_accelerators=np.full(1, 128.0))
    outside, inside = (
        cases.timed(GPT_3, cases.layout(tp=8, pp=16, pipeline_inside=value), 1024, supernode=node).breakdown_s
        for value in (0, 1)
    )
    assert inside["pp_transfer"][0] < outside["pp_transfer"][0] / 3
    assert inside["dp"][0] > outside["dp"][0]
    assert inside["gemm"][0] == outside["gemm"][0]


def test_a_pipeline_that_leaves_the_domain_goes_at_that_pace() -> None:
    node = replace(dgx_h100(), scale_up_domain_accelerators=np.full(1, 64.0))
    outside, straddling = (
        cases.timed(GPT_3, cases.layout(tp=8, pp=16, pipeline_inside=value), 1024, supernode=node).breakdown_s
        for value in (0, 1)
    )
    assert straddling["pp_transfer"][0] == outside["pp_transfer"][0]


def test_zero_bubble_fills_with_weight_gradients() -> None:
    """(F + B - W) / (F + B + W) of the bubble: a third where all three are equally long, more with recomputation."""
    plain, zero = (
        cases.timed(GPT_3, cases.layout(tp=8, pp=16, schedule=value), 1024).breakdown_s for value in (0, 1)
    )
    recomputed = [
        cases.timed(GPT_3, cases.layout(tp=8, pp=16, schedule=value, recompute=1), 1024).breakdown_s[
            "pp_bubble"
        ][0]
        for value in (0, 1)
    ]
    assert 1 / 3 < zero["pp_bubble"][0] / plain["pp_bubble"][0] < recomputed[1] / recomputed[0] < 0.7
    assert all(zero[name] == plain[name] for name in zero if name not in ("pp_bubble", "straggler"))


def test_one_accelerator_has_nobody_to_talk_to() -> None:
    tiny = cases.training(cases.gpt(4, 512, 8), 1024, 8)
    found = _computed(tiny, dgx_h100(), 1)
    layouts = cases.layouts(tiny, dgx_h100(), 1)
    every = layouts.at(np.arange(layouts.size))
    for field in fields(type(cases.layout())):
        if field.name.endswith("_parallel") and field.name != "sequence_parallel":
            assert set(getattr(every, field.name)) == {1}
    parts = cases.timed(tiny, layout_of(take(every, slice(0, 1))), 1).breakdown_s
    assert [parts[name][0] for name in ("tp", "cp", "ep", "dp", "pp_transfer", "pp_bubble")] == [0] * 6
    assert found.fits.any()


def test_a_search_is_computed_once_for_what_it_is_asked_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Again and for the explanation it is known; any other number asks again, and gives what it gives alone."""
    asked = []

    def counted(**inputs: Any) -> Computed:
        asked.append(inputs)
        return computed_on(**inputs)

    monkeypatch.setattr(section, "computed_on", counted)
    workload = cases.training(cases.gpt(24, 2048, 16), 2048, 512)
    section.forget_searches()
    first, again = (cases.evaluated(workload, None, 64) for _ in range(2))
    assert len(asked) == 1
    assert first.strategy == again.strategy
    longer = replace(workload, sequence_length=np.full(1, 4096.0))
    after = cases.evaluated(longer, None, 64)
    cases.evaluated(workload, None, 32)
    assert len(asked) == 3
    section.forget_searches()
    alone = cases.evaluated(longer, None, 64)
    assert alone.strategy == after.strategy
    assert alone.step_time_s == after.step_time_s
