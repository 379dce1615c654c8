"""Utilisation, what still fits, and which limit comes first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.facility.racks.bounds import Bound, cooling_bounds, electrical_bounds, planned_bounds, tighter
from app.engine.facility.racks.checks import first_limit, rack_checks
from app.engine.facility.racks.loads import (
    OnFloor,
    RackLoads,
    floor_load_n_per_m2,
    measures,
    panel_load_n,
    rack_coolant_flow_l_per_min,
    rack_floor_share_m2,
)
from tests.engine.facility.cases import defaults
from tests.support import number

GIVEN = defaults()
WATTS = st.floats(min_value=0, max_value=1e6)


def loads(power_w, *, liquid_share=0.0, weight_kg=1000.0, height_u=40.0):
    return RackLoads(
        power_w=number(power_w),
        air_heat_w=number(power_w * (1 - liquid_share)),
        liquid_heat_w=number(power_w * liquid_share),
        weight_kg=number(weight_kg),
        height_u=number(height_u),
    )


FLOOR = OnFloor(
    coolant_flow_m3_per_j=number(1.5e-3 / 60 / 1e3),
    floor_share_m2=number(1.6875),
    panel_load_share=number(1 / 3),
)
SERVER = loads(10.2e3, weight_kg=130.5, height_u=8.0)
RACK = loads(40.8e3, weight_kg=692.0, height_u=38.0)
BOUNDS = {
    name: Bound(usual=number(usual), limit=number(limit))
    for name, usual, limit in [
        ("power", 41e3, 41e3), ("air_heat", 20e3, 50e3), ("height", 48, 48), ("weight", 1361, 1361),
    ]
}  # fmt: skip


def checks_of(rack, one=SERVER, bounds=BOUNDS):
    return rack_checks(
        values=measures(rack, FLOOR), of_one=None if one is None else measures(one, FLOOR), bounds=bounds
    )


def test_four_dgx_h100_in_a_rack_by_hand():
    """692 kg: four of 130.5 kg and a rack of 170; 38 U: four of 8 U and six for strips and panels."""
    found = {check.key: check for check in checks_of(RACK)}
    assert [*found] == ["power", "air_heat", "height", "weight"]  # the fullest first
    assert found["power"].utilisation == pytest.approx(40.8 / 41)
    assert {key: check.more for key, check in found.items()} == {
        "power": 0, "air_heat": 0, "height": 1, "weight": 5,
    }  # fmt: skip
    assert {key: check.status for key, check in found.items()} == {
        "power": "fits", "air_heat": "unusual", "height": "fits", "weight": "fits",
    }  # fmt: skip
    assert first_limit([*found.values()]).key == "power"


def test_the_first_limit_leaves_room_for_the_fewest_servers():
    bounds = BOUNDS | {"power": Bound(usual=number(100e3), limit=number(100e3))}
    roomy = loads(10.2e3, weight_kg=170.0, height_u=36.0)
    checks = checks_of(roomy, bounds=bounds)
    assert {check.key: check.more for check in checks} == {
        "height": 1,
        "air_heat": 3,
        "weight": 9,
        "power": 8,
    }
    assert first_limit(checks).key == "height"


def test_a_rack_that_takes_no_more_servers_is_limited_by_its_fullest_check():
    checks = checks_of(loads(30e3, weight_kg=1300.0, height_u=10.0), one=None)
    assert all(np.isnan(check.more) for check in checks)
    assert first_limit(checks).key == "weight"


def test_a_limit_that_is_met_exactly_is_met():
    (check,) = checks_of(loads(41e3), bounds={"power": BOUNDS["power"]})
    assert (check.status, check.more) == ("fits", 0)
    (check,) = checks_of(loads(41e3 + 1), bounds={"power": BOUNDS["power"]})
    assert (check.status, check.more) == ("over", 0)


def test_without_power_nothing_is_asked_of_power_and_cooling():
    assert {check.key for check in checks_of(loads(0.0))} == {"height", "weight"}


def test_an_unknown_weight_is_neither_fitting_nor_a_limit():
    checks = checks_of(loads(40.8e3, weight_kg=float("nan")))
    assert checks[-1].key == "weight"
    assert (checks[-1].status, np.isnan(checks[-1].utilisation)) == ("unknown", True)
    assert first_limit([checks[-1]]) is None
    assert first_limit(checks).key == "power"


def test_what_is_only_unusual_comes_after_what_is_a_limit():
    bounds = {
        "current_kind": Bound(usual=number(50e3), limit=number(np.inf)),
        "power": Bound(usual=number(1e6), limit=number(1e6)),
    }
    checks = checks_of(RACK, bounds=bounds)
    assert checks[0].key == "current_kind"
    assert first_limit(checks).key == "power"
    assert first_limit(checks[:1]).key == "current_kind"


@pytest.mark.slow
@given(power_w=WATTS, more_w=WATTS, share=st.floats(min_value=0, max_value=1))
def test_more_power_never_leaves_more_room(power_w, more_w, share):
    bounds = cooling_bounds(plant="direct_liquid_dry", liquid_heat_share=number(share), assumptions=GIVEN) | {
        "power": BOUNDS["power"]
    }
    one = loads(1e3, liquid_share=share)
    less, more = (
        {check.key: check for check in checks_of(loads(watts, liquid_share=share), one, bounds)}
        for watts in (power_w, power_w + more_w)
    )
    order = ("fits", "unusual", "over")
    for key, check in less.items():
        assert more[key].utilisation >= check.utilisation
        assert more[key].more <= check.more
        assert order.index(more[key].status) >= order.index(check.status)


def test_floor_loads_by_hand():
    area_m2 = rack_floor_share_m2(
        rack_width_m=number(0.75), rack_depth_m=number(1.2), cold_aisle_m=number(1.2), hot_aisle_m=number(0.9)
    )
    assert area_m2 == pytest.approx(0.75 * 2.25)
    nvl72 = number(1360.0)
    assert floor_load_n_per_m2(weight_kg=nvl72, area_m2=area_m2) == pytest.approx(7903, abs=1)
    assert panel_load_n(weight_kg=nvl72, panel_load_share=number(1 / 3)) == pytest.approx(4446, abs=1)


def test_flow_is_that_of_the_rack_pumping_unit_specification():
    """150 L/min for a rack of 100 kW; none without liquid, whatever the coolant."""
    flow = rack_coolant_flow_l_per_min(
        liquid_heat_w=np.array([100e3, 0.0]), coolant_flow_m3_per_j=np.array([1.5e-3 / 60e3, np.nan])
    )
    assert flow.tolist() == pytest.approx([150, 0])


@pytest.mark.parametrize(
    ("plant", "share", "usual_kw"),
    [
        ("air", 0.0, np.inf),
        ("direct_liquid_dry", 0.0, np.inf),
        ("direct_liquid_dry", 0.87, 150),
        ("direct_liquid_tower", 0.949, 150),
        ("direct_liquid_tower", 0.95, 230),
        ("immersion_dry", 1.0, 100),
    ],
)
def test_classes_of_cooling(plant, share, usual_kw):
    bounds = cooling_bounds(plant=plant, liquid_heat_share=number(share), assumptions=GIVEN)
    assert bounds["density"].usual == pytest.approx(usual_kw * 1e3)
    assert bounds["density"].limit >= bounds["density"].usual


def test_direct_current_has_no_bound_of_alternating_current():
    given = {"feeder_w": number(34e3), "assumptions": GIVEN}
    assert electrical_bounds(distribution="ac_480", **given)["current_kind"].usual == 200e3
    assert np.isinf(electrical_bounds(distribution="dc_800", **given)["current_kind"].usual)


def test_what_does_not_bind_and_what_binds_tighter():
    bounds = planned_bounds(
        {"power": number(41e3), "weight": number(1361)},
        {"power": np.array([False]), "weight": np.array([True])},
    )
    assert np.isinf(bounds["power"].limit)
    assert bounds["weight"].limit == 1361
    both = tighter(BOUNDS["air_heat"], Bound(usual=number(30e3), limit=number(30e3)))
    assert (both.usual, both.limit) == (20e3, 30e3)
