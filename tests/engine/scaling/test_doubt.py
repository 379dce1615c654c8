"""Intervals of a law, and how far beyond its fit one is."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.scaling_laws import scaling_laws
from app.engine.scaling.doubt import DEVIATIONS, beyond_fit, doubt, fitted_spans, within_fit
from app.engine.scaling.law import Span
from tests.engine.scaling.laws import solved


def test_the_refit_by_its_standard_errors() -> None:
    law, best = scaling_laws()["epoch_refit"], solved("epoch_refit", flops=5.76e23)
    found = doubt(law, best)
    assert found.parameters is not None
    assert found.tokens is not None
    assert found.loss is not None
    low, high = found.parameters
    assert low < best.parameters < high
    assert high / best.parameters == pytest.approx((5.76e23 / np.sqrt(6e18 * 3e21)) ** (DEVIATIONS * 0.020))
    assert found.tokens[0] * high * 6 == pytest.approx(best.flops)
    assert found.loss[1] - best.loss == pytest.approx(DEVIATIONS * 0.026)


def test_in_the_middle_of_the_fit_the_frontier_is_known() -> None:
    found = doubt(scaling_laws()["chinchilla_2"], solved("chinchilla_2", flops=float(np.sqrt(6e18 * 3e21))))
    assert found.parameters is not None
    assert found.parameters[0] == pytest.approx(found.parameters[1])
    assert found.loss is None


def test_nobody_says_is_no_interval() -> None:
    found = doubt(scaling_laws()["llama_3"], solved("llama_3", flops=1e22))
    assert (found.parameters, found.tokens, found.loss) == (None, None, None)


def test_beyond_the_fit() -> None:
    laws = scaling_laws()
    refit = laws["epoch_refit"]
    assert beyond_fit(refit, refit, solved("epoch_refit", parameters=1e9, tokens=2e10)) == {}
    far = beyond_fit(refit, refit, solved("epoch_refit", flops=3e25))
    assert far["flops"] == pytest.approx(1e4)
    base = beyond_fit(laws["inference_aware"], laws["chinchilla_3"], solved("inference_aware", flops=3e25))
    assert base["flops"] == pytest.approx(1e4)


def test_spans() -> None:
    span = Span(low=2.0, high=4.0)
    assert [span.beyond(value) for value in (1.0, 3.0, 8.0)] == [0.5, 1.0, 2.0]
    assert Span().beyond(1e99) == 1.0


def test_where_a_law_was_fitted_is_told_of_each_model() -> None:
    laws = scaling_laws()
    law = laws["epoch_refit"]
    models = solved("epoch_refit", flops=1e20)
    inside = within_fit(law, law, models)
    assert inside.tolist() == [True]
    assert within_fit(law, law, solved("epoch_refit", flops=1e24)).tolist() == [False]
    assert within_fit(law, law, solved("epoch_refit", flops=1e17)).tolist() == [False]


def test_a_law_that_takes_its_constants_from_another_was_fitted_where_that_was() -> None:
    laws = scaling_laws()
    spans = fitted_spans(laws["inference_aware"], laws["chinchilla_3"])
    assert spans == laws["chinchilla_3"].spans
    assert fitted_spans(laws["kaplan"], laws["kaplan"])["flops"] == Span()
