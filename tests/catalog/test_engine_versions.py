"""Versions of serving engines and their eras."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from app.catalog.engine_versions import COLUMNS, MEASURED, Era, engine_versions, era_of, version_numbers
from app.catalog.errors import SeedError
from app.catalog.lookup import Catalog
from app.paths import seed_data


def test_every_engine_has_an_earlier_and_a_later_era() -> None:
    found: dict[str, set[str]] = {}
    for row in engine_versions():
        found.setdefault(row.engine, set()).add(row.era)
    assert found == {name: {"2025", "2026"} for name in ("tensorrt_llm", "sglang", "vllm")}


def test_an_engine_is_dated_by_its_version() -> None:
    assert round(era_of("vllm", "0.19.0").year, 2) == 2026.25
    assert era_of("vllm", None).year == era_of("vllm", "0.19.0").year
    assert era_of("sglang", "nightly-dev-20251101").used_from == "2025-11-01"


@pytest.mark.parametrize(
    ("engine", "version", "era"),
    [
        ("tensorrt_llm", "1.0.0rc3", "2025"),
        ("tensorrt_llm", "1.2.0rc2", "2025"),
        ("tensorrt_llm", "1.2.0rc6.post2", "2026"),
        ("tensorrt_llm", "1.2.0", "2026"),
        ("tensorrt_llm", "1.3.0rc5", "2026"),
        ("sglang", "0.5.6.post2", "2025"),
        ("sglang", "v0.5.8", "2026"),
        ("sglang", "nightly-dev-20260402-d7256eb6", "2026"),
        ("sglang", "nightly-dev-20251101", "2025"),
        ("vllm", "0.19.0", "2026"),
        ("vllm", "0.0.1", "2025"),
        ("vllm", None, "2026"),
    ],
)
def test_era_of_a_version(engine: str, version: str | None, era: str) -> None:
    found = era_of(engine, version)
    assert found.word == era
    assert "newer" not in found.assumed


def test_a_version_that_says_nothing_is_of_the_newest_era_and_that_is_said() -> None:
    found = era_of("vllm", "nightly-5b8c30d62b754b57")
    assert found.word == "2026"
    assert "nightly-5b8c30d62b754b57" in found.assumed


@pytest.mark.parametrize(
    ("engine", "version", "newest"),
    [
        ("vllm", "99.1", "0.19.0"),
        ("vllm", "0.19.1", "0.19.0"),
        ("sglang", "nightly-dev-20260901", "0.5.9"),
        ("tensorrt_llm", "1.4.0rc1", "1.3.0rc1"),
    ],
)
def test_a_version_newer_than_any_that_was_measured_is_said(engine: str, version: str, newest: str) -> None:
    found = era_of(engine, version)
    assert found.word == "2026"
    assert (
        found.assumed
        == f"{engine} {version} is newer than any that was measured: constants of {newest} are used, and the time "
        f"between kernels is that of {MEASURED[engine][1]}"
    )


def test_a_version_older_than_any_that_was_measured_is_said() -> None:
    assert era_of("vllm", "0.11.0").assumed == (
        "vllm 0.11.0 is older than any that was measured: the time between kernels is that of 2025-10-29"
    )
    assert not era_of("vllm", "0.16.0").assumed


def test_measured_days_are_those_of_the_runs(catalog: Catalog) -> None:
    """By engine, in the words of a version and in the years that the engine clips its date to."""
    words = {"trtllm": "tensorrt_llm", "sglang": "sglang", "vllm": "vllm"}
    days: dict[str, list[str]] = {}
    with (seed_data() / "validation" / "serving_latency.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["measured"]:
                days.setdefault(words[row["engine"]], []).append(row["measured"])
    assert {engine: (min(found), max(found)) for engine, found in days.items()} == MEASURED
    for engine, ends in MEASURED.items():
        for name, day in zip(("engine_first_year", "engine_last_year"), ends, strict=True):
            year = catalog.assumption("serving", name, {"engine": engine}).value
            assert year == pytest.approx(Era(word="", used_from=day).year, abs=1e-3)


def test_an_unknown_engine_has_none() -> None:
    with pytest.raises(KeyError):
        era_of("tgi", "3.0")


def test_candidates_come_before_their_release_and_post_releases_after() -> None:
    versions = ["1.2.0rc2", "1.2.0rc6", "1.2.0rc6.post3", "1.2.0", "1.2.0.post1", "1.3.0rc1"]
    numbers = [version_numbers(version) for version in versions]
    assert numbers == sorted(numbers)  # type: ignore[type-var]


@pytest.mark.parametrize(("version", "source"), [("newest", "a source"), ("1.0", "")])
def test_a_row_that_cannot_be_used_is_named(tmp_path: Path, version: str, source: str) -> None:
    (tmp_path / "serving").mkdir()
    text = f"{','.join(COLUMNS)}\nvllm,{version},2025,2023-06-20,high,{source}\n"
    (tmp_path / "serving" / "engine_versions.csv").write_text(text, encoding="utf-8")
    with pytest.raises(SeedError):
        engine_versions(tmp_path)
