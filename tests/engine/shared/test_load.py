"""Power of workloads that share a pod, by hand: 10 SuperNodes that idle at 2 kW, and 5 kW alongside them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.facility.it.load import ItLoad
from app.engine.facility.it.supernode import SuperNodePower
from app.engine.shared.load import in_turns, it_power_of_hours_w, it_power_of_supernodes_w, side_by_side

INSTALLED, IDLE_W, NETWORK_W, STORAGE_W = 10.0, 2e3, 4e3, 1e3
WATTS = st.floats(min_value=2e3, max_value=2e4)


def one(value: float) -> np.ndarray:
    return np.array([float(value)])


def load(active: float, mean_w: float) -> ItLoad:
    """Of SuperNodes at work that each draw `mean_w`, all of it in the accelerators."""
    beside = NETWORK_W + STORAGE_W
    idle_w = (INSTALLED - active) * IDLE_W
    each = {name: one(0) for name in SuperNodePower.__dataclass_fields__}
    return ItLoad(
        supernode=SuperNodePower(**each | {"idle_w": one(IDLE_W), "mean_w": one(mean_w)}),
        active=one(active),
        installed=one(INSTALLED),
        network_w=one(NETWORK_W),
        storage_w=one(STORAGE_W),
        mean_w=one(active * mean_w + idle_w + beside),
        peak_w=one(active * mean_w * 1.1 + idle_w + beside),
        design_w=one(INSTALLED * 2e4 + beside),
        idle_w=one(INSTALLED * IDLE_W + beside),
        swing_w=one(active * mean_w / 2),
        breakdown_w={
            "accelerators": one(active * mean_w),
            "hosts": one(0),
            "nics": one(0),
            "fans": one(0),
            "power_supplies": one(0),
            "idle_supernodes": one(idle_w),
            "network": one(NETWORK_W),
            "storage": one(STORAGE_W),
        },
    )


def of_supernodes(part: ItLoad, share: float) -> np.ndarray:
    return it_power_of_supernodes_w(
        it_power_alone_w=part.mean_w, it_power_idle_w=part.idle_w, share=one(share)
    )


def test_side_by_side_each_draws_beyond_the_idle_pod_and_shares_that() -> None:
    loads = (load(6, 1e4), load(3, 5e3))
    powers = (of_supernodes(loads[0], 2 / 3), of_supernodes(loads[1], 1 / 3))
    whole = side_by_side(loads, powers)
    assert whole.mean_w[0] == pytest.approx(6e4 + 1.5e4 + 2e3 + 5e3)  # one SuperNode is a spare
    assert whole.peak_w[0] == pytest.approx(1.1 * 7.5e4 + 2e3 + 5e3)
    assert whole.swing_w[0] == pytest.approx(7.5e4 / 2)
    assert whole.breakdown_w["idle_supernodes"][0] == pytest.approx(2e3)
    assert powers[0][0] == pytest.approx(6 * 8e3 + 2 / 3 * 25e3)


def test_in_turns_the_pod_idles_while_it_is_handed_over() -> None:
    loads = (load(9, 1e4), load(9, 5e3))
    working, shares = (0.5, 0.3), (0.6, 0.4)
    powers = tuple(
        it_power_of_hours_w(
            it_power_alone_w=part.mean_w,
            it_power_idle_w=part.idle_w,
            working_share=one(worked),
            share=one(share),
        )
        for part, worked, share in zip(loads, working, shares, strict=True)
    )
    whole = in_turns(loads, powers, tuple(one(worked) for worked in working))
    alone_w = [9e4 + 7e3, 4.5e4 + 7e3]
    assert whole.mean_w[0] == pytest.approx(0.5 * alone_w[0] + 0.3 * alone_w[1] + 0.2 * 25e3)
    assert whole.peak_w[0] == loads[0].peak_w[0]
    assert whole.breakdown_w["accelerators"][0] == pytest.approx(0.5 * 9e4 + 0.3 * 4.5e4)
    assert whole.breakdown_w["idle_supernodes"][0] == pytest.approx(0.8 * 2e3 + 0.2 * 2e4)


@given(first_w=WATTS, second_w=WATTS, mine=st.integers(min_value=1, max_value=8))
def test_parts_of_the_power_are_the_whole_of_it(first_w: float, second_w: float, mine: int) -> None:
    loads = (load(mine, first_w), load(9 - mine, second_w))
    powers = (of_supernodes(loads[0], mine / 9), of_supernodes(loads[1], 1 - mine / 9))
    whole = side_by_side(loads, powers)
    assert sum(part[0] for part in whole.breakdown_w.values()) == pytest.approx(whole.mean_w[0])
    assert list(whole.breakdown_w) == list(loads[0].breakdown_w)
