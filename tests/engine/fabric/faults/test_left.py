"""The bandwidths that step time is computed with after a failure."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.fabric.faults.effect import fabric_left, oversubscription_left, scale_out_left_bytes_per_s
from app.engine.fabric.faults.share import Share
from tests.engine.fabric.pods import evaluate, pod


def left(oversubscription: float, access: float, beyond: float) -> float:
    return float(
        oversubscription_left(
            oversubscription=np.full(1, oversubscription),
            access_share=np.full(1, access),
            beyond_share=np.full(1, beyond),
        )[0]
    )


@pytest.mark.parametrize(
    ("oversubscription", "access", "beyond", "expected"),
    [
        (1, 1, 1, 1),
        (1, 1, 31 / 32, 32 / 31),  # one uplink of 32
        (1, 7 / 8, 7 / 8, 1),  # a rail: hosts put in as much less as there is less to get out
        (2, 7 / 8, 1, 7 / 4),  # hosts put in less, and more of it gets out
        (2, 1, 15 / 16, 32 / 15),
        (0.8, 1, 1, 0.8),
    ],
)
def test_what_hosts_put_in_over_what_gets_out(oversubscription, access, beyond, expected):
    assert left(oversubscription, access, beyond) == pytest.approx(expected)


def test_nics_that_are_left_are_shared():
    found = scale_out_left_bytes_per_s(
        scale_out_bandwidth_bytes_per_s=np.full(1, 50e9), access_share=np.full(1, 7 / 8)
    )
    assert found == 43.75e9


def test_the_fabric_keeps_its_parts():
    whole = evaluate(pod(64))
    after = fabric_left(whole, Share(access=0.5, beyond=0.5))
    assert after.switches_total is whole.switches_total
    assert after.scale_out_bandwidth_bytes_per_s == whole.scale_out_bandwidth_bytes_per_s / 2
    assert after.oversubscription == whole.oversubscription
