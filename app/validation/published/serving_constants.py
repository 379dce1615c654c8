"""The fitted constants of serving by what they belong to: hardware, engine and precision, never a model."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping

from app.validation.serving.constants import FITTED

EVERY = "every deployment"
OWNERS = {
    "generation": "hardware",
    "engine": "engine",
    "dense_format": "precision",
    "expert_format": "precision",
}
"""What the word of a condition is about."""


@functools.cache
def constants_by_owner() -> Mapping[str, int]:
    """How many constants belong to what, the most first.

    Raises
    ------
    KeyError : a constant depends on something that is none of OWNERS, such as a model
    """
    owners = (" and ".join(sorted({OWNERS[word] for word in one.conditions})) or EVERY for one in FITTED)
    return dict(Counter(owners).most_common())
