"""A speed at hand is that of the very design; what does not bear on it may differ."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.design import evaluate, speed_of
from app.engine.leaves import leaves, plain_values
from app.engine.specs import Design
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve, speeds
from app.scenarios.resolve.speeds import known_speed
from tests.support import read_example

TRAINS, SERVES, RUNS = "edge_node", "deepseek_r1_on_8_h200", "fft_3d_on_512_dgx_a100"


def design(key: str, /, **changes: Any) -> Design:
    values = read_example(key).as_dict()
    for place, value in changes.items():
        part, _, name = place.partition("__")
        values[part] = {**values.get(part, {}), name: value}
    return resolve(build_scenario(values), ready_catalog()).design


@pytest.fixture
def computed(seeded_data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the designs whose speed was computed."""
    names: list[str] = []

    def counted(one: Design, fabric: Any = None) -> Any:
        names.append(one.name)
        return speed_of(one, fabric)

    monkeypatch.setattr(speeds, "speed_of", counted)
    return names


@pytest.mark.parametrize("key", [TRAINS, SERVES, RUNS])
def test_a_speed_at_hand_gives_the_same_evaluation(key: str, computed: list[str]) -> None:
    one = design(key)
    known_speed(one)
    computed.clear()
    other = design(key, economics__wacc=0.0812, facility__warming_k=1.0)
    found = known_speed(other)
    assert computed == []
    assert found.design is other
    assert plain_values(evaluate(other, found)) == plain_values(evaluate(other))


@pytest.mark.parametrize(
    ("place", "value"), [("facility__power_cap", 0.8), ("workload__precision", "fp8"), ("pod__supernodes", 2)]
)
def test_what_bears_on_the_speed_is_computed(place: str, value: object, computed: list[str]) -> None:
    known_speed(design(TRAINS))
    computed.clear()
    changed = design(TRAINS, **{place: value})
    found = known_speed(changed)
    with np.errstate(all="ignore"):
        assert plain_values(found.performance) == plain_values(speed_of(changed).performance)


@pytest.mark.parametrize("room", speeds.ROOMS)
def test_every_number_of_what_it_rests_on_tells_designs_apart(room: str, seeded_data_dir: Path) -> None:
    """One number after the other, of the hardware and of the assumptions of each room."""
    one = design(SERVES)
    rooms = one.assumptions.rooms
    known = speeds._identity(one)
    for field in dataclasses.fields(rooms[room]):
        record = dataclasses.replace(rooms[room], **{field.name: getattr(rooms[room], field.name) + 1.0})
        other = dataclasses.replace(
            one, assumptions=dataclasses.replace(one.assumptions, rooms={**rooms, room: record})
        )
        assert speeds._identity(other) != known, field.name


def test_nobody_changes_what_others_have(seeded_data_dir: Path) -> None:
    found = known_speed(design(TRAINS))
    for _, array in leaves(found.performance):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1.0
