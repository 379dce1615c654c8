"""The blocks of a single-line diagram: where each stands, and what is written in it."""

from __future__ import annotations

import math
from typing import NamedTuple

from app.charts.format import TIMES, percent, rounded, show
from app.engine.facility.electrical.kinds import IN_A_RACK, Chain
from app.engine.facility.electrical.lost_block import LostBlock
from app.engine.facility.electrical.sizing import Sizing

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
    second = f"{_ab(chain, sizing, feed)} feeds, {_ab(chain, sizing, shelf)} shelves a rack"
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
