"""What of a demand a pod answers over its years: hand-worked, at its limits, and as a sum over days."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.served_demand import borne, borne_prefill_share, borne_requests_per_s
from tests.engine.performance.serving.pods import demand, evaluate, instance, plan, workload
from tests.support import number


def value(figure: Any) -> float:
    return float(figure[0])


def mean(asked: float, growth: float, years: float, limit: float) -> float:
    return value(
        borne_requests_per_s(
            requests_per_s=number(asked),
            growth_per_year=number(growth),
            years=number(years),
            requests_per_s_limit=number(limit),
        )
    )


def test_a_level_demand_is_its_mean() -> None:
    assert mean(3, 0, 5, 10) == 3
    assert mean(3, 1, 0, 10) == 3
    assert mean(30, 0, 5, 10) == 10


def test_a_demand_that_doubles() -> None:
    """From 3 to 6 in a year: 3 / ln 2. Capped at 3: the cap; nothing is answered: unknown."""
    assert mean(3, 1, 1, 100) == pytest.approx(3 / np.log(2))
    assert mean(3, 1, 1, 3) == pytest.approx(3)
    assert np.isnan(mean(3, 1, 1, 0))


@pytest.mark.slow
@given(st.floats(0.1, 100), st.floats(-0.9, 3), st.floats(0.1, 10), st.floats(0.1, 1000))
def test_it_is_the_mean_of_every_moment(asked: float, growth: float, years: float, limit: float) -> None:
    moments = (np.arange(20_000) + 0.5) / 20_000 * years
    each = np.minimum(asked * (1 + growth) ** moments, limit)
    assert mean(asked, growth, years, limit) == pytest.approx(each.mean(), rel=1e-4)


def test_prefill_takes_less_of_the_time_where_prompts_are_fewer() -> None:
    each = {"prefill_share": number(0.4), "requests_per_s": number(8)}
    assert value(borne_prefill_share(**each, borne_requests_per_s=number(2))) == pytest.approx(0.1)
    assert value(borne_prefill_share(**each, borne_requests_per_s=number(80))) == 1


def test_tokens_are_those_of_the_demand() -> None:
    asked = demand(2, peak_to_mean=4)
    found = borne(evaluate(demand=asked), workload(demand=asked))
    assert value(found.requests_per_s) == pytest.approx(2)
    assert value(found.tokens_per_s) == pytest.approx(2048)
    assert value(found.input_tokens_per_s) == pytest.approx(2048)


def test_without_a_demand_nothing_changes() -> None:
    found = evaluate()
    assert borne(found, workload()) is found


@pytest.mark.slow
def test_a_group_that_only_prefills_is_paid_whatever_it_does() -> None:
    split = plan(instance(2), instance(1), decode_instances=number(1), prefill_instances=number(2))
    asked = demand(1, peak_to_mean=3)
    found = evaluate(plan=split, demand=asked)
    assert value(borne(found, workload(demand=asked)).prefill_share) == value(found.prefill_share)
