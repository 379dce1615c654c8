"""The gallery of reference designs: `seed_data/gallery/`, read once a process.

`designs.csv` has one line a design, in the order they are shown, with what stands for what; the design itself is
the scenario `KEY.yaml`. `figures.csv` has what others published of it: a note says why ours differs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.catalog.seed_files import SeedRow, read_rows
from app.paths import seed_data

FOLDER = "gallery"
DESIGN_COLUMNS = ("key", "group", "name", "approximation")
FIGURE_COLUMNS = (
    "key",
    "figure",
    "label",
    "compare",
    "published",
    "unit",
    "tolerance",
    "stated",
    "source",
    "note",
)
COMPARISONS = ("equals", "at_least", "at_most")
UNITS = {
    "1": ("1", 1.0), "%": ("1", 0.01), "days": ("s", 86_400.0), "USD": ("USD", 1.0), "USD/h": ("USD/h", 1.0), "kW": ("W", 1e3),
    "MW": ("W", 1e6), "PFLOP/s": ("FLOP/s", 1e15), "EFLOP/s": ("FLOP/s", 1e18), "TB": ("B", 1e12),
    "PB": ("B", 1e15), "TiB": ("B", 2.0**40), "GB/s": ("B/s", 1e9), "TB/s": ("B/s", 1e12),
}  # fmt: skip
"""Units that figures are printed in, with the base unit and the factor to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFigure:
    """A figure that others printed, in base units. `figure` is its place with us; empty where we have none.

    `stated` where ours is an input of the design or a sum of inputs: that the two are equal predicts nothing.
    """

    figure: str
    label: str
    compare: str  # equals | at_least | at_most
    value: float | None
    unit: str
    tolerance: float
    stated: bool
    source: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceDesign:
    """A design of the gallery; `approximation` says what of it is ours, or stands for something else."""

    key: str
    group: str
    name: str
    approximation: str
    figures: tuple[PublishedFigure, ...]

    @property
    def path(self) -> Path:
        """Its scenario."""
        return seed_data() / FOLDER / f"{self.key}.yaml"


@cache
def reference_designs() -> dict[str, ReferenceDesign]:
    """The designs by key, in the order of their file.

    Raises
    ------
    SeedError : a cell cannot be used; the message says which
    """
    lines = read_rows(seed_data(), f"{FOLDER}/designs.csv", DESIGN_COLUMNS)
    figures: dict[str, list[PublishedFigure]] = {row.cells["key"]: [] for row in lines}
    for row in read_rows(seed_data(), f"{FOLDER}/figures.csv", FIGURE_COLUMNS):
        if row.cells["key"] not in figures:
            raise row.error("key", f"{row.cells['key']!r} is no design of the gallery")
        figures[row.cells["key"]].append(_figure(row))
    return {
        row.cells["key"]: ReferenceDesign(**row.cells, figures=tuple(figures[row.cells["key"]]))
        for row in lines
    }


def _figure(row: SeedRow) -> PublishedFigure:
    cells = row.cells
    if cells["unit"] not in UNITS:
        raise row.error("unit", f"{cells['unit']!r} is none of {', '.join(UNITS)}")
    if cells["compare"] not in COMPARISONS:
        raise row.error("compare", f"{cells['compare']!r} is none of {', '.join(COMPARISONS)}")
    if cells["stated"] not in ("", "yes"):
        raise row.error("stated", f"{cells['stated']!r} is neither yes nor empty")
    if not cells["source"]:
        raise row.error("source", "a published figure needs a source")
    unit, factor = UNITS[cells["unit"]]
    value = row.number("published")
    return PublishedFigure(
        figure=cells["figure"],
        label=cells["label"],
        compare=cells["compare"],
        value=None if value is None else value * factor,
        unit=unit,
        tolerance=row.number("tolerance") or 0.0,
        stated=cells["stated"] == "yes",
        source=cells["source"],
        note=cells["note"],
    )
