"""Availability, bandwidth and demand, worked by hand."""

from __future__ import annotations

import pytest

from app.engine.operations.service_levels import (
    bandwidth_per_node_bytes_per_s,
    mean_use_of_peak,
    requests_per_s,
    yearly_downtime_s,
)
from tests.support import number


@pytest.mark.parametrize(("availability", "downtime_s"), [(1, 0), (0.999999, 31.536), (0.99, 315_360), (0, 31_536_000)])  # fmt: skip
def test_downtime_of_a_year(availability, downtime_s):
    assert yearly_downtime_s(availability=number(availability)) == pytest.approx(downtime_s, rel=1e-6)


def test_shares_of_a_bandwidth():
    bandwidth = number(10e12)
    each = bandwidth_per_node_bytes_per_s(bandwidth_bytes_per_s=bandwidth, nodes=number(3000))
    assert each == pytest.approx(3.333e9, rel=1e-3)
    requests = requests_per_s(bandwidth_bytes_per_s=bandwidth, request_bytes=number(4096))
    assert requests == pytest.approx(2.44e9, rel=1e-3)
    assert mean_use_of_peak(peak_over_mean=number(10)) == pytest.approx(0.1)
