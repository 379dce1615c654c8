"""The fastest layout alone, against the search that computes all of them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.engine.explore.layout_search import fastest_layout, search_layouts
from app.engine.performance.space import USUAL
from app.scenarios.load import build_scenario
from app.scenarios.resolve import unchosen_designs

SYSTEMS = ("dgx_h100", "gb200_nvl72", "amd_mi300x_8way", "dgx_h200")
MODELS = ("llama_3_1_8b", "mixtral_8x7b", "llama_3_1_405b", "deepseek_v3")


@pytest.mark.parametrize("seed", range(12))
def test_it_is_the_first_answer_of_the_whole_search(seed: int, catalog: Catalog) -> None:
    """The same layout and the same variants, where some fit with a margin, where some fit without, and where none does."""
    draw = random.Random(seed)
    design, *others = unchosen_designs(
        build_scenario(
            {
                "workload": {
                    "kind": "training", "model": draw.choice(MODELS), "tokens": 1e12,
                    "sequence_length": draw.choice([4096, 8192]), "global_batch_sequences": draw.choice([256, 1024]),
                },
                "supernode": {"system": draw.choice(SYSTEMS)},
                "pod": {"supernodes": draw.choice([1, 2, 6, 16, 30, 100])},
            }
        ),
        catalog,
    )  # fmt: skip
    whole, quick = search_layouts(design, USUAL, others), fastest_layout(design, USUAL, others)
    (one, *_), (other, *_) = whole.answers(1), quick.answers(1)
    assert one.first == other.first
    assert one.variants.tolist() == other.variants.tolist()
    # what was computed has the time that it has there
    known = np.isfinite(quick.computed.step_time_s)
    assert quick.computed.step_time_s[known] == pytest.approx(whole.computed.step_time_s[known], rel=1e-12)
    # and what was not is slower, or does not fit
    best = float(whole.computed.step_time_s[one.first])
    left_out = whole.computed.fits & ~known
    assert not left_out.any() or float(whole.computed.step_time_s[left_out].min()) > best
