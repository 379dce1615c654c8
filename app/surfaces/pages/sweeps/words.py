"""Fields and figures of a sweep in words."""

from __future__ import annotations

from typing import Any

from app.charts.format import number, percent, show_at, unit_at
from app.charts.sweep import Quantity
from app.engine.quantities import label_at
from app.engine.units import unit_of
from app.scenarios.declared_fields import label_of_field
from app.surfaces.pages.studio.fields import fields_by_path
from app.surfaces.pages.studio.numbers import number_text, scale_of

STATES = {
    "queued": "Waits",
    "running": "Runs",
    "done": "Done",
    "failed": "Failed",
    "cancelled": "Cancelled",
}


def field_name(path: str) -> str:
    """What a field is called in the studio, else its own name in words."""
    return label_of_field(path)


def value_text(path: str, value: Any) -> str:
    """A value of a field as the studio shows it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if not isinstance(value, int | float):
        return str(value)
    known = fields_by_path().get(path)
    if known is not None and known.control == "number":
        if known.percent:
            return percent(value).text
        scale = scale_of(known, value)
        exact = number_text(float(f"{value:.4g}"), scale)
        return f"{exact} {scale.unit}".rstrip()
    unit = unit_of(path.rsplit(".", 1)[-1])
    return number(value) if unit in ("", "1") else f"{number(value)} {unit}"


def field_quantity(path: str) -> Quantity:
    """A field as a chart names it."""
    return Quantity(name=field_name(path), unit=unit_of(path), shown=lambda value: value_text(path, value))


def output_quantity(path: str) -> Quantity:
    """A figure as a chart names it."""
    return Quantity(name=label_at(path), unit=unit_at(path), shown=lambda value: show_at(path, value).text)
