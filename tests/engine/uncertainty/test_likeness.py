"""How unlike two runs are, by hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from app.engine.uncertainty.likeness import Features, distance

RUN = Features(
    accelerators=np.array([64.0]),
    active_parameters=np.array([8e9]),
    sequence_length=np.array([8192.0]),
    experts=np.array([0.0]),
    generation=np.array(["hopper"]),
    framework=np.array(["megatron"]),
    precision=np.array(["bf16"]),
)


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("accelerators", 640.0, 0.5),
        ("active_parameters", 8e7, 1.0),
        ("sequence_length", 81920.0, 0.5),
        ("experts", 1.0, 1.5),
        ("generation", "ampere", 1.0),
        ("framework", "xla", 0.7),
        ("precision", "fp8", 0.4),
    ],
)
def test_each_difference_counts(field: str, value: float | str, expected: float) -> None:
    other = dataclasses.replace(RUN, **{field: np.array([value])})
    assert distance(RUN, other) == pytest.approx(np.array([[expected]]))
    assert distance(other, RUN) == pytest.approx(np.array([[expected]]))


def test_differences_add_up_and_every_pair_is_there() -> None:
    both = {
        field.name: np.concatenate([getattr(RUN, field.name), getattr(RUN, field.name)])
        for field in dataclasses.fields(Features)
    }
    both["accelerators"] = np.array([64.0, 6400.0])
    both["precision"] = np.array(["bf16", "fp8"])
    np.testing.assert_allclose(distance(Features(**both), Features(**both)), [[0, 1.4], [1.4, 0]])
    assert distance(RUN, Features(**both)).shape == (1, 2)
