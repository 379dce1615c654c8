"""Sources of single values: `cell_sources.csv` says where a cell comes from when its row comes from elsewhere.

A line names a row by kind and key, the printed columns, and the source with its date, its family and a word of
confidence; of these columns it overrides what the row says. The kind of a value is that of the family, so that
no value reads otherwise than its source.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

from app.catalog.provenance import CONFIDENCE, MEMORY_WORDS, SourceFamilies
from app.catalog.rows import SeedRecord
from app.catalog.seed_files import SeedRow, read_rows

FILE = "cell_sources.csv"
COLUMNS = ("kind", "key", "columns", "source", "url", "as_of", "family", "confidence")


def cite_cells(seed_dir: Path, records: dict[str, list[SeedRecord]], families: SourceFamilies) -> None:
    """Give the facts of the named cells their own source, date, kind and confidence.

    Raises
    ------
    SeedError : a line names no cell that holds a value, or a cell twice, or has no source
    """
    by_key = {(kind, record.key): record for kind, found in records.items() for record in found}
    seen: set[tuple[str, str, str]] = set()
    for row in read_rows(seed_dir, FILE, COLUMNS):
        record = by_key.get((row.cells["kind"], row.cells["key"]))
        if record is None:
            raise row.error("key", f"no row of {row.cells['kind']!r} has the key {row.cells['key']!r}")
        for column in row.cells["columns"].split(";"):
            place = (row.cells["kind"], row.cells["key"], column)
            if place in seen:
                raise row.error("columns", f"{column!r} of {row.cells['key']!r} stands here twice")
            seen.add(place)
            _cite(row, record, column, families)


def _cite(row: SeedRow, record: SeedRecord, column: str, families: SourceFamilies) -> None:
    names = [name for name, fact in record.facts.items() if column in fact.printed_column.split(";")]
    if not names:
        raise row.error("columns", f"{column!r} of {record.key!r} holds no value")
    family = families.get(row.cells["family"])
    if family is None:
        raise row.error("family", f"{row.cells['family']!r} is no family of sources.csv")
    word = row.cells["confidence"]
    if word not in CONFIDENCE:
        raise row.error("confidence", f"{word!r} is no known word of confidence")
    citation = families.cite(
        row.sourced(), url=row.cells["url"], date=row.cells["as_of"], family=row.cells["family"]
    )
    citation = dataclasses.replace(citation, as_of=row.cells["as_of"] or citation.as_of)
    kind = "assumption" if word in MEMORY_WORDS else citation.kind
    for name in names:
        record.facts[name] = dataclasses.replace(
            record.facts[name],
            citation=citation,
            kind=kind,
            confidence=CONFIDENCE[word],
            as_of=citation.as_of,
        )
