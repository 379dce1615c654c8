"""A search against the choice that `auto` makes, and what it says of what cannot be."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.performance.serving.answers import answers_of
from app.engine.performance.serving.layout_selection import choose
from app.engine.performance.serving.replica_load import AGGREGATED, DISAGGREGATED, latency_of, limit_of
from app.engine.performance.serving.search.found import NO_ROOM, search_serving
from app.engine.performance.serving.search.space import ServingSpace
from app.engine.performance.serving.search.tried import Tried, layout_index, loads_between, try_all
from tests.engine.performance.serving.pods import level
from tests.engine.performance.serving.search.cases import layout, mixture, setting
from tests.support import llama_3_1_405b

PROMISED = {"level": level(ttft_s=1.0, tpot_s=0.03)}


def best_tokens_per_s(tried: Tried) -> float:
    return float(tried.tokens_per_s[tried.over_promise <= 1].max())


@pytest.mark.slow
@pytest.mark.parametrize("make", [setting, mixture])
@pytest.mark.parametrize("mode", [AGGREGATED, DISAGGREGATED])
@pytest.mark.parametrize("accelerators", [8, 24])
def test_a_search_is_at_least_as_good_as_auto(make, mode: str, accelerators: int) -> None:
    bare = make(accelerators, mode=mode, **PROMISED)
    chosen = choose(bare)
    limit = limit_of(bare, chosen.replica)
    seen = answers_of(bare, latency_of(bare, chosen.replica, chosen.concurrency, limit))
    auto = float((seen.requests_per_s * chosen.replicas).item()) * 1024
    found = search_serving(bare, ServingSpace(modes=(mode,)))
    assert found.tried is not None
    # auto tries some loads with a queue before prefill, which gives it a hair more now and then.
    assert best_tokens_per_s(found.tried) >= auto * 0.99


@pytest.mark.slow
def test_rows_are_what_the_model_says_of_each_by_itself() -> None:
    bare = mixture(8, **PROMISED)
    found = search_serving(bare, ServingSpace())
    assert found.tried is not None
    for row in (0, found.tried.size // 2, found.tried.size - 1):
        place = np.array([row])
        alone = try_all(
            bare,
            found.tried.replica_at(place),
            found.tried.concurrency[place] / found.tried.replicas[place],
            found.tried.batch_limit[place],
        )
        assert alone.tpot_s.item() == pytest.approx(found.tried.tpot_s[row])
        assert alone.tokens_per_s.item() == pytest.approx(found.tried.tokens_per_s[row])


def test_without_a_promise_every_known_row_counts() -> None:
    found = search_serving(setting(8), ServingSpace())
    assert found.tried is not None
    assert (found.tried.over_promise == 0).all()
    assert found.tried.known.all()
    assert found.rejected == {NO_ROOM: 1}  # of all eight, none is left for prefill


def test_a_model_too_large_is_rejected_for_memory() -> None:
    found = search_serving(setting(1, architecture=llama_3_1_405b()), ServingSpace())
    assert found.tried is None
    assert found.rejected == {"memory": found.layouts}
    assert found.points == 0


def test_no_room_for_prefill_beside_decode_is_said() -> None:
    found = search_serving(setting(1), ServingSpace(modes=(DISAGGREGATED,)))
    assert found.tried is None
    assert found.rejected == {NO_ROOM: 1}


def test_loads_are_whole_and_end_at_what_memory_holds() -> None:
    loads = loads_between(np.array([1.0, 8.0]), np.array([0.0, 1000.0]), 24)
    assert (loads == np.floor(loads)).all()
    assert loads[0].tolist() == [1.0] * 24
    assert (loads[1, 0], loads[1, -1]) == (8, 1000)
    assert (np.diff(loads, axis=1) >= 0).all()


def test_layouts_are_numbered_by_what_they_are() -> None:
    bare = setting(8)
    found = search_serving(bare, ServingSpace(modes=(AGGREGATED,)))
    assert found.tried is not None
    index, count = layout_index(found.tried)
    assert count == 4
    tp = found.tried.layout["tensor_parallel"]
    assert all(len(set(tp[index == one])) == 1 for one in range(count))
    assert layout(8).accelerators.item() == 8
