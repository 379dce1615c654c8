"""Heat for a network: free where it is warm enough, lifted where it is not, none without water."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.specs import HeatReuse
from tests.engine.facility.cases import climate, evaluate, facility_at
from tests.support import number


def _reused(share, supply_c, *, site="stockholm", cooling="direct_liquid_dry", coolant_supply_c=40.0):
    facility = facility_at(climate(site), cooling=cooling, coolant_supply_c=coolant_supply_c)
    network = HeatReuse(share=number(share), supply_c=number(supply_c))
    return evaluate(facility=dataclasses.replace(facility, heat_reuse=network))


def test_nobody_takes_the_heat():
    _, cooling = evaluate(facility=facility_at(climate("stockholm")))
    assert cooling.ere is cooling.erf is cooling.heat_reused_w is cooling.heat_pump_power_w is None


def test_free_where_the_return_is_warm_enough():
    """Coolant at 40 degC: facility water 36 to 46."""
    assert _reused(1, 46)[1].heat_pump_power_w[0] == 0
    assert _reused(1, 45)[1].heat_pump_power_w[0] == 0
    assert _reused(1, 47)[1].heat_pump_power_w[0] > 0


def test_heat_pump_by_hand():
    """From 46 to 70 degC: COP = 0.5 * 343.15 / 24 = 7.149; what is taken is delivered less the work."""
    _, cooling = _reused(0.6, 70)
    cop = 0.5 * 343.15 / 24
    taken = cooling.heat_reused_w[0]
    assert cooling.heat_pump_power_w[0] == pytest.approx(taken / (cop - 1), rel=1e-9)
    delivered = taken + cooling.heat_pump_power_w[0]
    assert delivered / cooling.heat_pump_power_w[0] == pytest.approx(cop, rel=1e-9)


def test_metrics_by_hand():
    power, cooling = _reused(0.5, 60)
    it_w, reused_w = power.it_power_mean_w, cooling.heat_reused_w
    assert reused_w[0] == pytest.approx((cooling.liquid_heat_w * 1.0195 * 0.5)[0], rel=1e-3)
    assert cooling.ere == pytest.approx((power.utility_mean_w - reused_w) / it_w)
    assert cooling.erf == pytest.approx(reused_w / power.utility_mean_w)


def test_the_heat_pump_is_outside_the_site():
    assert _reused(0.5, 60)[1].pue == _reused(0.5, 90)[1].pue


def test_the_hottest_hour_does_not_count_on_the_network():
    alone = evaluate(facility=facility_at(climate("phoenix_az"), cooling="direct_liquid_tower"))[1]
    with_network = _reused(1, 40, site="phoenix_az", cooling="direct_liquid_tower")[1]
    assert with_network.pue < alone.pue
    assert with_network.wue_l_per_kwh[0] == 0
    assert with_network.pue_hottest_hour == alone.pue_hottest_hour


@pytest.mark.parametrize("plant", ["air", "air_tower", "liquid_to_air"])
def test_no_facility_water_no_reuse(plant):
    _, cooling = _reused(1, 60, cooling=plant)
    assert cooling.heat_reused_w[0] == cooling.erf[0] == cooling.heat_pump_power_w[0] == 0
    assert cooling.ere == cooling.pue


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(share=st.floats(0, 1), more=st.floats(0, 1), supply_c=st.floats(20, 120))
def test_more_reuse_never_costs_more(share, more, supply_c):
    low, high = sorted((share, more))
    less, most = _reused(low, supply_c)[1], _reused(high, supply_c)[1]
    assert most.pue <= less.pue + 1e-12
    assert most.ere <= less.ere + 1e-12
    assert 0 <= less.erf[0] <= most.erf[0] + 1e-12 < 1


def test_samples_of_shares_agree_with_one_at_a_time():
    facility = facility_at(climate("stockholm"), cooling="direct_liquid_tower", coolant_supply_c=32)
    shares = np.array([[0.0], [0.4], [1.0]])
    network = HeatReuse(share=shares, supply_c=number(60))
    many = evaluate(facility=dataclasses.replace(facility, heat_reuse=network))[1]
    assert many.erf.shape == many.pue.shape == (3, 1)
    for row, share in enumerate(shares[:, 0]):
        one = _reused(share, 60, cooling="direct_liquid_tower", coolant_supply_c=32)[1]
        assert many.pue[row, 0] == pytest.approx(one.pue[0], abs=5e-5)
        assert many.ere[row, 0] == pytest.approx(one.ere[0], abs=5e-5)
        assert many.pue_hottest_hour == pytest.approx(one.pue_hottest_hour, rel=1e-12)
