"""Percentiles of latencies from their mean and standard deviation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import gammainc, gammaincinv

from app.engine.quantities import quantity
from app.engine.trace import Array

_GAMMA = (
    "[1] Tijms 2003, A First Course in Stochastic Models, appendix B (fit of two moments by a gamma law); "
    "exact for the time that a request spends in M/M/1"
)
_MOMENTS = "definition: variances of independent parts add up"

SHARES = {"p50": 0.50, "p90": 0.90, "p95": 0.95, "p99": 0.99}
"""Of requests that are within."""
NO_SPREAD = 1e-4
"""Standard deviation over the mean below which every request is taken to need the mean."""


def _gamma_percentile_s(mean_s: Array, spread_s: Array, fixed_s: Array | None, share: Array | float) -> Array:
    """Of a gamma law beyond a fixed part; the mean itself where nothing varies."""
    if fixed_s is None:
        return _varying_percentile_s(mean_s, spread_s, share)
    fixed = np.where(np.isfinite(fixed_s), fixed_s, 0.0)
    return fixed + _varying_percentile_s(np.maximum(mean_s - fixed, 0.0), spread_s, share)


def _varying_percentile_s(mean_s: Array, spread_s: Array, share: Array | float) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        variation = np.where(mean_s > 0, spread_s / mean_s, 0.0)
        varies = variation > NO_SPREAD
        shape = np.where(varies, variation, 1.0) ** -2.0
        within = np.where(varies, gammaincinv(shape, share) * mean_s / shape, mean_s)
    known = np.where(np.isnan(mean_s) | np.isnan(spread_s), np.nan, within)
    return np.where(np.isinf(mean_s), np.inf, known)


@quantity(unit="s", source=_GAMMA, leaf=True)
def percentile_s(*, mean_s: Array, spread_s: Array, share: Array, fixed_s: Array | None = None) -> Array:
    """Latency that a share of the requests stays within.

    Of a gamma law with this mean and standard deviation, which begins at the part of the latency that is the same
    for all requests. Infinite where the mean is.

    Parameters
    ----------
    fixed_s : part of the mean that no request is without, and that does not vary; None: there is none [s]
    """
    return _gamma_percentile_s(mean_s, spread_s, fixed_s, share)


def _share_within(mean_s: Array, spread_s: Array, fixed_s: Array, limit_s: Array) -> Array:
    """Share of a gamma law beyond a fixed part that is within a limit; all of it where there is none."""
    with np.errstate(invalid="ignore", divide="ignore"):
        beyond, left = np.maximum(mean_s - fixed_s, 0.0), limit_s - fixed_s
        varies = (beyond > 0) & (spread_s > NO_SPREAD * mean_s)
        shape = np.where(varies, beyond / np.where(varies, spread_s, 1.0), 1.0) ** 2.0
        share = gammainc(shape, np.maximum(left, 0.0) * shape / np.where(varies, beyond, 1.0))
        share = np.where(varies, share, np.where(left >= beyond, 1.0, 0.0))
    share = np.where(np.isnan(mean_s) | np.isnan(spread_s), np.nan, np.where(np.isinf(mean_s), 0.0, share))
    return np.where(np.isnan(limit_s), 1.0, share)


@quantity(
    unit="1",
    percent=True,
    source=_GAMMA,
    at="performance.within_promise_share",
    leaf=True,
    key=True,
    better="more",
)
def within_promise_share(
    *,
    ttft_s: Array,
    ttft_spread_s: Array,
    ttft_fixed_s: Array,
    promised_ttft_s: Array,
    tpot_s: Array,
    tpot_spread_s: Array,
    tpot_fixed_s: Array,
    promised_tpot_s: Array,
) -> Array:
    """Requests within the SLO: time to first token and time per output token.

    Of gamma laws with their means and spreads over requests, each beyond its fixed part, one regardless of the other.
    """
    first = _share_within(ttft_s, ttft_spread_s, ttft_fixed_s, promised_ttft_s)
    return first * _share_within(tpot_s, tpot_spread_s, tpot_fixed_s, promised_tpot_s)


@quantity(unit="s", source=_MOMENTS)
def ttft_spread_s(*, prefill_s: Array, prefill_variation: Array, waits_spread_s: tuple[Array, ...]) -> Array:
    """Standard deviation of the time to the first token.

    Of the request's own prefill, and of its waits for other requests.
    """
    of_waits = sum((spread**2 for spread in waits_spread_s[1:]), start=waits_spread_s[0] ** 2)
    return np.sqrt((prefill_s * prefill_variation) ** 2 + of_waits)


@quantity(unit="1", source="[1] Kleinrock 1975, section 2.4 (Poisson arrivals)")
def prefills_met(*, requests_per_s: Array, tpot_s: Array, output_tokens: Array) -> Array:
    """Prompts that are prefilled on the same replica while it decodes one answer."""
    return requests_per_s * tpot_s * output_tokens


@quantity(
    unit="s", source="[1] Kleinrock 1975, section 2.4 (Poisson arrivals); sum of a random number of parts"
)
def tpot_spread_s(*, interference_s: Array, prefills_met: Array, prefill_variation: Array) -> Array:
    """Standard deviation of the time per output token, between requests.

    Requests differ by the prompts that were prefilled between their tokens: n of them on average, at random
    times, so that what they take has a relative spread of sqrt((1 + c^2) / n). Steps without a prefill do
    not differ.

    Parameters
    ----------
    interference_s : part of the mean time per output token that prefill of other requests takes [s]
    """
    some = np.where(prefills_met > 0, prefills_met, 1.0)
    return np.where(prefills_met > 0, interference_s * np.sqrt((1 + prefill_variation**2) / some), 0.0)


@quantity(
    unit="s", source="own measurements that the scenario states: longer times are so for all requests alike"
)
def corrected_spread_s(*, predicted_s: Array, measured_over_predicted: Array) -> Array:
    """Standard deviation of a time, corrected as the time is."""
    return predicted_s * measured_over_predicted


@quantity(unit="s", source="definition")
def fixed_ttft_s(*, overhead_s: Array, measured_over_predicted: Array) -> Array:
    """Part of the time to the first token that is the same for all requests: taking one in and answering."""
    return overhead_s * measured_over_predicted


@quantity(unit="s", source="definition")
def fixed_tpot_s(*, interference_s: Array, predicted_s: Array, measured_over_predicted: Array) -> Array:
    """Part of the time per output token that is the same for all requests: steps without a prefill between them."""
    return (predicted_s - interference_s) * measured_over_predicted


@quantity(unit="s", source="definition")
def tpot_of_requests_s(*, fixed_s: Array, interference_s: Array, measured_over_predicted: Array) -> Array:
    """Time per output token, mean over requests: a short answer counts as much as a long one."""
    return fixed_s + interference_s * measured_over_predicted


@quantity(unit="s", source="definition")
def fixed_end_to_end_s(
    *, fixed_ttft_s: Array, fixed_tpot_s: Array, output_tokens: Array, output_variation: Array
) -> Array:
    """Part of the time to the last token that is the same for all requests.

    That to the first, and where all answers are as long as each other that of the further tokens.
    """
    further = np.where(output_variation > 0, 0.0, np.maximum(output_tokens - 1, 0.0))
    return fixed_ttft_s + fixed_tpot_s * further


@quantity(unit="s", source="definition", key=True, better="less")
def end_to_end_s(*, ttft_s: Array, tpot_s: Array, output_tokens: Array) -> Array:
    """End-to-end latency: the first token, and a step for each further one."""
    return ttft_s + tpot_s * np.maximum(output_tokens - 1, 0.0)


@quantity(unit="s", source=_MOMENTS)
def end_to_end_spread_s(
    *,
    ttft_spread_s: Array,
    tpot_spread_s: Array,
    tpot_s: Array,
    output_tokens: Array,
    output_variation: Array,
) -> Array:
    """Standard deviation of the time from the question to the last token.

    Of the first token, of the pace, and above all of the length of the answer.
    """
    further = np.maximum(output_tokens - 1, 0.0)
    length = tpot_s * output_tokens * output_variation
    return np.sqrt(ttft_spread_s**2 + (tpot_spread_s * further) ** 2 + length**2)


Percentile = Callable[..., Array]


def _declared(figure: str, words: str) -> dict[str, Percentile]:
    """One quantity for each share, at its place in the evaluation."""
    return {name: _one(figure, words, name, share) for name, share in SHARES.items()}


def _one(figure: str, words: str, name: str, share: float) -> Percentile:
    def within_s(*, mean_s: Array, spread_s: Array, fixed_s: Array | None = None) -> Array:
        return _gamma_percentile_s(mean_s, spread_s, fixed_s, share)

    within_s.__doc__ = (
        f"{words} that {share:.0%} of the requests stay within.\n\n"
        "Of a gamma law with this mean and standard deviation, which begins at the part that is the same for all "
        "requests. Infinite where the mean is."
    )
    at = f"performance.{figure}_percentiles_s.{name}"
    return quantity(unit="s", source=_GAMMA, at=at, leaf=True)(within_s)


_TTFT = _declared("ttft", "Time to the first token")
_TPOT = _declared("tpot", "Time per output token")
_END_TO_END = _declared("end_to_end", "Time to the last token")


def ttft_percentiles_s(*, mean_s: Array, spread_s: Array, fixed_s: Array | None = None) -> dict[str, Array]:
    """p50, p90, p95 and p99 of the time to the first token."""
    return {name: within(mean_s=mean_s, spread_s=spread_s, fixed_s=fixed_s) for name, within in _TTFT.items()}


def tpot_percentiles_s(*, mean_s: Array, spread_s: Array, fixed_s: Array | None = None) -> dict[str, Array]:
    """p50, p90, p95 and p99 of the time per output token."""
    return {name: within(mean_s=mean_s, spread_s=spread_s, fixed_s=fixed_s) for name, within in _TPOT.items()}


def end_to_end_percentiles_s(
    *, mean_s: Array, spread_s: Array, fixed_s: Array | None = None
) -> dict[str, Array]:
    """p50, p90, p95 and p99 of the time from the question to the last token."""
    return {
        name: within(mean_s=mean_s, spread_s=spread_s, fixed_s=fixed_s)
        for name, within in _END_TO_END.items()
    }
