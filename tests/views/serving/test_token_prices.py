"""Prices of tokens by kind: they add up to the cost of the year, and cached ones and batches cost less."""

from __future__ import annotations

import math

import numpy as np
import pytest

from app.engine.economics.token_cost import cached_token_time_ratio, new_token_weight
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.serving.served import served
from app.views.serving.token_prices import TokenPrices, token_prices
from tests.views.serving.cases import RACK, changed, example

REQUESTS = {"input_tokens": 8000, "output_tokens": 500, "cached_share": 0.6}


def prices(scenario: EvaluatedScenario) -> TokenPrices:
    return token_prices(scenario, served(scenario, "Prices of tokens"))


def test_by_hand() -> None:
    """Half cached: a prompt of 10 s takes 6; the new half by itself 5, so the cached half 1 where the new has 5."""
    ratio = cached_token_time_ratio(
        prompt_s=np.array([6.0]), uncached_prompt_s=np.array([10.0]), cached_share=np.array([0.5])
    )
    assert ratio[0] == pytest.approx(0.2)
    weight = new_token_weight(cached_share=np.array([0.5]), cached_token_time_ratio=ratio)
    assert 0.5 * weight[0] + 0.5 * weight[0] * ratio[0] == pytest.approx(1)


@pytest.mark.parametrize("key", ["deepseek_r1_on_8_h200", RACK])
def test_kinds_add_up_to_the_mean(key: str) -> None:
    scenario = changed(key, requests=REQUESTS)
    found, sections = prices(scenario), scenario.evaluation.sections
    mean = 0.4 * found.input_usd + 0.6 * found.cached_input_usd
    assert mean == pytest.approx(float(sections.cost.usd_per_million_input_tokens[0]))
    assert found.output_usd == pytest.approx(float(sections.cost.usd_per_million_output_tokens[0]))
    joules = (0.4 * found.input_j + 0.6 * found.cached_input_j) * 8000 + found.output_j * 500
    assert joules == pytest.approx(500 * float(sections.power.energy_j_per_token[0]))
    assert 0 < found.cached_input_usd < found.input_usd


def test_a_cached_token_that_must_come_back_costs_more() -> None:
    """Where bringing back takes longer than the prefill of the rest: most of a prompt of a model with many heads."""
    near, far = (
        prices(
            changed(
                model="llama_3_1_70b",
                parts=None,
                requests=REQUESTS | {"cached_share": 0.97, "cache_tier": tier},
            )
        )
        for tier in ("accelerator", "nvme")
    )
    assert far.cached_input_usd / far.input_usd > 1.2 * near.cached_input_usd / near.input_usd


def test_a_batch_never_costs_more_and_costs_less_where_promises_are_kept() -> None:
    strict = prices(changed(service_level={"tpot_s": 0.02}, demand={"requests_per_s": 0.2}))
    assert 0 < strict.batch_ratio < 1
    assert strict.batch_output_usd == pytest.approx(strict.output_usd * strict.batch_ratio)
    assert prices(example()).batch_ratio <= 1


def test_list_prices_of_the_model_stand_beside() -> None:
    offers = prices(example()).list_prices
    assert {one.provider for one in offers} >= {"DeepSeek", "Fireworks"}


def test_unknown_prices_stay_unknown() -> None:
    found = prices(example("deepseek_r1_on_cloudmatrix384"))
    cost = example("deepseek_r1_on_cloudmatrix384").evaluation.sections.cost.usd_per_million_tokens
    assert math.isnan(found.output_usd) == bool(cost is None or np.isnan(cost[0]))
