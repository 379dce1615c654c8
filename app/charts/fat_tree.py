"""The pod as a picture: tiers of switches in blocks, and the units of SuperNodes under them."""

from __future__ import annotations

import math
from typing import Any

from app.charts.figure import Detail, Figure, get_path
from app.charts.format import TIMES, number
from app.charts.forms import font, rect, segment
from app.charts.forms.drawing import (
    band,
    box,
    choosable_points,
    curve,
    drawing,
    hover_points,
    named_points,
    share_out,
    text,
)
from app.charts.grid import Titles, grid_detail
from app.charts.inside import link_gbit_s, supernode_detail
from app.charts.tier_rows import TIER_COLUMNS, accelerator_word, tier_name, tier_rows

EYEBROW = "Pod topology"
LEFT = -19.0  # where the names of the tiers stand; the drawing itself spans 0 to 100
TIER_PITCH = 1.0
BOX_HALF = 0.17
MOST_BLOCKS = 8
MOST_TOP_BOXES = 8
MOST_NAMED = 5  # blocks with a number of their own
UNITS_IN_A_LINE = 8
UNITS_IN_A_BLOCK = 16
MOST_UNITS = MOST_BLOCKS * UNITS_IN_A_BLOCK  # a square each; of more, a square stands for several
NAMES = {
    "rail_fat_tree": "rail fat tree", "fat_tree": "folded Clos", "rail_only": "rail-only fabric",
    "dual_tor": "fabric with two leaves for every NIC",
}  # fmt: skip
MOST_LINES = 13  # of SuperNodes drawn; of more, the first eight and the last four
MOST_RAILS = 16
MOST_NAMED_RAILS = 10  # rails with a number each; of more, the first and every fourth


def fat_tree_figure(evaluation: dict[str, Any]) -> Figure:
    """Tiers and units of a rail-aligned fat tree."""
    fabric = evaluation["fabric"]
    tiers = [tier for tier in fabric["tiers"] if tier.get("switches")]
    units = int(fabric.get("scalable_units") or 1)
    supernodes = int(get_path(evaluation, "inputs.pod.supernodes") or 0)
    accelerators = int(get_path(evaluation, "inputs.supernode.accelerators") or 0)
    sizes = unit_sizes(supernodes, units, int(fabric.get("unit_supernodes") or 0))
    rails = int(fabric.get("rails") or 0)
    kinds = sorted(set(sizes), reverse=True)
    word = accelerator_word(evaluation)
    inside = supernode_detail(evaluation, word)
    by_rail = fabric.get("topology") != "fat_tree"
    details = tuple(
        unit_detail(supernodes=size, accelerators=accelerators, rails=rails, word=word, inside=inside)
        if by_rail
        else _leaf_detail(size, accelerators, word, inside)
        for size in kinds
    )
    titles = [
        (f"Unit {position + 1}", _unit_words(size, accelerators, word), kinds.index(size))
        for position, size in enumerate(sizes)
    ]
    caption = _caption(sizes)
    if len(titles) > MOST_UNITS:
        titles, details = _in_blocks(titles, details)
        caption += f" A square stands for {math.ceil(units / MOST_UNITS)} units."
    if units == 1 and 1 < supernodes <= UNITS_IN_A_LINE:  # few enough to be drawn one by one
        titles = [(f"SuperNode {place + 1}", f"{accelerators} {word}", 0) for place in range(supernodes)]
        details = (inside,)
        caption = _caption(sizes).partition(" Each square")[0] + " Each square is one SuperNode."
    height = 120 + 92 * len(tiers)
    return Figure(
        name="topology",
        eyebrow=EYEBROW,
        takeaway=_takeaway(evaluation, units, tiers),
        caption=caption,
        hint=f"Select a {'SuperNode' if details == (inside,) else 'unit'} to open it.",
        columns=TIER_COLUMNS,
        rows=tier_rows(fabric),
        plot=_plot(
            tiers, units, titles, below=f"{supernodes:,} {TIMES} {accelerators} {word}",
            leaf_groups=int(fabric.get("leaf_groups") or 1), height=height, rate=link_gbit_s(evaluation),
            rails=rails if fabric.get("topology") == "rail_only" else 0,
        ),
        details=details,
        minimum_width=560,
    )  # fmt: skip


