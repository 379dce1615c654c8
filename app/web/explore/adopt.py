"""Addresses of the studio with a layout of a search adopted, nothing else of the scenario changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from app.web.studio.form import Values
from app.web.studio.state import encode_state
from app.web.studio.values import value_at, with_value


def adopter(values: Values) -> Callable[[Mapping[str, Any]], str]:
    """From a layout to the query of the address that states it."""
    return lambda layout: f"?s={encode_state(with_layout(values, layout))}"


def with_layout(values: Values, layout: Mapping[str, Any], supernodes: int | None = None) -> Values:
    """The scenario with a layout, and where another size is adopted, with as many SuperNodes."""
    changed = with_value(values, "parallelism", dict(layout))
    if supernodes is None:
        return changed
    changed = with_value(changed, "pod.supernodes", supernodes)
    whole = value_at(changed, "pod.accelerators_used")
    return with_value(changed, "pod.accelerators_used", "all") if isinstance(whole, int | float) else changed
