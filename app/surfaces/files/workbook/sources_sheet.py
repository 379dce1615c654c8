"""Whose figures and formulas the evaluation stands on, on what terms, with the credit they ask for."""

from __future__ import annotations

import functools
from collections import defaultdict
from typing import Any

from app.catalog.licences import SHIP_WORDS
from app.catalog.provenance import Citation, SourceFamilies
from app.catalog.seed_files import read_source_families
from app.paths import seed_data
from app.surfaces.files.rows import figure_rows
from app.surfaces.files.workbook.citations import Citations
from app.views.sheet import Book, Number, Text

NAME = "Sources"
COLUMNS = ("No.", "Source", "Address", "Licence", "Passing on", "Credit", "Uses", "Used for")
SHOWN = 6
ANY_OTHER = "press"  # the family of sources that no other knows
NO_CREDIT = ("none", "shown as an assumption")


def sources_sheet(book: Book, evaluation: dict[str, Any], citations: Citations) -> None:
    """Sources of the inputs with their licences, then those of the formulas."""
    sheet = book.sheet(NAME, (6, 70, 44, 30, 30, 44, 8, 60))
    sheet.header(*COLUMNS, numbers=(6,), frozen=True)
    families = _families()
    for number, source, uses in citations.listed():
        sheet.line(
            f"[{number}]",
            source,
            *_terms(families.cite(source)),
            Number(len(uses)),
            Text(_few(uses), "muted"),
        )
    sheet.gap()
    sheet.heading("Formulas", across=len(COLUMNS))
    for source, uses in _sources_of_formulas(evaluation).items():
        sheet.line("", source, "", "", "", "", Number(len(uses)), Text(_few(uses), "muted"))


def _terms(citation: Citation) -> tuple[str, str, str, str]:
    """Address, licence, what may be done with it, credit. Our own words, such as "it has none", have no terms."""
    if citation.families == (ANY_OTHER,) and not citation.url:
        return "", "", "", ""
    credit = "" if citation.credit in NO_CREDIT else citation.credit
    return citation.url, citation.licence, SHIP_WORDS[citation.ship], credit


@functools.cache
def _families() -> SourceFamilies:
    return read_source_families(seed_data())


def _sources_of_formulas(evaluation: dict[str, Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for row in figure_rows(evaluation):
        if row.source and row.source != "definition":
            found[row.source].append(row.label)
    return found


def _few(labels: list[str]) -> str:
    unique = list(dict.fromkeys(labels))
    more = f"; and {len(unique) - SHOWN} more" if len(unique) > SHOWN else ""
    return "; ".join(unique[:SHOWN]) + more