def _takeaway(evaluation: dict[str, Any], units: int, tiers: list[dict[str, Any]]) -> str:
    out = get_path(evaluation, "fabric.scale_out_bandwidth_bytes_per_s")
    oversubscription = get_path(evaluation, "fabric.oversubscription")
    blocking = "non-blocking " if oversubscription == 1 else ""
    rate = f" at {out * 8 / 1e9:,.0f} Gbit/s per accelerator" if out else ""
    if units == 1:
        return f"One unit behind {len(tiers)} tiers of switches{rate}."
    topology = get_path(evaluation, "fabric.topology")
    name = NAMES.get(topology, "rail fat tree")
    reached = "reaches the same rail of any other" if topology == "rail_only" else "reaches any other"
    return f"A {blocking}{name}: any of {units:,} units {reached}{rate}."


def _plot(
    tiers: list[dict[str, Any]],
    units: int,
    titles: list[tuple[str, str, int]],
    *,
    below: str,
    leaf_groups: int,
    height: int,
    rate: float | None,
    rails: int = 0,
) -> dict[str, Any]:
    """Boxes of the tiers over the units; of a rail-only fabric a box a rail, or as many rails as a box stands for."""
    shapes: list[dict[str, Any]] = []
    words: list[dict[str, Any]] = []
    named: list[tuple[float, float]] = []
    names: list[str] = []
    blocks = _blocks(units, len(tiers), leaf_groups)
    spans = _spans(blocks)
    feet = spans
    for level, tier in enumerate(tiers):
        y = (level + 1) * TIER_PITCH
        top = level == len(tiers) - 1
        switches = int(tier["switches"])
        groups = min(MOST_TOP_BOXES, switches) if top and level else min(blocks, switches)
        if rails > 1:
            groups = min(rails, MOST_BLOCKS)
        here = _spans(groups)
        for (x0, x1), count in zip(here, share_out(switches, groups), strict=True):
            shapes.append(box(x0, y - BOX_HALF, x1, y + BOX_HALF))
            words.append(text((x0 + x1) / 2, y, str(count)))
            named.append(((x0 + x1) / 2, y))
            names.append(f"{count} {tier_name(tier).lower()} switch{'es' if count != 1 else ''}")
        foot, head = (0.2 if level == 0 else y - TIER_PITCH + BOX_HALF), y - BOX_HALF
        if (rails > 1 and not level) or (rails <= 1 and ((top and level) or len(here) < len(feet))):
            shapes += [curve((u0 + u1) / 2, head, (b0 + b1) / 2, foot) for u0, u1 in here for b0, b1 in feet]
        else:
            shapes += [
                band(b0, b1, foot, u0, u1, head) for (b0, b1), (u0, u1) in zip(feet, here, strict=True)
            ]
        _label(words, y, f"<b>{tier_name(tier)}</b>", f"{switches:,} switch{'es' if switches != 1 else ''}")
        if tier.get("links"):
            words.append(
                text(
                    LEFT, y - TIER_PITCH / 2, _links(tier["links"], rate), colour="accent-text", anchor="left"
                )
            )
        feet = here
    lines = _unit_points(len(titles), spans)
    _label(words, -0.02, "<b>SuperNodes</b>", below)
    for position, ((x0, x1), count) in enumerate(zip(spans, share_out(units, blocks), strict=True)):
        name = f"Block {position + 1}, {count} units" if blocks > 1 else f"{count} units"
        if blocks > MOST_NAMED:
            name = f"{count} units"
        if blocks == units:
            name = f"Unit {position + 1}"
        if units == 1 and len(titles) > 1:
            name = f"{len(titles)} SuperNodes"
        words.append(text((x0 + x1) / 2, -0.52, name))
    data = [hover_points(named, names), choosable_points(lines, titles, size=12)]
    return drawing(height, [LEFT - 0.5, 101], [-0.75, len(tiers) + 0.35], data, shapes, words)


