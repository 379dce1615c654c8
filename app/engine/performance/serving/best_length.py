"""How many tokens to guess ahead: the length whose time per token is shortest at the load."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.engine.performance.search import central
from app.engine.performance.serving.layout_quantities import guessed_by_search
from app.engine.performance.serving.layout_selection import choose
from app.engine.performance.serving.replica_load import Replica, latency_of, limit_of
from app.engine.performance.serving.setting import Setting
from app.engine.performance.serving.speculation import tokens_gained
from app.engine.trace import Array, first_of

LENGTHS = range(9)
"""Tokens guessed a step that are tried, none among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessLength:
    """A replica at one load that guesses so many tokens a step; bare numbers."""

    tokens: int
    standing: float  # tokens that a sequence gets in one step
    step_s: float
    tpot_s: float
    gain: float  # times as many tokens for each user as without guessing


def with_best_length(setting: Setting) -> Setting:
    """The setting with the best length in place of one that is to be found; another as it is."""
    if not setting.workload.speculation.auto:
        return setting
    bare: Setting = central(setting)
    choice = choose(bare)
    tried = lengths_tried(bare, choice.replica, choice.concurrency)
    best = min(tried, key=lambda one: one.tpot_s)
    tokens = guessed_by_search(setting, np.full(1, float(best.tokens)))
    return with_tokens(setting, tokens)


def lengths_tried(setting: Setting, replica: Replica, concurrency: Array) -> tuple[GuessLength, ...]:
    """A replica with so many requests in flight, by how many tokens it guesses ahead."""
    found: list[GuessLength] = []
    for tokens in LENGTHS:
        guessed = with_tokens(setting, np.full(1, float(tokens)))
        run = latency_of(guessed, replica, concurrency, limit_of(guessed, replica))
        tpot = first_of(run.tpot_s)
        found.append(
            GuessLength(
                tokens=tokens,
                standing=first_of(tokens_gained(guessed.workload.speculation)),
                step_s=first_of(run.decode_step_s),
                tpot_s=tpot,
                gain=(found[0].tpot_s if found else tpot) / tpot,
            )
        )
    return tuple(found)


def with_tokens(setting: Setting, tokens: Array) -> Setting:
    """The setting with so many tokens guessed a step."""
    guesses = replace(setting.workload.speculation, tokens=tokens)
    return replace(setting, workload=replace(setting.workload, speculation=guesses))
