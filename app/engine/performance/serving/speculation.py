"""Tokens guessed ahead: how many stand, and what guessing costs."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.specs import Speculation
from app.engine.trace import Array

_LEVIATHAN = "[1] Leviathan, Kalman, Matias 2022, arXiv 2211.17192, equation 1"


@quantity(unit="1", source=_LEVIATHAN)
def tokens_standing(*, guessed: Array, acceptance: Array) -> Array:
    """Tokens that a sequence gets in one step: (1 - a^(k + 1)) / (1 - a), k guessed, each standing with chance a."""
    certain = acceptance >= 1
    known = np.where(certain, 0.0, acceptance)
    return np.where(certain, guessed + 1, (1 - known ** (guessed + 1)) / (1 - known))


@quantity(unit="1", source="[1] DeepSeek-AI 2024, arXiv 2412.19437, section 2.2 (a module has one layer)")
def guessing_ratio(*, guessed: Array, layers: Array) -> Array:
    """Time of a step with guessing over that without: every guess passes a module of one layer."""
    return 1 + guessed / layers


@quantity(unit="1", source=_LEVIATHAN)
def tokens_for_a_step(*, standing: Array, guessing_ratio: Array) -> Array:
    """Tokens that a sequence gets in the time of a step without guessing."""
    return standing / guessing_ratio


def tokens_gained(speculation: Speculation, layers: Array) -> Array:
    """Tokens that a sequence gets in the time of a step without guessing; 1 where nothing is guessed."""
    return tokens_for_a_step(
        standing=tokens_standing(guessed=speculation.tokens, acceptance=speculation.acceptance),
        guessing_ratio=guessing_ratio(guessed=speculation.tokens, layers=layers),
    )


def step_tokens(speculation: Speculation) -> Array:
    """Tokens of one sequence that a step works on: 1 and those guessed ahead."""
    return 1 + speculation.tokens
