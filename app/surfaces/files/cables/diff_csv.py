"""What differs between a file of cables and a design, as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from app.scenarios.reading.spreadsheets.text import csv_bytes
from app.views.fabric.cable_diff import CableDiff

COLUMNS = ("kind", "sheet", "line", "other_line", "network", "designed", "listed")
ROWS = 1_000


def cable_diff_csv(diff: CableDiff) -> Iterator[bytes]:
    """Every difference, some at a time. Line 0 is of a cable that the file does not have."""
    yield ",".join(COLUMNS).encode() + b"\r\n"
    differences = diff.differences()
    while some := tuple(islice(differences, ROWS)):
        yield csv_bytes(some)
