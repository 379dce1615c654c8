"""Halls, aisles, CDUs and power rooms: every rack once and inside its hall, nothing on anything else."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.gallery import reference_designs
from app.catalog.ready import ready_catalog
from app.charts.floor_plan import FILLS, DrawnFloor, floor_plan_figure
from app.charts.floor_rooms import (
    Box,
    Plant,
    PowerBlock,
    Rooms,
    areas,
    halls_of,
    rack_boxes,
    rooms_of,
    run_boxes,
)
from app.engine.fabric.floor.floor import RACK_KINDS
from app.engine.trace import first_of
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import read_scenario
from app.surfaces.pages.fabric.floor import drawn_floor, plant_of
from app.views.fabric.floor import FloorOptions, floor_answer
from tests.charts.test_pictures import choices, floor_plan_drawn
from tests.scenarios.test_examples import EXAMPLES
from tests.support import part_of

UPS = PowerBlock(title="UPS", units=7, rating_w=2e6, is_drawn=True)
PLANT = Plant(cdus=24, cdu_heat_w=1e6, blocks=(UPS,), rooms=2, redundancy="2N")


def apart(boxes: list[Box]) -> bool:
    """Return whether no two boxes overlap, by sweeping from the left."""
    near = 1e-6
    open_boxes: list[Box] = []
    for box in sorted(boxes):
        open_boxes = [other for other in open_boxes if other.x1 > box.x0 + near]
        if any(other.y0 < box.y1 - near and box.y0 < other.y1 - near for other in open_boxes):
            return False
        open_boxes.append(box)
    return True


def check(drawn: DrawnFloor) -> Rooms:
    """The properties that every floor must have."""
    racks, size = drawn.floor.racks, {"width_m": drawn.rack_width_m, "depth_m": drawn.rack_depth_m}
    rooms = rooms_of(racks, drawn.plant, **size)
    boxes = rack_boxes(racks.x_m, racks.y_m, **size)
    assert len(boxes) == racks.count
    assert apart(boxes)
    of_halls = np.concatenate([hall.racks for hall in rooms.halls])
    assert sorted(of_halls.tolist()) == list(range(racks.count))  # each in one hall
    for hall in rooms.halls:
        assert all(hall.box.holds(boxes[rack]) for rack in hall.racks.tolist())
        assert rooms.extent.holds(hall.box)
    assert apart([hall.box for hall in rooms.halls])
    runs = [box for kind in range(len(RACK_KINDS)) for box in run_boxes(racks, racks.kind == kind, **size)]
    assert apart(runs)
    covered = sum((box.x1 - box.x0) * (box.y1 - box.y0) for box in runs)
    assert covered == pytest.approx(racks.count * drawn.rack_width_m * drawn.rack_depth_m)
    assert len(rooms.cdus) == min(drawn.plant.cdus, 2_000)
    shown = sum(block.units for block in drawn.plant.blocks if block.is_drawn)
    assert len(rooms.power) == min(shown, 2_000 * drawn.plant.rooms)
    beside = [*rooms.cdus, *rooms.power]
    assert apart([*[hall.box for hall in rooms.halls], *beside])
    assert all(rooms.extent.holds(box) for box in beside)
    return rooms


@pytest.mark.parametrize("hosts", [(1,), (4,), (40,), (32, 32, 30), (32,) * 40])
@pytest.mark.parametrize("plant", [Plant(), PLANT])
def test_every_rack_once_and_inside_its_hall(hosts: tuple[int, ...], plant: Plant) -> None:
    drawn = floor_plan_drawn(*hosts, spines=1 if len(hosts) == 1 else 4)
    check(
        DrawnFloor(
            floor=drawn.floor, names=drawn.names, make_up=drawn.make_up, examples=drawn.examples,
            rack_width_m=drawn.rack_width_m, rack_depth_m=drawn.rack_depth_m, plant=plant,
        )
    )  # fmt: skip


@pytest.mark.parametrize("seed", part_of(range(30)))
def test_random_plants_are_placed_apart(seed: int) -> None:
    random = np.random.default_rng(seed)
    drawn = floor_plan_drawn(*random.integers(1, 40, random.integers(1, 20)).tolist(), spines=2)
    plant = Plant(
        cdus=int(random.integers(0, 300)),
        blocks=tuple(
            PowerBlock(title=f"Block {number}", units=int(random.integers(0, 400)), rating_w=1e6, is_drawn=number == 2)
            for number in range(7)
        ),
        rooms=int(random.integers(1, 3)),
    )  # fmt: skip
    size = {"width_m": drawn.rack_width_m, "depth_m": drawn.rack_depth_m}
    rooms = rooms_of(drawn.floor.racks, plant, **size)
    assert len(rooms.cdus) == plant.cdus
    assert len(rooms.power) == plant.blocks[2].units
    assert apart([*[hall.box for hall in rooms.halls], *rooms.cdus, *rooms.power])
    assert all(rooms.extent.holds(box) for box in (*rooms.cdus, *rooms.power))


def test_halls_are_told_apart_by_their_cross_aisles() -> None:
    drawn = floor_plan_drawn(*[32] * 40)
    halls = halls_of(drawn.floor.racks, drawn.rack_width_m, drawn.rack_depth_m)
    assert len(halls) == 2
    assert (
        halls[1].box.x0 - halls[0].box.x1 >= 1.2
    )  # a cross aisle is as wide as a cold one; these rows are not full


def test_areas_are_closed_boxes_with_gaps_between() -> None:
    trace = areas([Box(0, 0, 1, 2), Box(2, 0, 3, 2)], "c3")
    assert trace["x"] == [0, 1, 1, 0, 0, None, 2, 3, 3, 2, 2]
    assert trace["fillcolor"] == "var(--c3)"


@pytest.mark.slow
@pytest.mark.parametrize("key", [*EXAMPLES, *reference_designs()])
def test_every_example_and_reference_design(key: str) -> None:
    """Counts are those of the floor's totals, of the racks of the evaluation, of its cooling plant and of its chain."""
    path = EXAMPLES[key] if key in EXAMPLES else reference_designs()[key].path
    evaluated = evaluate_scenario(read_scenario(path), ready_catalog())
    answer = floor_answer(evaluated, FloorOptions())
    drawn = drawn_floor(answer, plant_of(evaluated))
    check(drawn)
    figure = floor_plan_figure(drawn)
    assert figure.plot is not None
    counts = {row.slot: int(row.cells[1].replace(",", "")) for row in figure.rows[:3]}
    by_kind = answer.totals.racks_by_kind
    slots = {"c1": "compute", "c3": "network", "c2": "service"}
    assert {slots[slot]: count for slot, count in counts.items() if slot in slots} == {
        kind: count for kind, count in by_kind.items() if count
    }
    assert sum(by_kind.values()) == answer.totals.racks_total == drawn.floor.racks.count
    racks = drawn.floor.racks
    marks = racks.count if racks.count <= 1_500 else np.unique(racks.row).size
    assert len(choices(figure.plot)) == marks
    assert drawn.plant.cdus == first_of(evaluated.evaluation.sections.cooling.cdu_count)
    legend = {mark.slot: mark.value for mark in figure.legend}
    assert legend[FILLS["compute"]].startswith(f"{by_kind['compute']:,} ")
    assert figure.eyebrow == "Floor plan, kind of rack"
