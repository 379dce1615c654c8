"""Feeds of a rack: number, breakers and currents."""

import math

import numpy as np
import pytest

from app.engine.facility.electrical.assumptions import ElectricalAssumptions
from app.engine.facility.electrical.kinds import Chain
from app.engine.facility.racks.loads import rack_feeds
from tests.support import assumptions, number


def feeds_of(power_w, *, redundancy="2N", distribution="ac_415", standard="nec", has_shelves=True):
    return rack_feeds(
        power_w=number(power_w),
        has_shelves=has_shelves,
        chain=Chain(
            redundancy=redundancy, distribution=distribution, ups="double_conversion", standard=standard
        ),
        electrical=assumptions("electrical", ElectricalAssumptions, distribution=distribution),
    )


def test_an_nvl72_takes_four_feeds_a_side_and_eight_shelves():
    """132 kW on 60 A at 415 V: 34.5 kVA each, 33.8 kW; shelves of 33 kW, N+N."""
    found = feeds_of(132e3)
    assert found.feeder_w == pytest.approx(math.sqrt(3) * 415 * 60 * 0.8 * 0.98)
    assert (found.sides, found.feeds_per_side, found.shelves) == (2, 4, 8)
    assert found.current_a == pytest.approx(132e3 / 4 / (math.sqrt(3) * 415 * 0.98))
    assert found.current_a < found.current_limit_a == 48


@pytest.mark.parametrize(
    ("standard", "distribution", "feeds", "limit_a"),
    [("nec", "ac_415", 4, 48), ("nec", "ac_480", 4, 48), ("iec", "ac_415", 3, 63), ("nec", "dc_800", 1, 200)],
)
def test_rules_and_voltages(standard, distribution, feeds, limit_a):
    found = feeds_of(132e3, standard=standard, distribution=distribution)
    assert (found.feeds_per_side, found.current_limit_a) == (feeds, limit_a)
    assert found.current_a <= limit_a


def test_direct_current_by_hand():
    assert feeds_of(132e3, distribution="dc_800").current_a == pytest.approx(132e3 / 800)


def test_without_a_second_path_there_is_one_side():
    assert (feeds_of(132e3, redundancy="N").sides, feeds_of(132e3, redundancy="N").shelves) == (1, 4)


def test_servers_bring_their_own_power_supplies():
    assert feeds_of(40.8e3, has_shelves=False).shelves == 0


def test_no_power_and_unknown_power():
    assert feeds_of(0.0).current_a == 0
    assert np.isnan(feeds_of(float("nan")).current_a)
