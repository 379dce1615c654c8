"""A small picture of a pod: its SuperNodes with their accelerators, and the tiers of switches above them.

Marks for a card, not a plan: as many SuperNodes as there is room for, a dash an accelerator, a row a tier.
Shapes are in pixels of a box of `WIDTH` by `HEIGHT`; colours are those of the page.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from app.charts.figure import get_path
from app.charts.format import number

WIDTH, HEIGHT = 240.0, 72.0
PITCH, GAP, INSET = 3.0, 6.0, 4.0
MOST_ROWS, MOST_COLUMNS = 12, 32
TIER_HEIGHT, TIER_PITCH = 4.0, 11.0
MOST_TIMES = 2.5
"""Enlargement of a single SuperNode."""
MOST_SWITCHES = (8, 4, 2)
"""Marks of a tier, from the lowest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PodGlyph:
    """`blocks` are SuperNodes, `cells` the rows of accelerators in them, `rings` the links of a torus.

    `width` and `height` are those of the box in the units of the shapes: a single SuperNode is drawn larger.
    """

    words: str
    width: float
    height: float
    blocks: tuple[Box, ...]
    switches: tuple[Box, ...]
    cells: str  # path of dashed lines
    links: str  # path
    rings: str  # path
    more: float | None  # where marks say that there are more SuperNodes, None where all are drawn


def pod_glyph(evaluation: dict[str, Any]) -> PodGlyph | None:
    """The picture of an evaluated design; None where its size is not known."""
    supernodes, each = (
        get_path(evaluation, f"inputs.{path}") for path in ("pod.supernodes", "supernode.accelerators")
    )
    if not supernodes or not each:
        return None
    tiers = [tier["name"] for tier in get_path(evaluation, "fabric.tiers") or ()]
    is_torus = get_path(evaluation, "inputs.supernode.scale_up_topology") == "torus"
    return _drawn(round(supernodes), round(each), len(tiers), is_torus)


def _drawn(supernodes: int, each: int, tiers: int, is_torus: bool) -> PodGlyph:
    columns, rows = cells_of(each)
    width, height = columns * PITCH + 2 * INSET - 1, rows * PITCH + 2 * INSET - 1
    times = min((HEIGHT - 4) / height, (WIDTH - 4) / width, MOST_TIMES) if supernodes == 1 else 1.0
    room = WIDTH - (22 if supernodes > 1 else 0)
    shown = max(min(supernodes, int((room + GAP) // (width + GAP)), MOST_SWITCHES[0]), 1)
    tiers = min(tiers, len(MOST_SWITCHES)) if supernodes > 1 else 0
    top = HEIGHT - height - 1 if tiers else (HEIGHT / times - height) / 2
    blocks = tuple(
        Box(x=place * (width + GAP) + 0.5, y=top, width=width, height=height) for place in range(shown)
    )
    cells = "".join(
        f"M{block.x + INSET:g} {block.y + INSET + row * PITCH + 1:g}h{columns * PITCH - 1:g}"
        for block in blocks
        for row in range(rows)
    )
    span = shown * (width + GAP) - GAP
    levels = [_tier(level, tiers, shown, span) for level in range(tiers)]
    return PodGlyph(
        width=WIDTH / times,
        height=HEIGHT / times,
        words=_words(supernodes, each, tiers),
        blocks=blocks,
        switches=tuple(box for level in levels for box in level),
        cells=cells,
        links=_links(blocks, levels),
        rings="".join(_ring(block) for block in blocks) if is_torus else "",
        more=span + GAP if shown < supernodes else None,
    )


def cells_of(accelerators: int) -> tuple[int, int]:
    """Columns and rows of whole rows, about twice as wide as high where the number allows it.

    >>> cells_of(8), cells_of(72), cells_of(384), cells_of(1)
    ((4, 2), (12, 6), (32, 12), (1, 1))
    """
    wanted = math.sqrt(accelerators / 2)
    able = [rows for rows in range(1, MOST_ROWS + 1) if accelerators % rows == 0]
    rows = min(able, key=lambda one: abs(one - wanted))
    columns = accelerators // rows
    return (columns, rows) if columns <= MOST_COLUMNS else (MOST_COLUMNS, MOST_ROWS)


def _tier(level: int, tiers: int, blocks: int, span: float) -> list[Box]:
    """The switches of a tier, evenly above the SuperNodes."""
    count = min(MOST_SWITCHES[level], blocks)
    width = min(14.0, span / count - 4)
    y = (tiers - 1 - level) * TIER_PITCH + 1
    return [
        Box(x=span * (place + 0.5) / count - width / 2, y=y, width=width, height=TIER_HEIGHT)
        for place in range(count)
    ]


def _links(blocks: tuple[Box, ...], levels: list[list[Box]]) -> str:
    """Lines from every SuperNode to the lowest tier, and from every tier to the next."""
    path = ""
    below = list(blocks)
    for level in levels:
        for one in below:
            for switch in level:
                path += f"M{one.x + one.width / 2:.1f} {one.y:.1f}L{switch.x + switch.width / 2:.1f} {switch.y + switch.height:.1f}"
        below = level
    return path


def _ring(block: Box) -> str:
    """Links that close a torus on two sides of a SuperNode."""
    right, bottom = block.x + block.width, block.y + block.height
    return (
        f"M{right - 6:g} {block.y + 2:g}q5 {block.height / 2 - 2:g} 0 {block.height - 4:g}"
        f"M{block.x + 3:g} {bottom - 5:g}q{block.width / 2 - 3:g} 5 {block.width - 6:g} 0"
    )


def _words(supernodes: int, each: int, tiers: int) -> str:
    if supernodes == 1:
        return f"One SuperNode of {number(each)} accelerator{'s' if each > 1 else ''}"
    joined = f", {tiers} tier{'s' if tiers > 1 else ''} of switches" if tiers else ""
    return f"{supernodes:,} SuperNodes of {each:,}{joined}"
