"""Cost of tokens by hardware and format: each row is an evaluation, and what is unknown stays so."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest

from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.serving.token_cost import TokenCostOptions, TokenCostView, token_cost_view
from tests.support import read_example, without_estimates
from tests.views.serving.cases import RACK, catalog, changed, evaluated, example

HOURS_S = 8760 * 3600


def compared(scenario: EvaluatedScenario, **options: Any) -> TokenCostView:
    return token_cost_view(scenario, catalog(), TokenCostOptions.model_validate(options), evaluated)


def test_the_first_row_is_the_scenario_as_it_stands() -> None:
    view, cost = compared(example(), systems=["dgx_b200"]), example().evaluation.sections.cost
    first = view.systems[0]
    assert first.as_it_stands
    assert first.usd_per_million_tokens == pytest.approx(float(cost.usd_per_million_tokens[0]))
    assert first.usd_per_million_input_tokens == pytest.approx(float(cost.usd_per_million_input_tokens[0]))
    assert [row.key for row in view.systems] == [None, None, "dgx_b200"]


def test_systems_are_sized_to_the_demand() -> None:
    view = compared(changed(demand={"requests_per_s": 20}), systems=["dgx_b200"])
    assert view.sized
    own = view.systems[1]
    assert own.supernodes > 1
    assert own.feasible
    assert own.usd_per_million_tokens_at_full_load <= own.usd_per_million_tokens


def test_without_a_demand_all_have_as_many_accelerators() -> None:
    view = compared(changed(demand=None), systems=["dgx_b200"])
    assert not view.sized
    assert {row.accelerators for row in view.systems} == {8}


def test_a_format_without_a_peak_is_refused_in_words() -> None:
    view = compared(example(), systems=["dgx_b200"], formats=["fp8", "nvfp4"])
    rows = {(row.key, row.precision): row for row in view.systems[1:]}
    assert "no published peak at nvfp4" in rows[None, "nvfp4"].reason
    assert rows[None, "nvfp4"].refused
    assert math.isnan(rows[None, "nvfp4"].usd_per_million_tokens)
    thin, wide = rows["dgx_b200", "nvfp4"], rows["dgx_b200", "fp8"]
    assert (
        thin.usd_per_million_tokens <= wide.usd_per_million_tokens
    )  # one pod bears the demand in either format
    assert thin.usd_per_million_tokens_at_full_load < wide.usd_per_million_tokens_at_full_load


def test_a_price_that_nobody_published_is_unknown_and_named() -> None:
    view = compared(evaluated(without_estimates("deepseek_r1_on_cloudmatrix384")), systems=["dgx_h200"])
    first = view.systems[0]
    assert math.isnan(first.usd_per_million_tokens_rented_on_demand)
    assert any("economics.rental_on_demand_usd_per_accelerator_hour" in words for words in first.unknown)


def test_the_cheapest_does_and_its_cost_is_known() -> None:
    view = compared(example(), systems=["dgx_b200"])
    assert view.cheapest is not None
    best = view.systems[view.cheapest]
    assert best.feasible
    assert not best.as_it_stands  # at a load of its own
    known = [row.usd_per_million_tokens for row in view.systems if row.feasible and not row.as_it_stands]
    assert best.usd_per_million_tokens == min(cost for cost in known if not math.isnan(cost))


def test_another_system_is_tried_disaggregated_where_the_scenario_is() -> None:
    view = compared(example(RACK), systems=["dgx_b200"])
    assert view.systems[-1].layout


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ScenarioError, match="systems"):
        compared(example(), systems=["no_such_system"])
    with pytest.raises(ScenarioError, match="models that answer requests"):
        compared(evaluated(read_example("edge_node")))


def test_a_higher_peak_never_makes_tokens_cheaper() -> None:
    """Of one pod that bears all: the same tokens pay for the same year."""
    found = [
        changed(concurrency=None, demand={"requests_per_s": 0.3, "peak_to_mean": peak}).evaluation.sections
        for peak in (1, 2, 8)
    ]
    for name in ("usd_per_million_tokens", "usd_per_million_tokens_rented_on_demand"):
        costs = [float(getattr(sections.cost, name)[0]) for sections in found]
        assert all(later >= former * (1 - 1e-9) for former, later in pairwise(costs))
    carbon = [float(sections.carbon.kg_per_million_tokens[0]) for sections in found]
    energy = [float(sections.power.energy_j_per_token[0]) for sections in found]
    for each in (carbon, energy):
        assert all(later >= former * (1 - 1e-9) for former, later in pairwise(each))
    tokens = 0.3 * 1024 * HOURS_S / 1e6
    for sections in found:
        year = float(sections.cost.annual_cost_usd_per_year[0])
        assert float(sections.cost.usd_per_million_tokens[0]) * tokens == pytest.approx(year)


def test_tokens_beyond_what_is_promised_are_not_paid_for() -> None:
    sections = changed(demand={"requests_per_s": 1e6, "peak_to_mean": 1}).evaluation.sections
    tokens = float(sections.performance.requests_per_s_limit[0]) * 1024 * HOURS_S / 1e6
    assert float(sections.cost.usd_per_million_tokens[0]) * tokens == pytest.approx(
        float(sections.cost.annual_cost_usd_per_year[0])
    )
