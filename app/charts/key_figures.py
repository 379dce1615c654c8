"""The key figures of an evaluation, which every surface shows first."""

from __future__ import annotations

from typing import Any

from app.charts.figure import get_path, is_rent_only
from app.charts.format import NOT_APPLICABLE, RENT_ONLY, Shown, show_at
from app.engine.quantities import quantity_at

ROOMS = ("performance", "fabric", "power", "cooling", "cost", "reliability", "carbon")
RENTED = ("_rented_on_demand", "_rented_reserved")
"""Endings of the cost of the same work on rented accelerators."""


def key_figures(evaluation: dict[str, Any], *rooms: str) -> tuple[str, ...]:
    """Places of the key figures that a design of this kind has, in the order of the evaluation.

    The cost of renting is among them only where the hardware can be rented and not bought.
    """
    return tuple(
        f"{room}.{name}"
        for room in rooms or ROOMS
        for name in evaluation[room]
        if _is_key(evaluation, f"{room}.{name}")
    )


def show_figure(evaluation: dict[str, Any], path: str) -> Shown:
    """The figure at a place of an evaluation as every surface shows it, whether it is known or not."""
    value = get_path(evaluation, path)
    if path in evaluation.get("not_applicable", ()):
        return NOT_APPLICABLE
    if value is None and is_rent_only(evaluation, path):
        return RENT_ONLY
    return show_at(path, value)


def _is_key(evaluation: dict[str, Any], path: str) -> bool:
    record = quantity_at(path)
    if record is None or not record.key or path in evaluation.get("not_applicable", ()):
        return False
    owned = next((path.removesuffix(ending) for ending in RENTED if path.endswith(ending)), "")
    return not owned or is_rent_only(evaluation, owned)
