"""Where the time of a run goes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.operations.goodput import elapsed_time_s, ettr, expected_interval_s, failures_per_interval
from tests.engine.operations.runs import evaluate, meta_run, operations, with_assumptions
from tests.support import number


def test_meta_run_keeps_nine_tenths() -> None:
    # Effective training time above 0.90 on 16,384 H100 (arXiv 2407.21783, section 3.3.4).
    reliability = evaluate()
    assert 0.90 < reliability.ettr[0] < 0.99
    assert (
        0.9 * 3600 < reliability.mtbf_s[0] < 1.1 * 3600
    )  # of a fleet in the middle; theirs, a mature one: 3.09 h
    elapsed = elapsed_time_s(training_time_s=meta_run()["performance"].training_time_s, ettr=reliability.ettr)
    assert elapsed[0] * reliability.ettr[0] == pytest.approx(70 * 86400)


def test_two_level_first_order() -> None:
    # s/t1 + f (t1/2 + R1)/M + (1-f) (d + t2/2 + R2)/M at M = 3.093 h, with 1 s every 2.6 min, 90 % recovered locally
    # in 60 s, restarts of 300 s, and a copy that is 30 min old when it has drained, as is the next one then.
    rates = with_assumptions(
        failures_per_node_day=419 / 54 / 2048,
        repair_days=0.0,
        reset_days=0.0,
        detection_s=0.0,
        drain_bandwidth_share=1.0,
    )
    slow = operations(write=405.85e9 * 14 / 1800, read=1e15)
    found = evaluate(assumptions=rates, operations=slow)
    assert found.waiting_s[0] == 0
    assert found.checkpoint_drain_s[0] == pytest.approx(1800)
    interval = found.checkpoint_interval_s[0]
    assert interval == pytest.approx(np.sqrt(2 * 1.014 * 11135 / 0.9), rel=0.02)
    assert found.persistent_interval_s[0] == 12 * interval, "1,800 s are 11.3 snapshots"
    lost = 1.014 / interval + 0.9 * (interval / 2 + 60) / 11135 + 0.1 * (1800 + 6 * interval + 300) / 11135
    assert found.ettr[0] == pytest.approx(1 - lost, abs=0.002)


def test_copies_that_drain_fast_win_two_points() -> None:
    """A mature fleet: storage that takes 30 min for a copy costs 2.4 points against one that takes seconds."""
    rates = with_assumptions(failures_per_node_day=419 / 54 / 2048)
    slow = evaluate(assumptions=rates, operations=operations(write=405.85e9 * 14 / 900, read=2.56e12))
    assert slow.checkpoint_drain_s[0] == pytest.approx(1800)
    fast = evaluate(assumptions=rates)
    assert fast.persistent_interval_s[0] == fast.checkpoint_interval_s[0] < 150
    assert fast.ettr[0] - slow.ettr[0] == pytest.approx(0.024, abs=0.003)


@pytest.mark.parametrize(("stall_s", "best"), [(60, 0.876), (20, 0.916)])
def test_blocking_at_scale(stall_s: float, best: float) -> None:
    # Best possible at MTBF 3.09 h and a restart of 300 s.
    rates = with_assumptions(
        failures_per_node_day=419 / 54 / 2048,
        repair_days=0.0,
        reset_days=0.0,
        detection_s=0.0,
        checkpoint_synchronisation_s=0.0,
    )
    disks = operations(checkpoint="blocking", write=405.85e9 * 14 / stall_s, read=1e15)
    found = evaluate(assumptions=rates, operations=disks)
    assert found.checkpoint_stall_s[0] == pytest.approx(stall_s)
    assert found.ettr[0] == pytest.approx(best, abs=0.001)


@pytest.mark.slow
@given(
    scheme=st.sampled_from(["blocking", "two_level"]),
    rate=st.floats(1e-4, 0.2),
    write=st.floats(1e10, 1e13),
    spares=st.sampled_from([None, 0, 3, 200]),
)
def test_shares_sum_to_one(scheme: str, rate: float, write: float, spares: float | None) -> None:
    found = evaluate(
        assumptions=with_assumptions(failures_per_node_day=rate),
        operations=operations(checkpoint=scheme, write=write, spares=spares),
    )
    shares = found.goodput_breakdown
    assert sum(share[0] for share in shares.values()) == pytest.approx(1, abs=1e-9)
    assert min(share[0] for share in shares.values()) >= -1e-12
    assert shares["productive"][0] == found.ettr[0]


@pytest.mark.slow
@given(rates=st.tuples(st.floats(1e-5, 0.1), st.floats(1e-5, 0.1)))
def test_more_failures_never_help(rates: tuple[float, float]) -> None:
    low, high = (
        evaluate(
            assumptions=with_assumptions(failures_per_node_day=rate), operations=operations(spares=50)
        ).ettr[0]
        for rate in sorted(rates)
    )
    assert high <= low + 1e-12


def test_samples_keep_their_shape() -> None:
    rates = with_assumptions()
    samples = np.array([[2e-3], [5e-3], [1.5e-2]])
    found = evaluate(assumptions=type(rates)(**{**_fields(rates), "failures_per_node_day": samples}))
    assert found.ettr.shape == (3, 1)
    assert np.all(np.diff(found.ettr[:, 0]) < 0)


def test_unknown_stays_unknown() -> None:
    run = meta_run()
    run["performance"].parameters = number(np.nan)
    found = evaluate(performance=run["performance"])
    assert np.isnan(found.ettr[0])
    assert np.isnan(found.checkpoint_bytes[0])
    assert found.mtbf_s[0] > 0


def _fields(record: object) -> dict[str, object]:
    return {name: getattr(record, name) for name in record.__slots__}  # type: ignore[attr-defined]


def test_two_levels_against_an_event_simulation() -> None:
    # Intervals that fail at exponential times; a tenth of the failures falls back to every 15th checkpoint.
    random = np.random.default_rng(11)
    stall, mtbf, local_s, persistent_s, share, every = 5.0, 3600.0, 60.0, 400.0, 0.9, 15
    interval = 120.0
    elapsed, done, target = 0.0, 0, 60000
    while done < target:
        if (failure := random.exponential(mtbf)) >= interval + stall:
            # Exponential times have no memory: the next interval draws afresh.
            elapsed += interval + stall
            done += 1
            continue
        elapsed += failure
        while True:
            kept = random.random() < share
            if not kept:
                done -= done % every
            restart = local_s if kept else persistent_s
            if (again := random.exponential(mtbf)) >= restart:
                elapsed += restart
                break
            elapsed += again
    measured = target * interval / elapsed

    one = {"mtbf_s": number(mtbf), "interval_s": number(interval)}
    count = failures_per_interval(**one, stall_s=number(stall))
    recovery = share * local_s + (1 - share) * (persistent_s + (every - 1) * interval / 2)
    expected = expected_interval_s(
        mtbf_s=number(mtbf), failures_per_interval=count, recovery_s=number(recovery), waiting_s=number(0)
    )
    assert ettr(**one, expected_interval_s=expected)[0] == pytest.approx(measured, rel=0.01)
