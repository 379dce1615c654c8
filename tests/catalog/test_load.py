"""Loading: whole, repeatable, quick when nothing changed, and blind to what a team added."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy import Engine

from app.catalog.distribution import copy_for_distribution, files_needing_check
from app.catalog.errors import CatalogLookupError, SeedError
from app.catalog.load import load_catalog
from app.catalog.lookup import Catalog
from app.catalog.seed_files import fingerprint
from app.db.engine import open_engine
from app.db.migrate import migrate
from app.db.session import write_session
from app.db.tables import FactRow, PartRow, PriceRow, SourceRow, WorkspaceRow, metadata
from tests.catalog.conftest import Spoil
from tests.databases import ON_POSTGRESQL, engine_in, only_on_postgresql
from tests.support import SEED_DATA

pytestmark = pytest.mark.slow

CONTENT = ("source", "part", "price", "climate_year", "setting")


def content(engine: Engine, *tables: str) -> dict[str, list[tuple[object, ...]]]:
    """Everything in some tables."""
    with engine.connect() as connection:
        return {
            name: [tuple(row) for row in connection.execute(sa.select(table).order_by(*table.primary_key))]
            for name in tables or CONTENT
            for table in (metadata.tables[name],)
        }


def test_every_row_of_every_file_is_loaded(seeded: Engine, catalog: Catalog) -> None:
    expected = {
        "accelerators": 66, "systems": 79, "switches": 46, "nics": 19, "optics": 36, "storage": 22, "dpus": 8,
        "cpus": 9, "models": 91, "prices": 125, "rentals": 381, "sites": 61, "climate": 66,
        "reference_architectures": 49, "cloud_regions": 164, "aliases": 835,
    }  # fmt: skip
    assert {kind: len(catalog.keys(kind)) for kind in expected} == expected


def test_loading_twice_changes_nothing(own_database: Engine) -> None:
    before = content(own_database)
    report = load_catalog(own_database, SEED_DATA, force=True)
    assert report.changed
    assert content(own_database) == before


def test_an_up_to_date_catalog_is_left_alone(own_database: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.catalog.seed.read_seed", pytest.fail)
    report = load_catalog(own_database, SEED_DATA)
    assert not report.changed
    assert report.revision == fingerprint(SEED_DATA, ship_climate_needing_check=True)


def test_what_changed_is_updated_in_place(own_database: Engine, spoil: Spoil) -> None:
    old = Catalog.open(own_database)
    seed = spoil("accelerators.csv", "nvidia_h100_sxm", "tdp_w", "650")
    with own_database.connect() as connection:
        query = sa.text("SELECT id FROM part WHERE key = 'nvidia_h100_sxm'")
        number = connection.execute(query).scalar()
        load_catalog(own_database, seed)
        assert connection.execute(query).scalar() == number
    new = Catalog.open(own_database)
    assert new.revision != old.revision
    assert old.part("accelerators", "nvidia_h100_sxm").facts["tdp_w"].value == 700.0 or old is not new
    assert new.part("accelerators", "nvidia_h100_sxm").facts["tdp_w"].value == 650.0


def test_a_changed_part_counts_its_revision(own_database: Engine, spoil: Spoil) -> None:
    load_catalog(own_database, spoil("accelerators.csv", "nvidia_h100_sxm", "status", "legacy"))
    parts = {part.key: part.revision for part in Catalog.open(own_database).parts("accelerators")}
    assert parts.pop("nvidia_h100_sxm") == 2
    assert set(parts.values()) == {1}


def test_a_part_that_left_the_files_is_removed(own_database: Engine, seed_copy: Path) -> None:
    path = seed_copy / "cpus.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    gone = lines.pop(-1).split(",")[0]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    load_catalog(own_database, seed_copy)
    catalog = Catalog.open(own_database)
    assert gone not in catalog.keys("cpus")
    assert len(catalog.keys("cpus")) == 8


@pytest.fixture
def team_rows(own_database: Engine) -> int:
    """A team with a part, a fact over a built-in part, and a price of its own. Its workspace id."""
    with write_session(own_database) as session:
        team = WorkspaceRow(key="team", name="Team", kind="team")
        session.add(team)
        session.flush()
        assert team.id is not None
        own = {"workspace_id": team.id, "created_by": "somebody"}
        source = SourceRow(
            citation="our quote", families="", kind="vendor", licence="ours", licence_basis="stated",
            ship="no", credit="", **own,
        )  # fmt: skip
        part = PartRow(kind="accelerators", key="nvidia_h100_sxm", name="Our H100", **own)
        session.add_all([source, part])
        session.flush()
        builtin = session.execute(
            sa.text("SELECT id FROM part WHERE key = 'cpu_grace' AND workspace_id IS NULL")
        ).scalar_one()
        fact = {
            "unit": "W", "printed_value": "1", "printed_unit": "W", "printed_column": "", "kind": "measured",
            "confidence": "", "source_id": source.id,
        }  # fmt: skip
        session.add(FactRow(part_id=part.id, field="tdp_w", value=600.0, **fact, **own))
        session.add(FactRow(part_id=builtin, field="max_power_w", value=250.0, **fact, **own))
        price = {
            "item": "our DGX",
            "typical": 1.0,
            "unit": "USD",
            "printed_unit": "USD",
            "value_kind": "vendor",
        }
        links = {"confidence": "", "part_id": part.id, "source_id": source.id}
        session.add(PriceRow(kind="prices", key="dgx_h100", **price, **links, **own))
    return team.id


def owned(engine: Engine) -> dict[str, list[tuple[object, ...]]]:
    with engine.connect() as connection:
        return {
            name: [
                tuple(row)
                for row in connection.execute(
                    sa.select(metadata.tables[name])
                    .where(metadata.tables[name].c.workspace_id.is_not(None))
                    .order_by(metadata.tables[name].c.id)
                )
            ]
            for name in ("source", "part", "fact", "price", "climate_year")
        }


@pytest.mark.slow
def test_rows_of_a_team_are_never_touched(own_database: Engine, team_rows: int, seed_copy: Path) -> None:
    before = owned(own_database)
    assert [len(rows) for rows in before.values()] == [1, 1, 2, 1, 0]
    load_catalog(own_database, SEED_DATA, force=True)
    path = seed_copy / "cpus.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(line for line in lines if not line.startswith("cpu_grace")), encoding="utf-8")
    load_catalog(own_database, seed_copy)
    assert owned(own_database) == before
    # a built-in part that a team refers to stays, and says that it was withdrawn
    assert Catalog.open(own_database).part("cpus", "cpu_grace").status == "withdrawn"


def test_a_team_sees_its_own_rows_and_others_do_not(own_database: Engine, team_rows: int) -> None:
    theirs = Catalog.open(own_database, workspace_id=team_rows)
    assert theirs.part("accelerators", "nvidia_h100_sxm").facts["tdp_w"].value == 600.0
    assert theirs.part("cpus", "cpu_grace").facts["max_power_w"].value == 250.0
    everyone = Catalog.open(own_database)
    assert everyone.part("accelerators", "nvidia_h100_sxm").facts["tdp_w"].value == 700.0
    assert everyone.part("cpus", "cpu_grace").facts["max_power_w"].value == 300.0


CHECK = {"climate_iwec", "climate_cswd", "climate_ineti", "climate_meteoswiss"}


@pytest.mark.slow
def test_climate_needing_a_check_can_be_left_out(own_database: Engine) -> None:
    report = load_catalog(own_database, SEED_DATA, ship_climate_needing_check=False)
    assert len(report.climate_left_out) == 19
    catalog = Catalog.open(own_database)
    left = catalog.parts("climate")
    assert len(left) == 66 - 19
    assert not {part.attributes["licence_key"] for part in left} & CHECK
    with pytest.raises(CatalogLookupError, match="'amsterdam' was left out"):
        catalog.climate("amsterdam")
    # the choice is remembered until another is made
    assert not load_catalog(own_database, SEED_DATA).changed
    assert load_catalog(own_database, SEED_DATA, ship_climate_needing_check=True).changed
    assert len(Catalog.open(own_database).keys("climate")) == 66


@pytest.mark.slow
def test_a_distribution_without_them_loads(tmp_path: Path) -> None:
    target = tmp_path / "distribution"
    left_out = copy_for_distribution(SEED_DATA, target)
    assert left_out == files_needing_check(SEED_DATA)
    assert len(left_out) == 19
    assert not any((target / path).exists() for path in left_out)
    assert len(list((target / "climate").glob("*.gz"))) == 66 - 19
    engine = engine_in(tmp_path)
    migrate(engine)
    report = load_catalog(engine, target)
    assert len(report.climate_left_out) == 19
    assert len(Catalog.open(engine).keys("sites")) == 61


def test_a_file_that_may_be_passed_on_must_be_there(tmp_path: Path, seed_copy: Path) -> None:
    (seed_copy / "climate" / "ashburn_va.csv.gz").unlink()
    engine = engine_in(tmp_path)
    migrate(engine)
    with pytest.raises(SeedError, match=r"ashburn_va\.csv\.gz, line 0: the file is missing"):
        load_catalog(engine, seed_copy)


def test_the_revision_follows_the_files(seed_copy: Path) -> None:
    before = fingerprint(seed_copy, ship_climate_needing_check=True)
    assert before == fingerprint(SEED_DATA, ship_climate_needing_check=True)
    assert before != fingerprint(seed_copy, ship_climate_needing_check=False)
    shutil.copy(SEED_DATA / "assumptions" / "fabric.csv", seed_copy / "assumptions" / "another.csv")
    assert before != fingerprint(seed_copy, ship_climate_needing_check=True)


def test_an_unseeded_database_says_so(tmp_path: Path) -> None:
    engine = engine_in(tmp_path)
    migrate(engine)
    with pytest.raises(CatalogLookupError, match="podwright seed"):
        Catalog.open(engine)


def test_no_row_is_orphaned_or_without_source(seeded: Engine) -> None:
    with seeded.connect() as connection:
        if not ON_POSTGRESQL:  # which enforces them
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
        unused = "SELECT citation FROM source WHERE id NOT IN (SELECT source_id FROM fact UNION SELECT source_id FROM price UNION SELECT source_id FROM climate_year UNION SELECT source_id FROM part WHERE source_id IS NOT NULL)"
        assert connection.exec_driver_sql(unused).all() == []


@pytest.mark.slow
@only_on_postgresql()
def test_a_server_gives_the_catalog_that_a_file_gives(catalog: Catalog, tmp_path: Path) -> None:
    """What only reads the catalog is therefore not tried on PostgreSQL again."""
    engine = open_engine(f"sqlite:///{tmp_path / 'catalog.db'}")
    migrate(engine)
    load_catalog(engine, SEED_DATA)
    in_file = Catalog.open(engine)
    assert catalog.revision == in_file.revision
    assert catalog.kinds() == in_file.kinds()
    for kind in in_file.kinds():
        assert catalog.parts(kind) == in_file.parts(kind)
        for key in in_file.keys(kind):
            assert catalog.prices(key) == in_file.prices(key)
            assert catalog.price(key) == in_file.price(key)
            assert catalog.price_absence(key) == in_file.price_absence(key)
            assert catalog.rentals(key, "on_demand") == in_file.rentals(key, "on_demand")
    for key in in_file.keys("climate")[:3]:
        ours, theirs = catalog.climate(key), in_file.climate(key)
        assert ours.digest == theirs.digest
        assert ours.dry_bulb_c.tobytes() == theirs.dry_bulb_c.tobytes()
    engine.dispose()


def test_every_text_fits_its_column(seeded: Engine) -> None:
    """PostgreSQL refuses a text that is longer than its column, SQLite takes it."""
    with seeded.connect() as connection:
        for table in (SourceRow, PartRow, FactRow, PriceRow):
            for column in metadata.tables[table.__tablename__].columns:
                most = getattr(column.type, "length", None)
                if most is not None:
                    longest = connection.execute(sa.select(sa.func.max(sa.func.length(column)))).scalar() or 0
                    assert longest <= most, f"{column}: {longest} of {most} characters"
