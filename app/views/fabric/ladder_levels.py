"""What each level of a ladder has, by the accelerator: of the catalog, or of an assumption with its source."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.catalog.lookup import Part
from app.catalog.view import CatalogView
from app.engine.fabric import ladder
from app.engine.trace import Array
from app.scenarios.resolve.hardware_words import context_of

LEVELS = {
    "registers": "Registers",
    "shared_memory": "Shared memory or L1",
    "cache": "Last-level cache",
    "memory": "Accelerator memory",
    "host_memory": "Host memory",
    "scale_up": "Scale-up",
    "scale_out": "Scale-out",
    "drives": "Drives of the node",
    "storage": "Shared storage",
    "wan": "Another site",
}
"""From the arithmetic outwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A bandwidth or latency with what says it; None where nobody published one."""

    value: float | None
    source: str


Level = tuple[Figure, Figure]
"""Bandwidth and latency."""

NOBODY = Figure(value=None, source="")
NOTHING: Level = (NOBODY, NOBODY)


def of_the_accelerator(chip: Part, catalog: CatalogView) -> dict[str, Level]:
    """Levels that are the same wherever the accelerator is."""
    context = context_of(chip)

    def assumed(name: str) -> Figure:
        return assumed_of(catalog, name, context)

    registers = derived(
        ladder.register_bandwidth_bytes_per_s, vector_flop_per_s=fact_of(chip, "fp32_flop_per_s")
    )
    host = derived(
        ladder.through_bandwidth_bytes_per_s,
        link_bytes_per_s=assumed("performance.host_link_bytes_per_s"),
        memory_bytes_per_s=assumed("performance.host_memory_bandwidth_bytes_per_s"),
    )
    wan = derived(
        ladder.one_way_latency_s,
        distance_km=assumed("ladder.wan_distance_km"),
        latency_s_per_km=assumed("ladder.wan_latency_s_per_km"),
    )
    return {
        "registers": (registers, assumed("ladder.register_latency_s")),
        "shared_memory": (
            assumed("ladder.shared_memory_bandwidth_bytes_per_s"),
            assumed("ladder.shared_memory_latency_s"),
        ),
        "cache": (assumed("ladder.cache_bandwidth_bytes_per_s"), assumed("ladder.cache_latency_s")),
        "memory": (fact_of(chip, "memory_bandwidth_bytes_per_s"), assumed("ladder.memory_latency_s")),
        "host_memory": (host, NOBODY),
        "drives": (assumed("performance.drive_bandwidth_bytes_per_s"), NOBODY),
        "wan": (NOBODY, wan),
    }


def derived(formula: Callable[..., Array], **inputs: Figure) -> Figure:
    """What a formula gives of figures; nothing where one of them is not known."""
    sources = "; ".join(dict.fromkeys(one.source for one in inputs.values() if one.source))
    return figure_of(formula(**{name: array_of(one) for name, one in inputs.items()}), sources)


def fact_of(part: Part, name: str) -> Figure:
    fact = part.facts.get(name)
    return Figure(value=fact.value, source=fact.source) if fact else NOBODY


def assumed_of(catalog: CatalogView, name: str, context: Mapping[str, str]) -> Figure:
    """A declared assumption that holds here, if there is one."""
    room, _, field = name.partition(".")
    try:
        row = catalog.assumption(room, field, context)
    except LookupError:
        return NOBODY
    return Figure(value=row.value, source=row.source)


def figure_of(value: Any, source: str) -> Figure:
    number = value_of(value)
    return Figure(value=number, source=source if number is not None else "")


def value_of(value: Any) -> float | None:
    number = float(np.ravel(value)[0])
    return number if np.isfinite(number) else None


def array_of(figure: Figure) -> Array:
    return number_of(figure.value)


def number_of(value: float | None) -> Array:
    return np.full(1, np.nan if value is None else value)
