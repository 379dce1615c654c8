"""Fewer bits: none at many, nothing left at none."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.scaling.choose import parameters_kept
from tests.engine.scaling.laws import array, curve

G = {"g_w": array(2.0), "g_a": array(2.0), "g_kv": array(1.0)}


def test_by_hand() -> None:
    expected = (1 - np.exp(-1)) ** 2 * (1 - np.exp(-2))
    assert parameters_kept(bits=array(2.0), **G) == pytest.approx(expected)


def test_limits() -> None:
    assert parameters_kept(bits=array(0.0), **G) == 0.0
    assert parameters_kept(bits=array(1e3), **G) == 1.0


def test_sixteen_bits_are_nearly_the_refit_and_four_are_not() -> None:
    whole, sixteen, four = (
        one.loss(array(1e9), array(2e10))
        for one in (curve("epoch_refit"), curve("precision", bits=16), curve("precision", bits=4))
    )
    assert whole < sixteen < whole * 1.001
    assert four > whole * 1.01
