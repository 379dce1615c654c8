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


def step_tokens(speculation: Speculation) -> Array:
    """Tokens of one sequence that a step works on: 1 and those guessed ahead."""
    return 1 + speculation.tokens
