"""Answers as plain values that JSON can hold."""

from __future__ import annotations

import dataclasses
import math
from typing import Any


def without_unknown(value: Any) -> Any:
    """The same with None where a number is unknown, which JSON cannot say otherwise."""
    if isinstance(value, dict):
        return {name: without_unknown(inside) for name, inside in value.items()}
    if isinstance(value, list | tuple):
        return [without_unknown(inside) for inside in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def report_json(report: Any) -> Any:
    """A report, which is a dataclass, as plain values; unknown is None."""
    return without_unknown(dataclasses.asdict(report))
