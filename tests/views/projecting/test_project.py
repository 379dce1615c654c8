"""Projections: from the law to the design and back, and what cannot be is refused."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_example
from app.scenarios.load import build_document
from app.views.projecting.options import ProjectionOptions
from app.views.projecting.project import project


@pytest.fixture(scope="module")
def flagship(seeded_data_dir: object) -> EvaluatedScenario:
    return evaluate_example("llama_3_1_405b_on_2048_dgx_h100", ready_catalog())


def projected(scenario: EvaluatedScenario | None = None, **stated: Any) -> dict[str, Any]:
    return project(build_document(ProjectionOptions, stated), scenario)


def test_compute_alone_gives_the_optimum() -> None:
    found = projected(flops=5.76e23)
    assert found["model"]["tokens_per_parameter"] == pytest.approx(18.4, abs=0.05)
    assert found["model"] == found["optimal"]
    assert found["over_training"]["extra_compute_share"] == pytest.approx(0, abs=1e-6)
    assert {one["quantity"] for one in found["beyond_fit"]} == {"parameters", "tokens", "flops"}
    bounds = found["intervals"]["law"]["optimal_parameters"]
    assert bounds["low"] < found["optimal"]["parameters"] < bounds["high"]
    assert (found["design"], found["intervals"]["speed"], found["serving"]) == (None, None, None)


def test_inside_the_fit_nothing_is_beyond() -> None:
    assert projected(parameters=1e9, tokens=2e10)["beyond_fit"] == []


def test_the_run_of_a_design_takes_its_own_time_and_cost(flagship: EvaluatedScenario) -> None:
    """Its own model and tokens give back elapsed time, cost and SuperNodes of its evaluation."""
    performance, cost = flagship.as_json["performance"], flagship.as_json["cost"]
    own = {
        "parameters": performance["active_parameters"],
        "tokens": flagship.as_json["inputs"]["workload"]["tokens"],
    }
    days = performance["elapsed_time_s"] / 86_400
    found = projected(flagship, **own, deadline_days=days)
    assert found["design"]["days"] == pytest.approx(days)
    assert found["design"]["usd"] == pytest.approx(cost["usd_per_run"])
    assert found["design"]["supernodes_needed"] == found["design"]["supernodes"] == 2048
    bounds = flagship.as_json["intervals"]["performance"]["elapsed_time_s"]
    assert found["design"]["days_interval"]["low"] == pytest.approx(bounds["low"] / 86_400)
    assert found["binding"] is None
    half = projected(flagship, **own, deadline_days=days / 2)["design"]
    assert (half["supernodes_needed"], half["accelerators_needed"]) == (4096, 32_768)
    ends = half["supernodes_needed_interval"]
    assert ends["low"] / 4096 == pytest.approx(bounds["low"] / 86_400 / days, abs=1e-3)
    assert ends["high"] / 4096 == pytest.approx(bounds["high"] / 86_400 / days, abs=1e-3)


def test_the_best_model_in_90_days(flagship: EvaluatedScenario) -> None:
    found = projected(flagship, deadline_days=90)
    assert found["binding"] == "deadline_days"
    assert found["design"]["days"] == pytest.approx(90)
    assert found["design"]["supernodes_needed"] == 2048
    assert found["model"]["flops"] == pytest.approx(found["design"]["sustained_flop_per_s"] * 90 * 86_400)
    speed = found["intervals"]["speed"]
    for name in ("flops", "parameters", "tokens", "loss"):
        assert speed[name]["low"] < found["model"][name] < speed[name]["high"]
    longer = projected(flagship, deadline_days=180)
    assert longer["model"]["loss"] < found["model"]["loss"]


def test_the_smaller_of_deadline_and_budget_binds(flagship: EvaluatedScenario) -> None:
    by_time = projected(flagship, deadline_days=90)
    cost = by_time["design"]["usd"]
    little = projected(flagship, deadline_days=90, budget_usd=cost / 2)
    much = projected(flagship, deadline_days=90, budget_usd=cost * 2)
    assert (little["binding"], much["binding"]) == ("budget_usd", "deadline_days")
    assert little["design"]["usd"] == pytest.approx(cost / 2)
    assert much["model"] == by_time["model"]


def test_a_deadline_and_a_loss_give_the_smaller_model(flagship: EvaluatedScenario) -> None:
    best = projected(flagship, deadline_days=90)
    found = projected(flagship, deadline_days=90, loss=best["model"]["loss"] + 0.01)
    assert found["model"]["parameters"] < best["model"]["parameters"]
    assert found["over_training"]["loss_above_optimal"] == pytest.approx(0.01)


def test_a_loss_out_of_reach_says_what_would_reach_it(flagship: EvaluatedScenario) -> None:
    with pytest.raises(ScenarioError, match="at best") as refused:
        projected(flagship, deadline_days=90, loss=1.87)
    hint = refused.value.errors[0].hint
    needed = int(hint.split(" SuperNodes")[0].split()[-1].replace(",", ""))
    assert needed > 2048
    least = projected(flagship, loss=1.87, deadline_days=90.0 * needed / 2048)
    assert least["over_training"]["tokens_per_parameter_ratio"] == pytest.approx(1, abs=0.2)


def test_what_laws_say_beside() -> None:
    served = projected(law="inference_aware", parameters=13e9, inference_tokens=2e12)["serving"]
    assert served["saved_share"] == pytest.approx(0.163, abs=1e-3)
    assert served["cheapest"]["parameters"] == pytest.approx(7e9, rel=0.03)
    routed = projected(law="moe_routed", parameters=1e8, experts=64)
    assert routed["effective_dense_parameters"] == pytest.approx(4.5933e8, rel=1e-3)
    assert routed["optimal"] is None
    again = projected(law="data_constrained", parameters=1e9, tokens=4e10, unique_tokens=1e10)
    assert again["epochs"]["epochs"] == 4
    assert again["epochs"]["worth_share"] == pytest.approx(0.93, abs=2e-3)
    many = projected(law="moe_joint", parameters=1e9, tokens=2e10, experts=64)
    assert [one["quantity"] for one in many["beyond_fit"]] == ["experts"]


@pytest.mark.parametrize(
    ("stated", "path", "said"),
    [
        ({}, "", "Nothing is known"),
        ({"tokens": 0.0}, "tokens", "at least 1"),
        ({"loss": 1.5}, "loss", "irreducible term"),
        ({"law": "kaplan", "loss": -1.0}, "loss", "above 0"),
        ({"law": "unheard_of", "flops": 1e21}, "law", "not a scaling law"),
        ({"law": "deepseek", "loss": 2.0}, "loss", "not what loss it buys"),
        ({"law": "data_constrained", "flops": 1e21}, "unique_tokens", "needs"),
        ({"flops": 1e21, "experts": 8.0}, "experts", "does not take"),
        ({"flops": 1e20, "loss": 1.9}, "loss", "at best"),
        ({"flops": 1e20, "tokens": 1e9, "loss": 2.0}, "", "two"),
        ({"deadline_days": 90.0}, "deadline_days", "needs a design"),
        ({"flop": 1e21}, "flop", "flops"),
        ({"parameters": 1e12, "flops": 1e6}, "", "tokens, outside every law"),
        ({"budget_usd": 0.0}, "budget_usd", "at least 1"),
        ({"law": "moe_routed", "experts": 8.0, "parameters": 1e9, "tokens": 1e12}, "tokens", "1.3e+11"),
    ],
)
def test_what_cannot_be_is_refused(stated: dict[str, Any], path: str, said: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        projected(**stated)
    (error,) = refused.value.errors
    assert error.path == path
    assert said in str(error)
    assert error.hint
