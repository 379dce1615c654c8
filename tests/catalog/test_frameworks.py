"""The table of training frameworks: well formed, and what it says of each."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import get_args

import pytest

from app.catalog.errors import SeedError
from app.catalog.frameworks import (
    COLUMNS,
    FILE,
    LISTS,
    SEARCHED,
    STATED,
    WORDS,
    automatic_frameworks,
    framework_rows,
    frameworks,
    frameworks_markdown,
)
from app.engine.performance.framework_rules import INTERLEAVED
from app.engine.performance.schedules import CODES
from app.paths import seed_data
from app.scenarios.document.software import Framework


def test_every_framework_of_a_scenario_is_there_and_no_other() -> None:
    assert {"auto", *frameworks()} == set(get_args(Framework))


def test_schedules_are_those_of_layouts() -> None:
    assert {*CODES, INTERLEAVED} == set(LISTS["schedules"])


@pytest.mark.parametrize(
    "row", framework_rows(), ids=lambda row: f"{row.framework.key} {row.framework.first_release}"
)
def test_a_row_hangs_together(row) -> None:  # type: ignore[no-untyped-def]
    one = row.framework
    assert set(one.pipeline_zero_stages) <= set(one.zero_stages)
    assert "1f1b" in one.schedules, "of a pipeline of one stage too"
    assert bool(one.offload) == bool(one.offload_to)
    assert row.cells["first_date"] <= row.cells["last_date"]
    assert re.search(r"^definition|\b[0-9a-f]{8}\b|core_v|v\d|\d\d\.\d\d|0\.3", row.cells["source"]), (
        "names a state of the code"
    )
    if not one.pipeline_zero_stages:
        assert set(one.schedules) == {"1f1b"}


def test_releases_of_a_framework_follow_one_another() -> None:
    for key, newest in frameworks().items():
        rows = [row for row in framework_rows() if row.framework.key == key]
        assert [row.framework.first_release for row in rows] == [
            *(one.first_release for one in reversed(newest.earlier)),
            newest.first_release,
        ]
        dates = [row.cells["first_date"] for row in rows]
        assert dates == sorted(dates)
        assert {(row.hardware, row.automatic) for row in rows} == {(rows[-1].hardware, rows[-1].automatic)}


def test_auto_has_something_on_all_hardware_and_shards_weights_there() -> None:
    for hardware in WORDS["hardware"]:
        searched = automatic_frameworks(hardware, SEARCHED)
        assert any(3 in frameworks()[key].zero_stages for key in searched)
        assert not set(searched) & set(automatic_frameworks(hardware, STATED))


def test_what_sources_say() -> None:
    """Of arguments.py, pipe/engine.py, schedules.py and types.py, cell by cell."""
    found = frameworks()
    assert 3 not in found["megatron"].zero_stages
    assert found["deepspeed"].pipeline_zero_stages == (0, 1)
    assert found["fsdp"].interleaved_micro_batches == "rounds"
    assert found["megatron"].interleaved_micro_batches == "at_least"
    assert found["megatron"].earlier[-1].interleaved_micro_batches == "multiple"
    assert found["xla"].pipeline_micro_batches == "multiple"
    overlap = [
        row.framework.first_release for row in framework_rows() if "moe_overlap" in row.framework.schedules
    ]
    assert overlap[0] == "0.14.0"


@pytest.mark.parametrize(
    ("column", "text", "reason"),
    [
        ("zero_stages", "0 4", "'4' is none of 0, 1, 2, 3"),
        ("uneven_stages", "some", "'some' is none of no, ends, any"),
        ("source", "", "is missing"),
        ("recalled", "weather", "'weather' is no column"),
        ("schedules", "gpipe", "'gpipe' is none of"),
    ],
)
def test_a_bad_cell_is_named(tmp_path: Path, column: str, text: str, reason: str) -> None:
    with (seed_data() / FILE).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rows[1][column] = text
    with (tmp_path / FILE).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    with pytest.raises(SeedError, match=re.escape(reason)) as raised:
        framework_rows(tmp_path)
    assert (raised.value.line, raised.value.column) == (3, column)


def test_the_documentation_has_the_tables_of_the_file() -> None:
    text = (Path(__file__).parents[2] / "docs" / "training.md").read_text(encoding="utf-8")
    assert frameworks_markdown() in text, "python -m app.catalog.frameworks prints them"
