"""Why a published figure is not what its own law gives, where that is known."""

from __future__ import annotations

import re

from app.validation.scaling.figures import Figures

CLOSE = 0.01
"""Figures within this share of one another agree."""

ROUNDED = (
    "printed to two digits: 6 N D of the printed parameters and tokens misses the printed compute by as much"
)
REASONS = (
    ("Chinchilla approach 1", r"^Table .*D tokens", ROUNDED),
    ("Chinchilla approach 2", r"^Table .*D tokens", ROUNDED),
    (
        r"Chinchilla approach 3 \(unrounded.*",
        r"N params",
        "a biased fit: even unrounded, the printed constants do not give the printed table (Besiroglu et al. 2024)",
    ),
    (
        "Llama 3 IsoFLOP",
        r"^alpha implied",
        "printed to two digits: 0.53 and 0.29 do not give the published tokens, so the anchor is used",
    ),
    ("Llama 3 IsoFLOP", r"^6ND of recommendation", "its FLOPs are not counted as 6 N D"),
    ("Inference-aware", r"FLOP saved", "read off a figure and printed to two digits (17 % against 16.3 %)"),
)


def agree(one: float, other: float) -> bool:
    """Whether two figures are within 1 % of one another."""
    return abs(one - other) <= CLOSE * abs(other)


def reason_for(figures: Figures) -> str:
    """Why the published figure of a row differs, empty where nothing is known."""
    for law, what, reason in REASONS:
        if re.fullmatch(law, figures.law) and re.search(what, figures.what):
            return reason
    return ""
