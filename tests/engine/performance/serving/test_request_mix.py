"""Classes of requests as one kind: by hand, in limits, and against the moments of drawn mixtures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.engine.performance.serving.request_mix import mixture_of, with_cached_share
from app.engine.specs import RequestClass, Requests
from tests.support import build

ACCELERATOR = "accelerator"


def of(share: float, input_tokens: float, output_tokens: float, **more: float) -> RequestClass:
    values: dict[str, Any] = {
        "input_variation": 0, "output_variation": 0, "cached_share": 0, "shared_prefix_tokens": 0,
    } | more  # fmt: skip
    return build(
        RequestClass,
        name="one",
        share=share,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        **values,
    )


def mixed(*classes: RequestClass) -> Requests:
    return mixture_of(classes, ACCELERATOR)


def test_two_classes_by_hand() -> None:
    """Three of four prompts have 100 tokens, one 1,100 of which 100 are found; answers of 20 and 60."""
    found = mixed(of(0.75, 100, 20), of(0.25, 1100, 60, cached_share=1 / 11, shared_prefix_tokens=100))
    assert found.input_tokens[0] == 350
    assert found.output_tokens[0] == 30
    # new tokens: 100 and 1,000, mean 325, mean square 257,500
    assert found.input_variation[0] == pytest.approx((257_500 - 325**2) ** 0.5 / 325)
    assert found.output_variation[0] == pytest.approx((1200 - 900) ** 0.5 / 30)
    assert found.cached_share[0] == pytest.approx(25 / 350)
    assert found.shared_prefix_tokens[0] == 25
    assert found.running is not None
    # half of the time in which answers are decoded is of each class: 110 and 1,130 tokens
    assert found.running.tokens[0] == pytest.approx((110 + 1130) / 2)
    assert found.running.shared_tokens[0] == pytest.approx(50)
    assert found.running.prefix_tokens[0] == 100


def test_classes_that_are_alike_are_one_kind() -> None:
    like: dict[str, float] = {"input_variation": 0.7, "output_variation": 1.3, "cached_share": 0.25}
    found = mixed(of(0.4, 1000, 200, **like), of(0.6, 1000, 200, **like))
    assert found.input_tokens[0] == pytest.approx(1000)
    assert found.input_variation[0] == pytest.approx(0.7)
    assert found.output_variation[0] == pytest.approx(1.3)
    assert found.cached_share[0] == pytest.approx(0.25)
    assert found.running is not None
    assert found.running.tokens[0] == pytest.approx(1100)


def test_a_class_of_nearly_all_requests_rules() -> None:
    found = mixed(of(1 - 1e-12, 1000, 200, input_variation=0.5), of(1e-12, 9000, 900))
    assert found.input_tokens[0] == pytest.approx(1000)
    assert found.input_variation[0] == pytest.approx(0.5)


def test_moments_are_those_of_a_hundred_drawn_mixtures() -> None:
    """Each class takes two values, mean x (1 + v) and mean x (1 - v), so that moments of the mixture are sums."""
    rng = np.random.default_rng(7)
    for _ in range(100):
        count = int(rng.integers(2, 6))
        shares = rng.dirichlet(np.ones(count))
        inputs, outputs = rng.uniform(100, 9000, count), rng.uniform(10, 2000, count)
        cached = rng.uniform(0, 0.9, count)
        varies, answers = rng.uniform(0, 1, count), rng.uniform(0, 1, count)
        found = mixed(
            *(
                of(
                    shares[at], inputs[at], outputs[at], cached_share=cached[at], input_variation=varies[at],
                    output_variation=answers[at],
                )
                for at in range(count)
            )
        )  # fmt: skip
        new = np.concatenate([inputs * (1 - cached) * (1 + sign * varies) for sign in (1, -1)])
        out = np.concatenate([outputs * (1 + sign * answers) for sign in (1, -1)])
        weight = np.concatenate([shares, shares]) / 2
        mean, square = (weight * new).sum(), (weight * new**2).sum()
        assert found.input_tokens[0] * (1 - found.cached_share[0]) == pytest.approx(mean)
        assert found.input_variation[0] == pytest.approx((square - mean**2) ** 0.5 / mean)
        mean, square = (weight * out).sum(), (weight * out**2).sum()
        assert found.output_variation[0] == pytest.approx((square - mean**2) ** 0.5 / mean)
        assert found.running is not None
        assert inputs.min() <= found.running.tokens[0] <= (inputs + outputs).max()


@pytest.mark.parametrize("share", [0.0, 0.1, 0.35, 0.8])
def test_another_cached_share_is_that_of_all_classes(share: float) -> None:
    before = mixed(of(0.5, 1000, 100, cached_share=0.2), of(0.5, 3000, 100, cached_share=0.4))
    after = with_cached_share(before, np.array([share]))
    found = sum(one.share * one.input_tokens * one.cached_share for one in after.classes)
    assert (found / after.input_tokens)[0] == pytest.approx(share)
    assert after.cached_share[0] == share
    assert all(0 <= one.cached_share[0] < 1 for one in after.classes)
