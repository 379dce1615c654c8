"""Power caps: what they take off a SuperNode, by hand, at the limits, and never against the order of powers."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.facility.it.supernode import supernode_power
from tests.engine.facility.cases import defaults, evaluate, facility_at, rack, steady
from tests.support import dgx_h100, number

MILD = facility_at(steady(dry_bulb_c=15, wet_bulb_c=10))


def capped(supernode, cap):
    return dataclasses.replace(
        supernode, accelerator=dataclasses.replace(supernode.accelerator, power_cap=number(cap))
    )


def _power(supernode, distribution="ac_415"):
    return supernode_power(
        supernode=supernode,
        nic_power_w=number(25),
        distribution=distribution,
        load_profile="auto",
        busy_share=number(0.8),
        assumptions=defaults(distribution=distribution),
    )


def test_node_of_eight_at_80_percent_by_hand():
    """5.6 kW of TDP: 1.12 kW off rating and peak; at work 0.9 x 5.6 x 0.2 behind fans and supplies."""
    power = _power(capped(dgx_h100(), 0.8))
    assert power.rating_w[0] == pytest.approx(10200 - 1120)
    assert power.peak_w[0] == pytest.approx(0.82 * 0.987 * 10200 - 1120)
    assert power.mean_w[0] == pytest.approx(7140 - 0.9 * 5600 * 0.2 / (0.95 - 0.12))
    assert power.accelerators_w[0] == pytest.approx(0.9 * 5600 * 0.8)
    assert power.idle_w[0] == 0.21 * 10200


def test_a_cap_at_the_rating_changes_nothing():
    free, full = _power(dgx_h100()), _power(capped(dgx_h100(), 1))
    for name in ("rating_w", "peak_w", "mean_w", "pause_w", "idle_w"):
        assert getattr(full, name)[0] == pytest.approx(getattr(free, name)[0], rel=1e-12), name


def test_hosts_draw_what_they_drew():
    free = evaluate(facility=MILD, supernode=dgx_h100())[0].it_breakdown_w
    less = evaluate(facility=MILD, supernode=capped(dgx_h100(), 0.7))[0].it_breakdown_w
    assert less["accelerators"][0] == pytest.approx(0.7 * free["accelerators"][0])
    assert less["nics"][0] == free["nics"][0]
    # supplies carry less, and are 0.8 points less efficient there
    assert less["hosts"][0] == pytest.approx(free["hosts"][0], rel=0.05)


@pytest.mark.slow
@settings(max_examples=40)
@given(cap=st.floats(0.3, 1), tdp_w=st.floats(100, 1600), liquid=st.floats(0, 1))
def test_powers_keep_their_order_under_any_cap(cap, tdp_w, liquid):
    node = rack(liquid)
    chip = dataclasses.replace(node.accelerator, tdp_w=number(tdp_w))
    power = _power(capped(dataclasses.replace(node, accelerator=chip), cap))
    assert power.idle_w[0] <= power.mean_w[0] * (1 + 1e-12)
    assert power.mean_w[0] <= power.peak_w[0] * (1 + 1e-12)
    assert power.peak_w[0] <= power.rating_w[0]


def test_feeders_are_sized_with_the_cap():
    free, less = (evaluate(facility=MILD, supernode=one)[0] for one in (rack(), capped(rack(), 0.8)))
    relief_w = 0.2 * 72 * 700
    assert less.power_per_rack_w[0] == pytest.approx(free.power_per_rack_w[0] - relief_w)
    assert less.it_power_design_w[0] == pytest.approx(free.it_power_design_w[0] - 16 * relief_w)
    assert less.it_power_peak_w[0] == pytest.approx(free.it_power_peak_w[0] - 16 * relief_w)


def test_many_caps_at_once_are_each_alone():
    caps = np.array([[0.9], [0.6], [0.4]])
    node = capped(dgx_h100(), 1)
    together = dataclasses.replace(node, accelerator=dataclasses.replace(node.accelerator, power_cap=caps))
    many = _power(together)
    for row, cap in enumerate(caps.ravel()):
        assert many.mean_w[row, 0] == pytest.approx(_power(capped(dgx_h100(), cap)).mean_w[0])


def test_unpublished_tdp_makes_capped_power_unknown_and_no_warning():
    chip = dataclasses.replace(dgx_h100().accelerator, tdp_w=number(float("nan")))
    power = _power(capped(dataclasses.replace(dgx_h100(), accelerator=chip), 0.8))
    assert np.isnan([power.mean_w[0], power.peak_w[0], power.rating_w[0]]).all()
    assert power.idle_w[0] == 0.21 * 10200


def test_direct_current_by_hand():
    """0.98 in the rack in place of 0.95 of the supplies at 0.35 load, and of 0.96 at the rating."""
    power = _power(dgx_h100(), "dc_800")
    assert power.mean_w[0] == pytest.approx(7140 * 0.95 / 0.98)
    assert power.rating_w[0] == pytest.approx(10200 * 0.96 / 0.98)
    assert power.supply_efficiency[0] == 0.98


def test_losses_of_the_converter_stand_where_those_of_supplies_did():
    direct = dataclasses.replace(MILD, distribution="dc_800")
    power = evaluate(facility=direct, supernode=dgx_h100(), given=defaults(distribution="dc_800"))[0]
    assert power.it_breakdown_w["power_supplies"][0] == pytest.approx(16 * 7140 * 0.95 / 0.98 * 0.02)
    assert sum(power.it_breakdown_w.values())[0] == pytest.approx(power.it_power_mean_w[0], rel=1e-12)
