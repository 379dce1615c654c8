"""The seed files as validated records, checked against each other."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.catalog.cell_sources import cite_cells
from app.catalog.checks import check_all
from app.catalog.climate import MEAN_TOLERANCE_K, checksum, read_hours
from app.catalog.columns import PRICE_UNITS
from app.catalog.kinds import KINDS
from app.catalog.kinds.accelerators import Accelerator
from app.catalog.kinds.aliases import Alias
from app.catalog.kinds.assumptions import Assumption
from app.catalog.kinds.base import CatalogKind
from app.catalog.kinds.sites import Site
from app.catalog.kinds.systems import System
from app.catalog.provenance import CONFIDENCE, NEEDING_CHECK, SourceFamilies, in_group
from app.catalog.rows import SeedFact, SeedRecord, parse
from app.catalog.seed_files import (
    FORMAT,
    SeedRow,
    expected_columns,
    read_joined,
    read_kind,
    read_rows,
    read_source_families,
)
from app.engine.trace import Array

OF_THE_CLIMATE_FILE = "of the climate file"
"""How sites.csv says that an elevation is that of the weather station."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClimateSeed:
    """A climate year to load; without hours when the database has them already."""

    record: SeedRecord
    digest: str
    hours: dict[str, Array] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """Everything that the seed files hold. Hours are read one place at a time."""

    directory: Path
    families: SourceFamilies
    records: dict[str, list[SeedRecord]]
    ship_climate_needing_check: bool

    def climate(self, known: Mapping[str, str] | None = None) -> list[ClimateSeed]:
        """The climate years to load, with their hours unless these are known by `digest`."""
        found = []
        for record in self.climate_shipped():
            digest = self.climate_digest(record)
            same = known is not None and known.get(record.key) == digest
            hours = None if same else _checked_hours(self.directory, record)
            found.append(ClimateSeed(record=record, digest=digest, hours=hours))
        return found

    def climate_digest(self, record: SeedRecord) -> str:
        """What file and index row of a climate year hold, in short."""
        cells = "|".join(record.row.cells.values())
        content = f"{FORMAT}|{_checksum(self.directory, record.key)}|{cells}"
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def climate_shipped(self) -> list[SeedRecord]:
        """Those whose terms allow it, or all; a file that needs a check may be absent from a distribution."""
        return [record for record in self.records["climate"] if self._is_shipped(record)]

    def climate_left_out(self) -> list[SeedRecord]:
        return [record for record in self.records["climate"] if not self._is_shipped(record)]

    def _is_shipped(self, record: SeedRecord) -> bool:
        if record.citation.ship not in NEEDING_CHECK:
            return True
        path = self.directory / "climate" / f"{record.key}.csv.gz"
        return self.ship_climate_needing_check and path.is_file()


def read_seed(seed_dir: Path, *, ship_climate_needing_check: bool = True) -> Seed:
    """Read and check every seed file.

    Raises
    ------
    SeedError : the first cell that cannot be used, by file, line and column
    """
    families = read_source_families(seed_dir)
    records = {name: _read(seed_dir, kind, families) for name, kind in KINDS.items()}
    _cite_climate_elevations(records, families)
    check_all(records, families)
    cite_cells(seed_dir, records, families)
    return Seed(
        directory=seed_dir,
        families=families,
        records=records,
        ship_climate_needing_check=ship_climate_needing_check,
    )


def _read(seed_dir: Path, kind: type[CatalogKind], families: SourceFamilies) -> list[SeedRecord]:
    if kind is Assumption:
        return _read_assumptions(seed_dir, families)
    rows = read_kind(seed_dir, kind)
    if kind is Accelerator:
        return _read_accelerators(seed_dir, rows, families)
    if kind is System:
        return _read_systems(seed_dir, rows, families)
    if kind is Alias:
        keys = (f"{row.cells['kind']}:{row.cells['alias'].strip()}" for row in rows)
        return [parse(kind, row, families, {"key": key}) for row, key in zip(rows, keys, strict=True)]
    records = [parse(kind, row, families) for row in rows]
    return [_with_price_unit(record) for record in records] if kind.kind == "prices" else records


def _read_accelerators(seed_dir: Path, rows: list[SeedRow], families: SourceFamilies) -> list[SeedRecord]:
    columns = ("accelerator_key", "generation")
    found = read_joined(seed_dir, "generations.csv", "accelerator_key", columns, rows)
    records = []
    for row in rows:
        joined = found.get(row.cells["key"])
        if joined is None:
            raise row.error("key", "has no generation in generations.csv")
        records.append(parse(Accelerator, row, families, {"generation": joined.cells["generation"]}))
    return records


