"""Several accelerators together, the roofline, and how often ranks exchange."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.data_parallel import bubble_share, expert_exchanges, stage_transfers
from app.engine.performance.totals import (
    accelerators_for_peak,
    joint_memory_bytes,
    joint_peak_flop_per_s,
    matmul_intensity_flop_per_byte,
    parameters_bytes,
    peak_flop_per_joule,
    ridge_flop_per_byte,
    share_of_peak,
    times_as_much,
)
from tests.support import number


def test_an_nvl72_as_its_data_sheet_has_it():
    """72 GPUs of 2.5 PFLOP/s BF16 are 180 PFLOP/s, of 186 GB 13.4 TB."""
    peak = joint_peak_flop_per_s(accelerators=number(72), peak_flop_per_s=number(2.5e15))
    assert peak == pytest.approx(180e15)
    assert accelerators_for_peak(joint_peak_flop_per_s=peak, peak_flop_per_s=number(2.5e15)) == 72
    memory = joint_memory_bytes(accelerators=number(72), memory_bytes=number(186e9))
    assert memory == pytest.approx(13.4e12, rel=1e-3)
    assert peak_flop_per_joule(peak_flop_per_s=peak, power_w=number(120e3)) == pytest.approx(1.5e12)


def test_the_ridge_of_an_h100():
    ridge = ridge_flop_per_byte(
        peak_flop_per_s=number(989.4e12), memory_bandwidth_bytes_per_s=number(3.35e12)
    )
    assert ridge == pytest.approx(295.3, rel=1e-3)


@given(st.floats(1, 1e6), st.floats(64, 1e5))
def test_intensity_grows_with_rows_to_a_limit(rows, width):
    def intensity(of):
        return matmul_intensity_flop_per_byte(
            rows=number(of), inputs=number(width), outputs=number(width), bytes_per_element=number(2)
        )[0]

    assert intensity(rows) <= intensity(2 * rows) <= width / 2
    assert intensity(1) < 1


def test_shares_and_ratios():
    assert share_of_peak(busy_share=number(0.75), share_when_busy=number(0.35)) == pytest.approx(0.2625)
    assert times_as_much(value=number(9), reference=number(3)) == 3
    assert parameters_bytes(parameters=number(1e12), bytes_per_parameter=number(16)) == 16e12


def test_exchanges_of_a_layer():
    assert expert_exchanges(passes=number(1)) == 2
    assert expert_exchanges(passes=number(2)) == 4
    assert stage_transfers(passes=number(2)) == 2
    assert bubble_share(pipeline_parallel=number(8), micro_batches=number(32)) == pytest.approx(7 / 32)
    assert bubble_share(pipeline_parallel=number(1), micro_batches=number(4)) == 0
