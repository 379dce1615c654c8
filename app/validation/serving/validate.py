"""`podwright validate serving`: measured latencies, or throughputs, of served models against the engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.catalog.lookup import Catalog
from app.validation.report import Report
from app.validation.rows import ValidationFileError, columns_of, read_rows
from app.validation.serving.latencies import latency_report
from app.validation.serving.study import study_of
from app.validation.serving.throughput import throughput_report
from app.validation.serving.throughput_case import COLUMNS

OF_THROUGHPUTS = ("metric", "value", "hardware", "n", "concurrency_or_batch", "conditions")
OF_LATENCIES = ("mode", "system", "concurrency", "ttft_ms", "tpot_ms")


def validate_serving(
    path: Path, catalog: Catalog, *, progress: Callable[[str], None] = lambda _: None
) -> Report:
    """Predict every scored row of a file of latencies, or of throughputs.

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    if _is_of_throughputs(path):
        return throughput_report(read_rows(path, COLUMNS), catalog)
    return latency_report(study_of(path, catalog, progress=progress), catalog)


def _is_of_throughputs(path: Path) -> bool:
    """By the columns that only one of the kinds has: a file that lacks another of its kind is told which."""
    throughput, latency = (
        sum(column in columns_of(path) for column in own) for own in (OF_THROUGHPUTS, OF_LATENCIES)
    )
    if not throughput + latency:
        raise ValidationFileError(
            f"{path} is neither of throughputs nor of latencies: the first has columns {', '.join(OF_THROUGHPUTS)}, "
            f"the second {', '.join(OF_LATENCIES)}"
        )
    return throughput > latency
