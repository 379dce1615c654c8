"""Kinds of file that an answer can be had as."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, NamedTuple, TypeVar

import orjson

from app.views.plain import report_json

Answer = TypeVar("Answer")
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class FileFormat(NamedTuple, Generic[Answer]):
    """What it is called and sent as, and what writes an answer as one, whole or some at a time."""

    name: str
    media_type: str
    suffix: str
    title: str
    write: Callable[[Answer], bytes | Iterable[bytes]]

    def content(self, answer: Answer) -> bytes:
        """All of the file."""
        written = self.write(answer)
        return written if isinstance(written, bytes) else b"".join(written)


def csv_file(write: Callable[[Any], bytes | Iterable[bytes]], suffix: str) -> FileFormat[Any]:
    """Comma-separated values."""
    return FileFormat("csv", "text/csv; charset=utf-8", suffix, "CSV", write)


def xlsx_file(write: Callable[[Any], bytes], suffix: str, title: str = "Excel") -> FileFormat[Any]:
    """A workbook."""
    return FileFormat("xlsx", XLSX_TYPE, suffix, title, write)


def json_file(suffix: str, report: Callable[[Any], Any] = report_json) -> FileFormat[Any]:
    """All of an answer, as the API gives it."""
    return FileFormat("json", "application/json", suffix, "JSON", lambda answer: as_json(report(answer)))


def as_json(values: Any) -> bytes:
    """Plain values with indents."""
    return orjson.dumps(values, option=orjson.OPT_INDENT_2)


def by_name(*formats: FileFormat[Answer]) -> dict[str, FileFormat[Answer]]:
    return {one.name: one for one in formats}
