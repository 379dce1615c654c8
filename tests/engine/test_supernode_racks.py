"""Racks of a SuperNode from the front: a rack worked by hand, and sums that must be those of the build-up."""

from __future__ import annotations

import random
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.engine.supernode_racks import PartsRack, parts_racks
from app.engine.trace import first_of
from app.scenarios.errors import ScenarioError
from app.scenarios.resolve.supernode import parts_of
from app.scenarios.resolve.supernode_parts import Built
from tests.scenarios.support import document


def racked(chosen: dict[str, Any]) -> tuple[Built, tuple[PartsRack, ...]]:
    found = parts_of(document(supernode=chosen, pod={"supernodes": 2}), ready_catalog())
    assert found is not None
    built = found[1]
    return built, parts_racks(built.contents, built.parts, built.shape)


def total(racks: tuple[PartsRack, ...], name: str) -> float:
    return sum(rack.count * sum(getattr(shelf, name) for shelf in rack.shelves) for rack in racks)


def assert_sums(built: Built, racks: tuple[PartsRack, ...]) -> None:
    """Parts, watts and kilograms in the racks are those of the build-up, and devices stand on each other."""
    counts = {line.name: first_of(line.count) for line in built.parts.lines}
    watts = {line.name: first_of(line.total_power_w) for line in built.parts.lines}
    assert total(racks, "accelerators") == pytest.approx(built.accelerators)
    for name, line in (("processors", "processors"), ("nics", "nics"), ("switches", "scale_up_switches")):
        assert total(racks, name) == pytest.approx(counts.get(line, 0.0)), name
    c = built.contents
    outside_w = watts.get("circuit_switches", 0.0) / first_of(c.supply_efficiency - c.fan_share)
    assert sum(rack.count * rack.power_w for rack in racks) + outside_w == pytest.approx(
        first_of(built.parts.rated_power_w), nan_ok=True
    )
    assert sum(rack.count * rack.weight_kg for rack in racks) == pytest.approx(
        first_of(built.parts.weight_kg)
    )
    for rack in racks:
        at = 1.0
        for shelf in rack.shelves:
            assert shelf.bottom_u == pytest.approx(at)
            at += shelf.units
        assert rack.used_u <= rack.height_u
        assert rack.height_u <= max(first_of(c.rack_units) + 2, rack.used_u)


def test_an_nvl72_by_hand() -> None:
    """18 trays and nine switch trays of 1 U; 129.8 kW over shelves of 16.5 kW a unit are eight; 18 x 4 x 13 + 400 kg."""
    _, (rack,) = racked({"system": "gb200_nvl72"})
    kinds = [shelf.kind for shelf in rack.shelves]
    assert [kinds.count(kind) for kind in ("tray", "switch_tray", "power_shelf")] == [18, 9, 8]
    assert kinds[:4] == kinds[-4:] == ["power_shelf"] * 4
    assert rack.count == 1
    assert rack.used_u == 35
    assert rack.weight_kg == pytest.approx(1336)
    assert rack.power_w / 1e3 == pytest.approx(129.8, abs=0.1)


def test_racks_of_switches_stand_apart() -> None:
    """CloudMatrix384: 12 racks of four nodes, and four of 28 upper chips with half of the modules' power."""
    built, (compute, switches) = racked({"system": "huawei_cloudmatrix384"})
    assert (compute.count, switches.count) == (12, 4)
    assert sum(shelf.switches for shelf in switches.shelves) == 28
    ends = 12 * compute.links_power_w, 4 * switches.links_power_w
    assert ends[0] == pytest.approx(ends[1])
    assert_sums(built, (compute, switches))


def test_domains_of_a_rack_keep_to_it() -> None:
    """Eight NVL72 fill eight racks of 18 trays, not seven of 20 and one of four."""
    _, racks = racked({"system": "dgx_superpod_gb200_1su"})
    assert [(rack.count, sum(shelf.kind == "tray" for shelf in rack.shelves)) for rack in racks] == [(8, 18)]


def test_a_server_is_its_own_height() -> None:
    """Chips on its board take no rack units alongside it."""
    _, (server,) = racked({"system": "dgx_h100"})
    assert (server.kind, server.used_u) == ("server", 8)
    assert [shelf.switches for shelf in server.shelves] == [4]


@pytest.mark.slow
def test_racks_hold_what_is_bought_whatever_the_design() -> None:
    draw = random.Random(27)
    drawn = 0
    for _ in range(300):
        chosen = draw.choice(
            [
                {"accelerator": "nvidia_gb200", "scale_up": {"fabric": "nvlink5_72", "oversubscription": draw.choice([1, 2])}},
                {"accelerator": "nvidia_h100_sxm", "cooling": "air"},
                {"accelerator": "amd_mi300x"},
                {"accelerator": "google_tpu_v4", "scale_up": {"fabric": "ici_v4_4096"}},
                {"accelerator": "huawei_ascend_910c"},
            ]
        )  # fmt: skip
        count = 64 * draw.randint(1, 16) if "tpu" in chosen["accelerator"] else draw.randint(1, 600)
        parts = {
            "accelerators_per_tray": draw.choice([1, 2, 4, 8]),
            "processors_per_tray": draw.randint(1, 4),
        }
        if draw.random() < 0.3:
            parts["rack_power_w"] = draw.uniform(20e3, 400e3)
        custom = {"name": "A SuperNode", "accelerators": count, "parts": parts, **chosen}
        try:
            built, racks = racked({"custom": custom})
        except ScenarioError:
            continue
        if racks:
            drawn += 1
            assert_sums(built, racks)
    assert drawn > 60
