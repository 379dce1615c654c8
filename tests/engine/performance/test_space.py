"""The space of layouts: all that can run, each once."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import fields

import numpy as np
import pytest

from app.engine.performance.layout_rules import layout_errors
from app.engine.performance.search import layout_of
from app.engine.performance.space import USUAL, WHOLE, Space, divisors
from app.engine.performance.strategy import Strategy, take
from app.engine.specs import Layout, TrainingWorkload
from tests.engine.performance import cases
from tests.support import dgx_h100

DENSE = cases.training(cases.gpt(6, 1024, 4), 4096, 12)
ZERO_BUBBLE = Space(
    only={"schedule": (0, 1), "tensor_overlap": (0, 1), "data_overlap": (0, 1), "shard_ranks": (0,)}
)
# 5 divides no replicas, 24 is all of them. The other axes are held, so that the plain loop ends.
GROUPS = (0, 2, 3, 4, 5, 8, 24)
GROUPED = Space(
    only={
        "shard_ranks": GROUPS, "context_parallel": (1, 2), "micro_batch": (1, 2), "tensor_overlap": (1,),
        "data_overlap": (1,), "recompute": (0,), "schedule": (0,),
    }
)  # fmt: skip


@pytest.mark.parametrize(
    ("whole", "expected"), [(1, [1]), (12, [1, 2, 3, 4, 6, 12]), (49, [1, 7, 49]), (97, [1, 97])]
)
def test_divisors(whole: float, expected: list[float]) -> None:
    assert divisors(whole).tolist() == expected


@pytest.mark.slow
def test_every_layout_that_can_run_is_there_once() -> None:
    """Against a plain loop over all numbers, with the rules that a stated layout is held to."""
    found = cases.layouts(DENSE, dgx_h100(), 24, ZERO_BUBBLE)
    rows = list(_rows(found.at(np.arange(found.size))))
    assert len(set(rows)) == len(rows) == found.size
    assert set(rows) == set(_by_hand(24))


@pytest.mark.slow
def test_every_group_of_shards_is_there_once() -> None:
    found = cases.layouts(DENSE, dgx_h100(), 24, GROUPED)
    rows = list(_rows(found.at(np.arange(found.size))))
    assert len(set(rows)) == len(rows) == found.size
    assert set(rows) == set(_grouped_by_hand(24))


def test_blocks_are_all_layouts_in_order() -> None:
    found = cases.layouts(DENSE, dgx_h100(), 24)
    at_once = found.at(np.arange(found.size))
    blocks = list(found.blocks())
    for field in fields(Strategy):
        if field.name != "shapes":
            joined = np.concatenate([getattr(block, field.name) for block in blocks])
            np.testing.assert_array_equal(joined, getattr(at_once, field.name), err_msg=field.name)


def test_positions_in_any_order() -> None:
    found = cases.layouts(DENSE, dgx_h100(), 24)
    positions = np.random.default_rng(3).permutation(found.size)[:50]
    every = list(_rows(found.at(np.arange(found.size))))
    assert list(_rows(found.at(positions))) == [every[position] for position in positions]


def test_layer_shapes_are_those_of_the_layouts() -> None:
    found = cases.layouts(DENSE, dgx_h100(), 24)
    for block in found.blocks():
        for field in fields(block.shapes):
            np.testing.assert_array_equal(
                getattr(block.shapes, field.name)[block.shape_index], getattr(block, field.name), field.name
            )


def test_experts_divide_experts_and_ranks() -> None:
    workload = cases.training(cases.deepseek_v3(), 4096, 15360, "fp8")
    found = cases.layouts(workload, dgx_h100(), 512, USUAL)
    every = found.at(np.arange(found.size))
    assert set(every.expert_parallel) == {1, 2, 4, 8, 16, 32, 64}
    ranks = every.data_parallel * every.context_parallel * every.tensor_parallel
    assert (ranks[every.expert_parallel > 1] % every.expert_parallel[every.expert_parallel > 1] == 0).all()


def test_an_axis_may_be_held() -> None:
    held = Space(only={"tensor_parallel": (4.0,), "recompute": (2.0,)})
    found = cases.layouts(DENSE, dgx_h100(), 24, held)
    every = found.at(np.arange(found.size))
    assert set(every.tensor_parallel) == {4}
    assert set(every.recompute) == {1}


def test_a_held_schedule_leaves_the_others_out() -> None:
    found = cases.layouts(DENSE, dgx_h100(), 24, Space(only={"schedule": (1.0,)}))
    every = found.at(np.arange(found.size))
    assert set(every.schedule) == {1}
    assert set(every.virtual_stages) == {1}
    assert every.pipeline_parallel.min() > 1


@pytest.mark.parametrize(("batch", "used"), [(64, 64), (57, 36), (29, 72)])
def test_usual_layouts_are_some_of_the_whole(batch: int, used: int) -> None:
    workload = cases.training(cases.gpt(24, 2048, 16), 8192, batch)
    usual, whole = (cases.layouts(workload, dgx_h100(), used, space) for space in (USUAL, WHOLE))
    assert 0 < usual.size < whole.size / 4
    assert set(_rows(usual.at(np.arange(usual.size)))) < set(_rows(whole.at(np.arange(whole.size))))


def test_what_divides_nothing_has_no_layout() -> None:
    assert cases.layouts(cases.training(cases.gpt(24, 2048, 16), 2048, 7), dgx_h100(), 22).size > 0
    found = cases.layouts(cases.training(cases.gpt(2, 2048, 16), 2048, 7), dgx_h100(), 26 * 17)
    assert found.size == 0
    assert list(found.blocks()) == []


def _rows(strategy: Strategy) -> Iterator[tuple[float, ...]]:
    return zip(*(getattr(strategy, field.name) for field in fields(Layout)), strict=True)


def _by_hand(used: int) -> Iterator[tuple[float, ...]]:
    """Every combination of small numbers that `layout_errors` has nothing against, and no idle choice."""
    degrees = itertools.product(range(1, 5), range(1, 7), range(1, 5), range(1, 7), range(1, 13))
    for tp, pp, cp, vpp, micro_batch in degrees:
        layout = cases.layout(tp=tp, pp=pp, cp=cp, vpp=vpp, micro_batch=micro_batch)
        if _refused(DENSE, layout, used) or 4096 / cp < 1024 or -(-6 // pp) % vpp:
            continue
        if micro_batch not in (1, 2, 3, 4, 6, 8, 12) or not _least(micro_batch, used // (tp * pp * cp)):
            continue
        replicated = used > tp * pp
        for zero, in_sequence, again, tensor, data, inside, bubble in itertools.product(
            (0, 1, 2, 3) if replicated else (1,), (0, 1) if tp > 1 else (0,),
            ((0, 0), (0, 1), (1, 0)), (0, 1) if tp > 1 else (1,), (0, 1) if replicated else (1,),
            (0, 1) if pp > 1 and replicated and tp * cp < 8 else (0,), (0, 1) if pp > 1 and vpp == 1 else (0,),
        ):  # fmt: skip
            one = cases.layout(
                tp=tp, pp=pp, cp=cp, vpp=vpp, micro_batch=micro_batch, zero=zero, sequence_parallel=in_sequence,
                recompute=again[0], selective=again[1], tensor_overlap=tensor, data_overlap=data,
                pipeline_inside=inside, schedule=bubble, reshard=float(pp == 1),
            )  # fmt: skip
            yield tuple(float(getattr(one, field.name)[0]) for field in fields(Layout))


def _grouped_by_hand(used: int) -> Iterator[tuple[float, ...]]:
    """As above, over groups that are neither all replicas nor one, and shard something."""
    degrees = itertools.product(range(1, 5), range(1, 7), (1, 2), range(1, 7), (1, 2), GROUPS)
    for tp, pp, cp, vpp, micro_batch, group in degrees:
        replicas = used / (tp * pp)
        layout = cases.layout(tp=tp, pp=pp, cp=cp, vpp=vpp, micro_batch=micro_batch, shard_ranks=group)
        if _refused(DENSE, layout, used) or 4096 / cp < 1024 or -(-6 // pp) % vpp or 0 < replicas <= group:
            continue
        if not _least(micro_batch, used // (tp * pp * cp)):
            continue
        for zero, in_sequence, inside in itertools.product(
            (1,) if replicas == 1 else (1, 2, 3) if group else (0, 1, 2, 3), (0, 1) if tp > 1 else (0,),
            (0, 1) if pp > 1 and replicas > 1 and tp * cp < 8 else (0,),
        ):  # fmt: skip
            one = cases.layout(
                tp=tp, pp=pp, cp=cp, vpp=vpp, micro_batch=micro_batch, zero=zero, sequence_parallel=in_sequence,
                pipeline_inside=inside, shard_ranks=group, reshard=float(pp == 1),
            )  # fmt: skip
            yield tuple(float(getattr(one, field.name)[0]) for field in fields(Layout))


def test_what_is_not_offloaded_goes_to_no_tier() -> None:
    """Kept once, and three things to offload to each of two tiers."""
    one = {"zero_stage": (1,), "recompute": (0,), "micro_batch": (1,)}
    kept, all_tiers = (
        cases.layouts(DENSE, dgx_h100(), 24, Space(only={**one, **asked}))
        for asked in ({}, {"offload": (0, 1, 2, 3), "offload_tier": (0, 2)})
    )
    assert all_tiers.size == 7 * kept.size
    every = all_tiers.at(np.arange(all_tiers.size))
    away = (every.optimizer_offload > 0) | (every.activation_offload > 0)
    assert set(every.offload_tier[away]) == {0, 2}
    assert set(every.offload_tier[~away]) == {0}


def test_a_value_that_no_layout_can_take_leaves_none() -> None:
    assert cases.layouts(DENSE, dgx_h100(), 24, Space(only={"recompute": (9,)})).size == 0


def _least(micro_batch: int, replicas: int) -> bool:
    """Whether no smaller micro-batch needs as few turns for a replica's share of 12 sequences."""
    own = -(-12 // replicas)
    return all(-(-own // smaller) > -(-own // micro_batch) for smaller in range(1, micro_batch))


def _refused(workload: TrainingWorkload, layout: Layout, used: int) -> bool:
    node = dgx_h100()
    return bool(layout_errors(workload=workload, supernode=node, pod=cases.pod(used, node), layout=layout))


def test_one_layout_of_a_strategy() -> None:
    found = cases.layouts(DENSE, dgx_h100(), 24)
    every = found.at(np.arange(found.size))
    one = layout_of(take(every, slice(5, 6)))
    assert one.tensor_parallel == every.tensor_parallel[5]
