"""Redundancy schemes: the usual table, limiting cases, and what holds for any number of units."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.facility.electrical.redundancy import (
    SCHEMES,
    installed_power_w,
    scheme_loads,
    sharing_power_w,
    standby_power_w,
)
from tests.support import number


@pytest.mark.parametrize(
    ("scheme", "units", "installed", "normal", "one_lost", "side_lost"),
    [
        ("N", 6, 1, 1, 6 / 5, None),
        ("N+1", 7, 7 / 6, 6 / 7, 1, None),
        ("2N", 12, 2, 1 / 2, 1, 1),
        ("2(N+1)", 14, 14 / 6, 6 / 14, 1 / 2, 6 / 7),
        ("3N/2", 9, 3 / 2, 2 / 3, 1, None),
        ("4N/3", 8, 4 / 3, 3 / 4, 1, None),
        ("block_redundant", 7, 7 / 6, 1, 1, None),
    ],
)
def test_the_table_of_schemes_for_six_units(scheme, units, installed, normal, one_lost, side_lost):
    found = {one.redundancy: one for one in scheme_loads(6)}[scheme]
    assert (found.units, found.installed_share) == (units, pytest.approx(installed))
    assert (found.normal_load, found.load_one_lost) == (pytest.approx(normal), pytest.approx(one_lost))
    assert math.isnan(found.load_side_lost) if side_lost is None else found.load_side_lost == side_lost


def test_one_unit_alone_leaves_nothing_when_lost():
    alone = {one.redundancy: one for one in scheme_loads(1)}
    assert math.isinf(alone["N"].load_one_lost)
    assert alone["N+1"].units == alone["2N"].units == alone["block_redundant"].units == 2


def test_sets_are_filled_up():
    five = {one.redundancy: one.units for one in scheme_loads(5)}
    assert five["3N/2"] == 9  # three sets of three to make two
    assert five["4N/3"] == 8


@settings(max_examples=60, deadline=None)
@given(needed=st.integers(1, 400))
def test_every_scheme_with_a_spare_holds_the_load_with_one_unit_lost(needed):
    for one in scheme_loads(needed):
        assert 0 < one.normal_load <= 1
        assert one.installed_share >= 1
        if one.redundancy != "N":
            assert one.normal_load <= one.load_one_lost <= 1 + 1e-12
        if not math.isnan(one.load_side_lost):
            assert one.load_side_lost <= 1 + 1e-12


@pytest.mark.slow
@given(load=st.floats(1e3, 1e9), unit=st.floats(1e4, 1e8), scheme=st.sampled_from(sorted(SCHEMES)))
def test_installed_is_sharing_and_standby(load, unit, scheme):
    given = {"it_power_design_w": number(load), "unit_w": number(unit), "redundancy": scheme}
    sharing, standby = sharing_power_w(**given)[0], standby_power_w(**given)[0]
    assert installed_power_w(**given)[0] == sharing + standby
    assert sharing >= load * (1 - 1e-12)
    assert (standby > 0) == (scheme == "block_redundant")


def test_unknown_load_stays_unknown():
    unknown = installed_power_w(it_power_design_w=number(np.nan), unit_w=number(1e6), redundancy="3N/2")
    assert np.isnan(unknown[0])
