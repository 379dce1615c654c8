"""The single-line diagram: blocks from the utility feed to the racks, with counts, ratings and loads."""

from __future__ import annotations

import math

from app.charts.facility.single_line_boxes import PATHS, Feeds, boxes_of, load_words
from app.charts.facility.single_line_plot import single_line_plot
from app.charts.figure import Column, Figure, Row, unknown_figure
from app.charts.format import show
from app.engine.facility.electrical.kinds import IN_A_RACK, Chain
from app.engine.facility.electrical.lost_block import LostBlock
from app.engine.facility.electrical.sizing import Sizing

EYEBROW = "Single-line diagram"
WIDTH = 118  # pixels of a path below which the drawing is moved sideways


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
            Column.words("Block"),
            Column("Units"),
            Column("Rating"),
            Column("Load"),
            Column("With one lost"),
        ),
        rows=tuple(_row(chain, sizing, lost_block, position) for position in range(len(sizing.kinds))),
        plot=single_line_plot(boxes, chain),
        minimum_width=WIDTH * (len(PATHS[chain.redundancy]) + 1) if len(PATHS[chain.redundancy]) > 2 else 0,
    )


def _row(chain: Chain, sizing: Sizing, lost_block: LostBlock, at: int) -> Row:
    count = f"{sizing.sharing[at] + sizing.idle[at]:,.0f}"
    if sizing.kinds[at] in IN_A_RACK:
        count = f"{count} a rack"
    return Row(
        (
            chain.title(sizing.kinds[at]),
            count,
            show(float(f"{sizing.rating_w[at]:.3g}"), "W").text,
            load_words(sizing.normal_load[at]),
            load_words(lost_block.load_after[at]),
        )
    )


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
