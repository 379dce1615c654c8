"""Quantile functions against hand-worked values and SciPy's own distributions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from app.engine.uncertainty.distributions import KINDS, Distribution

SHARES = np.array([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0])


def drawn(kind: str, low: float, typical: float, high: float, **limits: float) -> Distribution:
    return Distribution(kind=kind, low=low, typical=typical, high=high, **limits)


def test_triangular_by_hand() -> None:
    # 2, 4, 10: the peak is at a quarter. At 1/16: 2 + sqrt(16/16) = 3; at 3/4: 10 - sqrt(0.25 x 8 x 6) = 10 - sqrt 12
    found = drawn("triangular", 2, 4, 10).quantile(np.array([1 / 16, 1 / 4, 3 / 4]))
    np.testing.assert_allclose(found, [3, 4, 10 - np.sqrt(12)], rtol=1e-12)


@pytest.mark.parametrize("typical", [2.0, 4.0, 10.0])
def test_triangular_as_scipy(typical: float) -> None:
    reference = stats.triang(c=(typical - 2) / 8, loc=2, scale=8).ppf(SHARES)
    np.testing.assert_allclose(drawn("triangular", 2, typical, 10).quantile(SHARES), reference, rtol=1e-9)


def test_log_triangular_by_hand() -> None:
    """Ends a factor of ten either side of the typical value: as likely below as above, where a triangle has 91 % above."""
    found = drawn("log_triangular", 0.1, 1, 10).quantile(np.array([0, 1 / 8, 1 / 2, 7 / 8, 1]))
    np.testing.assert_allclose(found, [0.1, 10**-0.5, 1, 10**0.5, 10], rtol=1e-12)
    assert drawn("triangular", 0.1, 1, 10).quantile(np.array([1 / 11])) == pytest.approx(1)
    with pytest.raises(ValueError, match="above zero"):
        drawn("log_triangular", 0, 1, 2)


def test_uniform_by_hand() -> None:
    np.testing.assert_allclose(drawn("uniform", -1, 5, 7).quantile(np.array([0, 0.25, 1])), [-1, 1, 7])


def test_pert_mean_counts_the_typical_value_four_times() -> None:
    shares = (np.arange(100_000) + 0.5) / 100_000
    mean = drawn("pert", 2, 4, 12).quantile(shares).mean()
    assert mean == pytest.approx((2 + 4 * 4 + 12) / 6, rel=1e-5)


def test_normal_passes_through_its_three_values() -> None:
    even = drawn("normal", 80, 100, 120).quantile(SHARES)
    np.testing.assert_allclose(
        even[1:-1], stats.norm(100, 20 / 1.2815515655446004).ppf(SHARES[1:-1]), rtol=1e-12
    )
    uneven = drawn("normal", 90, 100, 150).quantile(np.array([0.1, 0.5, 0.9]))
    np.testing.assert_allclose(uneven, [90, 100, 150], rtol=1e-12)


def test_lognormal_passes_through_its_three_values() -> None:
    found = drawn("lognormal", 0.5, 1, 2).quantile(np.array([0.1, 0.5, 0.9]))
    np.testing.assert_allclose(found, [0.5, 1, 2], rtol=1e-12)
    sigma = np.log(2) / 1.2815515655446004
    np.testing.assert_allclose(
        drawn("lognormal", 0.5, 1, 2).quantile(SHARES[1:-1]),
        stats.lognorm(sigma).ppf(SHARES[1:-1]),
        rtol=1e-12,
    )


def test_what_a_number_cannot_be_is_cut_off() -> None:
    share = drawn("normal", 0.7, 0.9, 1.1, least=0, most=1)
    values = share.quantile(np.linspace(0, 1, 1001))
    assert values.min() >= 0
    assert values.max() <= 1
    deviation = 0.2 / 1.2815515655446004
    assert share.cut_share == pytest.approx(stats.norm.sf(0.1 / deviation) + stats.norm.cdf(-0.9 / deviation))
    reference = stats.truncnorm(-0.9 / deviation, 0.1 / deviation, loc=0.9, scale=deviation)
    np.testing.assert_allclose(share.quantile(SHARES[1:-1]), reference.ppf(SHARES[1:-1]), rtol=1e-9)


def test_nothing_is_cut_where_ends_are_ends() -> None:
    assert drawn("triangular", 1, 2, 3, least=0, most=10).cut_share == 0


@pytest.mark.parametrize("kind", KINDS)
def test_no_width_is_one_value(kind: str) -> None:
    np.testing.assert_array_equal(drawn(kind, 3, 3, 3).quantile(SHARES), 3)


@pytest.mark.parametrize(
    ("kind", "values", "words"),
    [
        ("bell", (1, 2, 3), "bell"),
        ("uniform", (3, 2, 1), "not in order"),
        ("triangular", (1, 4, 3), "not in order"),
        ("lognormal", (0, 1, 3), "above zero"),
    ],
)
def test_what_is_no_distribution_is_refused(
    kind: str, values: tuple[float, float, float], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        drawn(kind, *values)


@given(
    kind=st.sampled_from(KINDS),
    ends=st.tuples(*[st.floats(0.01, 1e6)] * 3).map(sorted),
    shares=st.lists(st.floats(0, 1), min_size=2, max_size=20),
)
def test_a_greater_share_has_no_smaller_value(kind: str, ends: list[float], shares: list[float]) -> None:
    low, typical, high = ends
    one = drawn(kind, low, typical, high, least=0.005, most=2e6)
    values = one.quantile(np.sort(np.array(shares)))
    assert np.all(np.diff(values) >= -1e-9 * high)
    if kind in ("uniform", "triangular", "pert"):
        assert np.all((values >= low * (1 - 1e-9)) & (values <= high * (1 + 1e-9)))
    else:
        assert np.all((values >= 0.005) & (values <= 2e6))
