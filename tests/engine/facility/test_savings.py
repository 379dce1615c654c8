"""What a lower PUE saves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.facility.savings import facility_energy_saved, rated_power_per_accelerator_w
from tests.support import number


def test_liquid_cooling_saves_a_quarter():
    saved = facility_energy_saved(pue_before=number(1.5), pue_after=number(1.1))
    assert saved == pytest.approx(0.2667, abs=1e-4)
    assert rated_power_per_accelerator_w(max_power_w=number(10_200), accelerators=number(8)) == 1275


@given(st.floats(1, 3), st.floats(1, 3))
def test_no_pue_saves_the_energy_of_the_it(before, after):
    saved = facility_energy_saved(pue_before=number(before), pue_after=number(after))[0]
    assert saved <= 1 - 1 / before + 1e-12
    assert (saved > 0) == (after < before)
