"""The single-line diagram: blocks from the utility feed to the racks, with counts, ratings and loads."""

from __future__ import annotations

import itertools
import math
from typing import Any

from app.charts import forms
from app.charts.facility.single_line_boxes import PATHS, Box, Feeds, boxes_of, load_words, rows_of
from app.charts.figure import Column, Figure, Row, unknown_figure
from app.charts.format import rounded, show
from app.charts.forms.drawing import drawing, hover_points, text
from app.engine.facility.electrical.kinds import IN_A_RACK, Chain
from app.engine.facility.electrical.lost_block import LostBlock
from app.engine.facility.electrical.sizing import Sizing

EYEBROW = "Single-line diagram"
WIDTH = 118  # pixels of a path below which the drawing is moved sideways
PITCH = 80  # pixels from row to row
HALF = 0.29  # of a box, over the pitch
GAP = 0.06  # beside a box, over the width of a path
SHORT = {"cooling_transformer": "Cooling", "pump_ups": "Pumps, CDUs", "generator": "Generators"}


def single_line_figure(
    chain: Chain, sizing: Sizing, lost_block: LostBlock, feeds: Feeds, lost: str = ""
) -> Figure:
    """The chain drawn from the utility down, the lost block marked where one is chosen."""
    caption = (
        "Loads are of a unit over what it may carry at this site in the hottest hour; A and B are separate "
        "paths. Blocks of one kind on a path are drawn as one."
    )
    known = math.isfinite(sum(sizing.load_w.tolist()) + sum(sizing.normal_load.tolist()))
    if not known:
        return unknown_figure(
            "single_line", EYEBROW, caption, "What the chain carries, or of what units it is, is unknown."
        )
    boxes = boxes_of(chain, sizing, lost_block, feeds, lost)
    return Figure(
        name="single_line",
        eyebrow=EYEBROW,
        takeaway=_takeaway(chain, sizing, lost_block, lost),
        caption=caption,
        columns=(
            Column.words("Block"), Column("Units"), Column("Rating"), Column("Load"), Column("With one lost"),
        ),
        rows=tuple(_row(chain, sizing, lost_block, position) for position in range(len(sizing.kinds))),
        plot=single_line_plot(boxes, chain),
        minimum_width=WIDTH * (len(PATHS[chain.redundancy]) + 1) if len(PATHS[chain.redundancy]) > 2 else 0,
    )  # fmt: skip


def _row(chain: Chain, sizing: Sizing, lost_block: LostBlock, at: int) -> Row:
    count = f"{sizing.sharing[at] + sizing.idle[at]:,.0f}"
    if sizing.kinds[at] in IN_A_RACK:
        count = f"{count} a rack"
    return Row(
        (
            chain.title(sizing.kinds[at]), count, show(rounded(sizing.rating_w[at]), "W").text,
            load_words(sizing.normal_load[at]), load_words(lost_block.load_after[at]),
        )
    )  # fmt: skip


def _takeaway(chain: Chain, sizing: Sizing, lost_block: LostBlock, lost: str) -> str:
    if lost:
        at = lost_block.kinds.index(lost)
        title = chain.title(lost)
        title = title if title == title.upper() or title[:2].isupper() else title.lower()
        dark_w = max(lost_block.it_served_w) - lost_block.it_served_w[at]
        if dark_w < 0.5:
            who = {"generators": "generators take over", "catcher": "the reserve takes over"}
            words = who.get(lost_block.carried_by[at], "the rest carries on")
            return f"With one {title} lost {words} at {load_words(lost_block.load_after[at])} and every rack stays on."
        return f"With one {title} lost {show(float(dark_w), 'W').text} of IT cannot be served."
    busiest = int(sizing.normal_load.argmax())
    return (
        f"{_paths(chain)}: the busiest block is the {chain.title(sizing.kinds[busiest]).lower()}, "
        f"at {load_words(sizing.normal_load[busiest])} while nothing is lost."
    )


