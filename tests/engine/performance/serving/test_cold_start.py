"""Cold start by its parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.engine.performance.serving.cold_start import ColdStart, cold_start
from tests.support import number


def started(*, boots: bool = True, **changes: float) -> ColdStart:
    usual: dict[str, Any] = {
        "stated_s": np.nan, "node_boot_s": 300, "engine_start_s": 100, "weights_bytes": 700e9, "instances": 1, "starts": 1,
        "accelerators_per_replica": 8, "storage_read_bandwidth_bytes_per_s": 70e9,
        "scale_out_bandwidth_bytes_per_s": 50e9, "weights_per_accelerator_bytes": 90e9, "host_link_bytes_per_s": 45e9,
    }  # fmt: skip
    return cold_start(boots=boots, **{name: number(value) for name, value in (usual | changes).items()})


def test_parts_by_hand() -> None:
    """700 GB at 70 GB/s are 10 s, 90 GB over a link of 45 GB/s are 2 s."""
    found = started()
    assert (found.node_boot_s, found.weights_read_s, found.weights_copy_s, found.engine_start_s) == (
        300, 10, 2, 100,
    )  # fmt: skip
    assert found.cold_start_s[0] == 412
    assert started(boots=False).cold_start_s[0] == 112


def test_replicas_and_instances_share_the_storage() -> None:
    assert started(starts=5).weights_read_s == 50
    assert started(instances=3).weights_read_s == 30


def test_the_slower_of_storage_and_links_reads() -> None:
    """One accelerator behind a link of 10 GB/s reads at that; five of them at 50 GB/s together."""
    slow = {"accelerators_per_replica": 1, "scale_out_bandwidth_bytes_per_s": 10e9}
    assert started(**slow).weights_read_s == 70
    assert started(**slow, starts=5).weights_read_s == 70
    assert started(scale_out_bandwidth_bytes_per_s=0).weights_read_s == 10


def test_an_own_measurement_stands_for_all_of_it() -> None:
    found = started(stated_s=45)
    assert found.cold_start_s[0] == 45
    assert found.weights_read_s is None
    assert started(stated_s=0).cold_start_s[0] == 0


def test_more_of_anything_never_starts_sooner() -> None:
    draws = np.random.default_rng(2)
    for _ in range(100):
        values = {
            "node_boot_s": draws.uniform(0, 900), "engine_start_s": draws.uniform(0, 600),
            "weights_bytes": draws.uniform(1e9, 2e12), "instances": draws.integers(1, 5), "starts": draws.integers(1, 50),
            "weights_per_accelerator_bytes": draws.uniform(1e9, 2e11),
        }  # fmt: skip
        found = started(**values).cold_start_s[0]
        for name, value in values.items():
            assert started(**values | {name: 2 * value}).cold_start_s[0] >= found
        assert started(**values, storage_read_bandwidth_bytes_per_s=140e9).cold_start_s[0] <= found
        assert found == pytest.approx(
            sum(
                float(np.max(part))
                for part in (
                    values["node_boot_s"], started(**values).weights_read_s,
                    started(**values).weights_copy_s, values["engine_start_s"],
                )
            )
        )  # fmt: skip
