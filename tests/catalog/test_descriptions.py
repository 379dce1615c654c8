"""Descriptions of assumptions are labels of inputs, so that each is read without the rows around it."""

from __future__ import annotations

import re

from app.catalog.assumptions import read_assumptions
from app.paths import seed_data

LEANS_ON_ANOTHER = re.compile(r"(as above|as before|likewise|the same|ditto)\b", re.IGNORECASE)


def test_each_stands_alone() -> None:
    rows = [row for path in (seed_data() / "assumptions").glob("*.csv") for row in read_assumptions(path)]
    assert len(rows) > 800
    assert [row.name for row in rows if not row.description] == []
    assert [row.description for row in rows if LEANS_ON_ANOTHER.match(row.description)] == []
