"""N-1 analysis: by hand for each scheme, what caps allow, and what must always hold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.facility.electrical.lost_block import allowed_it_power_w, share_served
from app.engine.facility.electrical.redundancy import SCHEMES
from tests.engine.facility.electrical.cases import chain_of, loads_of, lost, sized
from tests.support import number


def line(found, kind):
    at = found.kinds.index(kind)
    return found.load_before[at], found.load_after[at], found.it_served_w[at], found.carried_by[at]


@pytest.mark.parametrize(
    ("load", "sharing", "taking_over", "catcher", "served"),
    [
        (1.0, 4, 4, False, 3 / 4),  # N of four: what is left holds three quarters
        (0.8, 5, 5, False, 1),  # N+1 of four
        (0.5, 8, 2, False, 1),  # pairs
        (0.6, 8, 2, False, 1 - 2 / 8 * (1 - 1 / 1.2)),  # overloaded pairs: one of four pairs is held back
        (1.0, 1, 1, False, 0),  # one alone
        (1.0, 4, 2, True, 1),
        (1.25, 4, 2, True, 1 - 1 / 4 * (1 - 0.8)),
    ],
)
def test_share_served_by_hand(load, sharing, taking_over, catcher, served):
    found = share_served(
        normal_load=number(load),
        units_sharing=number(sharing),
        taking_over=number(taking_over),
        has_catcher=catcher,
    )
    assert found[0] == pytest.approx(served)


def test_two_paths_lose_no_rack():
    chain = chain_of("2N")
    loads, racks = loads_of(chain)
    found = lost(chain, sized(chain, loads, racks), loads)
    assert found.it_served_w == pytest.approx(np.full(len(found.kinds), loads.it_w[0]))
    assert not any(found.overloaded)
    before, after, _, who = line(found, "ups")
    assert (after, who) == (pytest.approx(2 * before), "rest")


def test_without_a_spare_the_rest_is_overloaded_and_caps_hold_it():
    chain = chain_of("N")
    loads, racks = loads_of(chain, supernodes=40)
    sizing = sized(chain, loads, racks)
    found = lost(chain, sizing, loads)
    at = sizing.kinds.index("switchboard")
    units = sizing.sharing[at]
    before, after, served, _ = line(found, "switchboard")
    assert units == 3
    assert after == pytest.approx(before * 3 / 2)
    assert found.overloaded[at]
    assert served == pytest.approx(loads.it_w[0] * 2 / (3 * before))


def test_generators_stand_in_for_the_utility():
    chain = chain_of("N")
    loads, racks = loads_of(chain)
    found = lost(chain, sized(chain, loads, racks), loads)
    _, after, served, who = line(found, "utility_feed")
    assert (served, who) == (pytest.approx(loads.it_w[0]), "generators")
    assert after < 1


def test_a_catcher_takes_over_at_the_load_of_the_lost_block():
    chain = chain_of("block_redundant")
    loads, racks = loads_of(chain, supernodes=40)
    before, after, _, who = line(lost(chain, sized(chain, loads, racks), loads), "ups")
    assert (after, who) == (before, "catcher")


def test_a_lost_feed_touches_one_rack():
    chain = chain_of("N")
    loads, racks = loads_of(chain)
    before, after, served, _ = line(lost(chain, sized(chain, loads, racks), loads), "shelf")
    assert (before, after) == (pytest.approx(1), pytest.approx(4 / 3))
    assert served == pytest.approx(loads.it_w[0] - 132e3 / 4)


def test_batteries_ride_through_what_is_upstream_of_them():
    for ups, of_switchboard in (("double_conversion", 0.02), ("rack_batteries", 300)):
        chain = chain_of("2N", ups=ups)
        loads, racks = loads_of(chain)
        found = lost(chain, sized(chain, loads, racks), loads)
        rides = dict(zip(found.kinds, found.ride_through_s, strict=True))
        assert (rides["utility_feed"], rides["switchboard"]) == (300, of_switchboard)
        assert np.isnan(rides["pump_ups"])


def test_what_caps_allow_below_a_narrow_feed():
    """The tree of NVIDIA's Domain Power Service: four PDUs of 450 kW, one switchboard, a feed of 750 kW.

    docs.nvidia.com/datacenter/dps
    """
    pdu_w, pdus = 450e3, 4
    limits = np.array([[750e3, 1.6e6, pdus * pdu_w]])
    wanted = np.full((1, 3), pdus * pdu_w)
    allowed = allowed_it_power_w(it_power_w=number(pdus * pdu_w), limits_w=limits, loads_w=wanted)
    assert allowed[0] == pytest.approx(750e3)
    without_feed = allowed_it_power_w(
        it_power_w=number(pdus * pdu_w), limits_w=limits[:, 1:], loads_w=wanted[:, 1:]
    )
    assert without_feed[0] == pytest.approx(1.6e6)


def test_wide_limits_allow_no_more_than_is_wanted():
    allowed = allowed_it_power_w(
        it_power_w=number(1e6), limits_w=np.array([[9e6]]), loads_w=np.array([[1.2e6]])
    )
    assert allowed[0] == 1e6


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(scheme=st.sampled_from(sorted(SCHEMES)), supernodes=st.integers(1, 2000), times=st.floats(0.2, 1.4))
def test_whatever_is_lost(scheme, supernodes, times):
    chain = chain_of(scheme)
    loads, racks = loads_of(chain, supernodes=supernodes)
    found = lost(chain, sized(chain, loads, racks), loads, times)
    it_w = loads.it_w[0] * times
    assert (found.it_served_w >= -1e-6 * it_w).all()
    assert (found.it_served_w <= it_w * (1 + 1e-9)).all()
    fine = ~np.array(found.overloaded)
    assert found.it_served_w[fine] == pytest.approx(np.full(fine.sum(), it_w))
    if scheme != "N" and times <= 1:
        assert fine.all()
