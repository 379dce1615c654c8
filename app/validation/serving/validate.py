"""`podwright validate serving`: measured latencies, or throughputs, of served models against the engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.catalog.lookup import Catalog
from app.validation.report import Report
from app.validation.rows import ValidationFileError, read_rows
from app.validation.serving.latencies import latency_report
from app.validation.serving.study import study_of
from app.validation.serving.throughput import throughput_report
from app.validation.serving.throughput_case import COLUMNS


def validate_serving(
    path: Path, catalog: Catalog, *, progress: Callable[[str], None] = lambda _: None
) -> Report:
    """Predict every scored row of a file of latencies, or of throughputs.

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    try:
        rows = read_rows(path, COLUMNS)
    except ValidationFileError:
        return latency_report(study_of(path, catalog, progress=progress), catalog)
    return throughput_report(rows, catalog)
