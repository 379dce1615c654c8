"""Reading the seed files: rows with their line numbers, and a fingerprint of all."""

from __future__ import annotations

import csv
import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from app.catalog.climate import checksum
from app.catalog.columns import numeric_columns, text_columns
from app.catalog.errors import SeedError
from app.catalog.kinds import KINDS
from app.catalog.kinds.base import CatalogKind
from app.catalog.provenance import SourceFamilies, SourceFamily

FORMAT = "2"
"""Goes up when the same files are stored in another way, so that databases are filled again."""

SOURCE_COLUMNS = ("key", "name", "kind", "match", "licence", "licence_basis", "ship", "credit", "notes")


@dataclass(frozen=True, slots=True)
class SeedRow:
    """A row as printed, and where it stands."""

    file: str
    line: int
    cells: Mapping[str, str]

    def error(self, column: str, reason: str) -> SeedError:
        """What to raise when this cell cannot be used."""
        return SeedError(file=self.file, line=self.line, column=column, reason=reason)

    def sourced(self) -> str:
        """Where the row comes from, which every row of `serving/` says.

        Raises
        ------
        SeedError : it does not say
        """
        if not self.cells["source"]:
            raise self.error("source", "is missing")
        return self.cells["source"]

    def number(self, column: str, *, positive: bool = False) -> float | None:
        """A cell as a finite number, None where it is empty; `positive` ones are above zero.

        Raises
        ------
        SeedError : the cell holds something else
        """
        text = self.cells[column]
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            raise self.error(column, f"{text!r} is not a number") from None
        if not math.isfinite(value) or (positive and value <= 0):
            raise self.error(column, f"{text} is not {'above 0 and ' if positive else ''}finite")
        return value

    def needed(self, column: str, *, positive: bool = False) -> float:
        """The same of a cell that may not be empty."""
        value = self.number(column, positive=positive)
        if value is None:
            raise self.error(column, "is empty")
        return value


def read_rows(seed_dir: Path, file: str, columns: Iterable[str]) -> list[SeedRow]:
    """The rows of one CSV file, whose header must be exactly `columns` in any order.

    Raises
    ------
    SeedError : the file cannot be read as such
    """
    try:
        with (seed_dir / file).open(encoding="utf-8", newline="") as opened:
            return _rows(file, opened, set(columns))
    except FileNotFoundError:
        raise SeedError(file=file, line=0, column="", reason="the file is missing") from None
    except UnicodeDecodeError as error:
        raise SeedError(file=file, line=0, column="", reason=f"is not UTF-8: {error}") from None


def _rows(file: str, opened: TextIO, columns: set[str]) -> list[SeedRow]:
    reader = csv.reader(opened, strict=True)
    rows = []
    start = 1
    try:
        header = next(reader, [])
        _check_header(file, header, columns)
        start = reader.line_num + 1
        for cells in reader:
            if len(cells) != len(header):
                reason = f"{len(cells)} cells where the header has {len(header)}"
                raise SeedError(file=file, line=start, column="", reason=reason)
            rows.append(SeedRow(file=file, line=start, cells=dict(zip(header, cells, strict=True))))
            start = reader.line_num + 1
    except csv.Error as error:
        raise SeedError(file=file, line=start, column="", reason=str(error)) from None
    return rows


def read_kind(seed_dir: Path, kind: type[CatalogKind]) -> list[SeedRow]:
    """The rows of a kind's file."""
    return read_rows(seed_dir, kind.file, expected_columns(kind))


def expected_columns(kind: type[CatalogKind]) -> list[str]:
    """Every column that a kind reads."""
    numeric = [printed for column in numeric_columns(kind) for printed in column.printed]
    return list(dict.fromkeys([*text_columns(kind), *numeric]))


def read_source_families(seed_dir: Path) -> SourceFamilies:
    """sources.csv."""
    families = []
    for row in read_rows(seed_dir, "sources.csv", SOURCE_COLUMNS):
        cell = dict(row.cells)
        if cell["ship"] not in ("yes", "check", "facts_only", "no"):
            raise row.error("ship", f"{cell['ship']!r} is none of yes, check, facts_only, no")
        match = tuple(word for word in cell.pop("match").split(";") if word)
        families.append(SourceFamily(match=match, **cell))
    return SourceFamilies(families)


def read_joined(
    seed_dir: Path, file: str, column: str, columns: Iterable[str], rows: Iterable[SeedRow]
) -> dict[str, SeedRow]:
    """Rows of a side file by the key they belong to, which must stand in `rows`."""
    known = {row.cells["key"] for row in rows}
    found: dict[str, SeedRow] = {}
    for row in read_rows(seed_dir, file, columns):
        key = row.cells[column]
        if key not in known:
            raise row.error(column, f"no row has the key {key!r}")
        if key in found:
            raise row.error(column, f"{key!r} stands here twice")
        found[key] = row
    return found


def seed_paths(seed_dir: Path) -> list[Path]:
    """Every file that loading reads, sorted."""
    files = {seed_dir / kind.file for kind in KINDS.values() if kind.file.endswith(".csv")}
    files |= {
        seed_dir / name for name in ("sources.csv", "cell_sources.csv", "generations.csv", "system_nodes.csv")
    }
    files |= set((seed_dir / "climate").glob("*.csv.gz"))
    files |= set((seed_dir / "assumptions").glob("*.csv"))
    return sorted(path for path in files if path.is_file())


def fingerprint(seed_dir: Path, *, ship_climate_needing_check: bool) -> str:
    """The catalog revision: what the seed files hold and how they are loaded, in 16 characters.

    Climate years are taken by the checksum that ends them: reading five megabytes at every start would
    cost more than all the rest.
    """
    digest = hashlib.sha256(f"{FORMAT} {ship_climate_needing_check}".encode())
    for path in seed_paths(seed_dir):
        digest.update(str(path.relative_to(seed_dir)).encode())
        if path.suffix == ".gz":
            digest.update(checksum(seed_dir, path.name.removesuffix(".csv.gz")).encode())
        else:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _check_header(file: str, header: list[str], expected: set[str]) -> None:
    for column in header:
        if header.count(column) > 1:
            raise SeedError(file=file, line=1, column=column, reason="the column stands here twice")
    for column in sorted(expected - set(header)):
        raise SeedError(file=file, line=1, column=column, reason="the column is missing")
    for column in header:
        if column not in expected:
            raise SeedError(file=file, line=1, column=column, reason="the column is unknown")
