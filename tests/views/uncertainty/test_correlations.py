"""Correlations that cannot all hold are refused, with the pairs in the way and what would do."""

from __future__ import annotations

import re

import numpy as np
import pytest

from app.engine.uncertainty.copula import is_possible
from app.engine.uncertainty.distributions import Distribution
from app.scenarios.errors import ScenarioError
from app.views.uncertainty.correlations import correlation_matrix
from app.views.uncertainty.inputs import VaryingInput
from app.views.uncertainty.report import RankCorrelation

NAMES = ("a", "b", "c", "d")


def varying(name: str) -> VaryingInput:
    return VaryingInput(
        place=name,
        field=f"field.{name}",
        label=name,
        unit="1",
        distribution=Distribution(kind="uniform", low=0, typical=0.5, high=1),
        point=0.5,
        source="",
        origin="scenario",
    )


def matrix_of(*pairs: tuple[str, str, float]) -> np.ndarray:
    found = [
        RankCorrelation(one=one, other=other, coefficient=share, origin="scenario")
        for one, other, share in pairs
    ]
    return correlation_matrix(found, [varying(name) for name in NAMES])


def test_pairs_stand_at_their_places() -> None:
    found = matrix_of(("b", "d", 0.6), ("c", "b", -0.2))
    expected = np.eye(4)
    expected[1, 3] = expected[3, 1] = 0.6
    expected[1, 2] = expected[2, 1] = -0.2
    np.testing.assert_array_equal(found, expected)


def test_none_is_none() -> None:
    np.testing.assert_array_equal(matrix_of(), np.eye(4))


def test_what_cannot_all_hold_is_named_with_what_would_do() -> None:
    pairs = [("a", "b", 0.9), ("b", "c", 0.9), ("a", "c", -0.9)]
    with pytest.raises(ScenarioError) as caught:
        matrix_of(*pairs, ("c", "d", 0.0))
    (fault,) = caught.value.errors
    assert (fault.path, fault.rule) == ("uncertainty.correlations", "positive_definite")
    assert "field.a with field.b, field.b with field.c, field.a with field.c" in fault.message
    nearest = [float(number) for number in re.findall(r"-?0\.\d+", fault.hint)]
    mended = matrix_of(*[(one, other, share) for (one, other, _), share in zip(pairs, nearest, strict=True)])
    assert is_possible(mended)
