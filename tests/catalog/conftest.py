"""A seeded database for the whole run, and copies of the seed files that a test may spoil."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine

from app.catalog.lookup import Catalog
from tests.databases import engine_in
from tests.support import SEED_DATA

Spoil = Callable[[str, str, str, str], Path]


@pytest.fixture(scope="session")
def seeded(seeded_data_dir: Path) -> Engine:
    """Only to be read."""
    return engine_in(seeded_data_dir)


@pytest.fixture(scope="session")
def catalog(seeded: Engine) -> Catalog:
    return Catalog.open(seeded)


@pytest.fixture
def own_database(seeded_data_dir: Path, tmp_path: Path) -> Engine:
    """A seeded database to write to."""
    return engine_in(shutil.copytree(seeded_data_dir, tmp_path / "own"))


@pytest.fixture
def seed_copy(tmp_path: Path) -> Path:
    """The seed files, to be changed; climate years are linked, not copied."""
    copy = tmp_path / "seed_data"
    (copy / "climate").mkdir(parents=True)
    for path in SEED_DATA.glob("*.csv"):
        shutil.copy(path, copy / path.name)
    for folder in ("assumptions", "validation"):
        (copy / folder).mkdir()
        for path in (SEED_DATA / folder).glob("*.csv"):
            shutil.copy(path, copy / folder / path.name)
    shutil.copy(SEED_DATA / "climate" / "index.csv", copy / "climate" / "index.csv")
    for path in (SEED_DATA / "climate").glob("*.gz"):
        (copy / "climate" / path.name).symlink_to(path)
    return copy


@pytest.fixture
def spoil(seed_copy: Path) -> Spoil:
    """Sets one cell of one row: (file, key, column, text) -> the seed folder."""

    def change(file: str, key: str, column: str, text: str) -> Path:
        path = seed_copy / file
        with path.open(encoding="utf-8", newline="") as opened:
            rows = list(csv.reader(opened))
        header = rows[0]
        row = next(row for row in rows[1:] if row[0] == key)
        row[header.index(column)] = text
        with path.open("w", encoding="utf-8", newline="") as opened:
            csv.writer(opened, lineterminator="\n").writerows(rows)
        return seed_copy

    return change


def line_of(file: str, key: str) -> int:
    """Where a row stands in the seed file."""
    lines = (SEED_DATA / file).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, start=1) if line.startswith(f"{key},"))
