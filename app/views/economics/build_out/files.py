"""The months of a build-out as CSV, and all of it as JSON."""

from __future__ import annotations

import dataclasses

from app.scenarios.reading.spreadsheets.text import csv_bytes
from app.views.economics.build_out.report import BuildOutMonth, BuildOutReport
from app.views.file_format import FileFormat, by_name, csv_file, json_file


def months_csv(report: BuildOutReport) -> bytes:
    """A row a month; unknown is an empty cell."""
    names = [field.name for field in dataclasses.fields(BuildOutMonth)]
    return csv_bytes([names, *([getattr(month, name) for name in names] for month in report.months)])


FORMATS: dict[str, FileFormat[BuildOutReport]] = by_name(
    csv_file(months_csv, ".build_out.csv"), json_file(".build_out.json")
)
