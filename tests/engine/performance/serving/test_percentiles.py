"""Percentiles from mean and spread: exact cases, limits, order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving import percentiles
from app.engine.quantities import quantity_at
from tests.support import number


def within(mean: float, spread: float, share: float) -> float:
    return float(
        percentiles.percentile_s(mean_s=number(mean), spread_s=number(spread), share=number(share))[0]
    )


def test_time_in_one_server_exactly() -> None:
    """M/M/1 at 80 %: wait and service together are exponential with mean s / (1 - u) = 5."""
    wait_spread = np.sqrt((2 * 0.8 - 0.8**2) / 0.2**2)
    spread = percentiles.ttft_spread_s(
        prefill_s=number(1),
        prefill_variation=number(1),
        waits_spread_s=(number(wait_spread),),
    )
    assert spread[0] == pytest.approx(5)
    for name, value in percentiles.ttft_percentiles_s(mean_s=number(5), spread_s=spread).items():
        assert value[0] == pytest.approx(-5 * np.log(1 - percentiles.SHARES[name]))


def test_nothing_varies() -> None:
    for name in percentiles.SHARES:
        assert percentiles.tpot_percentiles_s(mean_s=number(0.02), spread_s=number(0))[name][0] == 0.02
    assert within(0, 0, 0.99) == 0


def test_overload_and_unknown() -> None:
    assert np.isinf(within(np.inf, np.inf, 0.5))
    assert np.isnan(within(np.nan, 1, 0.5))
    assert np.isnan(within(1, np.nan, 0.5))


@pytest.mark.slow
@given(mean=st.floats(1e-3, 1e3), variation=st.floats(0, 5), share=st.floats(0.01, 0.98))
def test_percentiles_are_in_order(mean: float, variation: float, share: float) -> None:
    assert within(mean, variation * mean, share) <= within(mean, variation * mean, share + 0.01)
    assert within(mean, variation * mean, share) == pytest.approx(mean * within(1, variation, share))
    if variation <= 1:
        assert within(mean, variation * mean, 0.5) <= mean * (1 + 1e-9)  # gamma laws lean to the left
        assert within(mean, variation * mean, 0.9) >= mean * (1 - 1e-9)


@pytest.mark.slow
@given(
    mean=st.floats(1e-3, 1e3), fixed=st.floats(0, 1), variation=st.floats(0, 10), share=st.floats(0.01, 0.98)
)
def test_no_request_is_sooner_than_what_all_of_them_take(
    mean: float, fixed: float, variation: float, share: float
) -> None:
    def beyond(share: float) -> float:
        return float(
            percentiles.percentile_s(
                mean_s=number(mean),
                spread_s=number(variation * mean),
                fixed_s=number(fixed * mean),
                share=number(share),
            )[0]
        )

    assert beyond(share) >= fixed * mean * (1 - 1e-9)
    assert beyond(share) <= beyond(share + 0.01)


def test_beyond_the_fixed_part_as_without_one() -> None:
    """An exponential of mean 3 after a second that never varies; infinite and unknown stay so."""
    found = percentiles.ttft_percentiles_s(mean_s=number(4), spread_s=number(3), fixed_s=number(1))
    for name, value in found.items():
        assert value[0] == pytest.approx(1 - 3 * np.log(1 - percentiles.SHARES[name]))
    for mean in (np.inf, np.nan):
        same = percentiles.tpot_percentiles_s(mean_s=number(mean), spread_s=number(1), fixed_s=number(1))
        assert not np.isfinite(same["p50"]).any()


def test_what_is_the_same_for_all_requests() -> None:
    first = percentiles.fixed_ttft_s(overhead_s=number(0.1), measured_over_predicted=number(2))
    pace = percentiles.fixed_tpot_s(
        interference_s=number(0.01), predicted_s=number(0.03), measured_over_predicted=number(0.5)
    )
    assert first[0] == pytest.approx(0.2)
    assert pace[0] == pytest.approx(0.01)
    each = {"fixed_ttft_s": first, "fixed_tpot_s": pace, "output_tokens": number(101)}
    assert percentiles.fixed_end_to_end_s(**each, output_variation=number(0))[0] == pytest.approx(1.2)
    assert percentiles.fixed_end_to_end_s(**each, output_variation=number(0.5))[0] == pytest.approx(0.2)


def test_mean_of_all_percentiles_is_the_mean() -> None:
    shares = (np.arange(20_000) + 0.5) / 20_000
    spread = percentiles.percentile_s(mean_s=number(3), spread_s=number(2), share=shares)
    assert spread.mean() == pytest.approx(3, rel=1e-3)
    assert spread.std() == pytest.approx(2, rel=1e-2)


def test_interference_between_requests() -> None:
    """100 prompts a token stream meets, each as long as the next: a tenth; none: nothing."""
    met = percentiles.prefills_met(requests_per_s=number(5), tpot_s=number(0.02), output_tokens=number(1000))
    assert met[0] == pytest.approx(100)
    arguments = {"interference_s": number(0.01), "prefill_variation": number(0)}
    assert percentiles.tpot_spread_s(**arguments, prefills_met=met)[0] == pytest.approx(0.001)
    assert percentiles.tpot_spread_s(**arguments, prefills_met=number(0))[0] == 0


def test_end_to_end() -> None:
    whole = percentiles.end_to_end_s(ttft_s=number(1), tpot_s=number(0.02), output_tokens=number(101))
    assert whole[0] == pytest.approx(3)
    one = percentiles.end_to_end_s(ttft_s=number(1), tpot_s=number(0.02), output_tokens=number(1))
    assert one[0] == 1
    spread = percentiles.end_to_end_spread_s(
        ttft_spread_s=number(0),
        tpot_spread_s=number(0),
        tpot_s=number(0.02),
        output_tokens=number(100),
        output_variation=number(0.5),
    )
    assert spread[0] == pytest.approx(1)


def test_each_percentile_has_its_place() -> None:
    for figure in ("ttft", "tpot", "end_to_end"):
        for name, share in percentiles.SHARES.items():
            record = quantity_at(f"performance.{figure}_percentiles_s.{name}")
            assert record is not None
            assert f"{share:.0%}" in record.label
            assert record.unit == "s"


def kept(ttft: float, tpot: float, promised_ttft: float, promised_tpot: float, **changes: float) -> float:
    """Exponential times beyond nothing fixed, unless something is changed."""
    values = {
        "ttft_s": ttft, "ttft_spread_s": ttft, "ttft_fixed_s": 0.0, "promised_ttft_s": promised_ttft, "tpot_s": tpot,
        "tpot_spread_s": tpot, "tpot_fixed_s": 0.0, "promised_tpot_s": promised_tpot,
    } | changes  # fmt: skip
    return float(
        percentiles.within_promise_share(**{name: number(value) for name, value in values.items()})[0]
    )


def test_share_within_two_promises_by_hand() -> None:
    """Exponential times: 1 - 1/e of the requests are within the mean, and both promises hold one by one."""
    one = 1 - np.exp(-1)
    assert kept(1, 1, 1, np.nan) == pytest.approx(one)
    assert kept(1, 1, 1, 1) == pytest.approx(one**2)
    assert kept(1, 1, np.nan, np.nan) == 1


def test_limits_of_the_share_within() -> None:
    assert kept(1, 1, 0, np.nan) == 0
    assert kept(1, 1, 1e9, 1e9) == pytest.approx(1)
    assert kept(np.inf, 1, 5, np.nan) == 0
    assert np.isnan(kept(np.nan, 1, 5, np.nan))
    assert kept(2, 1, 2, np.nan, ttft_spread_s=0) == 1  # all alike, just within
    assert kept(2, 1, 1.99, np.nan, ttft_spread_s=0) == 0
    assert kept(2, 1, 1, np.nan, ttft_fixed_s=1.5) == 0  # what no request is without takes longer


@pytest.mark.slow
@given(mean=st.floats(0.01, 100), variation=st.floats(0.01, 3), share=st.floats(0.05, 0.99))
def test_the_share_within_a_percentile_is_its_share(mean: float, variation: float, share: float) -> None:
    limit = within(mean, mean * variation, share)
    assert kept(mean, 1, limit, np.nan, ttft_spread_s=mean * variation) == pytest.approx(share, rel=1e-6)
