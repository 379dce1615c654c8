"""When a figure of an article is right: rules that turn a computed value into a verdict.

Each rule says itself in words, so that a page can show by what a claim was judged.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["wrong", "imprecise", "right", "unverifiable"]
VERDICTS: tuple[Verdict, ...] = ("wrong", "imprecise", "right", "unverifiable")
"""In the order in which pages list them: what has to be corrected comes first."""

NEAR = 0.05
PRINTED = 0.01
SAME = 1e-9
LARGEST_IMPRECISION = 2.0
HALF_A_DECADE = math.sqrt(10)
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """An article's figure as the span that its words allow.

    Inside the span, widened by `tolerance`, it is right; up to `imprecise` times outside it is imprecise,
    and wrong beyond that. `says` is what stands before the article's figure, as in "at least 5".
    """

    low: float
    high: float
    tolerance: float
    imprecise: float
    says: str
    means: str

    @property
    def theirs(self) -> float:
        """The figure that the article prints; of a range its lower end."""
        return self.low if math.isfinite(self.low) else self.high

    def ratio(self, ours: float) -> float:
        """Our figure over the article's: over the nearer end of its range, 1 inside of one."""
        printed = [end for end in (self.low, self.high) if math.isfinite(end)]
        if len(printed) == 2 and self.low < ours < self.high:
            return 1.0
        nearest = min(printed, key=lambda end: abs(ours - end))
        return ours / nearest if nearest else math.inf

    def verdict(self, ours: float) -> Verdict:
        """What the rule says of a computed value; nothing can be said of an unknown one."""
        if math.isnan(ours):
            return "unverifiable"
        if self._holds(ours, 1 + self.tolerance):
            return "right"
        return "imprecise" if self._holds(ours, self.imprecise) else "wrong"

    def _holds(self, ours: float, factor: float) -> bool:
        slack = factor * (1 + ROUNDING)
        return self.low / slack <= ours <= self.high * slack


def about(theirs: float) -> Rule:
    """A rounded figure."""
    return Rule(
        low=theirs, high=theirs, tolerance=NEAR, imprecise=LARGEST_IMPRECISION, says="",
        means="right within 5 %, imprecise within a factor of 2, wrong beyond",
    )  # fmt: skip


def printed(theirs: float) -> Rule:
    """A figure of a data sheet, given to its last digit."""
    return Rule(
        low=theirs, high=theirs, tolerance=PRINTED, imprecise=LARGEST_IMPRECISION, says="",
        means="a figure of a data sheet: right within 1 %, imprecise within a factor of 2, wrong beyond",
    )  # fmt: skip


def exactly(theirs: float) -> Rule:
    """A count or a number of dimensions: right or wrong, with nothing in between."""
    return Rule(
        low=theirs, high=theirs, tolerance=SAME, imprecise=1 + SAME, says="exactly",
        means="a count: right if it is the same, else wrong",
    )  # fmt: skip


def at_least(theirs: float) -> Rule:
    return Rule(
        low=theirs, high=math.inf, tolerance=0.0, imprecise=LARGEST_IMPRECISION, says="at least",
        means="a lower bound: right if it holds, imprecise if missed by less than a factor of 2",
    )  # fmt: skip


def at_most(theirs: float) -> Rule:
    return Rule(
        low=-math.inf, high=theirs, tolerance=0.0, imprecise=LARGEST_IMPRECISION, says="at most",
        means="an upper bound: right if it holds, imprecise if missed by less than a factor of 2",
    )  # fmt: skip


def between(low: float, high: float) -> Rule:
    return Rule(
        low=low, high=high, tolerance=0.0, imprecise=LARGEST_IMPRECISION, says="",
        means="a range: right inside, imprecise within a factor of 2 of its ends, wrong beyond",
    )  # fmt: skip


def order_of(theirs: float) -> Rule:
    """An order of magnitude."""
    return Rule(
        low=theirs, high=theirs, tolerance=HALF_A_DECADE - 1, imprecise=HALF_A_DECADE, says="of the order of",
        means="an order of magnitude: right within a factor of 3.2, else wrong",
    )  # fmt: skip


def joint_verdict(verdicts: Iterable[Verdict]) -> Verdict | None:
    """The verdict of a claim by those of its figures; None where nothing decides.

    A claim that holds for some of its figures and not for others is imprecise.

    >>> joint_verdict(["right", "wrong"]), joint_verdict(["wrong", "wrong"])
    ('imprecise', 'wrong')
    """
    found = set(verdicts)
    if not found:
        return None
    return found.pop() if len(found) == 1 else "imprecise"
