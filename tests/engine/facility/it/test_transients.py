"""Swings of synchronous jobs: by hand, as measured, and what smoothing takes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.facility.it.transients import swing_trace, transients
from tests.engine.facility.cases import defaults, evaluate, facility_at, steady
from tests.support import dgx_h100, number

MILD = facility_at(steady(dry_bulb_c=15, wet_bulb_c=10))


def _found(ramp=None, nodes=64, **changes):
    power = evaluate(facility=MILD, supernode=dgx_h100(), supernodes=nodes, **changes)[0]
    return power, transients(
        power=power,
        step_time_s=number(5.0),
        ramp_limit_w_per_s=None if ramp is None else number(ramp),
        assumptions=defaults(),
    )


def test_64_nodes_by_hand():
    power, found = _found(ramp=10e3)
    swing_w = 64 * (0.82 * 0.987 - 0.34) * 10200
    assert found.swing_w[0] == pytest.approx(swing_w)
    assert found.trough_w[0] == pytest.approx(power.it_power_peak_w[0] - swing_w)
    assert found.ramp_time_s[0] == pytest.approx(swing_w / 10e3)
    assert found.smoothing_energy_j[0] == pytest.approx(swing_w**2 / 20e3)
    assert found.swing_after_supplies_w[0] == pytest.approx(0.7 * swing_w)
    assert found.smoothing_energy_after_supplies_j[0] == pytest.approx(0.49 * swing_w**2 / 20e3)
    assert found.generator_step_share[0] == pytest.approx(swing_w / power.utility_peak_w[0])
    assert found.step_frequency_hz[0] == pytest.approx(0.2)
    storage_w = 64 * 10200 * 0.02
    assert found.sub_second_peak_w[0] == pytest.approx(1.4 * 64 * 7140 + storage_w)


def test_measured_trough_of_a_node():
    """3.5 kW per node in evaluation (MLPerf Training v4.0, Supermicro, 64 nodes), 7.17 kW at the peak."""
    power, found = _found()
    node_w = (found.trough_w - power.it_breakdown_w["storage"])[0] / 64
    assert node_w == pytest.approx(3500, rel=0.02)


def test_a_cluster_of_24_thousand_swings_by_tens_of_megawatts():
    """Llama 3 (Meta 2024): tens of megawatts at once, 24,000 H100."""
    assert 10e6 < _found(nodes=3000)[1].swing_w[0] < 30e6


def test_without_a_stated_limit_the_feed_follows_1_percent_of_the_peak_a_second():
    power, found = _found()
    assert found.ramp_limit_w_per_s[0] == pytest.approx(0.01 * power.it_power_peak_w[0])


@pytest.mark.slow
@settings(max_examples=25)
@given(ramp=st.floats(1e2, 1e7), nodes=st.integers(1, 4000))
def test_storage_gives_what_the_feed_does_not(ramp, nodes):
    """The area between racks and feed after the pause is the energy of the storage, and the feed keeps its limit."""
    _, found = _found(ramp=ramp, nodes=nodes)
    trace = swing_trace(found)
    after = trace.time_s >= 1.5 * found.ramp_time_s[0]
    missing_j = np.trapezoid((trace.racks_w - trace.feed_w)[after], trace.time_s[after])
    assert missing_j == pytest.approx(found.smoothing_energy_j[0], rel=0.03)
    steepest = np.max(np.abs(np.diff(trace.feed_w) / np.diff(trace.time_s)))
    assert steepest <= ramp * (1 + 1e-6)
    assert found.trough_w[0] * (1 - 1e-9) <= trace.feed_w.min()
    assert trace.feed_w.max() <= found.peak_w[0] * (1 + 1e-9)
