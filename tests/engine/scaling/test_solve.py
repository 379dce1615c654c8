"""Solving: the rest follows from any two, an optimum is one, and what cannot be is said."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.catalog.scaling_laws import scaling_laws
from app.engine.scaling.choose import LawInputs, OutsideLawError, curve_of
from app.engine.scaling.solve import flops_to_reach, optimal
from tests.engine.scaling.laws import WITH_MINIMUM, WITHOUT_LOSS, array, curve, solved

pytestmark = pytest.mark.slow

FLOPS = st.floats(17, 27).map(lambda power: 10.0**power)
NAMES = ("parameters", "tokens", "flops", "loss")


@pytest.mark.parametrize("key", WITH_MINIMUM)
@settings(max_examples=25, deadline=None)
@given(flops=FLOPS, more=st.floats(1.01, 1e4))
def test_more_compute_never_raises_the_optimal_loss(key: str, flops: float, more: float) -> None:
    law = curve(key)
    assert optimal(law, array(flops * more)).loss <= optimal(law, array(flops)).loss + 1e-12


@pytest.mark.parametrize("key", WITH_MINIMUM)
@settings(max_examples=25, deadline=None)
@given(flops=FLOPS, factor=st.floats(0.2, 5.0))
def test_the_optimum_is_a_minimum(key: str, flops: float, factor: float) -> None:
    law = curve(key)
    best = optimal(law, array(flops))
    other = best.parameters * factor
    assert law.loss(other, flops / (6 * other)) >= best.loss - 1e-12


@pytest.mark.parametrize("key", ["epoch_refit", "moe_joint", "precision", "kaplan"])
@settings(max_examples=25, deadline=None)
@given(parameters=st.floats(7, 12).map(lambda power: 10.0**power), ratio=st.floats(2, 2000))
def test_any_two_give_the_rest(key: str, parameters: float, ratio: float) -> None:
    whole = solved(key, parameters=parameters, tokens=parameters * ratio)
    for pair in combinations(NAMES, 2):
        if pair == ("flops", "loss"):
            continue  # two models fit, told apart below
        again = solved(key, **{name: float(getattr(whole, name)[0]) for name in pair})
        for name in NAMES:
            assert getattr(again, name) == pytest.approx(getattr(whole, name), rel=1e-6)


@settings(max_examples=25, deadline=None)
@given(flops=FLOPS, higher=st.floats(1.0001, 1.3))
def test_compute_and_loss_give_the_smaller_of_two_models(flops: float, higher: float) -> None:
    best = optimal(curve("epoch_refit"), array(flops))
    found = solved("epoch_refit", flops=flops, loss=float(best.loss[0]) * higher)
    assert found.loss == pytest.approx(best.loss * higher)
    assert found.flops == pytest.approx(flops)
    assert found.parameters < best.parameters


@pytest.mark.parametrize("key", [*WITH_MINIMUM, "kaplan"])
@pytest.mark.parametrize("name", NAMES)
def test_one_figure_gives_the_optimum(key: str, name: str) -> None:
    best = optimal(curve(key), array(1e22))
    again = solved(key, **{name: float(getattr(best, name)[0])})
    assert again.flops == pytest.approx(1e22, rel=2e-3 if key == "data_constrained" else 1e-6)
    if curve(key).has_minimum:
        assert flops_to_reach(curve(key), best.loss) == pytest.approx(1e22, rel=1e-6)


def test_arrays_are_solved_together() -> None:
    flops = np.geomspace(1e18, 1e26, 9)
    for key in ("epoch_refit", "data_constrained"):
        together = optimal(curve(key), flops)
        alone = [float(optimal(curve(key), array(one)).loss[0]) for one in flops]
        assert together.loss == pytest.approx(alone)


@pytest.mark.parametrize(
    ("key", "figures", "field", "said"),
    [
        ("epoch_refit", {"loss": 1.8}, "loss", "1.8172"),
        ("epoch_refit", {"loss": 1.9, "parameters": 1e9}, "loss", "so many parameters"),
        ("epoch_refit", {"loss": 1.9, "tokens": 1e9}, "loss", "so many tokens"),
        ("epoch_refit", {"loss": 1.9, "flops": 1e20}, "loss", "at best"),
        ("epoch_refit", {"loss": 1.7, "flops": 1e20}, "loss", "at best"),
        ("epoch_refit", {"loss": 2.0, "flops": 1e20, "tokens": 1e9}, "given", "3 of"),
        ("moe_routed", {"tokens": 1e12, "parameters": 1e9}, "tokens", "1.3e+11"),
        ("moe_routed", {"flops": 1e24, "parameters": 1e9}, "parameters", "one choice"),
        *((key, {"loss": 2.0}, "loss", "not what loss") for key in WITHOUT_LOSS),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said(key: str, figures: dict[str, float], field: str, said: str) -> None:
    with pytest.raises(OutsideLawError, match=said.replace("+", r"\+")) as refused:
        solved(key, **figures)
    assert refused.value.field in (field, *figures)
    assert refused.value.hint


@pytest.mark.parametrize(
    "key", ["data_constrained", "moe_routed", "moe_joint", "precision", "inference_aware"]
)
def test_a_law_asks_for_what_it_needs(key: str) -> None:
    laws = scaling_laws()
    with pytest.raises(OutsideLawError, match="needs"):
        curve_of(laws[key], laws, LawInputs())


@pytest.mark.parametrize(
    ("key", "inputs"),
    [
        ("epoch_refit", {"experts": 8.0}),
        ("chinchilla_1", {"inference_tokens": 1e12}),
        ("kaplan", {"bits": 8.0}),
    ],
)
def test_a_law_refuses_what_it_does_not_take(key: str, inputs: dict[str, float]) -> None:
    with pytest.raises(OutsideLawError, match="does not take") as refused:
        curve(key, **inputs)
    assert "choose" in refused.value.hint
