"""The shape of a dense model of a size: published models come out, and the size is met."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.scaling.coefficients import layers_of_size, shaped_parameters, width_of_size

GPT_3_VOCABULARY, HEAD_DIM = 50_257.0, 128.0


def shaped(parameters: float, ratio: float = 128.0) -> tuple[float, float, float]:
    """Width, layers, and the parameters that they make."""
    numbers = {
        "parameters": np.array([parameters]),
        "vocabulary": np.array([GPT_3_VOCABULARY]),
    }
    hidden = width_of_size(**numbers, aspect_ratio=np.array([ratio]), head_dim=np.array([HEAD_DIM]))
    layers = layers_of_size(**numbers, hidden=hidden)
    made = shaped_parameters(hidden=hidden, layers=layers, vocabulary=numbers["vocabulary"])
    return float(hidden[0]), float(layers[0]), float(made[0])


def test_gpt_3_by_its_own_ratio() -> None:
    """12,288 wide over 96 layers [Brown et al. 2020, arXiv 2005.14165, table 2.1]."""
    assert shaped(175e9)[:2] == (12_288, 96)


def test_a_shape_worked_by_hand() -> None:
    made = shaped_parameters(hidden=np.array([100.0]), layers=np.array([2.0]), vocabulary=np.array([1000.0]))
    assert made[0] == 12 * 2 * 100**2 + 1000 * 100
    layers = layers_of_size(
        parameters=np.array([340_000.0]), hidden=np.array([100.0]), vocabulary=np.array([1000.0])
    )
    assert layers[0] == 2


@given(st.floats(2e9, 1e14), st.floats(64, 192))
def test_the_size_is_met_in_whole_heads(parameters: float, ratio: float) -> None:
    hidden, layers, made = shaped(parameters, ratio)
    assert hidden % (8 * HEAD_DIM if hidden >= 8 * HEAD_DIM else HEAD_DIM) == 0
    assert layers == int(layers) >= 1
    assert made == pytest.approx(parameters, rel=0.06)


def test_the_smallest_has_a_layer_and_a_head() -> None:
    assert shaped(1e3)[:2] == (HEAD_DIM, 1)
