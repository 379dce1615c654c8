"""Two SuperNodes side by side: what parts the second has more or less of, and what that changes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from app.catalog.view import CatalogView
from app.charts.format import number, show
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.fabric.supernode import PART_LABELS, SuperNodeInside, SuperNodePart, supernode_inside
from app.views.table import Column, text_table


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodePartDifference:
    """One kind of part of both: how many, and what all draw and cost; a part that one has not is 0."""

    name: str
    title: str
    first_count: float
    second_count: float
    first_power_w: float
    second_power_w: float
    power_w: float  # of the second less that of the first, as the price
    first_price_usd: float
    second_price_usd: float
    price_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeFigureDifference:
    """One figure of both; nan where it is unknown of one."""

    name: str
    title: str
    unit: str
    first: float
    second: float
    difference: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeDifference:
    """Parts and figures of two SuperNodes. Prices of the parts sum to that of the whole; watts are those before fans and losses."""

    first: str
    second: str
    parts: tuple[SuperNodePartDifference, ...]
    figures: tuple[SuperNodeFigureDifference, ...]


FIGURES: tuple[tuple[str, str, str, Callable[[SuperNodeInside], float]], ...] = (
    ("accelerators", "Accelerators", "1", lambda one: one.accelerators),
    ("price_usd", "Price", "USD", lambda one: one.price_usd.typical),
    (
        "price_usd_per_accelerator",
        "Price per accelerator",
        "USD",
        lambda one: one.price_usd.typical / one.accelerators,
    ),
    ("rated_power_w", "Rated power", "W", lambda one: one.rated_power_w),
    (
        "rated_power_w_per_accelerator",
        "Rated power per accelerator",
        "W",
        lambda one: one.rated_power_w / one.accelerators,
    ),
    ("racks", "Racks", "1", lambda one: one.racks),
    ("rack_power_w", "Power of the fullest rack", "W", lambda one: one.rack_power_w),
    ("weight_kg", "Weight", "kg", lambda one: one.weight_kg),
    (
        "scale_up_bandwidth_bytes_per_s",
        "Scale-up bandwidth per accelerator",
        "B/s",
        lambda one: one.scale_up_bandwidth_bytes_per_s,
    ),
    (
        "bisection_bandwidth_bytes_per_s",
        "Bisection bandwidth",
        "B/s",
        lambda one: one.bisection_bandwidth_bytes_per_s,
    ),
    ("scale_up_latency_s", "Scale-up latency", "s", lambda one: one.scale_up_latency_s),
    ("scale_up_cables", "Scale-up cables", "1", lambda one: one.scale_up_cables),
    ("scale_up_modules", "Scale-up modules", "1", lambda one: one.scale_up_modules),
)


def supernode_difference(
    first: EvaluatedScenario, second: EvaluatedScenario, catalog: CatalogView
) -> SuperNodeDifference:
    """The answer of the view.

    Raises
    ------
    ScenarioError : the parts of one are unknown
    """
    one, other = supernode_inside(first, catalog), supernode_inside(second, catalog)
    before = {part.name: part for part in one.parts}
    after = {part.name: part for part in other.parts}
    parts = []
    for name, title in PART_LABELS.items():
        if name not in before and name not in after:
            continue
        was, now = _totals(before.get(name)), _totals(after.get(name))
        parts.append(
            SuperNodePartDifference(
                name=name,
                title=title,
                first_count=was[0],
                second_count=now[0],
                first_power_w=was[1],
                second_power_w=now[1],
                power_w=now[1] - was[1],
                first_price_usd=was[2],
                second_price_usd=now[2],
                price_usd=now[2] - was[2],
            )
        )
    return SuperNodeDifference(
        first=f"{one.name} of {first.document.name}",
        second=f"{other.name} of {second.document.name}",
        parts=tuple(parts),
        figures=tuple(
            SuperNodeFigureDifference(
                name=name,
                title=title,
                unit=unit,
                first=of(one),
                second=of(other),
                difference=of(other) - of(one),
            )
            for name, title, unit, of in FIGURES
        ),
    )


def _totals(part: SuperNodePart | None) -> tuple[float, float, float]:
    """Count, power and price of a part; nothing of one that is not there."""
    return (0.0, 0.0, 0.0) if part is None else (part.count, part.power_w, part.price_usd.typical)


def _shown(unit: str) -> Callable[[float], str]:
    return lambda value: "unknown" if math.isnan(value) else show(value, unit).text


PART_COLUMNS = (
    Column("part", "title", width=-28),
    Column("first", "first_count", number, 10),
    Column("second", "second_count", number, 10),
    Column("power", "power_w", _shown("W"), 12),
    Column("price", "price_usd", _shown("USD"), 16),
)


def supernode_difference_text(answer: SuperNodeDifference) -> str:
    """Parts with what they add, then figures of both."""
    return "\n".join(
        [
            f"{answer.first} and {answer.second}: the second less the first",
            "",
            *text_table(PART_COLUMNS, answer.parts),
            "",
            *(
                f"{one.title}: {_shown(one.unit)(one.first)}, {_shown(one.unit)(one.second)} "
                f"({_shown(one.unit)(one.difference)})"
                for one in answer.figures
            ),
        ]
    )
