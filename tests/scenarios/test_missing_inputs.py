"""Unknown inputs are found by tracing no more than can hold one: the same as tracing every figure."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.design import evaluate
from app.engine.explain import explained_figures, missing_in, missing_inputs
from app.engine.leaves import any_unknown
from app.scenarios.evaluation.service import evaluate_example
from tests.support import replaced_at

PLACES_A_DESIGN = 8
KEYS = (
    "edge_node",
    "deepseek_r1_on_8_h200",
    "fft_3d_on_512_dgx_a100",
    "llama_3_1_70b_on_trn2_ultraserver",
    "training_and_serving_on_8_dgx_h200",
)
DEEP = (
    "supernode.price_usd",
    "supernode.accelerator.memory_bandwidth_bytes_per_s",
    "supernode.max_power_w",
    "facility.site.electricity_price_usd_per_kwh",
    "assumptions.operations.failures_per_node_day",
)
"""Inputs of each room: of cost alone, and of the speed that all else follows from."""


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_inputs_are_missing_as_the_whole_trace_says(key, seeded_data_dir):
    resolved = evaluate_example(key, ready_catalog()).resolved
    rng = random.Random(28)
    places = [place for place in DEEP if place in resolved.values]
    places += rng.sample([place for place in sorted(resolved.values) if "[" not in place], PLACES_A_DESIGN)
    found = 0
    for place in places:
        design = replaced_at(resolved.design, place, np.full(1, np.nan))
        try:
            sections = evaluate(design).sections
        except (ValueError, IndexError, StopIteration):
            continue  # a count that shapes arrays: a scenario without it is refused before
        quick = missing_in(design, resolved.origins, sections)
        whole = missing_inputs(explained_figures(design, resolved.origins))
        assert quick == whole, place
        assert list(quick) == list(whole), place
        found += place in quick
    assert found >= 3


def test_an_endless_figure_is_not_unknown():
    assert not any_unknown({"years": (np.array([np.inf]), np.array([1]))})
    hidden: Any = [np.array([1.0]), [np.array([2.0, np.nan])]]
    assert any_unknown(hidden)
