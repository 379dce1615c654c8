"""The loss of one link, one switch, one plane or one rail, for every tier of a fabric.

Links and switches that the fabric does not tell apart share one row's computation; where there are several kinds
of them in a tier, the row is of the worst.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.engine.fabric.faults.effect import Effect, effect
from app.engine.fabric.faults.failed import (
    Class,
    Failed,
    device_classes,
    failed,
    link_classes,
    of_plane,
    of_rail,
    planes_of,
    rails_of,
)
from app.engine.fabric.faults.share import State
from app.engine.fabric.graph.graph import FabricGraph, Whole, is_switch

Part = Literal["link", "switch", "plane", "rail"]
MOST_KINDS = 4
"""Of each tier; the rarest kinds are looked at first, as they are where a regular fabric is irregular."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleFailure:
    """The worst loss of one part of a kind."""

    part: Part
    name: str  # tier of the link, kind of the switch; empty for planes and rails
    index: int  # of the link, device, plane or rail
    count: int  # parts of this kind that there are
    kinds: int  # that the fabric tells apart
    looked_at: int  # of these
    lost: Failed
    effect: Effect


def single_failures(whole: State) -> list[SingleFailure]:
    """The rows, tier by tier from the hosts upwards, then planes and rails."""
    return [row for row in _rows(whole) if row is not None]


def _rows(whole: State) -> Iterator[SingleFailure | None]:
    graph, colour = whole.graph, whole.colour
    for tier in graph.tiers:
        links = graph.of_tier(tier)
        yield _worst(whole, "link", tier, link_classes(graph, colour, links), links.size)
    for kind in graph.kinds:
        devices = graph.of_kind(kind)
        if devices.size and is_switch(graph)[devices[0]]:
            yield _worst(whole, "switch", kind, device_classes(colour, devices), devices.size)
    parts: tuple[tuple[Part, Whole], ...] = (("plane", planes_of(graph)), ("rail", rails_of(graph)))
    for part, numbers in parts:
        if numbers.size > 1:
            # Planes are alike, and so are rails; of the first and the last the worse is shown.
            ends = [Class(int(numbers[0]), numbers.size - 1), Class(int(numbers[-1]), 1)]
            yield _worst(whole, part, "", ends, numbers.size)


def _worst(whole: State, part: Part, name: str, kinds: list[Class], count: int) -> SingleFailure | None:
    looked_at = sorted(kinds, key=lambda kind: kind.members)[:MOST_KINDS]
    rows = []
    for kind in looked_at:
        lost = _lost(whole.graph, part, kind.first)
        rows.append(
            SingleFailure(
                part=part,
                name=name,
                index=kind.first,
                count=count,
                kinds=len(kinds),
                looked_at=len(looked_at),
                lost=lost,
                effect=effect(whole, lost)[0],
            )
        )
    return min(rows, key=_badness, default=None)


def _lost(graph: FabricGraph, part: Part, index: int) -> Failed:
    if part == "plane":
        return of_plane(graph, index)
    if part == "rail":
        return of_rail(graph, index)
    only = np.array([index])
    return failed(graph, links=only) if part == "link" else failed(graph, devices=only)


def _badness(row: SingleFailure) -> tuple[float, float]:
    found = row.effect
    return -float(found.reach.cut_off.sum()), min(found.share.access, found.share.beyond)
