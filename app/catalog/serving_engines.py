"""Serving engines, what they run on and whether any run of theirs was measured: `seed_data/serving/engines.csv`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.catalog.engine_versions import Era, engine_versions, era_of
from app.catalog.seed_files import read_rows
from app.paths import seed_data

FILE = "serving/engines.csv"
COLUMNS = (
    "engine", "label", "runs_on", "not_on", "measured", "disaggregates", "confidence", "source",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingEngine:
    """An engine; without a measured run its constants are the common ones of those that have some."""

    key: str
    label: str
    makers: tuple[str, ...]  # whose accelerators it runs on alone; none: any but those of `not_on`
    not_on: tuple[str, ...]
    measured: bool
    disaggregates: bool
    source: str

    def runs_on(self, vendor: str) -> bool:
        """Whether it runs on the accelerators of a maker."""
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
        if not row.cells["source"]:
            raise row.error("source", "is missing")
        for name in ("measured", "disaggregates"):
            if row.cells[name] not in ("yes", "no"):
                raise row.error(name, "is neither yes nor no")
        found[row.cells["engine"]] = ServingEngine(
            key=row.cells["engine"],
            label=row.cells["label"],
            makers=tuple(row.cells["runs_on"].split()),
            not_on=tuple(row.cells["not_on"].split()),
            measured=row.cells["measured"] == "yes",
            disaggregates=row.cells["disaggregates"] == "yes",
            source=row.cells["source"],
        )
    return found


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
        "with wider ranges, and its times may be off by more than the bounds shown",
    )