def _read_systems(seed_dir: Path, rows: list[SeedRow], families: SourceFamilies) -> list[SeedRecord]:
    columns = ("system_key", "nodes", "source", "confidence", "as_of")
    found = read_joined(seed_dir, "system_nodes.csv", "system_key", columns, rows)
    records = []
    for row in rows:
        joined = found.get(row.cells["key"])
        if joined is None:
            records.append(parse(System, row, families))
            continue
        printed = joined.cells["nodes"]
        if not printed.isdigit() or int(printed) < 1:
            raise joined.error("nodes", f"{printed!r} is not a number of hosts")
        record = parse(System, row, families, {"nodes": int(printed)})
        record.facts["nodes"] = _nodes_fact(joined, families)
        records.append(record)
    return records


def _nodes_fact(row: SeedRow, families: SourceFamilies) -> SeedFact:
    word = row.cells["confidence"]
    family = "" if families.matches(row.cells["source"]) else "memory"
    citation = families.cite(row.cells["source"], date=row.cells["as_of"], family=family)
    return SeedFact(
        field="nodes", value=float(row.cells["nodes"]), low=None, typical=None, high=None, unit="1",
        printed_value=row.cells["nodes"], printed_unit="", printed_column="nodes",
        kind="assumption" if word == "memory" else "derived", confidence=CONFIDENCE[word],
        as_of=citation.as_of, citation=citation,
    )  # fmt: skip


def _with_price_unit(record: SeedRecord) -> SeedRecord:
    """A price speaks in the unit of its row."""
    printed = record.row.cells["unit"].strip()
    unit = PRICE_UNITS[printed].unit
    facts = {
        name: dataclasses.replace(fact, unit=unit, printed_unit=printed)
        for name, fact in record.facts.items()
    }
    return dataclasses.replace(record, facts=facts)


def _read_assumptions(seed_dir: Path, families: SourceFamilies) -> list[SeedRecord]:
    records = []
    for path in sorted((seed_dir / "assumptions").glob("*.csv")):
        file = f"assumptions/{path.name}"
        for row in read_rows(seed_dir, file, expected_columns(Assumption)):
            cell = row.cells
            condition = f"[{cell['applies_to']}]" if cell["applies_to"] else ""
            extra = {"key": f"{path.stem}.{cell['name']}{condition}", "room": path.stem}
            record = parse(Assumption, row, families, extra)
            unit, kind, date = cell["unit"], cell["kind"], cell["as_of"]
            facts = {
                name: dataclasses.replace(
                    fact, unit=unit, printed_unit=unit, kind=kind, as_of=date or fact.as_of
                )
                for name, fact in record.facts.items()
            }
            records.append(dataclasses.replace(record, facts=facts))
    return records


def _cite_climate_elevations(records: dict[str, list[SeedRecord]], families: SourceFamilies) -> None:
    """An elevation "of the climate file" has that file's source and terms."""
    index = {record.key: record for record in records["climate"]}
    for record in records["sites"]:
        assert isinstance(record.spec, Site)
        climate = index.get(record.spec.climate_key)
        if climate is None:
            continue
        for field in ("elevation_m", "climate_elevation_m"):
            fact = record.facts.get(field)
            own = in_group(record.row.cells["source"], "elevation")
            if fact is not None and (field == "climate_elevation_m" or own == OF_THE_CLIMATE_FILE):
                cited = families.cite(
                    f"climate file {climate.key}: {climate.citation.text}",
                    family=climate.row.cells["licence_key"],
                )
                record.facts[field] = dataclasses.replace(
                    fact, citation=cited, kind=cited.kind, confidence="", as_of=cited.as_of
                )


def _checksum(seed_dir: Path, key: str) -> str:
    present = (seed_dir / "climate" / f"{key}.csv.gz").is_file()
    return checksum(seed_dir, key) if present else "missing"  # reading it will say so


def _checked_hours(seed_dir: Path, record: SeedRecord) -> dict[str, Array]:
    hours = read_hours(seed_dir, record.key)
    for field, column in (("dry_bulb_mean_c", "dry_bulb_c"), ("wet_bulb_mean_c", "wet_bulb_c")):
        fact = record.facts.get(field)
        mean = float(hours[column].mean())
        if fact is not None and abs(fact.value - mean) > MEAN_TOLERANCE_K:
            raise record.row.error(
                fact.printed_column, f"{fact.value:g} degC, but the hours have a mean of {mean:.2f} degC"
            )
    return hours
