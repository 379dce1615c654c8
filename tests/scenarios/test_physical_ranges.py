"""What an assumption can be at all: refused beyond it, and no figure breaks at either end."""

from __future__ import annotations

import csv
import dataclasses
import math
from functools import cache
from typing import Any

import numpy as np
import pytest

from app.catalog.ranges import FILE, physical_range
from app.catalog.ready import ready_catalog
from app.engine.design import evaluate
from app.engine.leaves import leaves
from app.engine.trace import first_of
from app.scenarios.errors import ScenarioError
from app.scenarios.resolve import ROOMS, Resolved, resolve
from tests.scenarios.support import document
from tests.support import SEED_DATA, part_of

ROWS = [
    (f"{path.stem}.{row['name']}", row)
    for path in sorted((SEED_DATA / "assumptions").glob("*.csv"))
    for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines())
]


def test_every_row_of_the_catalog_is_within_its_range() -> None:
    for name, row in ROWS:
        for column in ("value", "low", "high"):
            assert not row[column] or float(row[column]) in physical_range(name), (name, column)


def test_every_declared_range_is_of_an_assumption_and_says_why() -> None:
    names = {name for name, _ in ROWS}
    with (SEED_DATA / FILE).open(encoding="utf-8", newline="") as file:
        declared = list(csv.DictReader(file))
    assert len({row["name"] for row in declared}) == len(declared)
    for row in declared:
        assert row["name"] in names, row
        assert row["why"], row
        assert float(row["least"]) < float(row["most"] or math.inf), row


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("operations.local_recovery_share", 1.5, "must be 0 to 1; 1.5 is no possible value"),
        ("operations.restart_overhead_s", -9000, "must be at least 0 s"),
        ("operations.failures_per_node_day", -0.1, "must be 1e-06 to 100 1/(node day)"),
        ("operations.repair_days", -3, "must be at least 0 days"),
        ("operations.spare_confidence", 1, "must be 0 to 0.999999"),
        ("facility.house_load_share", -1, "must be 0 to 1"),
        ("facility.hall_fan_power_share", -0.9, "must be 0 to 1"),
        ("facility.coolant_density_constant_kg_per_m3", 1, "must be 500 to 3000 kg/m3"),
        ("scenario.price_change_per_year", -2, "must be -1 to 10"),
    ],
)
def test_an_impossible_value_is_refused_with_the_range(name: str, value: float, message: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        resolve(document(assumptions={name: value}), ready_catalog())
    (fault,) = refused.value.errors
    assert fault.path == f"assumptions.{name}"
    assert fault.rule == "physical_range"
    assert message in fault.message


@cache
def resolved(system: str, cooling: str) -> tuple[Resolved, frozenset[str]]:
    """A design with a price and a stated layout, and the figures that are known of it."""
    stated = document(
        supernode={"system": system},
        pod__supernodes=4,
        parallelism={"tp": 4},
        economics__supernode_price_usd=4e5,
        facility__cooling=cooling,
    )
    found = resolve(stated, ready_catalog())
    sections = evaluate(found.design).sections
    return found, frozenset(
        place for place, figure in leaves(sections) if np.isfinite(np.asarray(figure)).all()
    )


PLANTS = [
    ("dgx_h100", "air_tower"),
    ("gb200_nvl72", "direct_liquid_adiabatic"),
    ("dgx_h100", "immersion_tower"),
]
NAMES = [
    (room, field.name)
    for room, kind in ROOMS.items()
    if room != "serving"
    for field in dataclasses.fields(kind)
]


@pytest.mark.parametrize(("system", "cooling"), PLANTS)
@pytest.mark.parametrize(("room", "name"), part_of(NAMES, parts=6))
def test_no_figure_breaks_at_an_end(system: str, cooling: str, room: str, name: str) -> None:
    """Nothing becomes not a number, shares stay within 0 and 1, and PUE is never below 1.

    Where a range has no upper end, ten times the largest value of the catalog stands for it.
    """
    found, known = resolved(system, cooling)
    row = ready_catalog().assumption(room, name, found.context)
    possible = physical_range(f"{room}.{name}")
    top = possible.most if math.isfinite(possible.most) else 10 * max(row.value, row.high or 0)
    for end in (possible.least, top):
        rooms: dict[str, Any] = dict(found.design.assumptions.rooms)
        rooms[room] = dataclasses.replace(rooms[room], **{name: np.array([end])})
        assumptions = dataclasses.replace(found.design.assumptions, rooms=rooms)
        sections = evaluate(dataclasses.replace(found.design, assumptions=assumptions)).sections
        broken = [
            place
            for place, figure in leaves(sections)
            if place in known and np.isnan(np.asarray(figure)).any()
        ]
        assert not broken, (end, broken)
        reliability = sections.reliability
        assert first_of(sections.cooling.pue) >= 1
        assert reliability.ettr is not None
        for share in (reliability.ettr, reliability.availability, reliability.spare_coverage):
            assert 0 <= first_of(share) <= 1 + 1e-12
