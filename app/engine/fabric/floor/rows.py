"""Sets blocks of racks in rows, and rows on the floor: side by side in lines, and line behind line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.engine.fabric.floor.floor import Measured
from app.engine.fabric.graph.graph import Whole
from app.engine.specs import FloorRules
from app.engine.trace import first_of


def slots_of_blocks(sizes: Sequence[int], alone: Sequence[bool], row_racks: int) -> Whole:
    """(racks,) place of every rack, counted through all rows.

    A block that fits into a row is not broken over two. One that is `alone` shares no row with others.

    >>> slots_of_blocks([3, 2, 5], [False, False, False], 4).tolist()
    [0, 1, 2, 4, 5, 6, 7, 8, 9, 10]
    """
    firsts, place, row_is_kept = [], 0, False
    for size, by_itself in zip(sizes, alone, strict=True):
        left = -place % row_racks
        if row_is_kept or by_itself or left < size <= row_racks:
            place += left
        firsts.append(place)
        place += size
        row_is_kept = by_itself
    counts = np.array(sizes, np.int32)
    starts = np.cumsum(counts) - counts
    within = np.arange(counts.sum()) - np.repeat(starts, counts)
    slots: Whole = (np.repeat(np.array(firsts, np.int32), counts) + within).astype(np.int32)
    return slots


def line_middle_m(line: Whole, *, rack_depth_m: float, cold_aisle_m: float, hot_aisle_m: float) -> Measured:
    """(n,) distance of the middle of a line of rows from the edge of the first.

    Lines stand face to face at a cold aisle and back to back at a hot one, in turn.

    >>> line_middle_m(np.arange(3), rack_depth_m=1.0, cold_aisle_m=1.2, hot_aisle_m=0.9).round(3).tolist()
    [0.5, 2.7, 4.6]
    """
    cold, hot = (line + 1) // 2, line // 2
    middle_m: Measured = (line + 0.5) * rack_depth_m + cold * cold_aisle_m + hot * hot_aisle_m
    return middle_m


def middles_m(row: Whole, position: Whole, rules: FloorRules) -> tuple[Measured, Measured]:
    """(n,) (n,) middles of racks along the rows and across them, from the corner of the racks."""
    width_m, depth_m = first_of(rules.rack_width_m), first_of(rules.rack_depth_m)
    cold_m, hot_m = first_of(rules.cold_aisle_m), first_of(rules.hot_aisle_m)
    column_m = first_of(rules.row_racks) * width_m + cold_m  # a cross aisle is as wide as a cold one
    columns = row_columns(
        int(row.max(initial=-1)) + 1, row_length_m=column_m, row_pitch_m=depth_m + (cold_m + hot_m) / 2
    )
    line, column = np.divmod(row, columns)
    x_m = column * column_m + (position + 0.5) * width_m
    return x_m, line_middle_m(line, rack_depth_m=depth_m, cold_aisle_m=cold_m, hot_aisle_m=hot_m)


def row_columns(rows: int, *, row_length_m: float, row_pitch_m: float) -> int:
    """Columns of rows, side by side, that make the floor about as long as it is wide.

    >>> row_columns(270, row_length_m=16.2, row_pitch_m=2.25)
    6
    """
    return max(round(float(np.sqrt(rows * row_pitch_m / row_length_m))), 1)
