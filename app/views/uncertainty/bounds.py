"""What a field of a scenario may be at all, as its document says."""

from __future__ import annotations

import math
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic.fields import FieldInfo

from app.catalog.ranges import physical_range
from app.scenarios.document.number_fields import number_fields
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.sweeping.fields import ASSUMPTIONS


def bounds_of_field(field: str) -> tuple[float, float]:
    """The least and the most that a field may be; of an assumption what it can be physically.

    >>> bounds_of_field("economics.utilisation")
    (0.0, 1.0)
    """
    if field.startswith(ASSUMPTIONS):
        possible = physical_range(field.removeprefix(ASSUMPTIONS))
        return possible.least, possible.most
    least, most = bounds_of(number_fields(ScenarioDocument)[field])
    return (-math.inf if least is None else least, math.inf if most is None else most)


def bounds_of(info: FieldInfo) -> tuple[float | None, float | None]:
    """The least and the most a number may be; bounds that are themselves refused count as bounds."""
    low: float | None = None
    high: float | None = None
    for rule in _metadata(info.annotation, list(info.metadata)):
        if isinstance(rule, Ge | Gt):
            low = float(rule.ge if isinstance(rule, Ge) else rule.gt)  # type: ignore[arg-type]
        elif isinstance(rule, Le | Lt):
            high = float(rule.le if isinstance(rule, Le) else rule.lt)  # type: ignore[arg-type]
    return low, high


def _metadata(annotation: Any, found: list[Any]) -> list[Any]:
    found.extend(getattr(annotation, "__metadata__", ()))
    for inner in get_args(annotation):
        if get_origin(annotation) is not Literal:
            _metadata(inner, found)
    flat: list[Any] = []
    for rule in found:
        flat.extend(getattr(rule, "metadata", None) or [rule])
    return flat
