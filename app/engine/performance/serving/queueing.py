"""Requests that wait for a free replica: open arrivals at any time of day, or a burst that all start at once."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaincc, gammaln

from app.engine.quantities import quantity
from app.engine.trace import Array

_POLLACZEK = "[1] Kleinrock 1975, Queueing Systems volume 1, section 5.6 (Pollaczek-Khinchine)"
_ERLANG = "[1] Erlang 1917; Kleinrock 1975, Queueing Systems volume 1, section 3.5 (M/M/m)"
_ALLEN_CUNNEEN = "[1] Allen 1990, Probability, Statistics and Queueing Theory, section 5.3.5 (Allen-Cunneen)"
_TAIL = (
    "[1] Kingman 1970, Inequalities in the theory of queues; exponential tail of the wait, exact for M/M/m"
)
_WAVE = "definition of a burst: all requests start at once and are prefilled one after another"


@quantity(unit="1", source="definition")
def service_variation(
    *, length_variation: Array, fixed_s: Array, linear_s: Array, quadratic_s: Array
) -> Array:
    """Standard deviation of the prefill time over its mean.

    To first order: a part that grows with the length varies as the length does, one that grows with its
    square twice as much, and a fixed one not at all.

    Parameters
    ----------
    length_variation : standard deviation over the mean of input lengths [1]
    fixed_s, linear_s, quadratic_s : parts of the prefill time of a mean input [s]
    """
    return length_variation * (linear_s + 2 * quadratic_s) / (fixed_s + linear_s + quadratic_s)


@quantity(unit="1", source="definition")
def utilisation(*, requests_per_s: Array, service_s: Array, servers: Array) -> Array:
    """Share of the time that a server is busy, of all that requests go to."""
    return requests_per_s * service_s / servers


@quantity(unit="1", source=_ERLANG, leaf=True)
def waiting_probability(*, utilisation: Array, servers: Array) -> Array:
    """Chance that a request finds all servers busy.

    Erlang C: B / (1 - u (1 - B)), B the chance that none of m is free where nobody waits, u their
    utilisation. 1 from full utilisation on; the utilisation itself with one server.
    """
    load = utilisation * servers
    safe = np.where(load > 0, np.minimum(load, servers), 1.0)
    none_free = np.exp(servers * np.log(safe) - safe - gammaln(servers + 1)) / gammaincc(servers + 1, safe)
    waits = none_free / (1 - np.minimum(utilisation, 1.0) * (1 - none_free))
    return np.where(np.isnan(load), np.nan, np.where(load <= 0, 0.0, np.where(utilisation < 1, waits, 1.0)))


@quantity(unit="s", source=_POLLACZEK)
def single_wait_s(*, requests_per_s: Array, service_s: Array, service_variation: Array) -> Array:
    """Mean wait before one server, requests at random times.

    M/G/1: u s (1 + c^2) / (2 (1 - u)), u the utilisation, s the service time, c its variation. Infinite
    from full utilisation on.
    """
    busy = requests_per_s * service_s
    free = np.where(busy < 1, 1 - busy, np.where(np.isnan(busy), np.nan, 1.0))
    wait = busy * service_s * (1 + service_variation**2) / (2 * free)
    return np.where(busy >= 1, np.inf, wait)


@quantity(unit="s", source=_ALLEN_CUNNEEN)
def mean_wait_s(
    *,
    utilisation: Array,
    waiting_probability: Array,
    service_s: Array,
    service_variation: Array,
    servers: Array,
    arrival_variation: Array,
) -> Array:
    """Mean wait of a request in one queue before several servers.

    C s / (m (1 - u)) x (c_a^2 + c_s^2) / 2: as M/M/m, times the mean squared variation of the times
    between arrivals (1 where they come at random) and of service. Exact for M/M/m and M/G/1; infinite
    from full utilisation on.
    """
    free = np.where(utilisation < 1, 1 - utilisation, np.where(np.isnan(utilisation), np.nan, 1.0))
    spread = (arrival_variation**2 + service_variation**2) / 2
    wait = waiting_probability * service_s / (servers * free) * spread
    return np.where(utilisation >= 1, np.inf, wait)


@quantity(unit="s", source=_TAIL)
def wait_percentile_s(*, mean_wait_s: Array, waiting_probability: Array, share: Array) -> Array:
    """Wait that a share of the requests stays within.

    Of those that wait at all, the wait is taken to be exponential: (W / C) ln(C / (1 - p)), nothing where
    fewer than 1 - p wait.
    """
    some = np.where(waiting_probability > 0, waiting_probability, 1.0)
    tail = np.maximum(np.log(some / (1 - share)), 0.0)
    held = tail * np.where(np.isinf(mean_wait_s), 0.0, mean_wait_s) / some
    return np.where(np.isinf(mean_wait_s), np.inf, held)


@quantity(unit="s", source=_TAIL)
def wait_spread_s(*, mean_wait_s: Array, waiting_probability: Array) -> Array:
    """Standard deviation of the wait.

    Of the same law: W sqrt(2 / C - 1).
    """
    some = np.where(waiting_probability > 0, waiting_probability, 1.0)
    return mean_wait_s * np.sqrt(2 / some - 1)


@quantity(unit="s", source=_WAVE)
def wave_span_s(*, requests: Array, service_s: Array) -> Array:
    """Time from the first to the last prompt of a burst: each waits for those before it."""
    return np.maximum(requests - 1, 0.0) * service_s


@quantity(unit="s", source=_WAVE)
def wave_wait_s(*, span_s: Array, share: Array) -> Array:
    """Wait within a burst that a share of its requests stays within: places in it are all alike likely."""
    return span_s * share


@quantity(unit="s", source=_WAVE)
def wave_spread_s(*, span_s: Array) -> Array:
    """Standard deviation of the wait within a burst, of places that are all alike likely."""
    return span_s / 12**0.5
