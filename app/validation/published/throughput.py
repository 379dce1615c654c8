"""The shipped throughputs of served models beside ours, idealised ones beside the scored."""

from __future__ import annotations

import functools
from typing import NamedTuple

from app.catalog.lookup import Catalog
from app.catalog.validated_collectives import THROUGHPUTS_FILE
from app.paths import seed_data
from app.validation.published.left_out import LeftOut
from app.validation.report import Report
from app.validation.rows import Row, read_rows
from app.validation.serving.throughput import source_of, throughput_report
from app.validation.serving.throughput_case import COLUMNS


class PublishedThroughput(NamedTuple):
    """One published figure beside ours, in the unit of its metric. `label` says why it is not scored, "" where it is."""

    row: Row
    source: str
    measured: float
    predicted: float
    label: str
    assumed: tuple[str, ...]

    @property
    def error(self) -> float:
        """Predicted over measured, less one."""
        return self.predicted / self.measured - 1


class PublishedThroughputs(NamedTuple):
    figures: tuple[PublishedThroughput, ...]  # in the order of the file
    unsupported: tuple[LeftOut, ...]
    unscored: tuple[LeftOut, ...]
    report: Report


def published_throughputs(catalog: Catalog) -> PublishedThroughputs:
    """Every shipped figure; computed once a catalog revision."""
    return _published(catalog.builtin)


@functools.lru_cache(maxsize=2)
def _published(catalog: Catalog) -> PublishedThroughputs:
    rows = read_rows(seed_data() / THROUGHPUTS_FILE, COLUMNS)
    report = throughput_report(rows, catalog)
    by_key = {row.key: row for row in rows}
    found = {
        one.key: PublishedThroughput(
            by_key[one.key], one.family, one.measured, one.predicted, "", one.assumed
        )
        for one in report.predictions
    } | {
        one["id"]: PublishedThroughput(
            by_key[one["id"]],
            source_of(by_key[one["id"]]),
            one["measured"],
            one["predicted"],
            one["label"],
            (),
        )
        for one in report.extra["idealised"]
    }
    return PublishedThroughputs(
        figures=tuple(found[row.key] for row in rows if row.key in found),
        unsupported=tuple(LeftOut(by_key[one.id], one.reason) for one in report.unsupported),
        unscored=tuple(
            LeftOut(row, row.text("unscored_reason"))
            for row in rows
            if not row.scored and row.key not in found
        ),
        report=report,
    )
