"""Links that ranks share, and a torus."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.fabric.collectives import network
from tests.support import number


def shared(ranks: float, sharers: float = 2, staging: float = 0) -> float:
    return float(
        network.shared_link_bandwidth_bytes_per_s(
            ranks=number(ranks), link_bandwidth_bytes_per_s=number(30e9), link_sharers=number(sharers),
            host_staging_bytes_per_s=number(staging),
        )[0]
    )  # fmt: skip


def test_a_pair_has_its_links_to_itself() -> None:
    assert shared(2) == 30e9
    assert shared(2, staging=20e9) == 30e9
    assert shared(4) == 15e9
    assert shared(8, sharers=1) == 30e9


def test_copies_through_the_host_share_what_it_can_copy() -> None:
    # L40S: 20 GB/s over 4 or 8 accelerators
    assert shared(4, staging=20e9) == 5e9
    assert shared(8, staging=20e9) == 2.5e9


def test_dimensions_of_a_torus() -> None:
    dimensions = network.torus_dimensions(
        full_bandwidth_bytes_per_s=np.array([200e9, 600e9, 100e9]),
        pair_bandwidth_bytes_per_s=np.array([50e9, 100e9, np.nan]),
    )
    assert dimensions.tolist() == [2, 3, 1]  # TPU v5e, v5p, and where nobody published the rate of a link


def test_the_middle_of_a_torus_bounds_all_to_all() -> None:
    # 16 x 16: each chip sends S; half of 256 S crosses the middle over 32 links each way: S 256/4 / 32 b.
    reached = network.torus_all_to_all_bandwidth_bytes_per_s(
        ranks=number(256), dimensions=number(2), pair_bandwidth_bytes_per_s=number(50e9)
    )
    assert float(reached[0]) == pytest.approx(1 / (256 / 4 / (32 * 50e9)))
