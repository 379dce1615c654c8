"""Instances that a search tries: what an engine could run, each once, with stages only where they are needed."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.performance.serving.search.space import (
    THINNEST,
    ServingSpace,
    holds_a_request,
    instances_of,
)
from app.engine.performance.serving.space import DEGREES, layouts_of
from app.engine.specs import ServingLayout
from tests.engine.performance.serving.search.cases import mixture, setting
from tests.support import llama_3_1_405b


def table(layouts: ServingLayout) -> np.ndarray:
    return np.stack([getattr(layouts, name) for name in DEGREES], axis=1)


def test_a_dense_model_is_cut_by_tensor_parallelism_alone() -> None:
    found = instances_of(setting(8), ServingSpace(), prefills=True)
    assert table(found).tolist() == [[tp, 1, 1, 1, 0, 1] for tp in (1, 2, 4, 8)]


@pytest.mark.parametrize("accelerators", [1, 3, 8, 24, 72])
def test_every_layout_of_a_mixture_can_be_run(accelerators: int) -> None:
    bare = mixture(accelerators)
    m = bare.workload.architecture
    found = instances_of(bare, ServingSpace(), prefills=False)
    ranks = found.tensor_parallel * found.data_parallel
    assert (found.accelerators <= accelerators).all()
    assert (m.heads % found.tensor_parallel == 0).all()
    assert (ranks % found.expert_parallel == 0).all()
    assert ((m.experts + found.redundant_experts) % found.expert_parallel == 0).all()
    cut = ranks / found.expert_parallel
    assert ((cut == 1) | (m.expert_hidden / cut >= THINNEST)).all()
    assert len(np.unique(table(found), axis=0)) == len(table(found))


def test_what_auto_looks_through_is_among_them_where_experts_are_dealt_whole() -> None:
    bare = mixture(32)
    rows = {tuple(row) for row in table(instances_of(bare, ServingSpace(), prefills=True)).tolist()}
    usual = table(layouts_of(bare))
    whole = usual[(usual[:, 3] == usual[:, 0] * usual[:, 1])]
    assert {tuple(row) for row in whole.tolist()} <= rows


def test_degrees_are_held() -> None:
    space = ServingSpace(only={"tensor_parallel": (2.0, 7.0), "pipeline_parallel": (2.0,)})
    found = instances_of(setting(8), space, prefills=True)
    assert table(found).tolist() == [[2, 1, 2, 1, 0, 1]]  # 7 divides no heads


def test_stages_are_tried_only_where_half_as_many_hold_nothing() -> None:
    bare = setting(16, architecture=llama_3_1_405b())
    found = instances_of(bare, ServingSpace(), prefills=True)
    staged = table(found)[:, 2] > 1
    assert staged.any()
    half = ServingLayout(
        tensor_parallel=found.tensor_parallel[staged],
        data_parallel=found.data_parallel[staged],
        pipeline_parallel=found.pipeline_parallel[staged] / 2,
        expert_parallel=found.expert_parallel[staged],
        redundant_experts=found.redundant_experts[staged],
    )
    assert (holds_a_request(bare, half, prefills=True) < 1).all()
