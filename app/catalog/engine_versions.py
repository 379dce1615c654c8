"""Versions of serving engines and the eras that their constants were fitted in: `seed_data/serving/`.

Kernels, schedulers and launch got faster together, so constants are known for eras and not for versions: a version
belongs to the era of the newest listed version that is not newer than it.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.catalog.seed_files import read_rows
from app.paths import seed_data

FILE = "serving/engine_versions.csv"
MEASURED = {
    "tensorrt_llm": ("2025-10-29", "2026-03-23"),
    "sglang": ("2025-11-02", "2026-04-08"),
    "vllm": ("2025-10-29", "2026-04-22"),
}
"""First and last day of the runs that constants of an engine were fitted to, `seed_data/validation/serving_latency.csv`."""
COLUMNS = ("engine", "first_version", "era", "used_from", "confidence", "source")

Numbers = tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineVersion:
    """The first version of an engine that belongs to an era."""

    engine: str
    version: str
    era: str
    used_from: str  # day
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Era:
    """The era of a version and the day it is dated by; `assumed` says what was assumed, empty if nothing."""

    word: str
    used_from: str
    assumed: str = ""

    @property
    def year(self) -> float:
        """The day as a year and its share."""
        day = datetime.date.fromisoformat(self.used_from)
        return day.year + (day.timetuple().tm_yday - 1) / 365.25


@cache
def engine_versions(directory: Path | None = None) -> tuple[EngineVersion, ...]:
    """Every row of the file, in file order.

    Raises
    ------
    SeedError : a row cannot be used
    """
    found = []
    for row in read_rows(directory or seed_data(), FILE, COLUMNS):
        if version_numbers(row.cells["first_version"]) is None:
            raise row.error("first_version", "is not a version such as 1.2.0rc6.post2")
        row.sourced()
        found.append(
            EngineVersion(
                engine=row.cells["engine"],
                version=row.cells["first_version"],
                era=row.cells["era"],
                used_from=row.cells["used_from"],
                source=row.cells["source"],
            )
        )
    return tuple(found)


def era_of(engine: str, version: str | None) -> Era:
    """The era of a version, the newest known where it is not stated or says nothing.

    >>> era_of("vllm", "0.12.0").word, era_of("vllm", None).word, era_of("tensorrt_llm", "1.2.0rc6.post3").word
    ('2025', '2026', '2026')

    Raises
    ------
    KeyError : no version of this engine is known
    """
    rows = [row for row in engine_versions() if row.engine == engine]
    if not rows:
        raise KeyError(engine)
    newest = max(rows, key=lambda row: row.used_from)
    if version is None:
        return Era(word=newest.era, used_from=newest.used_from)
    day = re.search(r"(20\d\d)-?(\d\d)-?(\d\d)", version)
    if day:  # nightly builds carry the day on which they were made
        built = "-".join(day.groups())
        known = [row for row in rows if row.used_from <= built]
        return Era(
            word=max(known or rows[:1], key=lambda row: row.used_from).era,
            used_from=built,
            assumed=_newer(engine, version, newest)
            if built > MEASURED[engine][1]
            else _older(engine, version, built),
        )
    numbers = version_numbers(version)
    if numbers is None:
        return Era(
            word=newest.era,
            used_from=newest.used_from,
            assumed=f"{engine} {version} is not a known version: constants of {newest.version} are used",
        )
    older = [row for row in rows if (version_numbers(row.version) or numbers) <= numbers]
    found = max(older or rows[:1], key=lambda row: row.used_from)
    # Candidates and post-releases of a listed version are the version.
    latest = max(version_numbers(row.version) or numbers for row in rows)
    is_newer = numbers[:3] > latest[:3]
    return Era(
        word=found.era,
        used_from=found.used_from,
        assumed=_newer(engine, version, newest) if is_newer else _older(engine, version, found.used_from),
    )


def _older(engine: str, version: str, day: str) -> str:
    """Warning for a version older than the first measured run; empty for a newer one."""
    first = MEASURED[engine][0]
    if day >= first:
        return ""
    return (
        f"{engine} {version} is older than any that was measured: the time between kernels is that of {first}"
    )


def _newer(engine: str, version: str, newest: EngineVersion) -> str:
    return (
        f"{engine} {version} is newer than any that was measured: constants of {newest.version} are used, and the time "
        f"between kernels is that of {MEASURED[engine][1]}"
    )


def version_numbers(text: str) -> Numbers | None:
    """Major, minor, patch, release candidate (a release counts above all of its candidates) and post-release.

    >>> version_numbers("1.2.0rc6.post3"), version_numbers("v0.5.9"), version_numbers("nightly-5b8c")
    ((1, 2, 0, 6, 3), (0, 5, 9, 1000, 0), None)
    """
    found = re.match(r"v?(\d+)\.(\d+)(?:\.(\d+))?(?:[.-]?rc\.?(\d+))?(?:[.-]?(?:post|pre)(\d+))?", text)
    if found is None:
        return None
    major, minor, patch, candidate, post = found.groups()
    return (int(major), int(minor), int(patch or 0), int(candidate or 1000), int(post or 0))
