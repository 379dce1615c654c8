"""What constants are fitted without: a model, a system, a model on an engine, or all that is of one kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Words = Mapping[str, NDArray[np.str_]]
"""What each row is of, by MODEL, SYSTEM, ENGINE, GENERATION, FORMAT and ATTENTION."""

MODEL, SYSTEM, ENGINE, GENERATION, FORMAT, ATTENTION = (
    "model", "system", "engine", "generation", "format", "attention",
)  # fmt: skip
PAIR, BOTH = "model_engine", "model_and_engine"
"""Rows of a model on an engine; and all rows of the model, and all of the engine."""

OF = {
    **{group: (group,) for group in (MODEL, SYSTEM, ENGINE, GENERATION, FORMAT, ATTENTION)},
    PAIR: (MODEL, ENGINE),
    BOTH: (MODEL, ENGINE),
}


class Without(NamedTuple):
    """Rows that have all of these words, or of BOTH any of them."""

    group: str
    words: Mapping[str, str]

    @property
    def label(self) -> str:
        """As files of fitted constants write it."""
        return f"{self.group}={'+'.join(self.words.values())}"

    def members(self, rows: Words) -> Mask:
        """The rows that the fit does not see."""
        same = [rows[name] == word for name, word in self.words.items()]
        found: Mask = np.logical_or.reduce(same) if self.group == BOTH else np.logical_and.reduce(same)
        return found

    def own(self, rows: Words) -> Mask:
        """The rows that are predicted with that fit: those of all its words."""
        found: Mask = np.logical_and.reduce([rows[name] == word for name, word in self.words.items()])
        return found


def parts_of(rows: Words, *groups: str) -> list[Without]:
    """Every part of these groups that there is in some rows."""
    found: list[Without] = []
    for group in groups:
        columns = [rows[name].tolist() for name in OF[group]]
        combinations: Iterable[tuple[str, ...]] = sorted(set(zip(*columns, strict=True)))
        found += [Without(group, dict(zip(OF[group], words, strict=True))) for words in combinations]
    return found
