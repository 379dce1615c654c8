"""Layouts that are tried where none is stated: pipeline stages only where fewer hold no request."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.performance.serving.space import layouts_of, layouts_that_hold
from app.engine.specs import Pod, ServingLayout
from app.engine.trace import Array
from tests.engine.performance.serving.pods import evaluate, llama_3_1_405b, parts, problems
from tests.engine.performance.serving.search.cases import mixture, setting
from tests.support import build


def dgx(supernodes: float) -> Pod:
    return build(Pod, supernodes=supernodes, accelerators_used=8 * supernodes, fabric=None)


def in_16_bit(supernodes: float, **changes: object) -> dict[str, object]:
    """Llama 3.1 405B in 16 bit: 812 GB of weights, on servers of 640 GB."""
    own = parts(dense_parameter_bytes=2.0, dense_peak_flop_per_s=989.5e12)
    return {"of": dgx(supernodes), "architecture": llama_3_1_405b(), "parts": own} | changes


@pytest.mark.slow
@pytest.mark.parametrize("supernodes", [2, 4])
def test_a_model_larger_than_a_server_is_cut_into_stages(supernodes: float) -> None:
    given = in_16_bit(supernodes)
    found = evaluate(**given)  # type: ignore[arg-type]
    assert (found.strategy["tp"][0], found.strategy["pp"][0]) == (8, 2)
    assert found.replicas[0] == supernodes / 2
    assert found.batch_limit[0] >= 1
    assert problems(**given) == []  # type: ignore[arg-type]


@pytest.mark.slow
def test_so_are_instances_that_only_prefill() -> None:
    found = evaluate(**in_16_bit(4, mode="disaggregated"))  # type: ignore[arg-type]
    assert found.strategy["prefill_pp"][0] == found.strategy["pp"][0] == 2


def test_where_no_stages_hold_it_stages_are_named_as_a_way_out() -> None:
    (found,) = problems(**in_16_bit(1))  # type: ignore[arg-type]
    assert found.constraint == "memory"
    assert "pipeline stages" in found.message


def test_fewest_stages_that_hold_a_request_are_taken() -> None:
    bare = setting(16)

    def from_stages(least: float) -> ServingLayout:
        def limit(layouts: ServingLayout) -> Array:
            return np.where(layouts.pipeline_parallel >= least, 1.0, 0.5)

        return layouts_that_hold(bare, limit)

    for least in (1, 2, 4, 8):
        assert set(from_stages(least).pipeline_parallel) == {least}
    assert set(from_stages(1000).pipeline_parallel) == {1}


@pytest.mark.slow
@pytest.mark.parametrize("accelerators", [1, 3, 8, 24, 384])
@pytest.mark.parametrize("stages", [1, 2, 8])
def test_stages_take_no_more_than_there_is(accelerators: int, stages: float) -> None:
    bare = mixture(accelerators)
    found = layouts_of(bare, stages)
    assert (found.accelerators <= accelerators).all()
    assert (found.accelerators.size > 0) == (stages <= accelerators)
