"""Feeders and breakers: the usual sizes, and the racks that they feed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.facility.electrical.feeders import (
    BREAKERS_A,
    breaker_a,
    dc_feeder_power_w,
    feeder_apparent_power_va,
    feeder_power_w,
    line_current_a,
)
from tests.support import number


@pytest.mark.parametrize(
    ("amperes", "volts", "factor", "kva"),
    [
        (60, 415, 0.8, 34.5), (60, 480, 0.8, 39.9), (100, 415, 0.8, 57.5), (60, 208, 0.8, 17.3),
        (32, 400, 1.0, 22.2), (63, 415, 1.0, 45.3),
    ],
)  # fmt: skip
def test_usual_feeders(amperes, volts, factor, kva):
    found = feeder_apparent_power_va(
        voltage_v=number(volts), current_a=number(amperes), continuous_factor=number(factor)
    )
    assert found[0] / 1e3 == pytest.approx(kva, abs=0.05)


def test_a_shelf_of_33_kw_fits_one_feed_of_60_a_and_a_rack_of_132_kw_takes_four():
    apparent = feeder_apparent_power_va(
        voltage_v=number(415), current_a=number(60), continuous_factor=number(0.8)
    )
    feed_w = feeder_power_w(feeder_apparent_power_va=apparent, power_factor=number(0.98))
    assert 33e3 < feed_w[0] < 34e3
    assert np.ceil(132e3 / feed_w[0]) == 4


def test_direct_current_is_volts_times_amperes():
    given = {"voltage_v": number(800), "current_a": number(250), "continuous_factor": number(0.8)}
    assert dc_feeder_power_w(**given)[0] == 160e3


@pytest.mark.parametrize(
    ("amperes", "factor", "standard", "breaker"),
    [(48, 0.8, "nec", 60), (48.1, 0.8, "nec", 70), (63, 1.0, "iec", 63), (64, 1.0, "iec", 80), (3549, 0.8, "nec", 5000)],
)  # fmt: skip
def test_the_next_standard_breaker(amperes, factor, standard, breaker):
    found = breaker_a(current_a=number(amperes), continuous_factor=number(factor), standard=standard)
    assert found[0] == breaker


def test_beyond_the_largest_breaker_it_is_unknown():
    for amperes in (1e5, np.nan):
        found = breaker_a(current_a=number(amperes), continuous_factor=number(0.8), standard="nec")
        assert np.isnan(found[0])


@given(amperes=st.floats(1, 4000), standard=st.sampled_from(sorted(BREAKERS_A)))
def test_a_breaker_is_enough_and_no_smaller_one_is(amperes, standard):
    found = breaker_a(current_a=number(amperes), continuous_factor=number(0.8), standard=standard)[0]
    smaller = [size for size in BREAKERS_A[standard] if size < found]
    assert found * 0.8 >= amperes * (1 - 1e-6)
    assert not smaller or smaller[-1] * 0.8 < amperes


@pytest.mark.slow
@given(power=st.floats(1e3, 1e7), volts=st.floats(200, 1000))
def test_current_and_feeder_are_inverse(power, volts):
    amperes = line_current_a(power_w=number(power), voltage_v=number(volts), power_factor=number(0.98))
    back = feeder_power_w(
        feeder_apparent_power_va=feeder_apparent_power_va(
            voltage_v=number(volts), current_a=amperes, continuous_factor=number(1)
        ),
        power_factor=number(0.98),
    )
    assert back[0] == pytest.approx(power, rel=1e-12)
