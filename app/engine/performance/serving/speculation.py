"""Tokens guessed ahead: how many stand, and what guessing costs."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.specs import Speculation
from app.engine.trace import Array

_MODULE = "[1] DeepSeek-AI 2024, arXiv 2412.19437, section 2.2 (a module has one layer); [2] Li et al. 2025, arXiv 2503.01840"
_LEVIATHAN = "[1] Leviathan, Kalman, Matias 2022, arXiv 2211.17192, equation 1"


@quantity(unit="1", source=_LEVIATHAN)
def tokens_standing(*, guessed: Array, acceptance: Array) -> Array:
    """Tokens that a sequence gets in one step: (1 - a^(k + 1)) / (1 - a), k guessed, each standing with chance a."""
    certain = acceptance >= 1
    known = np.where(certain, 0.0, acceptance)
    return np.where(certain, guessed + 1, (1 - known ** (guessed + 1)) / (1 - known))


@quantity(unit="s", source=_MODULE)
def module_guessing_s(*, guessed: Array, layers_s: Array, layers: Array, head_s: Array) -> Array:
    """Guessing in one step by a module: each guess passes one layer, with its exchange, and the output head."""
    return guessed * (layers_s / layers + head_s)


@quantity(unit="s", source=_LEVIATHAN)
def draft_guessing_s(*, guessed: Array, layers_s: Array, head_s: Array) -> Array:
    """Guessing in one step by a draft model: each guess passes all its layers and its output head."""
    return guessed * (layers_s + head_s)


@quantity(unit="1", source=_MODULE)
def module_parameters(*, dense_per_layer: Array, hidden: Array) -> Array:
    """Parameters of a guessing module outside its experts.

    Those of a mean layer, and a projection of two hidden states to one; embedding and output head are the model's.
    """
    return dense_per_layer + 2 * hidden**2


@quantity(unit="B", source=_MODULE)
def module_weight_bytes(*, guessed: Array, dense_bytes: Array, expert_bytes: Array) -> Array:
    """Weights of the guessing module on one accelerator; none where nothing is guessed."""
    return np.where(guessed > 0, dense_bytes + expert_bytes, 0.0)


@quantity(unit="B", source=_MODULE)
def module_cache_bytes(*, guessed: Array, sequence_bytes: Array, stage_layers: Array) -> Array:
    """Keys and values that a sequence keeps for the guessing module: those of one mean layer."""
    return np.where(guessed > 0, sequence_bytes / stage_layers, 0.0)


@quantity(unit="B", source=_LEVIATHAN)
def draft_bytes(*, guessed: Array, bytes_each: Array) -> Array:
    """Time of the draft model; zero without speculation."""
    return np.where(guessed > 0, bytes_each, 0.0)


def step_tokens(speculation: Speculation) -> Array:
    """Tokens of one sequence that a step works on: 1 and those guessed ahead."""
    return 1 + speculation.tokens


def tokens_gained(speculation: Speculation) -> Array:
    """Tokens that a sequence gets in one step; 1 where nothing is guessed."""
    return tokens_standing(guessed=speculation.tokens, acceptance=speculation.acceptance)
