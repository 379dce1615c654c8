"""Closed forms of queues that the simulation of a fleet is compared with.

References
----------
.. [1] Erlang 1917; Gross, Harris, Fundamentals of Queueing Theory, 4th ed., 2.3 (M/M/c)
.. [2] Pollaczek 1930, Khinchine 1932; Gross, Harris 5.1 (M/G/1)
"""

from __future__ import annotations


def erlang_c(offered: float, servers: int) -> float:
    """Probability that a job waits in M/M/c with `offered` erlangs.

    >>> round(erlang_c(0.8, 1), 12), round(erlang_c(2.0, 3), 4)
    (0.8, 0.4444)
    """
    lost = 1.0
    for n in range(1, servers + 1):  # Erlang B by its recurrence
        lost = offered * lost / (n + offered * lost)
    return servers * lost / (servers - offered * (1.0 - lost))


def mmc_wait_s(arrivals_per_s: float, service_s: float, servers: int) -> float:
    """Mean wait in M/M/c.

    >>> mmc_wait_s(0.5, 1.0, 1)
    1.0
    """
    offered = arrivals_per_s * service_s
    return erlang_c(offered, servers) * service_s / (servers - offered)


def mg1_wait_s(arrivals_per_s: float, service_s: float, squared_variation: float) -> float:
    """Mean wait in M/G/1 by Pollaczek and Khinchine; the squared coefficient of variation is that of service
    times.

    >>> mg1_wait_s(0.5, 1.0, 1.0), mg1_wait_s(0.5, 1.0, 0.0)
    (1.0, 0.5)
    """
    load = arrivals_per_s * service_s
    return load * service_s * (1.0 + squared_variation) / (2.0 * (1.0 - load))
