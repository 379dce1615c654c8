"""The files that a search of a served model can be had as."""

from __future__ import annotations

from datetime import UTC, datetime

from app.scenarios.reading.spreadsheets.text import csv_bytes
from app.surfaces.files.serving_search.text import COLUMNS, WORDS, lines_of
from app.views.file_format import FileFormat, by_name, csv_file, json_file, xlsx_file
from app.views.searching.serving_rows import ServingSearchAnswer
from app.views.sheet import Book, Number, Text

UNDATED = datetime(2000, 1, 1, tzinfo=UTC)  # the same answer makes the same file
KEEPS = "keeps_level"


def search_csv(answer: ServingSearchAnswer) -> bytes:
    """A line an option, numbers so that they are read back exactly; unknown is an empty cell."""
    heads = (*(name for name, _ in WORDS), KEEPS, *(column.path for column in COLUMNS))
    rows = (
        (
            *line.words,
            "yes" if line.option.keeps_level else "no",
            *(column.of(line.option) for column in COLUMNS),
        )
        for line in lines_of(answer)
    )
    return csv_bytes([heads, *rows])


def search_xlsx(answer: ServingSearchAnswer) -> bytes:
    """The same lines as a workbook, and the pods that were searched; the same answer gives the same bytes."""
    book = Book(title=answer.name, subject="Search by Podwright", created=UNDATED)
    _options_sheet(book, answer)
    _pods_sheet(book, answer)
    return book.content()


def _options_sheet(book: Book, answer: ServingSearchAnswer) -> None:
    widths = [*(width for _, width in WORDS), 12, *(column.width for column in COLUMNS)]
    sheet = book.sheet("Options", widths)
    first = len(WORDS) + 1
    titles = [f"{column.title} [{column.unit}]" if column.unit != "1" else column.title for column in COLUMNS]
    sheet.header(
        *(name.capitalize() for name, _ in WORDS), "Keeps level", *titles,
        numbers=range(first, first + len(COLUMNS)), frozen=True,
    )  # fmt: skip
    for line in lines_of(answer):
        sheet.line(
            *(Text(word) for word in line.words),
            Text("yes" if line.option.keeps_level else "no"),
            *(Number(column.of(line.option), column.unit or "1") for column in COLUMNS),
        )


def _pods_sheet(book: Book, answer: ServingSearchAnswer) -> None:
    sheet = book.sheet("Pods", [30, 28, 12, 14, 14, 16, 18, 12, 60])
    sheet.header(
        "System", "Accelerator", "Precision", "Accelerators", "SuperNodes", "USD per accelerator-hour",
        "Meter power per accelerator [W]", "Layouts", "Not searched", numbers=range(3, 8), frozen=True,
    )  # fmt: skip
    for pod in answer.pods:
        sheet.line(
            Text(pod.name),
            Text(pod.accelerator),
            Text(pod.precision),
            Number(pod.accelerators, "1"),
            Number(pod.supernodes, "1"),
            Number(pod.usd_per_accelerator_hour, "USD"),
            Number(pod.meter_power_per_accelerator_w, "W"),
            Number(pod.layouts, "1"),
            Text(pod.refused),
        )
    for note in answer.notes:
        sheet.heading(note, "note")


FORMATS: dict[str, FileFormat[ServingSearchAnswer]] = by_name(
    csv_file(search_csv, ".search.csv"), xlsx_file(search_xlsx, ".search.xlsx"), json_file(".search.json")
)