def _blocks(units: int, tiers: int, leaf_groups: int) -> int:
    """Number of blocks of units to draw.

    Under three tiers a block holds whole units and whole groups of leaves that share spines, so that the
    bands between them are true; under fewer all leaves reach all spines and any cut will do.
    """
    if tiers < 3:
        return units if units <= MOST_BLOCKS else min(MOST_BLOCKS, math.ceil(units / UNITS_IN_A_BLOCK))
    whole = [count for count in range(1, MOST_BLOCKS + 1) if leaf_groups % count == 0 and units % count == 0]
    roomy = [count for count in whole if count > 1 and units <= count * UNITS_IN_A_BLOCK]
    return roomy[0] if roomy else whole[-1]


def _spans(count: int) -> list[tuple[float, float]]:
    pitch = 100 / count
    gap = min(3.0, pitch * 0.13)
    return [(pitch * position + gap / 2, pitch * (position + 1) - gap / 2) for position in range(count)]


def _unit_points(units: int, spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Where the units of each block stand: in two lines at most."""
    points = []
    for (x0, x1), count in zip(spans, share_out(units, len(spans)), strict=True):
        slots = max(UNITS_IN_A_LINE, math.ceil(count / 2))
        pitch = (x1 - x0) / slots
        left = (x0 + x1) / 2 - pitch * (min(slots, count) - 1) / 2
        points += [(left + pitch * (unit % slots), 0.05 - 0.2 * (unit // slots)) for unit in range(count)]
    return points


def _links(links: float, rate: float | None) -> str:
    """Number of links and the rate of each in Gbit/s where that is known."""
    return f"{links:,.0f} {TIMES} {rate:g}G" if rate else f"{links:,.0f} link{'s' if links != 1 else ''}"


def _unit_words(supernodes: int, accelerators: int, word: str) -> str:
    plural = "s" if supernodes != 1 else ""
    return f"{supernodes} SuperNode{plural}, {supernodes * accelerators:,} {word}"


def _caption(sizes: list[int]) -> str:
    text = (
        "Boxes stand for groups of switches and say how many; links are one way and count x rate in Gbit/s."
    )
    text = text.replace(" x ", f" {TIMES} ")
    each = f" Each square is one unit of {sizes[0]} SuperNode{'s' if sizes[0] != 1 else ''}"
    return f"{text}{each}, the last of {sizes[-1]}." if sizes[-1] != sizes[0] else f"{text}{each}."


def unit_sizes(supernodes: int, units: int, unit: int) -> list[int]:
    """SuperNodes of each unit: all full but the last, even shares where the size of a unit is unknown.

    >>> unit_sizes(128, 7, 20)
    [20, 20, 20, 20, 20, 20, 8]
    >>> unit_sizes(10, 4, 0)
    [3, 3, 2, 2]
    """
    last = supernodes - unit * (units - 1)
    return [unit] * (units - 1) + [last] if 0 < last <= unit else share_out(supernodes, units)


def _leaf_detail(supernodes: int, accelerators: int, word: str, inside: Detail) -> Detail:
    """The SuperNodes below a leaf that takes all their NICs."""
    titles = [(f"SuperNode {node + 1}", f"{accelerators} {word}", 0) for node in range(supernodes)]
    return grid_detail(titles, (inside,), note="SuperNodes whose NICs share a leaf. Select one to open it.")


def _in_blocks(titles: Titles, details: tuple[Detail, ...]) -> tuple[Titles, tuple[Detail, ...]]:
    """Squares that stand for several units each, and open to them."""
    each = math.ceil(len(titles) / MOST_UNITS)
    blocks = [titles[first : first + each] for first in range(0, len(titles), each)]
    kinds = [[(words, detail) for _, words, detail in block] for block in blocks]
    distinct = [kinds.index(kind) for position, kind in enumerate(kinds) if kinds.index(kind) == position]
    opened = tuple(
        grid_detail(blocks[kind], details, note="Units of a block. Select a unit to open it.")
        for kind in distinct
    )
    found = [
        (
            f"Units from {block[0][0].removeprefix('Unit ')}",
            f"{len(block)} units",
            distinct.index(kinds.index(kind)),
        )
        for block, kind in zip(blocks, kinds, strict=True)
    ]
    return found, opened


def _label(words: list[dict[str, Any]], y: float, name: str, count: str) -> None:
    words.append(text(LEFT, y + 0.03, name, colour="text", anchor="left", yanchor="bottom"))
    words.append(text(LEFT, y + 0.03, count, anchor="left", yanchor="top"))


def unit_detail(*, supernodes: int, accelerators: int, rails: int, word: str, inside: Detail) -> Detail:
    """The inside of a unit: rails down, SuperNodes across, a dot where they meet; `inside` opens from it."""
    each = accelerators / rails if rails else 0
    dot = f"1 {word.removesuffix('s')}" if each == 1 else f"{number(each)} {word}"
    facts = (
        ("SuperNodes", str(supernodes)),
        (word[0].upper() + word[1:], f"{supernodes * accelerators:,}"),
        ("Rails", str(rails)),
    )
    if not 1 <= rails <= MOST_RAILS or supernodes < 1:
        return Detail(title="Unit 1", subtitle="", facts=facts, details=(inside,))
    shown = (
        list(range(supernodes))
        if supernodes <= MOST_LINES
        else [*range(8), *range(supernodes - 4, supernodes)]
    )
    lines = [position + (position > 7 and supernodes > MOST_LINES) for position in range(len(shown))]
    bottom = lines[-1] + 0.9
    shapes = [segment(rail, -0.7, rail, bottom, "c1-tint", layer="below") for rail in range(rails)]
    shapes += [
        rect(-0.55, y - 0.27, rails - 0.45, y + 0.27, "bg", "line-strong", layer="below") for y in lines
    ]
    shapes += [
        rect(rail - 0.33, -1.55, rail + 0.33, -0.75, "bg", "control", layer="below") for rail in range(rails)
    ]
    named = [rail for rail in range(rails) if rails <= MOST_NAMED_RAILS or rail == 0 or rail % 4 == 3]
    words = [text(rail, -1.15, str(rail + 1)) for rail in named]
    words.append(text(-0.9, -1.15, "Rail", anchor="right"))
    head_x = -0.75 - 0.06 * rails
    if supernodes > MOST_LINES:
        words.append(text(head_x, 8, "…"))
    titles = [(f"SuperNode {node + 1}", f"{accelerators} {word}, {rails} rails", 0) for node in shown]
    heads = choosable_points([(head_x, float(y)) for y in lines], titles, size=17, chosen=None)
    numbers = {
        "text": [str(node + 1) for node in shown],
        "textposition": "middle center",
        "textfont": font("text-2"),
    }
    met = [(rail, y, node + 1) for y, node in zip(lines, shown, strict=True) for rail in range(rails)]
    dots = named_points(
        [(rail, y) for rail, y, _ in met], [f"SuperNode {node}, rail {rail + 1}" for rail, _, node in met], "c1", 6, ""
    ) | {"meta": "opens", "customdata": [[f"SuperNode {node}"] for *_, node in met]}  # fmt: skip
    plot = drawing(
        24 + 19 * (len(lines) + 3), [-0.9 - 0.16 * rails, rails - 0.3], [bottom, -1.8],
        [heads | {"mode": "markers+text", **numbers}, dots], shapes, words,
    )  # fmt: skip
    return Detail(
        title="Unit 1",
        subtitle="",
        note=f"Each dot: {dot} on one rail. Select a SuperNode to open it.",
        plot=plot,
        details=(inside,),
    )
