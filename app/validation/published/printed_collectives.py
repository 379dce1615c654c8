"""The measured collectives as their sources print them."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from app.catalog.validated_collectives import COLLECTIVES_FILE
from app.paths import seed_data
from app.validation.collectives.case import COLUMNS
from app.validation.rows import Row, read_rows


@functools.cache
def printed_collectives() -> Mapping[str, Row]:
    """Every shipped measurement by its id; read once a process."""
    return {row.key: row for row in read_rows(seed_data() / COLLECTIVES_FILE, COLUMNS)}
