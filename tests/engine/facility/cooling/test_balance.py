"""Utility in = useful + losses = heat that leaves, in every hour."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.facility.cooling.balance import balance
from app.engine.facility.cooling.plants import PLANTS
from app.engine.specs import HeatReuse
from tests.engine.facility.cases import climate, defaults, evaluate, facility_at, rack
from tests.support import number

SITES = ("ashburn_va", "phoenix_az", "singapore", "kiruna", "bogota")
REDUNDANCIES = ("N", "N+1", "2N", "2(N+1)", "3N/2", "4N/3")


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    plant=st.sampled_from(sorted(PLANTS)),
    site=st.sampled_from(SITES),
    redundancy=st.sampled_from(REDUNDANCIES),
    liquid_share=st.floats(0, 1),
    supply_c=st.floats(18, 55),
    in_hall=st.floats(0, 1),
    reuse=st.none() | st.tuples(st.floats(0, 1), st.floats(20, 120)),
)
def test_energy_balance_closes_in_every_hour(plant, site, redundancy, liquid_share, supply_c, in_hall, reuse):
    facility = facility_at(climate(site), cooling=plant, coolant_supply_c=supply_c, redundancy=redundancy)
    if reuse:
        facility = dataclasses.replace(
            facility, heat_reuse=HeatReuse(share=number(reuse[0]), supply_c=number(reuse[1]))
        )
    given_rows = dataclasses.replace(defaults(), electrical_loss_share_in_hall=number(in_hall))
    power, cooling = evaluate(
        facility=facility, supernode=rack(liquid_share), given=given_rows, network_power_w=2e4
    )
    both = balance(power=power, cooling=cooling, facility=facility, assumptions=given_rows)
    assert both.utility_w.shape == (8760,)
    for side in (both.useful_w + both.losses_w, both.heat_out_w):
        assert np.abs(side / both.utility_w - 1).max() < 1e-9
    assert all(np.all(part > -1e-6) for part in both.heat_w.values())
    if not reuse:
        assert both.utility_w.mean() == pytest.approx(power.utility_mean_w[0], rel=1e-9)


def test_balance_of_one_hour_by_hand():
    """An air server: all of the IT power, and every watt of the plant, leaves through the air plant."""
    facility = facility_at(climate("ashburn_va"), cooling="air")
    power, cooling = evaluate(facility=facility, supernode=rack(0.0))
    both = balance(power=power, cooling=cooling, facility=facility, assumptions=defaults())
    assert both.heat_w["liquid_plant"][0] == both.heat_w["network"][0] == 0
    assert both.heat_w["uncooled_rooms"][0] == pytest.approx(power.house_load_w[0])
    out = both.heat_w["air_plant"].mean()
    assert out == pytest.approx((power.utility_mean_w - power.house_load_w)[0], rel=1e-9)
