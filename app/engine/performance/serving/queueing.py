"""Requests that wait for a free place: those that come at random times, and those that all start at once."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaincc, gammaln

from app.engine.quantities import quantity
from app.engine.trace import Array

_ERLANG = "[1] Erlang 1917; Kleinrock 1975, Queueing Systems volume 1, section 3.5 (M/M/m)"
_ALLEN_CUNNEEN = "[1] Allen 1990, Probability, Statistics and Queueing Theory, section 5.3.5 (Allen-Cunneen)"
_TAIL = (
    "[1] Kingman 1970, Inequalities in the theory of queues; exponential tail of the wait, exact for M/M/m"
)
_WAVE = "definition of a line: places in it are all alike likely"

MOST_UTILISED = 0.99
"""Of the time of a server, that it may be busy: a queue before it then waits a hundred times as long as it serves."""

NOBODY = 1e-12
"""Chance to wait that is none."""


@quantity(unit="1", percent=True, source="definition")
def utilisation(*, requests_per_s: Array, service_s: Array, servers: Array) -> Array:
    """Share of the time that a server is busy, of all that requests go to; above 1 they come faster than they go."""
    return requests_per_s * service_s / servers


@quantity(unit="1", source="definition")
def steady_utilisation(*, utilisation: Array) -> Array:
    """Share of the time that a server is busy, 99 % at most: beyond it a queue has no mean wait to speak of."""
    return np.minimum(utilisation, MOST_UTILISED)


@quantity(unit="1", source=_ERLANG, leaf=True)
def waiting_probability(*, utilisation: Array, servers: Array) -> Array:
    """Chance that a request finds all servers busy.

    Erlang C: B / (1 - u (1 - B)), B the chance that none of m is free where no one waits, u their
    utilisation. 1 from full utilisation on; the utilisation itself with one server.
    """
    load = utilisation * servers
    safe = np.where(load > 0, np.minimum(load, servers), 1.0)
    none_free = np.exp(servers * np.log(safe) - safe - gammaln(servers + 1)) / gammaincc(servers + 1, safe)
    waits = none_free / (1 - np.minimum(utilisation, 1.0) * (1 - none_free))
    return np.where(np.isnan(load), np.nan, np.where(load <= 0, 0.0, np.where(utilisation < 1, waits, 1.0)))


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
def wait_spread_s(*, mean_wait_s: Array, waiting_probability: Array) -> Array:
    """Standard deviation of the wait.

    Of the same law: W sqrt(2 / C - 1).
    """
    return mean_wait_s * np.sqrt(2 / np.maximum(waiting_probability, NOBODY) - 1)


@quantity(unit="s", source=_WAVE)
def wave_spread_s(*, span_s: Array) -> Array:
    """Standard deviation of the wait in a line."""
    return span_s / 12**0.5


@quantity(unit="s", source=_WAVE)
def burst_spread_s(*, wait_s: Array, waves: Array) -> Array:
    """Standard deviation of the wait for all that start at once.

    Only one request in so many waves, those of the first, stands in the line; over all the wait has the
    mean W and the spread W sqrt(4 w / 3 - 1).
    """
    return wait_s * np.sqrt(4 * waves / 3 - 1)
