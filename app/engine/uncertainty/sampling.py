"""Samples of the unit cube, the same for the same seed."""

from __future__ import annotations

import numpy as np
import scipy

from app.engine.trace import Array

SAMPLERS = ("latin_hypercube", "sobol")


def sample_count(sampler: str, asked: int) -> int:
    """Number of samples drawn for a requested number: a Sobol sequence is even at powers of two only.

    >>> sample_count("latin_hypercube", 1000), sample_count("sobol", 1000)
    (1000, 1024)
    """
    return asked if sampler == "latin_hypercube" else 1 << max(asked - 1, 0).bit_length()


def unit_samples(*, sampler: str, count: int, inputs: int, seed: int) -> Array:
    """Shares of probability, each input's evenly spread: (count, inputs).

    A Latin hypercube has one sample of each input in each of `count` strips of equal probability; a Sobol
    sequence, scrambled by the seed, is even in several inputs at once, and `count` is a power of two.
    """
    if inputs == 0:
        return np.empty((count, 0))
    generator = np.random.default_rng(seed)
    found: Array
    if sampler == "latin_hypercube":
        found = scipy.stats.qmc.LatinHypercube(inputs, rng=generator).random(count)
    else:
        found = scipy.stats.qmc.Sobol(inputs, rng=generator).random_base2(count.bit_length() - 1)
    return found
