"""The shipped measurements and errors of training runs and collectives: whole, and read as they are written."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.catalog.errors import SeedError
from app.catalog.lookup import Catalog
from app.catalog.validated import (
    COLLECTIVE_ERRORS_FILE,
    COLLECTIVES_FILE,
    ERRORS_FILE,
    RUNS_FILE,
    ValidatedCollective,
    ValidatedRun,
    cells_of,
    columns_of,
    read_validated_collectives,
    read_validated_runs,
    validated_collectives,
    validated_runs,
    write_validated,
)
from tests.catalog.conftest import Spoil
from tests.support import SEED_DATA

Read = Callable[[Path], tuple[Any, ...]]
KINDS = pytest.mark.parametrize(
    ("file", "kind", "read"),
    [
        (ERRORS_FILE, ValidatedRun, read_validated_runs),
        (COLLECTIVE_ERRORS_FILE, ValidatedCollective, read_validated_collectives),
    ],
)


def lines(file: str) -> list[dict[str, str]]:
    with (SEED_DATA / file).open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


@KINDS
def test_read_as_written(tmp_path: Path, file: str, kind: type[Any], read: Read) -> None:
    written = [[line[name] for name in columns_of(kind)] for line in lines(file)]
    assert [list(cells_of(one)) for one in read(SEED_DATA)] == written
    write_validated(tmp_path / "again.csv", kind, read(SEED_DATA))
    assert (tmp_path / "again.csv").read_bytes() == (SEED_DATA / file).read_bytes()


@KINDS
def test_a_cell_that_is_no_number_is_named(tmp_path: Path, file: str, kind: type[Any], read: Read) -> None:
    columns = columns_of(kind)
    (tmp_path / "validation").mkdir()
    (tmp_path / file).write_text(f"{','.join(columns)}\n{','.join('x' for _ in columns)}\n")
    with pytest.raises(SeedError, match="is not a number"):
        read(tmp_path)


def test_every_scored_collective_of_the_sources_is_there(catalog: Catalog) -> None:
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


def test_every_run_is_a_scored_run_of_its_source(catalog: Catalog) -> None:
    scored = {line["id"]: line for line in lines(RUNS_FILE) if line["scored"] == "yes"}
    runs = validated_runs()
    assert len({run.id for run in runs}) == len(runs) > 400
    for run in runs:
        line = scored[run.id]
        assert (run.source, run.accelerator_key) == (line["source"], line["accelerator_key"])
        assert run.accelerators == int(line["n_accelerators"])
        assert run.accelerator_key in catalog.keys("accelerators")
        assert run.architecture in ("dense", "moe")
        assert 0 < run.active_parameters <= run.parameters


def test_intervals_hold_what_they_say() -> None:
    """80 % of runs lie in the interval that was made without their source and their accelerator."""
    runs = validated_runs()
    held = [run.low_tokens_per_s <= run.measured_tokens_per_s <= run.high_tokens_per_s for run in runs]
    assert 0.76 <= sum(held) / len(runs) <= 0.84
    mixtures = [held for held, run in zip(held, runs, strict=True) if run.architecture == "moe"]
    assert sum(mixtures) / len(mixtures) >= 0.7
    assert all(run.low_tokens_per_s < run.high_tokens_per_s for run in runs)


def test_errors_have_signs() -> None:
    slow = max(validated_runs(), key=lambda run: run.error)
    assert slow.predicted_tokens_per_s > slow.measured_tokens_per_s
    assert slow.error == pytest.approx(slow.predicted_tokens_per_s / slow.measured_tokens_per_s - 1)
    assert slow.left_out_error == pytest.approx(slow.left_out_tokens_per_s / slow.measured_tokens_per_s - 1)


@pytest.mark.parametrize(
    ("column", "text", "reason"),
    [
        ("accelerators", "8.5", "'8.5' is not a number"),
        ("predicted_tokens_per_s", "", "'' is not a number"),
        ("measured_tokens_per_s", "0", "0 is not above 0 and finite"),
        ("low_tokens_per_s", "nan", "nan is not above 0 and finite"),
    ],
)
def test_a_bad_cell_is_named(spoil: Spoil, column: str, text: str, reason: str) -> None:
    first = validated_runs()[0].id
    seed_dir: Path = spoil(ERRORS_FILE, first, column, text)
    with pytest.raises(SeedError) as raised:
        read_validated_runs(seed_dir)
    assert str(raised.value) == f"{ERRORS_FILE}, line 2, column {column}: {reason}"
