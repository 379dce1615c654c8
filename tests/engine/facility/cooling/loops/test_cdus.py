"""CDUs by hand: the spare shares the load and is no capacity."""

import math

import pytest

from app.engine.facility.cooling.assumptions import CoolingAssumptions
from app.engine.facility.cooling.loops.cdus import cdu_exchanger, cdus
from tests.engine.facility.cases import defaults
from tests.support import assumptions, number


def _cdus(heat_w, kind="liquid_to_liquid", flow=1000.0, redundancy="N+1"):
    return cdus(
        redundancy=redundancy,
        kind=kind,
        liquid_heat_design_w=number(heat_w),
        coolant_flow_l_per_min=number(flow),
        facility=defaults(),
        detail=assumptions("cooling", CoolingAssumptions),
    )


def test_six_and_a_spare_by_hand():
    units = _cdus(7.8e6, flow=11_700.0)
    assert (units.needed, units.installed) == (6, 7)
    assert units.load_all == pytest.approx(7.8 / (7 * 1.35))
    assert units.load_one_lost == pytest.approx(7.8 / (6 * 1.35))
    assert units.load_one_lost <= 1
    assert units.flow_l_per_min == pytest.approx(11_700 / 7)
    assert units.approach_all_k == pytest.approx(4 * units.load_all)


@pytest.mark.parametrize("heat_w", [1.0, 1.35e6, 1.351e6, 40e6])
def test_losing_one_never_overloads_the_rest(heat_w):
    assert _cdus(heat_w).load_one_lost <= 1
    assert _cdus(heat_w, "liquid_to_air").load_one_lost <= 1


def test_liquid_to_air_units_are_small_and_have_no_plates():
    units = _cdus(1e6, "liquid_to_air")
    assert (units.needed, units.approach_design_k) == (10, 12)
    assert math.isnan(units.approach_all_k)


def test_plates_over_their_load():
    plates = cdu_exchanger(facility=defaults(), detail=assumptions("cooling", CoolingAssumptions))
    assert (plates.effectiveness, plates.ntu) == (pytest.approx(10 / 14), pytest.approx(2.5))
    assert plates.approach_fixed_flow_k == pytest.approx((1, 2, 3, 4))
    assert plates.approach_variable_flow_k[-1] == pytest.approx(4)
    assert list(plates.approach_variable_flow_k) == sorted(plates.approach_variable_flow_k)


def test_unknown_heat_gives_no_count():
    assert math.isnan(_cdus(float("nan")).installed)


def test_two_sides_are_twice_the_units():
    units = _cdus(7.8e6, redundancy="2N")
    assert (units.needed, units.installed) == (6, 12)
    assert units.load_all == pytest.approx(7.8 / (12 * 1.35))
    assert _cdus(7.8e6, redundancy="N").installed == 6