def _paths(chain: Chain) -> str:
    return {
        "N": "One path without a spare",
        "N+1": "One path with a spare",
        "2N": "Two paths",
        "2(N+1)": "Two paths, a spare on each",
        "3N/2": "Three paths, of which two suffice",
        "4N/3": "Four paths, of which three suffice",
        "block_redundant": "Active blocks and a reserve",
    }[chain.redundancy]


def height_of(boxes: list[Box]) -> int:
    """Pixels that the drawing takes from the utility to the racks."""
    return round(PITCH * (rows_of(boxes) + 0.3))


def single_line_plot(boxes: list[Box], chain: Chain) -> dict[str, Any]:
    """The drawing, with names on hovering."""
    paths = len(PATHS[chain.redundancy])
    names = [f"{_title(box, chain)}: {box.first}, {box.second}" for box in boxes]
    return drawing(
        height_of(boxes),
        [0, paths + 1],
        [-rows_of(boxes) + 0.55, 0.85],
        [hover_points([_middle(box) for box in boxes], names)],
        [*_wires(boxes, paths), *(_shape(box) for box in boxes)],
        [note for box in boxes for note in _words(box, chain)],
    )


def _corners(box: Box) -> tuple[float, float, float, float]:
    right = box.paths if box.kind == "racks" else box.path + 1
    return box.path + GAP, -box.row - HALF, right - GAP, -box.row + HALF


def _middle(box: Box) -> tuple[float, float]:
    x0, _, x1, _ = _corners(box)
    return (x0 + x1) / 2, -box.row


def _shape(box: Box) -> dict[str, Any]:
    lost = box.mark == "lost"
    edge = {"lost": "bad", "taken": "accent"}.get(box.mark, "control")
    look = ("bad-soft" if lost else "bg-sunken", edge, 2 if box.mark else 1, "dash" if lost else "solid")
    return forms.rect(*_corners(box), *look)


def _words(box: Box, chain: Chain) -> list[dict[str, Any]]:
    x, y = _middle(box)
    notes = [
        text(x, y + 0.02, box.first, colour="text", yanchor="bottom"),
        text(x, y - 0.02, box.second, colour="bad" if box.mark == "lost" else "text-2", yanchor="top"),
    ]
    label = _title(box, chain) if box.path in (0, box.paths) else ""
    if not label and box.row == 0:
        label = PATHS[chain.redundancy][box.path]
    if label:
        left, above = _corners(box)[0], y + HALF + 0.02
        ground = forms.look(bgcolor=forms.token("bg"), borderpad=0, yanchor="bottom")  # over the wires
        notes.append(text(left, above, label, colour="text-3", anchor="left", **ground))
    return notes


def _title(box: Box, chain: Chain) -> str:
    if box.kind in ("racks", "cooling"):
        return box.kind.capitalize()
    if box.row == 0 and box.paths > 1:
        return f"{chain.title(box.kind)}s, {PATHS[chain.redundancy][box.path]}"
    if box.path == box.paths:
        return SHORT[box.kind]
    title = chain.title(box.kind)
    return title if title == "UPS" else f"{title}s"


def _wires(boxes: list[Box], paths: int) -> list[dict[str, Any]]:
    """From block to block down each path, with the bus that generators and cooling hang on."""
    generator = next(box for box in boxes if box.kind == "generator")
    wires = [_wire(0.5, -generator.row, generator.path + GAP, -generator.row, width=3)]
    for path in range(paths):
        stops = [box for box in boxes if box.path == path and box.path < box.paths and box.kind != "racks"]
        wires += [_down(path, upper, lower) for upper, lower in itertools.pairwise([*stops, boxes[-1]])]
    beside = [box for box in boxes if box.path == paths]
    return [*wires, *(_down(paths, upper, lower) for upper, lower in itertools.pairwise(beside))]


def _wire(x0: float, y0: float, x1: float, y1: float, width: float = 1.2) -> dict[str, Any]:
    return forms.segment(x0, y0, x1, y1, "c1", width, layer="below")


def _down(path: int, upper: Box, lower: Box) -> dict[str, Any]:
    return _wire(path + 0.5, -upper.row - HALF, path + 0.5, -lower.row + HALF)
