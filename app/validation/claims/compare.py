"""Our figure beside the article's, and the verdict that follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.explain import explanation
from app.engine.trace import Array, Node, Traced, plain
from app.validation.claims.inputs import Inputs
from app.validation.claims.rules import Rule, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One computed figure of a claim.

    Without a rule, or with `decides` off, it stands beside the others and decides nothing. `unit` is how it is
    shown where that differs from the unit of its quantity; "%" shows a fraction as a percentage.
    """

    label: str
    ours: Array
    rule: Rule | None = None
    unit: str = ""
    decides: bool = True
    note: str = ""

    @property
    def value(self) -> float:
        return float(np.asarray(plain(self.ours), dtype=float).reshape(-1)[0])

    @property
    def own_unit(self) -> str:
        """The unit of the value."""
        return self.node.unit

    @property
    def verdict(self) -> Verdict | None:
        """By the rule; None without one."""
        return self.rule.verdict(self.value) if self.rule else None

    def explained(self) -> dict[str, Any]:
        """The calculation as a tree of plain values."""
        return explanation(self.node.name, self._traced)

    @property
    def node(self) -> Node:
        """The last step of the calculation."""
        return self._traced.node

    @property
    def _traced(self) -> Traced:
        found: Any = self.ours  # a traced value stands in for an array
        assert isinstance(found, Traced), f"{self.label} cannot explain itself"
        return found


Calculation = Callable[[Inputs], list[Compared]]


Topic = Mapping[str, Calculation]
"""Claim id -> what computes it."""
