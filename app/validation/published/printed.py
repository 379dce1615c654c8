"""The published runs as their sources print them, and each as the scenario that the engine evaluates."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from app.catalog.lookup import Catalog
from app.catalog.validated_runs import RUNS_FILE
from app.engine.specs import Layout
from app.paths import seed_data
from app.validation.rows import Row, read_rows
from app.validation.training.case import COLUMNS, case_of


@functools.cache
def printed_runs() -> Mapping[str, Row]:
    """Every shipped run by its id; read once a process."""
    return {row.key: row for row in read_rows(seed_data() / RUNS_FILE, COLUMNS)}


def scenario_of_run(row: Row, name: str, catalog: Catalog) -> dict[str, Any]:
    """The scenario that a run is predicted by, with what was taken for granted written out.

    Raises
    ------
    UnsupportedRowError : the row cannot be predicted; the message says why
    """
    case = case_of(row, catalog)
    document = {**case.document, "name": name}
    if isinstance(document["parallelism"], dict) and case.design.layout is not None:
        document["parallelism"] = {**document["parallelism"], "recompute": _recompute(case.design.layout)}
    return document


def _recompute(layout: Layout) -> str:
    """What the layout does again; where the row says nothing, memory has decided it."""
    if layout.recompute[0] > 0:
        return "full"
    return "selective" if layout.selective_recompute[0] > 0 else "none"
