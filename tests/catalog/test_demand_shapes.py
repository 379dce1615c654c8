"""Shapes of a demand: the words of scenarios, and rows that cannot be used."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from app.catalog.demand_shapes import COLUMNS, FILE, demand_shapes
from app.catalog.errors import SeedError
from app.scenarios.document.serving_demand import HOURS, Shape

GOOD = {
    "shape": "own", "label": "Own", "clock": "local", "weights": " ".join(["1"] * 24), "kind": "assumption",
    "source": "chosen", "as_of": "2026",
}  # fmt: skip


def written(directory: Path, **changes: str) -> Path:
    (directory / "serving").mkdir()
    cells = GOOD | changes
    lines = (",".join(COLUMNS), ",".join(cells[name] for name in COLUMNS))
    (directory / FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return directory


def test_shapes_are_those_of_scenarios_each_with_its_source() -> None:
    shapes = demand_shapes()
    assert tuple(shapes) == get_args(Shape)
    assert all(len(shape.weights) in HOURS for name, shape in shapes.items() if name != "flat")
    assert all(shape.source for shape in shapes.values())


def test_a_good_row_is_read(tmp_path: Path) -> None:
    assert demand_shapes(written(tmp_path))["own"].weights == (1.0,) * 24


@pytest.mark.parametrize(
    ("column", "text", "told"),
    [
        ("weights", "1 2 3", "3 hours"), ("weights", "1 two", "not a number"), ("source", "", "missing"),
        ("weights", " ".join(["0"] * 24), "none above 0"), ("weights", " ".join(["-1"] + ["1"] * 23), "negative"),
        ("clock", "noon", "not one of"),
    ],
)  # fmt: skip
def test_bad_rows_are_named(tmp_path: Path, column: str, text: str, told: str) -> None:
    with pytest.raises(SeedError, match=told):
        demand_shapes(written(tmp_path, **{column: text}))
