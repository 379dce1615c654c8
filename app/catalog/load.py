"""Filling a database with the built-in catalog: checked, all or nothing, and only when something changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy import Connection, Engine

from app.catalog.seed_files import fingerprint
from app.db.session import write_connection
from app.db.tables import SettingRow, table_of

if TYPE_CHECKING:
    from app.catalog.provenance import Citation
    from app.catalog.rows import SeedRecord

SETTING = table_of(SettingRow)
CATALOG_REVISION = "catalog_revision"
SHIP_CLIMATE = "ship_climate_needing_check"
REVISION_QUERY = f"SELECT value FROM {SETTING.name} WHERE name = '{CATALOG_REVISION}'"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadReport:
    """What loading did. `counts` is empty when the database held this catalog already."""

    revision: str
    changed: bool
    counts: dict[str, int] = field(default_factory=dict)
    climate_left_out: tuple[str, ...] = ()


def catalog_revision(connection: Connection) -> str | None:
    """The revision of the catalog that a database holds, None when it holds none."""
    # asked before every evaluation: written out, it is answered in a third of the time
    found = connection.exec_driver_sql(REVISION_QUERY).scalar()
    return None if found is None else str(found)


def load_catalog(
    engine: Engine, seed_dir: Path, *, ship_climate_needing_check: bool | None = None, force: bool = False
) -> LoadReport:
    """Fill or refresh the built-in catalog of a migrated database.

    Nothing is written when the database holds this very catalog, unless `force`; nothing that belongs
    to a workspace is ever touched. Climate years whose terms ask for a check are loaded unless
    `ship_climate_needing_check` is False; None keeps what was chosen for this database before.

    Raises
    ------
    SeedError : a seed file has a bad row; the database stays as it was
    """
    with engine.connect() as connection:
        if ship_climate_needing_check is None:
            ship_climate_needing_check = _setting(connection, SHIP_CLIMATE) != "no"
        stored = catalog_revision(connection)
    revision = fingerprint(seed_dir, ship_climate_needing_check=ship_climate_needing_check)
    if stored == revision and not force:
        return LoadReport(revision=revision, changed=False)

    # Only needed when there is something to do, and slow to import.
    from app.catalog import store
    from app.catalog.seed import read_seed

    seed = read_seed(seed_dir, ship_climate_needing_check=ship_climate_needing_check)
    with engine.connect() as connection:
        years = seed.climate(store.climate_digests(connection))
    with write_connection(engine) as connection:
        # another process may have been faster
        if catalog_revision(connection) == revision and not force:
            return LoadReport(revision=revision, changed=False)
        records = {**seed.records, "climate": [year.record for year in years]}
        sources = store.store_sources(connection, _citations(records))
        parts = store.store_parts(connection, records, sources)
        store.store_prices(connection, records, parts, sources)
        store.store_climate(connection, years, sources)
        store.remove_unused(connection, parts)
        _set(connection, CATALOG_REVISION, revision)
        _set(connection, SHIP_CLIMATE, "yes" if ship_climate_needing_check else "no")
    return LoadReport(
        revision=revision,
        changed=True,
        counts={kind: len(found) for kind, found in sorted(records.items())},
        climate_left_out=tuple(record.key for record in seed.climate_left_out()),
    )


def _setting(connection: Connection, name: str) -> str | None:
    found = connection.execute(sa.select(SETTING.c.value).where(SETTING.c.name == name)).scalar()
    return None if found is None else str(found)


def _set(connection: Connection, name: str, value: str) -> None:
    connection.execute(SETTING.delete().where(SETTING.c.name == name))
    connection.execute(SETTING.insert().values(name=name, value=value))


def _citations(records: dict[str, list[SeedRecord]]) -> Iterator[Citation]:
    for found in records.values():
        for record in found:
            yield record.citation
            for fact in record.facts.values():
                yield fact.citation
