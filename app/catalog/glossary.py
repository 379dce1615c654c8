"""The terms of the field that pages and reports use: each in two sentences, with a source.

`seed_data/glossary.csv` holds them, one row a term: what it is, and why it matters here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.catalog.seed_files import SeedRow, read_rows
from app.paths import seed_data

FILE = "glossary.csv"
COLUMNS = ("key", "term", "aliases", "what", "why", "source", "address")
BETWEEN_ALIASES = ";"


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A term; `what` and `why` are one sentence each."""

    key: str
    term: str
    aliases: tuple[str, ...]
    what: str
    why: str
    source: str
    address: str

    @property
    def sentences(self) -> tuple[str, str]:
        return self.what, self.why


@cache
def glossary() -> dict[str, Term]:
    """The shipped terms by key, in the order of the alphabet; read once a process.

    Raises
    ------
    SeedError : a cell cannot be used; the message says which
    """
    return read_glossary(seed_data())


def read_glossary(seed_dir: Path) -> dict[str, Term]:
    """The terms of a folder of seed data.

    Raises
    ------
    SeedError : a cell cannot be used; the message says which
    """
    terms: dict[str, Term] = {}
    for row in read_rows(seed_dir, FILE, COLUMNS):
        term = _term(row)
        if term.key in terms:
            raise row.error("key", f"{term.key!r} is there already")
        terms[term.key] = term
    return dict(sorted(terms.items(), key=lambda item: item[1].term.casefold()))


def _term(row: SeedRow) -> Term:
    cells = row.cells
    for column in ("key", "term", "what", "why", "source", "address"):
        if not cells[column].strip():
            raise row.error(column, "is empty")
    if not cells["address"].startswith("https://"):
        raise row.error("address", f"{cells['address']!r} is no address that starts with https://")
    aliases = tuple(alias for alias in cells["aliases"].split(BETWEEN_ALIASES) if alias)
    return Term(**{**cells, "aliases": aliases})  # type: ignore[arg-type]
