"""A dense transformer of a wanted size: how wide and how deep.

Loss hardly depends on the shape [1], so width over depth is a choice. GPT-3 175B has 12,288 over 96 layers,
128; Llama 3.1 405B 16,384 over 126, 130.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.scaling.inverse import where_equal
from app.engine.trace import Array

_SHAPE = "[1] Kaplan et al. 2020, arXiv 2001.08361, sections 2.1 and 3.1"
WIDEST = 1e9  # of the search for the width
HEADS_TOGETHER = 8
"""Heads come in eights where there are as many, so that the accelerators of a server can share them."""


@quantity(unit="1", source=_SHAPE)
def shaped_parameters(*, hidden: Array, layers: Array, vocabulary: Array) -> Array:
    """Parameters of a dense transformer whose attention is as wide as its residual stream.

    N = 12 L h^2 + V h: 4 h^2 of attention and 8 h^2 of an MLP four times as wide in each layer, and an
    embedding that is the output head as well.

    Parameters
    ----------
    hidden : h, width of the residual stream
    layers : L
    vocabulary : V
    """
    return 12 * layers * hidden**2 + vocabulary * hidden


@quantity(unit="1", source=_SHAPE)
def layers_of_size(*, parameters: Array, hidden: Array, vocabulary: Array) -> Array:
    """Layers with which a width comes nearest to a size, one at least.

    L = (N - V h) / 12 h^2, rounded.
    """
    return np.maximum(np.round((parameters - vocabulary * hidden) / (12 * hidden**2)), 1)


def width_of_size(*, parameters: Array, aspect_ratio: Array, vocabulary: Array, head_dim: Array) -> Array:
    """Width of a model of a size whose width is so many times its layers, in whole heads or eights of them."""
    hidden = where_equal(
        lambda width: -shaped_parameters(hidden=width, layers=width / aspect_ratio, vocabulary=vocabulary),
        -np.asarray(parameters, dtype=float),
        low=1e-6,
        high=WIDEST,
    )
    step = np.where(hidden >= HEADS_TOGETHER * head_dim, HEADS_TOGETHER * head_dim, head_dim)
    found: Array = np.maximum(np.round(hidden / step), 1) * step
    return found
