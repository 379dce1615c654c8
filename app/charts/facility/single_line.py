"""The single-line diagram: blocks from the utility feed to the racks, with counts, ratings and loads."""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Row, unknown_figure
from app.charts.format import TIMES, percent, rounded, show
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
PATHS = {
    "N": ("A",),
    "N+1": ("A",),
    "2N": ("A", "B"),
    "2(N+1)": ("A", "B"),
    "3N/2": ("A", "B", "C"),
    "4N/3": ("A", "B", "C", "D"),
    "block_redundant": ("Active", "Reserve"),
}
ON_THE_PATHS = ("utility_feed", "mv_transformer", "lv_transformer", "ups", "switchboard", "busway")
BESIDE = {"lv_transformer": "cooling_transformer", "ups": "pump_ups"}  # in the same row, for the cooling


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
            "single_line", EYEBROW, caption, "The load or the units of the chain are unknown."
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
        count = f"{count} per rack"
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


class Feeds(NamedTuple):
    """What hangs on the chain."""

    racks: float
    it_w: float
    cooling_and_house_w: float


class Box(NamedTuple):
    """One block as drawn: `path` counts from the left, the last is that of cooling."""

    kind: str
    row: float
    path: int
    paths: int
    first: str
    second: str
    mark: str = ""  # lost, taken: one of it is lost, or it takes over


def boxes_of(chain: Chain, sizing: Sizing, lost_block: LostBlock, feeds: Feeds, lost: str) -> list[Box]:
    paths, boxes = PATHS[chain.redundancy], []
    row = 0.0
    for kind in ON_THE_PATHS:
        if kind not in sizing.kinds:
            if kind in BESIDE:  # the cooling has its own all the same
                boxes.append(_beside(BESIDE[kind], row, len(paths), sizing, lost_block, lost))
                row += 1
            continue
        boxes += [_on_path(kind, row, path, chain, sizing, lost_block, lost) for path in range(len(paths))]
        if kind in BESIDE:
            boxes.append(_beside(BESIDE[kind], row, len(paths), sizing, lost_block, lost))
        if kind == "switchboard":
            words = show(feeds.cooling_and_house_w, "W").text
            boxes.append(Box("cooling", row, len(paths), len(paths), f"<b>{words}</b>", "and house"))
        row += 1
        if kind == "mv_transformer":
            boxes.append(_beside("generator", row, len(paths), sizing, lost_block, lost))
            row += 1
    boxes.append(_racks(row, chain, sizing, lost_block, feeds, lost))
    return boxes


def rows_of(boxes: list[Box]) -> float:
    return max(box.row for box in boxes) + 1


def load_words(load: float) -> str:
    return percent(rounded(load)).text if math.isfinite(load) else "none left"


def _on_path(
    kind: str, row: float, path: int, chain: Chain, sizing: Sizing, lost_block: LostBlock, lost: str
) -> Box:
    at, paths = sizing.kinds.index(kind), PATHS[chain.redundancy]
    reserve = chain.redundancy == "block_redundant" and path == len(paths) - 1
    count = sizing.idle[at] if reserve else sizing.sharing[at]
    if chain.redundancy != "block_redundant":
        count = count / len(paths)
    load = 0.0 if reserve else float(sizing.normal_load[at])
    mark = ""
    second = percent(load).text if load else "idle"
    if kind == lost:
        takes = path > 0 if len(paths) > 1 and chain.redundancy != "2(N+1)" else path == 0
        if path == 0:
            mark, second = "lost", f"1 of {count:,.0f} lost"
        if takes and count - (path == 0) > 0 and lost_block.carried_by[at] != "nobody":
            mark = mark or "taken"
            second = f"{second}, rest " if path == 0 else ""
            second += load_words(lost_block.load_after[at])
    return Box(kind, row, path, len(paths), f"<b>{_units(count, sizing, at)}</b>", second, mark)


def _beside(kind: str, row: float, path: int, sizing: Sizing, lost_block: LostBlock, lost: str) -> Box:
    at = sizing.kinds.index(kind)
    count = sizing.sharing[at] + sizing.idle[at]
    second, mark = load_words(sizing.normal_load[at]), ""
    if kind == lost:
        mark, second = "lost", f"1 lost, {load_words(lost_block.load_after[at])}"
    return Box(kind, row, path, path, f"<b>{_units(count, sizing, at)}</b>", second, mark)


def _racks(row: float, chain: Chain, sizing: Sizing, lost_block: LostBlock, feeds: Feeds, lost: str) -> Box:
    feed, shelf = (sizing.kinds.index(kind) for kind in IN_A_RACK)
    first = f"{feeds.racks:,.0f} rack{'' if feeds.racks == 1 else 's'}, {show(feeds.it_w, 'W').text}"
    second = f"{_ab(chain, sizing, feed)} feeds, {_ab(chain, sizing, shelf)} shelves per rack"
    mark = ""
    if lost in IN_A_RACK:
        at = sizing.kinds.index(lost)
        second = f"one {chain.title(lost).lower()} lost: rest {load_words(lost_block.load_after[at])}"
        mark = "lost"
    return Box("racks", row, 0, len(PATHS[chain.redundancy]), f"<b>{first}</b>", second, mark)


def _ab(chain: Chain, sizing: Sizing, at: int) -> str:
    """Feeds of a rack by path: 4 + 4, or 4."""
    count = sizing.sharing[at]
    two = chain.redundancy_of(sizing.kinds[at]) == "2N"
    return f"{count / 2:,.0f} + {count / 2:,.0f}" if two else f"{count:,.0f}"


def _units(count: float, sizing: Sizing, at: int) -> str:
    return f"{count:,.0f} {TIMES} {show(rounded(sizing.rating_w[at]), 'W').text}"
