"""The shipped measurements and errors of collectives: whole, and read as they are written."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from app.catalog.errors import SeedError
from app.catalog.lookup import Catalog
from app.catalog.validated_collectives import (
    COLLECTIVE_ERRORS_FILE,
    COLLECTIVES_FILE,
    COLUMNS,
    cells_of,
    read_validated_collectives,
    validated_collectives,
)
from tests.support import SEED_DATA


def lines(file: str) -> list[dict[str, str]]:
    with (SEED_DATA / file).open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def test_read_as_written() -> None:
    written = [[line[name] for name in COLUMNS] for line in lines(COLLECTIVE_ERRORS_FILE)]
    assert [list(cells_of(one)) for one in validated_collectives()] == written


def test_every_scored_row_of_the_sources_is_there(catalog: Catalog) -> None:
    printed = lines(COLLECTIVES_FILE)
    scored = [str(number) for number, line in enumerate(printed, start=1) if line["scored"] == "yes"]
    assert [one.id for one in validated_collectives()] == scored
    for one in validated_collectives():
        line = printed[int(one.id) - 1]
        assert (one.system, one.library) == (line["system"], line["algorithm_or_library"])
        assert one.ranks == int(line["num_accelerators"])
        assert one.accelerator_key in catalog.keys("accelerators")
        assert (one.message_bytes is None) == (one.tokens is not None)
        assert one.low_us < one.high_us


def test_a_bad_cell_is_named(tmp_path: Path) -> None:
    (tmp_path / "validation").mkdir()
    cells = ["x"] * len(COLUMNS)
    (tmp_path / COLLECTIVE_ERRORS_FILE).write_text(f"{','.join(COLUMNS)}\n{','.join(cells)}\n")
    with pytest.raises(SeedError, match="is not a number"):
        read_validated_collectives(tmp_path)
