"""Heat of a rack by loop and by height unit."""

from dataclasses import replace

import numpy as np
import pytest

from app.engine.fabric.floor.elevation import FullRack, Shelf
from app.engine.fabric.floor.floor import DeviceSize, SuperNodeSize
from app.engine.facility.racks.kind import CooledSuperNode, rack_heat

SERVER = SuperNodeSize(
    name="Server", count=1, nodes=1, own_racks=0, units=8, power_w=10e3, weight_kg=130, liquid_share=0.8
)
WHOLE = SuperNodeSize(
    name="Whole", count=1, nodes=18, own_racks=1, units=48, power_w=132e3, weight_kg=1360, liquid_share=0.87
)
SWITCH = DeviceSize(name="Switch", units=1, power_w=1.7e3, weight_kg=np.nan, liquid_share=0.0, rack="network")
DEVICES = {"compute": {"leaf": SWITCH}}


def shelf(name, kind, bottom_u, units, power_w, network=""):
    return Shelf(
        name=name, what=name, kind=kind, network=network, rack_kind="compute", bottom_u=bottom_u,
        units=units, power_w=power_w,
    )  # fmt: skip


def rack_of(*shelves):
    return FullRack(
        name="R01-01", kind="compute", row=1, position=1, height_u=48, used_u=40, power_w=0, air_heat_w=0,
        liquid_heat_w=0, weight_kg=np.nan, shelves=shelves,
    )  # fmt: skip


MIXED = rack_of(
    shelf("Server", "host", 1, 8, 10e3),
    shelf("Leaf", "leaf", 42, 1, 1.7e3, "compute"),
    shelf("Strip", "power_strip", 1, 0, 0.0, "in_band"),
)


def cooled(size, **changes):
    return CooledSuperNode(
        **{"size": size, "power_w": size.power_w, "liquid_share": size.liquid_share} | changes
    )


def test_loops_of_a_server_and_a_switch_by_hand():
    found = rack_heat(MIXED, supernode=cooled(SERVER), devices=DEVICES, plant="direct_liquid_dry")
    assert (found.power_w, found.liquid_heat_w) == (11.7e3, 8e3)
    assert found.air_heat_w == pytest.approx(3.7e3)
    server, leaf = found.shelves  # the strip takes no height
    assert (server.air_w_per_u, server.liquid_w_per_u) == pytest.approx((250, 1000))
    assert (leaf.air_w_per_u, leaf.liquid_w_per_u) == (1.7e3, 0)


@pytest.mark.parametrize(("plant", "liquid_w"), [("air", 0), ("air_tower", 0), ("direct_liquid_tower", 8e3)])
def test_a_hall_without_coolant_takes_all_by_air(plant, liquid_w):
    found = rack_heat(MIXED, supernode=cooled(SERVER), devices=DEVICES, plant=plant)
    assert found.liquid_heat_w == liquid_w
    assert found.air_heat_w + found.liquid_heat_w == pytest.approx(found.power_w)


def test_a_tank_takes_all_of_the_server():
    immersed = cooled(SERVER, power_w=9.8e3, liquid_share=1.0)
    found = rack_heat(MIXED, supernode=immersed, devices=DEVICES, plant="immersion_dry")
    assert (found.liquid_heat_w, found.air_heat_w) == (9.8e3, pytest.approx(1.7e3))


def test_a_whole_rack_is_its_rating_however_many_trays_are_drawn():
    """An NVL72: 132 kW, of which 114.84 to liquid; a tray of two units gives 2 x 3,667 W."""
    trays = rack_of(*(shelf("Tray", "host", 1 + 2 * tray, 2, 132e3 / 18) for tray in range(18)))
    found = rack_heat(trays, supernode=cooled(WHOLE), devices={}, plant="direct_liquid_dry")
    assert found.liquid_heat_w == pytest.approx(114.84e3)
    assert found.air_heat_w == pytest.approx(17.16e3)
    assert sum(2 * (tray.air_w_per_u + tray.liquid_w_per_u) for tray in found.shelves) == pytest.approx(132e3)


def test_unknown_power_stays_unknown_and_no_power_is_no_heat():
    unknown = rack_heat(
        MIXED, supernode=cooled(SERVER, power_w=np.nan), devices=DEVICES, plant="direct_liquid_dry"
    )
    assert np.isnan(unknown.power_w)
    assert np.isnan(unknown.air_heat_w)
    idle = {"compute": {"leaf": replace(SWITCH, power_w=0.0)}}
    empty = rack_of(shelf("Leaf", "leaf", 1, 1, 0.0, "compute"))
    nothing = rack_heat(empty, supernode=None, devices=idle, plant="air")
    assert (nothing.power_w, nothing.air_heat_w, nothing.liquid_heat_w) == (0, 0, 0)
