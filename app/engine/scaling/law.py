"""A scaling law: its constants, the range that it was fitted in, and its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

FLOP_PER_PARAMETER_AND_TOKEN = 6.0
"""Forward and backward pass of one parameter and token: C = 6 N D [Kaplan et al. 2020, table 1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """A fitted constant. `low` and `high` hold it with a probability, where its source says so."""

    value: float
    low: float | None = None
    high: float | None = None
    probability: float | None = None
    standard_error: float | None = None
    confidence: str = "high"
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Where a law was fitted, in one quantity; None where its source does not say."""

    low: float | None = None
    high: float | None = None

    def beyond(self, value: float) -> float:
        """Factor by which a value lies above the span, or below it as one over that; 1 inside."""
        if self.high is not None and value > self.high:
            return value / self.high
        if self.low is not None and value < self.low:
            return value / self.low
        return 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierPoint:
    """A compute-optimal model that the source of a law prints. Tokens are None where they follow."""

    parameters: float
    flops: float
    tokens: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalingLaw:
    """One published law. `form` says which curve its constants belong to, `base` whose constants it takes."""

    key: str
    name: str
    form: str
    base: str
    formula: str
    constants: Mapping[str, Constant]
    points: tuple[FrontierPoint, ...]
    parameters: Span
    tokens: Span
    flops: Span
    confidence: str
    source: str
    note: str

    def value(self, constant: str) -> float:
        """A constant by name."""
        return self.constants[constant].value

    @property
    def spans(self) -> dict[str, Span]:
        """Where it was fitted, by quantity."""
        return {"parameters": self.parameters, "tokens": self.tokens, "flops": self.flops}
