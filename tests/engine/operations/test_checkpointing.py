"""The optimum interval: worked values, limits, the older rules alongside it, and that it is optimal."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.operations.checkpointing import (
    checkpoint_bytes,
    checkpoint_interval_daly_s,
    checkpoint_interval_young_s,
    corruption_share,
    mtbf_recovered_locally_s,
    optimum_interval_s,
    persistent_interval_s,
    rollback_s,
    three_level_optimum_s,
    two_level_optimum_s,
    validation_interval_s,
    validation_stall_s,
)
from app.engine.operations.goodput import ettr, expected_interval_s, failures_per_interval
from tests.support import number, part_of

WORKED = [
    (60, 11135, 300, 1116.3, 0.8758),
    (20, 11135, 300, 654.1, 0.9162),
    (300, 11135, 600, 2388.8, 0.7443),
    (30, 86400, 300, 2256.9, 0.9705),
    (600, 6480, 900, 2403.7, 0.5475),
    (10, 828, 60, 122.1, 0.7929),
]


def optimum(stall: float, mtbf: float) -> float:
    with np.errstate(invalid="ignore"):  # as during every evaluation
        return float(optimum_interval_s(stall_s=number(stall), mtbf_s=number(mtbf))[0])


def ratio(interval: float, stall: float, mtbf: float, restart: float, waiting: float = 0.0) -> float:
    count = failures_per_interval(mtbf_s=number(mtbf), interval_s=number(interval), stall_s=number(stall))
    expected = expected_interval_s(
        mtbf_s=number(mtbf),
        failures_per_interval=count,
        recovery_s=number(restart),
        waiting_s=number(waiting),
    )
    return float(ettr(mtbf_s=number(mtbf), interval_s=number(interval), expected_interval_s=expected)[0])


@pytest.mark.parametrize(("stall", "mtbf", "restart", "interval", "share"), WORKED)
def test_worked_intervals(stall: float, mtbf: float, restart: float, interval: float, share: float) -> None:
    best = optimum(stall, mtbf)
    assert best == pytest.approx(interval, abs=0.06)
    assert ratio(best, stall, mtbf, restart) == pytest.approx(share, abs=6e-5)


@pytest.mark.slow
@given(stall=st.floats(0.01, 3000), mtbf=st.floats(60, 1e7), factor=st.floats(0.2, 5))
def test_no_other_interval_is_better(stall: float, mtbf: float, factor: float) -> None:
    best = optimum(stall, mtbf)
    assert 0 < best <= mtbf
    assert ratio(best * factor, stall, mtbf, 120) <= ratio(best, stall, mtbf, 120) * (1 + 1e-9)


@pytest.mark.parametrize(
    ("relative", "young", "daly"),
    [(0.001, 1.5, 0.0), (0.01, 4.9, 0.0), (0.1, 16.7, -0.04), (0.5, 43, -0.55), (1.0, 68, -1.8)],
)
def test_errors_of_the_older_rules(relative: float, young: float, daly: float) -> None:
    pair = {"stall_s": number(relative * 1e4), "mtbf_s": number(1e4)}
    exact = optimum(relative * 1e4, 1e4)
    assert 100 * (checkpoint_interval_young_s(**pair)[0] / exact - 1) == pytest.approx(young, rel=0.02)
    assert 100 * (checkpoint_interval_daly_s(**pair)[0] / exact - 1) == pytest.approx(daly, abs=0.06)


def test_limits() -> None:
    assert optimum(0.0, 1e4) == 0.0
    assert optimum(1e7, 1e4) == pytest.approx(1e4)
    assert optimum(10.0, np.inf) == np.inf
    with np.errstate(invalid="ignore"):
        assert ratio(np.inf, 10.0, np.inf, 300) == 1.0
    assert np.isnan(optimum(10.0, np.nan))
    # Small ratios sit next to the branch point of the Lambert function; Young is exact there.
    assert optimum(1e-4, 1e6) == pytest.approx(np.sqrt(2 * 1e-4 * 1e6), rel=1e-4)


def test_checkpoint_sizes() -> None:
    # 70B 0.98 TB, 405B 5.67 TB, 1T 14 TB at 14 bytes; BLOOM printed 2.3 TB for 176B: 13.1.
    size = checkpoint_bytes(parameters=np.array([70e9, 405e9, 1e12]), bytes_per_parameter=number(14))
    np.testing.assert_allclose(size, [0.98e12, 5.67e12, 14e12])
    bloom = checkpoint_bytes(parameters=number(176e9), bytes_per_parameter=number(14))
    assert bloom[0] == pytest.approx(2.3e12, rel=0.08)


def test_a_slow_drain_stretches_the_persistent_interval() -> None:
    def interval(drain: float) -> float:
        times = {"checkpoint_interval_s": number(120), "stall_s": number(1), "drain_s": number(drain)}
        return float(persistent_interval_s(**times)[0])

    assert interval(0) == interval(60) == interval(121) == 120
    assert interval(122) == 240
    assert interval(4000) == 34 * 120, "with the 34th snapshot after 4,000 s"


def test_a_copy_that_drains_is_no_help_yet() -> None:
    """Half of the failures fall back to a copy whose snapshot is 60 s older than its end."""
    times = {"checkpoint_interval_s": number(120), "persistent_interval_s": number(240)}
    assert rollback_s(**times, local_share=number(0.5), drain_s=number(180))[0] == 0.5 * (180 + 60)
    assert rollback_s(**times, local_share=number(1), drain_s=number(180))[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", part_of(range(300)))
def test_no_other_pair_of_intervals_is_better(seed: int) -> None:
    """Snapshots at any interval, copies as fast as they drain: the closed form is within 0.5 % of the least loss."""
    draw = np.random.default_rng(seed)
    mtbf, drain = 10 ** draw.uniform(3.5, 6.5), 10 ** draw.uniform(-1, 4)
    stall = float(draw.uniform(0.2, min(120.0, mtbf / 50)))
    share, restart = float(draw.uniform(0, 1)), float(draw.uniform(30, 600))

    def useful(interval: float) -> float:
        persistent = max(interval, drain)
        return ratio(interval, stall, mtbf, restart + (1 - share) * (persistent - interval) / 2)

    pair = {"stall_s": number(stall)}
    with np.errstate(invalid="ignore", divide="ignore"):
        recovered = mtbf_recovered_locally_s(mtbf_s=number(mtbf), local_share=number(share))
        local = optimum_interval_s(**pair, mtbf_s=recovered)
    best = two_level_optimum_s(
        optimum_local_s=local,
        optimum_all_s=optimum_interval_s(**pair, mtbf_s=number(mtbf)),
        drain_s=number(drain),
    )[0]
    tried = [useful(best * factor) for factor in np.geomspace(0.02, 50, 801)]
    assert useful(best) >= max(tried) - 5e-3 * (1 - max(tried)) - 2e-5


def test_against_an_event_simulation() -> None:
    # 4,000 intervals, each failing at exponential times also during checkpoint and restart.
    random = np.random.default_rng(7)
    stall, mtbf, restart, waiting = 600.0, 6480.0, 900.0, 200.0
    interval = optimum(stall, mtbf)
    elapsed = 0.0
    for _ in range(4000):
        while (failure := random.exponential(mtbf)) < interval + stall:
            elapsed += failure + waiting
            while (again := random.exponential(mtbf)) < restart:
                elapsed += again + waiting
            elapsed += restart
        elapsed += interval + stall
    assert 4000 * interval / elapsed == pytest.approx(
        ratio(interval, stall, mtbf, restart, waiting), rel=0.03
    )


def test_three_levels_choose_the_interval_that_loses_least() -> None:
    """Against a search over all intervals, work lost to first order and copies as old as their drain."""
    draw = np.random.default_rng(20)
    for _ in range(300):
        stall, mtbf = draw.uniform(0.2, 5), 10 ** draw.uniform(3, 5.5)
        drain = 10 ** draw.uniform(0, 4)
        node_drain = drain * draw.uniform(0, 1)
        memory = draw.uniform(0.2, 0.9)
        drives = (1 - memory) * draw.uniform(0.1, 0.9)

        def at(share: float, stall: float = stall, mtbf: float = mtbf) -> Any:
            return optimum_interval_s(stall_s=number(stall), mtbf_s=number(mtbf / share))

        best = three_level_optimum_s(
            two_level_optimum_s=two_level_optimum_s(
                optimum_local_s=at(memory + drives), optimum_all_s=at(1), drain_s=number(drain)
            ),
            optimum_memory_s=at(memory),
            optimum_node_s=at(memory + drives),
            node_drain_s=number(node_drain),
        )[0]
        tries = np.append(np.geomspace(best / 20, best * 20, 2001), best)
        storage = 1 - memory - drives
        wasted = stall / tries + (
            memory * tries + drives * np.maximum(tries, node_drain) + storage * np.maximum(tries, drain)
        ) / (2 * mtbf)
        assert wasted[-1] <= wasted.min() * 1.01


def test_validations_are_as_often_as_pays() -> None:
    """v / V + V q / M by hand: 10 s, one corruption in 10^6 s, every 3,162 s, in whole copies of 100 s."""
    every = validation_interval_s(
        validation_s=number(10),
        mtbf_s=number(1e4),
        corruption_share=number(0.01),
        persistent_interval_s=number(100),
    )
    assert every[0] == pytest.approx(3200)
    never = validation_interval_s(
        validation_s=number(10),
        mtbf_s=number(1e4),
        corruption_share=number(0),
        persistent_interval_s=number(100),
    )
    assert np.isinf(never[0])
    assert (
        validation_stall_s(
            validation_s=number(10), validation_interval_s=never, checkpoint_interval_s=number(100)
        )[0]
        == 0
    )


def test_silent_corruption_is_among_all_interruptions() -> None:
    """Llama 3: 2.8e-7 an hour on 16,384 accelerators is 6 of 419 in 54 days."""
    share = corruption_share(
        corruptions_per_accelerator_hour=number(2.8e-7),
        accelerators_used=number(16384),
        failures_per_day=number(419 / 54),
        found_at_validation=number(1),
    )
    assert share[0] == pytest.approx(6 / 419, rel=0.02)
