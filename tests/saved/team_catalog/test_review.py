"""After an upgrade of the built-in catalog: own rows stay, and what is worth another look is said."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sqlalchemy import Engine

from app.catalog.load import load_catalog
from app.catalog.lookup import Catalog
from app.catalog.own.entries import Entry, OwnSource
from app.catalog.own.review import is_newer
from app.db.tables import PERSONAL_WORKSPACE_ID
from app.saved.access import LOCAL
from app.saved.team_catalog.service import TeamCatalog
from tests.databases import engine_in
from tests.support import SEED_DATA

pytestmark = pytest.mark.slow

OURS = OwnSource(citation="Ours", as_of="2024-01", value_kind="measured")
CPU = ("cpus", "cpu_grace")


def state(team: TeamCatalog, kind: str, key: str, cells: dict[str, str], source: OwnSource = OURS) -> None:
    team.put([Entry(kind=kind, key=key, cells=cells, source=source)], 0)


@pytest.fixture
def database(seeded_data_dir: Path, tmp_path: Path) -> Engine:
    return engine_in(shutil.copytree(seeded_data_dir, tmp_path / "own"))


@pytest.fixture
def seed_files(tmp_path: Path) -> Path:
    """The seed files with a processor's power changed, and another processor gone."""
    copy = tmp_path / "seed_data"
    shutil.copytree(SEED_DATA, copy, copy_function=lambda source, target: Path(target).symlink_to(source))
    path = copy / "cpus.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.unlink()
    path.write_text(
        "\n".join(line for line in lines if not line.startswith("cpu_vera,")) + "\n", encoding="utf-8"
    )
    return copy


def test_own_rows_outlive_an_upgrade(database: Engine, seed_files: Path) -> None:
    team = TeamCatalog(database, lambda: Catalog.open(database), PERSONAL_WORKSPACE_ID, LOCAL)
    builtin = team.catalog().part(*CPU).facts["max_power_w"]
    cores = team.catalog().part("cpus", "cpu_vera").facts["cpu_cores"].value
    state(team, *CPU, {"max_power_w": str(builtin.value + 50)})
    state(team, "cpus", "cpu_vera", {"max_power_w": "123"})
    state(team, "prices", "our_dgx", {
        "part_key": "dgx_h100", "item": "Ours", "unit": "USD/system", "condition": "quote", "typical": "1000",
    })  # fmt: skip
    before = team.rows()
    assert load_catalog(database, seed_files).changed
    assert team.rows() == tuple(
        part if part.key != "cpu_vera" else team.catalog().part("cpus", "cpu_vera") for part in before
    )
    withdrawn = team.catalog().part("cpus", "cpu_vera")
    assert (withdrawn.status, withdrawn.facts["cpu_cores"].value) == ("withdrawn", cores)
    found = {(one.kind, one.key, one.field): one.why for one in team.review()}
    assert found[("cpus", "cpu_vera", "")] == "withdrawn"
    assert found[("prices", "our_dgx", "value")] == "older"
    if is_newer(builtin.date, "2024-01"):
        assert found[(*CPU, "max_power_w")] == "older"


def test_an_override_that_became_equal(database: Engine) -> None:
    team = TeamCatalog(database, lambda: Catalog.open(database), PERSONAL_WORKSPACE_ID, LOCAL)
    state(team, *CPU, {"max_power_w": "1"})
    with database.begin() as connection:  # as an upgrade of the built-in catalog would
        connection.exec_driver_sql(
            "UPDATE fact SET value = 1 WHERE workspace_id IS NULL AND field = 'max_power_w' AND part_id = "
            "(SELECT id FROM part WHERE key = 'cpu_grace' AND workspace_id IS NULL)"
        )
        connection.exec_driver_sql("UPDATE setting SET value = 'next' WHERE name = 'catalog_revision'")
    (found,) = team.review()
    assert (found.why, found.own, found.field) == ("equal", "1", "max_power_w")


def test_a_row_that_names_what_is_gone(database: Engine, seed_files: Path) -> None:
    team = TeamCatalog(database, lambda: Catalog.open(database), PERSONAL_WORKSPACE_ID, LOCAL)
    state(
        team,
        "aliases",
        "accelerator:Our chip",
        {"kind": "accelerator", "alias": "Our chip", "key": "nvidia_h100_sxm"},
    )
    assert team.review() == ()
    with database.begin() as connection:
        connection.exec_driver_sql(
            "UPDATE part SET key = 'renamed' WHERE key = 'nvidia_h100_sxm' AND workspace_id IS NULL"
        )
        connection.exec_driver_sql("UPDATE setting SET value = 'next' WHERE name = 'catalog_revision'")
    (found,) = team.review()
    assert (found.why, found.own) == ("dangling", "nvidia_h100_sxm")
