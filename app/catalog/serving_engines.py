"""Serving engines, what they run on and whether any run of theirs was measured: `seed_data/serving/engines.csv`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.catalog.engine_versions import Era, engine_versions, era_of, version_numbers
from app.catalog.seed_files import read_rows
from app.paths import seed_data

FILE = "serving/engines.csv"
FEATURES_FILE = "serving/engine_features.csv"
FEATURE_COLUMNS = ("engine", "feature", "first_version", "confidence", "source")
COLUMNS = ("engine", "label", "runs_on", "not_on", "measured", "confidence", "source")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingEngine:
    """An engine; without a measured run its constants are the common ones of those that have some."""

    key: str
    label: str
    makers: tuple[str, ...]  # whose accelerators it runs on alone; none: any but those of `not_on`
    not_on: tuple[str, ...]
    measured: bool
    source: str

    def runs_on(self, vendor: str) -> bool:
        """Return whether it runs on the accelerators of a maker."""
        maker = vendor.lower()
        if self.makers:
            return maker in {one.lower() for one in self.makers}
        return maker not in {one.lower() for one in self.not_on}


@cache
def serving_engines(directory: Path | None = None) -> dict[str, ServingEngine]:
    """Every engine by its key, in file order.

    Raises
    ------
    SeedError : a row cannot be used
    """
    found = {}
    for row in read_rows(directory or seed_data(), FILE, COLUMNS):
        row.sourced()
        if row.cells["measured"] not in ("yes", "no"):
            raise row.error("measured", "is neither yes nor no")
        found[row.cells["engine"]] = ServingEngine(
            key=row.cells["engine"],
            label=row.cells["label"],
            makers=tuple(row.cells["runs_on"].split()),
            not_on=tuple(row.cells["not_on"].split()),
            measured=row.cells["measured"] == "yes",
            source=row.cells["source"],
        )
    return found


@cache
def engine_features(directory: Path | None = None) -> dict[tuple[str, str], str]:
    """First version of an engine with a feature, "" where none is known, by engine and feature.

    Features are disaggregated (prefill and decode instances), module and draft (what guesses ahead), context_parallel
    (prompts cut over ranks), and of weights in the host (layers or experts): stream, compute, and fetched_for_prompts
    where they are computed else.

    Raises
    ------
    SeedError : a row cannot be used
    """
    found = {}
    for row in read_rows(directory or seed_data(), FEATURES_FILE, FEATURE_COLUMNS):
        first = row.cells["first_version"]
        if row.cells["engine"] not in serving_engines(directory):
            raise row.error("engine", f"is not an engine of {FILE}")
        if first and version_numbers(first) is None:
            raise row.error("first_version", "is not a version such as 1.2.0rc6.post2")
        row.sourced()
        found[row.cells["engine"], row.cells["feature"]] = first
    return found


def has_feature(engine: str, feature: str, version: str | None = None) -> bool:
    """Return whether an engine has a feature; a version that is not stated has all that a later one has."""
    first = engine_features().get((engine, feature))
    if first is None:
        return False
    numbers, needed = version_numbers(version or ""), version_numbers(first)
    return numbers is None or needed is None or numbers >= needed


def era_of_engine(key: str, version: str | None) -> Era:
    """The era of a version; of an engine without a measured run the newest of those that have some, which it says."""
    engine = serving_engines()[key]
    if engine.measured:
        return era_of(key, version)
    newest = max(engine_versions(), key=lambda row: row.used_from)
    return Era(
        word=newest.era,
        used_from=newest.used_from,
        assumed=f"No run of {engine.label} was measured: its constants are the common ones of the engines that were, "
        "and its bounds are wider",
    )
