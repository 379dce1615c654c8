"""Published figures that are not compared."""

from __future__ import annotations

from typing import NamedTuple

from app.validation.rows import Row


class LeftOut(NamedTuple):
    """A row of a file that is not compared, and why."""

    row: Row
    reason: str
