"""What is said of a difference. Unknown is NaN here and null where it is sent."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceLine:
    """Contribution of one part to the difference; all lines of a view add up to it."""

    key: str
    title: str
    said: str
    amount: float
    share: float  # of the difference; below 0 where it works against it
    first: float | None  # what stands on either side, where the part has a figure of its own
    second: float | None
    least: float | None  # what it brings in the orders of change where it brings least and most
    most: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceReport:
    """A figure of two designs, and what explains the difference: second less first."""

    first_name: str
    second_name: str
    figure: str
    title: str
    unit: str
    first: float
    second: float
    difference: float
    ratio: float
    by_category: tuple[DifferenceLine, ...]
    by_cause: tuple[DifferenceLine, ...]
    by_factor: tuple[DifferenceLine, ...]
    said: tuple[str, ...]  # what explains most, in words
    notes: tuple[str, ...]  # what was taken together, and what could not be told
    evaluations: int  # of designs between the two
