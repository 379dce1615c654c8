"""Headers: by hand, at the limit, and beyond the largest pipe."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.facility.cooling.loops.pipes import BORES_M, header
from tests.support import number


def _header(flow, limit=2.4):
    return header(name="main", flow_l_per_min=number(flow), velocity_limit_m_per_s=number(limit))


def test_one_header_by_hand():
    """1,000 L/min in 102.3 mm: 0.016667 / 0.008219 = 2.03 m/s; in 77.9 mm 3.5 m/s."""
    found = _header(1000)
    assert (found.size, found.pipes) == ("DN 100", 1)
    assert found.velocity_m_per_s == pytest.approx(2.028, abs=1e-3)


@given(flow=st.floats(0.1, 1e6))
def test_velocity_holds_and_no_smaller_pipe_would_do(flow):
    found = _header(flow)
    assert 0 < found.velocity_m_per_s <= 2.4 + 1e-9
    sizes = list(BORES_M)
    if found.pipes == 1 and found.size != sizes[0]:
        smaller = BORES_M[sizes[sizes.index(found.size) - 1]]
        assert found.velocity_m_per_s * (BORES_M[found.size] / smaller) ** 2 > 2.4


def test_beyond_the_largest_pipe_several_run_side_by_side():
    found = _header(100_000)
    assert (found.size, found.pipes) == ("DN 600", 3)


def test_unknown_flow_has_no_size():
    found = _header(float("nan"))
    assert (found.size, found.pipes) == ("", 0)
    assert math.isnan(found.velocity_m_per_s)


def test_bores_grow():
    assert list(BORES_M.values()) == sorted(BORES_M.values())
