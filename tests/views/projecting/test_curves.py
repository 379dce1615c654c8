"""What the charts of a projection draw agrees with the projection itself."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.scaling_laws import scaling_laws
from app.scenarios.load import build_document
from app.views.projecting.curves import curves
from app.views.projecting.options import ProjectionOptions
from app.views.projecting.project import project

NEEDING = {"data_constrained", "moe_routed", "moe_joint", "precision"}
EVERY = {"experts": 8, "unique_tokens": 1e11, "bits": 8}


def drawn(**stated: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    options = build_document(ProjectionOptions, stated)
    answer = project(options)
    return curves(options, answer), answer


def test_laws_that_need_what_is_not_given_are_left_out_by_name() -> None:
    found, _ = drawn(flops=1e21)
    assert {one["key"] for one in found["left_out"]} == NEEDING
    assert {law["key"] for law in found["laws"]} == set(scaling_laws()) - NEEDING - {"inference_aware"}
    with_corpus, _ = drawn(law="data_constrained", unique_tokens=1e11, flops=1e21)
    assert "data_constrained" in {law["key"] for law in with_corpus["laws"]}


def test_curves_hold_the_model_that_is_asked_about() -> None:
    found, answer = drawn(flops=1e24)
    own = next(law for law in found["laws"] if law["key"] == "epoch_refit")
    place = min(range(len(found["flops"])), key=lambda at: abs(found["flops"][at] / 1e24 - 1))
    assert own["loss"][place] == pytest.approx(answer["model"]["loss"], abs=0.01)
    assert found["flops"][0] <= 1e18
    far, _ = drawn(flops=1e30)
    assert far["flops"][-1] == pytest.approx(1e31)


def test_where_a_law_was_fitted_is_one_stretch() -> None:
    found, _ = drawn(flops=1e24)
    for law in found["laws"]:
        changes = sum(a != b for a, b in zip(law["inside"], law["inside"][1:], strict=False))
        assert changes <= 2, law["key"]
    own = next(law for law in found["laws"] if law["key"] == "epoch_refit")
    inside = [flops for flops, within in zip(found["flops"], own["inside"], strict=True) if within]
    assert inside[0] >= 6e18
    assert inside[-1] <= 3e21


def test_the_valley_is_lowest_at_the_optimum() -> None:
    found, answer = drawn(parameters=8e9, tokens=15e12)
    valley = found["valley"]
    assert min(valley["loss"]) >= answer["optimal"]["loss"]
    assert valley["parameters"][0] < 8e9 < answer["optimal"]["parameters"] < valley["parameters"][-1]
    assert valley["chosen"]["loss"] == answer["model"]["loss"]
    assert valley["band"] == answer["intervals"]["law"]["optimal_parameters"]
    assert not drawn(law="kaplan", flops=1e22)[0]["valley"]["optimum_is_least"]


@pytest.mark.parametrize(
    "stated", [{"law": "llama_3", "flops": 1e22}, {"law": "moe_routed", "experts": 64, "parameters": 1e9}]
)
def test_laws_without_loss_or_choice_have_no_valley(stated: dict[str, Any]) -> None:
    assert drawn(**stated)[0]["valley"] is None


@pytest.mark.parametrize("key", scaling_laws())
def test_every_law_is_drawn_when_it_is_chosen(key: str) -> None:
    needs = {"moe_routed": ["experts"], "moe_joint": ["experts"], "data_constrained": ["unique_tokens"],
             "precision": ["bits"], "inference_aware": ["inference_tokens"]}  # fmt: skip
    stated = {name: {**EVERY, "inference_tokens": 2e12}[name] for name in needs.get(key, [])}
    found, _ = drawn(law=key, parameters=1e9, **stated)
    assert key in {law["key"] for law in found["laws"]}
    assert all(len(law["inside"]) == len(found["flops"]) for law in found["laws"])
