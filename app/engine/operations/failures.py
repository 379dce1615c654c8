"""How often a job, or a replica that serves, is interrupted, and by what.

One rate counts every cause: it is published for hosts of eight accelerators and taken by the accelerator, so that a
tray of four, a server of eight and a rack of 72 compare by what they hold. Components have shares of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import digamma, gammaincinv, polygamma

from app.engine.quantities import quantity
from app.engine.trace import Array

if TYPE_CHECKING:
    from app.engine.operations.assumptions import OperationsAssumptions

_KOKOLIS = "[1] Kokolis et al., Revisiting Reliability in Large-Scale ML Research Clusters, arXiv 2410.21680"
_LLAMA = "[1] The Llama 3 Herd of Models, arXiv 2407.21783, table 5: 419 interruptions by root cause"

PROCESS, UNIT = "process", "unit"
"""What a failure takes away: only the processes, which start again, or the unit that is replaced as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One row of root causes. `repair` names the assumption on the share of its failures that need hardware."""

    name: str
    repair: str  # "" where nothing is repaired

    @property
    def share(self) -> str:
        """Name of the assumption on its share of all interruptions."""
        return f"failure_share_{self.name}"


COMPONENTS = (
    Component(name="accelerators", repair="repair_share_hosts"),
    Component(name="hosts", repair="repair_share_hosts"),
    Component(name="network", repair="repair_share_network"),
    Component(name="power_supplies", repair="repair_share_hosts"),
    Component(name="local_storage", repair="repair_share_hosts"),
    Component(name="software", repair=""),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentFailures:
    """Interruptions by one component. Software takes no hardware away: nothing of it is in repair."""

    name: str
    takes_away: str  # process | unit
    failures_per_day: Array
    away_days: Array | None
    units_in_repair: Array | None


@quantity(unit="1", source="definition")
def supernodes_used(*, accelerators_used: Array, accelerators_per_supernode: Array) -> Array:
    """SuperNodes the job runs on.

    A SuperNode that is used in part is occupied as a whole.
    """
    return np.ceil(accelerators_used / accelerators_per_supernode)


@quantity(unit="1", source="definition")
def nodes_used(
    *, accelerators_used: Array, accelerators_per_supernode: Array, nodes_per_supernode: Array
) -> Array:
    """Nodes used by the job or replica.

    Hosts that hold none of the job's accelerators cannot interrupt it.
    """
    return np.ceil(nodes_per_supernode * accelerators_used / accelerators_per_supernode)


@quantity(unit="1", source="definition")
def exposed_accelerators(
    *, nodes_used: Array, accelerators_per_supernode: Array, nodes_per_supernode: Array
) -> Array:
    """Accelerators of the hosts that the job runs on: each of these hosts can interrupt it as a whole."""
    return nodes_used * accelerators_per_supernode / nodes_per_supernode


@quantity(unit="1/day", source=_KOKOLIS, at="reliability.failures_per_day")
def failures_per_day(
    *, exposed_accelerators: Array, failures_per_node_day: Array, rated_node_accelerators: Array
) -> Array:
    """Interruptions of the job.

    N r, with independent failures at a constant rate: measured over jobs of 8 to 1,024 accelerators, all causes
    grow with the number of hosts [1].

    Parameters
    ----------
    exposed_accelerators : of the hosts that the job uses
    failures_per_node_day : r, all-cause rate of a host of the published fleets with its share of the network
    rated_node_accelerators : accelerators of such a host, so that N = exposed / rated

    Validity: after burn-in and before wear-out. Rates of components must not be added on top, as r counts every cause.
    """
    return exposed_accelerators / rated_node_accelerators * failures_per_node_day


@quantity(unit="1", source=_LLAMA)
def share_of_failures(*, share: Array, shares: tuple[Array, ...]) -> Array:
    """Share of all interruptions that a component causes; shares that do not add up to 1 are scaled."""
    return share / sum(shares[1:], start=shares[0])


@quantity(unit="1/day", source=_LLAMA, at="reliability.components[].failures_per_day")
def component_failures_per_day(*, failures_per_day: Array, share_of_failures: Array) -> Array:
    """Interruptions that a component causes."""
    return failures_per_day * share_of_failures


@quantity(unit="days", source="definition", at="reliability.components[].away_days")
def away_days(*, repair_share: Array, repair_days: Array, reset_days: Array) -> Array:
    """Mean time away after a failure of a component.

    Some failures need hardware, a part exchanged or a module swapped; the rest are over after a reset and its tests.
    """
    return repair_share * repair_days + (1 - repair_share) * reset_days


@quantity(
    unit="1",
    source="[1] Little's law: mean number in repair = rate x time",
    at="reliability.components[].units_in_repair",
)
def component_units_in_repair(*, component_failures_per_day: Array, away_days: Array) -> Array:
    """Mean number of units away because of a component."""
    return component_failures_per_day * away_days


@quantity(unit="1/day", source=_LLAMA, at="reliability.node_failures_per_day")
def node_failures_per_day(*, by_component: tuple[Array, ...]) -> Array:
    """Interruptions by hosts and links, which take hardware away: all but those by software."""
    return sum(by_component[1:], start=by_component[0])


@quantity(unit="s", source="definition", at="reliability.mtbf_s", key=True)
def mtbf_s(*, failures_per_day: Array) -> Array:
    """Mean time between interruptions."""
    return 24 * 3600 / failures_per_day


def failures_of(
    *,
    accelerators_used: Array,
    accelerators_per_supernode: Array,
    nodes_per_supernode: Array,
    assumptions: OperationsAssumptions,
) -> dict[str, Array | tuple[ComponentFailures, ...]]:
    """Interruptions of a job on so many accelerators, by their names in the evaluation."""
    hosts = nodes_used(
        accelerators_used=accelerators_used,
        accelerators_per_supernode=accelerators_per_supernode,
        nodes_per_supernode=nodes_per_supernode,
    )
    per_day = failures_per_day(
        exposed_accelerators=exposed_accelerators(
            nodes_used=hosts,
            accelerators_per_supernode=accelerators_per_supernode,
            nodes_per_supernode=nodes_per_supernode,
        ),
        failures_per_node_day=assumptions.failures_per_node_day,
        rated_node_accelerators=assumptions.rated_node_accelerators,
    )
    components = tuple(_component(one, per_day, assumptions) for one in COMPONENTS)
    of_hardware = tuple(one.failures_per_day for one in components if one.takes_away == UNIT)
    return {
        "node_failures_per_day": node_failures_per_day(by_component=of_hardware),
        "failures_per_day": per_day,
        "mtbf_s": mtbf_s(failures_per_day=per_day),
        "components": components,
    }


def _component(component: Component, per_day: Array, assumptions: OperationsAssumptions) -> ComponentFailures:
    rate = component_failures_per_day(
        failures_per_day=per_day,
        share_of_failures=share_of_failures(
            share=getattr(assumptions, component.share),
            shares=tuple(getattr(assumptions, one.share) for one in COMPONENTS),
        ),
    )
    if not component.repair:
        return ComponentFailures(
            name=component.name,
            takes_away=PROCESS,
            failures_per_day=rate,
            away_days=None,
            units_in_repair=None,
        )
    away = away_days(
        repair_share=getattr(assumptions, component.repair),
        repair_days=assumptions.repair_days,
        reset_days=assumptions.reset_days,
    )
    return ComponentFailures(
        name=component.name,
        takes_away=UNIT,
        failures_per_day=rate,
        away_days=away,
        units_in_repair=component_units_in_repair(component_failures_per_day=rate, away_days=away),
    )


INTERVAL = (0.1, 0.9)
"""Quantiles of an interval that 80 % lie in."""
_DEVIATIONS = 1.2815515655446004  # of a normal distribution, at its ninth decile


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureRate:
    """A rate of failures a node-day, with its tenth and ninetieth percentile."""

    mean: float
    low: float
    high: float
    prior_count: float  # interruptions that the spread of fleets is worth
    prior_node_days: float


def lognormal_sigma(*, low: float, high: float) -> float:
    """Deviation of the logarithm of a lognormal variable with these tenth and ninetieth percentiles."""
    return float(np.log(high / low) / (2 * _DEVIATIONS))


def posterior_rate(*, count: float, node_days: float, middle: float, low: float, high: float) -> FailureRate:
    """Rate of a fleet that has counted its own interruptions.

    Gamma posterior, shape a + count and rate b + node-days: the prior has the geometric mean and the deviation of
    logarithms of published fleets, digamma(a) - ln b = ln(middle), trigamma(a) = (ln(high / low) / 2.56)^2 [1].

    Parameters
    ----------
    count : interruptions, of all causes
    node_days : hosts of eight accelerators times days, above 0
    middle, low, high : of the rate over fleets [1/(node day)]

    Raises
    ------
    ValueError : the count is negative, or there are no node-days

    References
    ----------
    .. [1] Gelman et al., Bayesian Data Analysis, 3rd edition, section 2.6 (Poisson counts with a gamma prior)
    """
    if not (count >= 0 and 0 < node_days < np.inf and count < np.inf):
        raise ValueError(f"{count:g} interruptions in {node_days:g} node-days give no rate")
    wanted = lognormal_sigma(low=low, high=high) ** 2
    shape = 1 / wanted + 0.5  # as trigamma(a) is about 1 / (a - 1/2)
    for _ in range(50):
        slope = float(polygamma(2, shape))
        shape = max(shape / 2, shape - (float(polygamma(1, shape)) - wanted) / slope)
    exposure = float(np.exp(digamma(shape))) / middle
    a, b = shape + count, exposure + node_days
    ends = gammaincinv(a, np.array(INTERVAL)) / b
    return FailureRate(
        mean=float(a / b),
        low=float(ends[0]),
        high=float(ends[1]),
        prior_count=float(shape),
        prior_node_days=exposure,
    )
