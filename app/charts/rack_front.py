"""A rack from the front, in rack units from the bottom: what its drawings share, whatever they show of it."""

from __future__ import annotations

from typing import Any, Protocol

from app.charts import forms
from app.charts.forms.drawing import text

LABELLED_UNITS = 2  # what is lower has no room for its name
STEP = 6  # rack units between two numbers


class Device(Protocol):
    """Contents of a rack."""

    @property
    def bottom_u(self) -> int: ...

    @property
    def units(self) -> int: ...


def frame(height_u: int) -> dict[str, Any]:
    """The rack itself, one wide."""
    return forms.rect(0, 1, 1, height_u + 1, "bg-sunken", "control", layer="below")


def box(device: Device, *, fill: str = "bg", line: str = "control") -> dict[str, Any]:
    """A device in its units."""
    foot, head = device.bottom_u + 0.06, device.bottom_u + device.units - 0.06
    return forms.rect(0.02, foot, 0.98, head, fill, line, layer="below")


def middle(device: Device) -> float:
    """How high the middle of a device is."""
    return device.bottom_u + device.units / 2


def label(device: Device, name: str, *, x: float, longest: int) -> dict[str, Any]:
    """The name of a device in its box, cut where the box has no room for it."""
    fitting = name if len(name) <= longest else f"{name[: longest - 1].rstrip()}…"
    return text(x, middle(device), fitting, anchor="left", yanchor="middle")


def unit_axis(height_u: int) -> dict[str, Any]:
    """Numbers of rack units beside the rack."""
    numbers = [1, *range(STEP, height_u + 1, STEP)]
    labels = forms.look(
        tickvals=[number + 0.5 for number in numbers], ticktext=[f"U{number}" for number in numbers]
    )
    return forms.cells([0.7, height_u + 1.3], **labels)
