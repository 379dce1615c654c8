"""Samples of the unit cube: even, and the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.uncertainty.sampling import SAMPLERS, sample_count, unit_samples


def test_a_latin_hypercube_has_one_sample_in_every_strip() -> None:
    found = unit_samples(sampler="latin_hypercube", count=64, inputs=3, seed=7)
    strips = np.sort(np.floor(found * 64).astype(int), axis=0)
    np.testing.assert_array_equal(strips, np.repeat(np.arange(64)[:, None], 3, axis=1))


def test_a_sobol_sequence_is_even_in_two_inputs_at_once() -> None:
    found = unit_samples(sampler="sobol", count=64, inputs=2, seed=7)
    cells = np.floor(found * 8).astype(int) @ [8, 1]
    np.testing.assert_array_equal(np.bincount(cells, minlength=64), 1)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_the_seed_draws_the_samples(sampler: str) -> None:
    one, same, other = (unit_samples(sampler=sampler, count=32, inputs=4, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert np.all(one != other)
    assert np.all((one >= 0) & (one <= 1))


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_nothing_that_varies_is_no_column(sampler: str) -> None:
    assert unit_samples(sampler=sampler, count=5, inputs=0, seed=0).shape == (5, 0)


@pytest.mark.parametrize(("asked", "drawn"), [(1, 1), (2, 2), (3, 4), (1024, 1024), (1025, 2048)])
def test_a_sobol_sequence_is_drawn_to_a_power_of_two(asked: int, drawn: int) -> None:
    assert sample_count("sobol", asked) == drawn
    assert sample_count("latin_hypercube", asked) == asked
