"""The small picture of a pod on a card."""

from __future__ import annotations

import random
import re

import pytest

from app.charts.pod_glyph import MOST_SWITCHES, PodGlyph, cells_of, pod_glyph
from tests.support import part_of


def glyph(supernodes: int, each: int, tiers: int = 0, shape: str = "switched") -> PodGlyph:
    found = pod_glyph(
        {
            "inputs": {"pod": {"supernodes": supernodes}, "supernode": {"accelerators": each, "scale_up_topology": shape}},
            "fabric": {"tiers": [{"name": f"tier {tier}"} for tier in range(tiers)]},
        }
    )  # fmt: skip
    assert found is not None
    return found


def test_eight_servers_under_one_tier() -> None:
    found = glyph(8, 8, 1)
    assert len(found.blocks) == 8
    assert len(found.switches) == MOST_SWITCHES[0]
    assert found.links.count("M") == 64
    assert found.more is None
    assert found.words == "8 SuperNodes of 8, 1 tier of switches"


def test_marks_say_that_there_are_more() -> None:
    found = glyph(2048, 8, 3)
    assert found.more is not None
    assert found.words == "2,048 SuperNodes of 8, 3 tiers of switches"


def test_one_supernode_is_drawn_larger_and_without_switches() -> None:
    found = glyph(1, 8)
    assert found.width < 240
    assert (len(found.blocks), found.switches, found.links) == (1, (), "")
    assert found.words == "One SuperNode of 8 accelerators"
    assert glyph(1, 64, shape="torus").rings


@pytest.mark.parametrize("seed", part_of(range(100)))
def test_every_mark_is_in_the_box(seed: int) -> None:
    draw = random.Random(seed)
    found = glyph(draw.choice((1, 2, 5, 9, 300)), draw.randint(1, 10_000), draw.randint(0, 4))
    for box in (*found.blocks, *found.switches):
        assert box.x >= 0
        assert box.y >= -1e-9
        assert box.x + box.width <= found.width + 0.5
        assert box.y + box.height <= found.height + 1e-9
    assert not re.search("nan|inf|None", found.cells + found.links)


@pytest.mark.parametrize("accelerators", [1, 2, 8, 64, 72, 96, 384])
def test_a_mark_is_an_accelerator_where_they_fit(accelerators: int) -> None:
    columns, rows = cells_of(accelerators)
    assert columns * rows == accelerators


def test_an_unknown_size_has_no_picture() -> None:
    assert pod_glyph({"inputs": {"pod": {"supernodes": None}}}) is None
