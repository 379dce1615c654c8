"""Pods searched together: prices, power and what is best, worked by hand on the rows that were tried."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.engine.explore.serving_search import OBJECTIVES, PodSearch, ServingChoice, choice_of
from app.engine.performance.serving.replica_load import AGGREGATED
from app.engine.performance.serving.search.found import search_serving
from app.engine.performance.serving.search.space import ServingSpace
from app.engine.performance.serving.search.tried import layout_index
from tests.engine.performance.serving.pods import level
from tests.engine.performance.serving.search.cases import setting
from tests.support import llama_3_1_405b

NAN = float("nan")


def pod(usd: float = 3.0, watts: float = 1000.0, **promised: float) -> PodSearch:
    bare = setting(8, level=level(**promised))
    return PodSearch(
        search=search_serving(bare, ServingSpace(modes=(AGGREGATED,))),
        accelerators=8.0,
        usd_per_accelerator_hour=usd,
        meter_power_per_accelerator_w=watts,
    )


def choice(*pods: PodSearch) -> ServingChoice:
    found = choice_of(pods)
    assert found is not None
    return found


def test_cost_and_energy_of_a_token_are_those_of_the_whole_pod() -> None:
    found = choice(pod())
    tokens = found.tried.tokens_per_s
    assert found.usd_per_million_tokens == pytest.approx(3.0 * 8 / (tokens * 3600 / 1e6))
    assert found.energy_j_per_token == pytest.approx(8000 / tokens)


@pytest.mark.slow
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_best_are_one_of_each_layout_best_first(objective: str) -> None:
    found = choice(pod(ttft_s=1.0, tpot_s=0.02))
    best = found.best(objective, 3)
    assert found.keeps[best].all()
    index = layout_index(found.tried)[0]
    assert len(set(index[best])) == best.size == 3
    figure, sign = {
        "throughput": (found.tried.tokens_per_s_per_accelerator, -1),
        "speed": (found.tried.tokens_per_s_per_user, -1),
        "cost": (found.usd_per_million_tokens, 1),
        "energy": (found.energy_j_per_token, 1),
    }[objective]
    score = sign * figure
    assert (np.diff(score[best]) >= 0).all()
    assert score[best[0]] == score[found.keeps].min()


def test_of_two_pods_the_cheaper_one_comes_first_and_both_have_a_front() -> None:
    found = choice(pod(usd=3.0), pod(usd=1.5))
    assert found.pod[found.best("cost", 1)].tolist() == [1]
    assert set(found.pod[found.best("cost", 100)]) == {0, 1}
    own = found.front_of(1)
    assert (found.pod[own] == 1).all()
    # The same rows: the first pod stands for both on the common front.
    assert (found.pod[found.front] == 0).all()


def test_an_unknown_price_ranks_nothing_by_cost() -> None:
    found = choice(pod(usd=NAN))
    assert found.best("cost", 5).size == 0
    assert found.best("throughput", 5).size == 4
    assert found.within_power(1e4) is not None


def test_within_a_power_whole_replicas_count() -> None:
    found = choice(pod(watts=1000.0))
    within = found.within_power(3500.0)  # three accelerators
    assert within is not None
    assert within.accelerators == 3
    size = found.tried.accelerators_per_replica
    replicas = np.floor(3 / size)
    rate = found.tried.tokens_per_s / found.tried.replicas * replicas
    assert within.tokens_per_s == pytest.approx(rate.max())
    assert within.replicas == replicas[within.row[0]]
    assert found.within_power(999.0) is None


def test_the_nearest_is_there_only_where_none_keeps_the_promise() -> None:
    kept = choice(pod(tpot_s=0.05))
    assert kept.nearest.size == 0
    missed = choice(pod(tpot_s=1e-5))
    assert missed.best("throughput", 5).size == 0
    assert missed.within_power(1e6) is None
    (row,) = missed.nearest
    assert missed.tried.over_promise[row] == missed.tried.over_promise.min() > 1


def test_a_thinned_front_keeps_both_ends_and_its_order() -> None:
    found = choice(pod())
    whole, some = found.front_of(0), found.thinned_front_of(0, 7)
    assert some.size <= 7
    assert (some[0], some[-1]) == (whole[0], whole[-1])
    assert (np.diff(found.tried.tokens_per_s_per_user[some]) < 0).all()
    assert set(some) <= set(whole)
    assert found.thinned_front_of(0, 10_000).tolist() == whole.tolist()


def test_pods_that_hold_nothing_are_no_choice() -> None:
    none = search_serving(setting(1, architecture=llama_3_1_405b()), ServingSpace())
    empty = replace(pod(), search=none)
    assert choice_of([empty]) is None
    found = choice(empty, pod())
    assert set(found.pod) == {1}
    assert found.front_of(0).size == 0
