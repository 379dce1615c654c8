"""Frontiers: through their anchors, with the slopes that are published."""

from __future__ import annotations

import pytest

from app.catalog.scaling_laws import scaling_laws
from app.engine.scaling.coefficients import slope
from app.engine.scaling.frontier import tokens_growth
from tests.engine.scaling.laws import WITHOUT_LOSS, array, curve, solved


@pytest.mark.parametrize(
    ("key", "printed"), [("chinchilla_1", 0.50), ("chinchilla_2", 0.49), ("chinchilla_3", 0.46)]
)
def test_slopes_of_the_printed_tables(key: str, printed: float) -> None:
    """Hoffmann et al. 2022, table 2, to its two digits."""
    assert slope(scaling_laws()[key]) == pytest.approx(printed, abs=0.005)


@pytest.mark.parametrize("key", ["chinchilla_1", "chinchilla_2"])
def test_the_whole_table_lies_on_the_frontier(key: str) -> None:
    for point in scaling_laws()[key].points:
        assert curve(key).optimal_parameters(array(point.flops)) == pytest.approx(point.parameters, rel=0.08)


def test_llama_3_is_anchored() -> None:
    """16.55e12 tokens at 3.8e25 FLOP; with the printed constants it would be 10.5e12."""
    assert solved("llama_3", flops=3.8e25).tokens == pytest.approx(16.55e12)
    law = scaling_laws()["llama_3"]
    assert law.value("cap_a") * 3.8e25 ** law.value("tokens_exponent") == pytest.approx(1.046e13, rel=1e-3)


def test_deepseek() -> None:
    """1.905e10 tokens at 1e20 FLOP, and M D = C."""
    model = solved("deepseek", flops=1e20)
    law = scaling_laws()["deepseek"]
    assert model.tokens == pytest.approx(1.905e10, rel=1e-3)
    assert law.value("m0") * law.value("d0") == pytest.approx(1, abs=1e-3)
    assert model.tokens == pytest.approx(law.value("d0") * 1e20 ** law.value("tokens_exponent"), rel=1e-3)


def test_eight_times_the_parameters() -> None:
    """4.66 times the tokens under Kaplan, 8 times on the compute-optimal frontier of Chinchilla."""
    laws = scaling_laws()
    even = laws["chinchilla_1"].value("parameters_exponent")
    kaplan = laws["kaplan"].value("data_exponent")
    eight = array(8.0)
    assert tokens_growth(
        parameters_growth=eight, tokens_per_parameters_exponent=array(kaplan)
    ) == pytest.approx(4.66, abs=0.005)
    assert (
        tokens_growth(parameters_growth=eight, tokens_per_parameters_exponent=array((1 - even) / even)) == 8.0
    )


@pytest.mark.parametrize("key", WITHOUT_LOSS)
def test_either_figure_gives_the_model(key: str) -> None:
    whole = solved(key, flops=1e21)
    assert solved(key, parameters=float(whole.parameters[0])).flops == pytest.approx(1e21)
    assert solved(key, tokens=float(whole.tokens[0])).flops == pytest.approx(1e21)
