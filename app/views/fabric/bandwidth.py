"""Ladders of bandwidth and latency: a design beside systems of the catalog, level by level."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import Field

from app.catalog.lookup import Part
from app.catalog.view import CatalogView
from app.engine.fabric import bandwidth, ladder
from app.engine.trace import Array
from app.likeness import nearest_names
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Key
from app.scenarios.fields import Part as Options
from app.scenarios.resolve.hardware_words import context_of

MOST_SYSTEMS = 4


class BandwidthOptions(Options):
    """Further systems of the comparison."""

    systems: list[Key] = Field(
        default_factory=list, max_length=MOST_SYSTEMS, description="Catalog keys of up to four systems."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One level as one accelerator sees it. Bandwidths are one way."""

    level: str
    title: str
    bandwidth_bytes_per_s: float | None
    bandwidth_source: str
    latency_s: float | None
    latency_source: str
    flop_per_byte: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """All levels of one system. `key` is "" for the design itself."""

    key: str
    name: str
    accelerator: str
    peak_16_bit_flop_per_s: float | None
    rungs: tuple[Rung, ...]
    scale_up_over_scale_out: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladders:
    """The design first, then the systems in the order they were asked for."""

    ladders: tuple[Ladder, ...]


def bandwidth_ladders(
    scenario: EvaluatedScenario, catalog: CatalogView, options: BandwidthOptions
) -> Ladders:
    """The ladder of a design, and those of systems alongside it.

    Raises
    ------
    ScenarioError : a system that the catalog does not have, or whose accelerator it does not name
    """
    parts = _systems(catalog, options.systems)
    with np.errstate(invalid="ignore", divide="ignore"):
        return Ladders(
            ladders=(
                _design_ladder(scenario, catalog),
                *(_system_ladder(part, catalog) for part in parts),
            )
        )


def system_ladder(catalog: CatalogView, key: str) -> Ladder | None:
    """The ladder of a system of the catalog, None where its accelerator is not named."""
    part = next((part for part in comparable_systems(catalog) if part.key == key), None)
    if part is None:
        return None
    with np.errstate(invalid="ignore", divide="ignore"):
        return _system_ladder(part, catalog)


def comparable_systems(catalog: CatalogView) -> list[Part]:
    """Systems of the catalog of one kind of accelerator, by name."""
    parts = [catalog.part("systems", key) for key in catalog.keys("systems")]
    known = [part for part in parts if part.attributes.get("accelerator_key")]
    return sorted(known, key=lambda part: (part.vendor, part.name))


def _systems(catalog: CatalogView, keys: list[str]) -> list[Part]:
    known = {part.key: part for part in comparable_systems(catalog)} if keys else {}
    faults = [
        InputError(
            path=f"systems[{place}]",
            value=key,
            rule="unknown_part",
            message=f"{key!r} is no system of the catalog that names its accelerator.",
            hint=f"Nearest: {nearest_names(key, tuple(known))}.",
        )
        for place, key in enumerate(keys)
        if key not in known
    ]
    if faults:
        raise ScenarioError(faults)
    return [known[key] for key in keys]


def _design_ladder(scenario: EvaluatedScenario, catalog: CatalogView) -> Ladder:
    design = scenario.resolved.design
    supernode, chip = design.supernode, design.supernode.accelerator
    fabric, reliability = scenario.evaluation.sections.fabric, scenario.evaluation.sections.reliability
    said = "this design"
    storage, written = (
        ladder.shared_bandwidth_bytes_per_s(
            whole_bytes_per_s=whole, accelerators=design.pod.accelerators_used
        )
        for whole in (
            reliability.storage_read_bandwidth_bytes_per_s,
            reliability.storage_write_bandwidth_bytes_per_s,
        )
    )
    own = {
        "memory": (figure_of(chip.memory_bandwidth_bytes_per_s, said), NOBODY),
        "scale_up": (
            figure_of(fabric.scale_up_bandwidth_bytes_per_s, said),
            figure_of(supernode.scale_up_latency_s, said),
        ),
        "scale_out": (
            figure_of(fabric.scale_out_bandwidth_bytes_per_s, said),
            figure_of(fabric.latency_s, f"{said}: the longest path through its fabric"),
        ),
        "storage": (figure_of(storage, f"{said}: shared storage read by all its accelerators"), NOBODY),
        "checkpoint": (figure_of(written, f"{said}: shared storage written by all its accelerators"), NOBODY),
    }
    if fabric.topology == "none":
        own["scale_out"] = NOTHING
    part = catalog.part("accelerators", chip.key)
    return _ladder("", scenario.resolved.design.name, part, chip.peak_16_bit_flop_per_s, own, catalog)


