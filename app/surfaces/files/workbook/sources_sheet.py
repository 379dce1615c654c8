"""Whose figures and formulas the evaluation stands on, on what terms, with the credit they ask for."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from app.catalog.licences import SHIP_WORDS
from app.catalog.provenance import SEPARATOR, Citation, SourceFamilies
from app.catalog.seed_files import read_source_families
from app.engine.trace import Origin
from app.paths import seed_data
from app.surfaces.files.rows import figure_rows
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


LONGEST = 56  # characters of the first source beside its number


class Cited(NamedTuple):
    """A source, and the inputs that come from it."""

    number: int
    text: str
    uses: list[str]


class Citations:
    """Sources in the order in which they are first named."""

    def __init__(self, origins: Iterable[Origin]) -> None:
        self._found: dict[str, Cited] = {}
        for origin in origins:
            for source in sources_in(origin.source):
                cited = self._found.setdefault(source, Cited(len(self._found) + 1, source, []))
                cited.uses.append(origin.label)

    def listed(self) -> tuple[Cited, ...]:
        """All sources, by number."""
        return tuple(self._found.values())

    def words(self, text: str) -> str:
        """A source text in one line: the first source in words, further ones by number."""
        first, *others = (self._found[source] for source in sources_in(text))
        words = first.text if len(first.text) <= LONGEST else first.text[: LONGEST - 1].rstrip() + "…"
        return ", ".join([f"[{first.number}] {words}", *(f"[{other.number}]" for other in others)])


def sources_in(text: str) -> list[str]:
    """The sources of one citation.

    >>> sources_in("data sheet | price list"), sources_in("")
    (['data sheet', 'price list'], [])
    """
    return [source.strip() for source in text.split(SEPARATOR) if source.strip()]
