"""What outages of power and cooling leave of a run and of replicas: the availability of the facility beside failures.

The facility's availability is of a rack and has no node failure in it, and the ETTR and the availability of a replica
have no outage of the facility in them: the products count nothing twice. An outage also interrupts a job; at one or two
a year that is lost beside failures of nodes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from app.engine.quantities import quantity
from app.engine.trace import Array

if TYPE_CHECKING:
    from app.engine.facility.results import Power
    from app.engine.operations.section import Reliability

AnyPerformance = TypeVar("AnyPerformance")


@quantity(unit="s", source="definition", also_at="performance.elapsed_time_s")
def elapsed_with_outages_s(*, elapsed_time_s: Array, facility_availability: Array) -> Array:
    """Elapsed time with the hours in which the facility is out."""
    return elapsed_time_s / facility_availability


@quantity(
    unit="1",
    percent=True,
    source="definition",
    at="reliability.ettr_at_site",
    short="ETTR at site",
    better="more",
)
def ettr_at_site(*, ettr: Array, facility_availability: Array) -> Array:
    """Effective training time ratio with outages of the facility."""
    return ettr * facility_availability


@quantity(
    unit="1",
    percent=True,
    source="definition",
    at="reliability.replica_availability_at_site",
    short="Replica at site",
    better="more",
)
def replica_availability_at_site(*, replica_availability: Array, facility_availability: Array) -> Array:
    """Replica availability with outages of the facility, which take all replicas of a site at once."""
    return replica_availability * facility_availability


def with_outages(performance: AnyPerformance, power: Power) -> AnyPerformance:
    """The same with the elapsed time of a run at this facility; a pod that serves has none."""
    running: Any = performance
    if running.elapsed_time_s is None:
        return performance
    elapsed = elapsed_with_outages_s(
        elapsed_time_s=running.elapsed_time_s, facility_availability=power.facility_availability
    )
    found: AnyPerformance = replace(running, elapsed_time_s=elapsed)
    return found


def at_site(reliability: Reliability, power: Power) -> Reliability:
    """The same with what outages of the facility leave."""
    up = power.facility_availability
    ratio, replica = reliability.ettr, reliability.replica_availability
    return replace(
        reliability,
        ettr_at_site=None if ratio is None else ettr_at_site(ettr=ratio, facility_availability=up),
        replica_availability_at_site=None
        if replica is None
        else replica_availability_at_site(replica_availability=replica, facility_availability=up),
    )