def _system_ladder(part: Part, catalog: CatalogView) -> Ladder:
    chip = catalog.part("accelerators", str(part.attributes["accelerator_key"]))
    up = fact_of(part, "scale_up_bandwidth_bytes_per_s")
    latency = fact_of(part, "scale_up_latency_s")
    own = {
        "scale_up": (
            up if up.value is not None else fact_of(chip, "scale_up_bandwidth_bytes_per_s"),
            latency if latency.value is not None else assumed_of(catalog, "scenario.scale_up_latency_s", {}),
        ),
        "scale_out": _scale_out(part, chip, catalog),
    }
    sixteen = "bf16_flop_per_s" if "bf16_flop_per_s" in chip.facts else "fp16_flop_per_s"
    return _ladder(part.key, part.name, chip, array_of(fact_of(chip, sixteen)), own, catalog)


def _scale_out(part: Part, chip: Part, catalog: CatalogView) -> Level:
    """The NICs of a system shared by its accelerators, else the rate published of one accelerator."""
    nics, rate = fact_of(part, "scale_out_nics"), fact_of(part, "scale_out_nic_bandwidth_bytes_per_s")
    shared = bandwidth.scale_out_bandwidth_bytes_per_s(
        scale_out_nics=array_of(nics),
        scale_out_nic_bandwidth_bytes_per_s=array_of(rate),
        accelerators=array_of(fact_of(part, "accelerators")),
        reachable=np.ones(1),
    )
    found = figure_of(shared, nics.source)
    if found.value is None:
        found = fact_of(chip, "scale_out_bandwidth_bytes_per_s")
    nic = assumed_of(catalog, "fabric.nic_latency_s", {})
    latency = ladder.two_nics_latency_s(nic_latency_s=array_of(nic))
    return found, figure_of(latency, f"two NICs, without switches: {nic.source}") if found.value else NOBODY


def _ladder(
    key: str, name: str, chip: Part, peak: Array, own: Mapping[str, Level], catalog: CatalogView
) -> Ladder:
    """A ladder: what is the system's own, and of other levels what is known of its accelerator."""
    common = of_the_accelerator(chip, catalog)
    figures = common | {
        level: (rate, latency if latency.value is not None else common.get(level, NOTHING)[1])
        for level, (rate, latency) in own.items()
    }
    rungs = tuple(_rung(level, *figures.get(level, NOTHING), peak) for level in LEVELS)
    by_level = {rung.level: rung.bandwidth_bytes_per_s for rung in rungs}
    gap = bandwidth.bandwidth_gap(
        scale_up_bandwidth_bytes_per_s=number_of(by_level["scale_up"]),
        scale_out_bandwidth_bytes_per_s=number_of(by_level["scale_out"]),
    )
    return Ladder(
        key=key,
        name=name,
        accelerator=chip.name,
        peak_16_bit_flop_per_s=value_of(peak),
        rungs=rungs,
        scale_up_over_scale_out=value_of(gap),
    )


def _rung(level: str, rate: Figure, latency: Figure, peak: Array) -> Rung:
    intensity = ladder.flop_per_byte(peak_flop_per_s=peak, bandwidth_bytes_per_s=array_of(rate))
    return Rung(
        level=level,
        title=LEVELS[level],
        bandwidth_bytes_per_s=rate.value,
        bandwidth_source=rate.source,
        latency_s=latency.value,
        latency_source=latency.source,
        flop_per_byte=value_of(intensity),
    )


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
    "checkpoint": "Checkpoint write",
    "wan": "Another site",
}
"""From the arithmetic outwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A bandwidth or latency with what says it; None where none is published."""

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
    """What a formula gives of figures; nothing where one is not known."""
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
