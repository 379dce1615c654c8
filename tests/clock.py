"""A clock that was put forward or back, for everything that asks what time it is."""

from __future__ import annotations

import datetime as real
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta, tzinfo
from unittest.mock import patch


@contextmanager
def clock_moved(by: timedelta) -> Iterator[None]:
    """Rows that are written inside carry a time that is so much later, or earlier where it is negative."""

    class Moved(real.datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> real.datetime:  # type: ignore[override]
            return real.datetime.now(tz) + by

    with patch("app.db.tables.base.datetime", Moved):
        yield
