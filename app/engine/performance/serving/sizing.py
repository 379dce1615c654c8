"""From a demand and what one replica answers to replicas, accelerators and SuperNodes, including spares."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from scipy.special import betainc, btdtrib

from app.engine.quantities import quantity
from app.engine.trace import Array

_SPARES = "[1] Barlow and Proschan 1975, Statistical Theory of Reliability, section 2.1 (k out of n)"
_GROWTH = "definition of a yearly growth"

ROUNDING = 1e-9
"""Of a replica, that a sum of floating-point numbers may be off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    """How much a demand needs. With headroom: spares that stand in for failed replicas included."""

    peak_requests_per_s: Array
    replicas: Array
    replicas_at_mean: Array
    replicas_lost: Array  # with one failure domain
    spares_by_availability: Array
    spares_by_redundancy: Array
    spare_replicas: Array  # the more of the two
    accelerators_per_replica: Array
    accelerators: Array
    accelerators_with_headroom: Array
    replicas_per_supernode: Array  # below 1 where a replica takes several
    supernodes: Array
    supernodes_with_headroom: Array
    load_share: Array  # of what the replicas can answer, that the peak asks for
    autoscaled_share: Array  # of the hours of replicas, that are needed if they follow the demand
    supernodes_of_sides: tuple[Array, ...] = ()  # of each kind of SuperNode that a replica is on, as the next
    supernodes_with_headroom_of_sides: tuple[Array, ...] = ()


@quantity(unit="1/s", source=_GROWTH)
def grown_requests_per_s(*, requests_per_s: Array, growth_per_year: Array, years: Array) -> Array:
    """Requests per second, daily mean, after growth: r (1 + g)^y."""
    return requests_per_s * (1 + growth_per_year) ** years


@quantity(unit="1/s", source="definition")
def peak_requests_per_s(*, mean_requests_per_s: Array, peak_to_mean: Array) -> Array:
    """Requests per second in the peak hour."""
    return mean_requests_per_s * peak_to_mean


@quantity(unit="1", source="definition")
def replicas_needed(*, requests_per_s: Array, requests_per_s_per_replica: Array) -> Array:
    """Whole replicas that answer a demand; at least one, and no number where one answers nothing."""
    able = np.where(requests_per_s_per_replica > 0, requests_per_s_per_replica, np.nan)
    return np.maximum(np.ceil(requests_per_s / able - ROUNDING), 1.0)


@quantity(unit="1", source="definition")
def accelerators_needed(*, replicas: Array, accelerators_per_replica: Array) -> Array:
    """Accelerators of whole replicas."""
    return replicas * accelerators_per_replica


@quantity(unit="1", source="definition")
def replicas_held(
    *, accelerators: Array, supernode_accelerators: Array, accelerators_per_replica: Array
) -> Array:
    """Whole replicas that a number of accelerators holds, SuperNode by SuperNode.

    Whole ones inside each: 3 SuperNodes of 72 hold 3 replicas of 48, not 4. A replica larger than a SuperNode
    takes whole SuperNodes, but of the last one that is filled only what it needs.
    """
    inside = np.floor(supernode_accelerators / accelerators_per_replica)
    full = np.floor(accelerators / supernode_accelerators)
    rest = np.floor((accelerators - full * supernode_accelerators) / accelerators_per_replica)
    taken = np.ceil(accelerators_per_replica / supernode_accelerators)
    over = np.floor(np.ceil(accelerators / supernode_accelerators) / taken)
    over = np.minimum(over, np.floor(accelerators / accelerators_per_replica))
    return np.where(inside >= 1, full * inside + rest, over)


@quantity(unit="1", source="definition")
def replicas_per_supernode(*, supernode_accelerators: Array, accelerators_per_replica: Array) -> Array:
    """Replicas of a SuperNode.

    Whole ones; a replica larger than a SuperNode takes whole SuperNodes, and this is one over their number.
    """
    inside = np.floor(supernode_accelerators / accelerators_per_replica)
    over = np.ceil(accelerators_per_replica / supernode_accelerators)
    return np.where(inside >= 1, inside, 1 / over)


@quantity(unit="1", source=_SPARES, leaf=True)
def spare_replicas(*, replicas: Array, replica_availability: Array, availability: Array) -> Array:
    """Replicas beyond those needed, for the availability target.

    The smallest s with P(at least n of n + s are up) >= A, each up with chance a on its own: a binomial
    law, as a regularised beta function I_a(n, s + 1). Infinite where no number is enough.
    """
    known = ~(np.isnan(replicas) | np.isnan(replica_availability) | np.isnan(availability))
    certain = replica_availability >= 1
    possible = known & (replicas > 0) & (replica_availability > 0) & (availability < 1) & ~certain
    needed, up, wanted = (
        np.where(possible, item, 0.5) for item in (replicas, replica_availability, availability)
    )
    count = np.maximum(np.ceil(btdtrib(needed, wanted, up) - 1), 0.0)
    # The inverse is not exact to the last digit: the neighbours decide.
    fewer = np.maximum(count - 1, 0.0)
    count = np.where(betainc(needed, fewer + 1, up) >= wanted, fewer, count)
    count = np.where(betainc(needed, count + 1, up) >= wanted, count, count + 1)
    least = np.where(possible, count, np.where(certain | (replicas <= 0) | (availability <= 0), 0.0, np.inf))
    return np.where(known, least, np.nan)


@quantity(unit="1", source="definition")
def promised_spares(*, availability: Array, spare_replicas: Array) -> Array:
    """Spare replicas for the availability target: none where no availability target is set."""
    return np.where(np.isnan(availability) | (availability <= 0), 0.0, spare_replicas)


@quantity(unit="1", source="definition", leaf=True)
def replicas_lost(
    *, failure_domain_accelerators: Array, accelerators_per_replica: Array, replicas_per_supernode: Array
) -> Array:
    """Replicas that the failure of one domain takes away, at most.

    A replica that has a part in it is lost as a whole. Replicas of r accelerators side by side on domains of m: the
    worst of all domains begins r - gcd(r, m) inside one, and so touches 1 + ceil((m - gcd(r, m)) / r) of them; never
    more than a SuperNode holds, as only whole ones are laid there.

    Parameters
    ----------
    failure_domain_accelerators : 0 where a replica fails by itself
    accelerators_per_replica : with the gaps that it leaves in scale-up domains
    """
    known = ~(
        np.isnan(failure_domain_accelerators)
        | np.isnan(accelerators_per_replica)
        | np.isnan(replicas_per_supernode)
    )
    domain = np.rint(np.where(known, failure_domain_accelerators, 0.0)).astype(np.int64)
    size = np.maximum(np.rint(np.where(known, accelerators_per_replica, 1.0)).astype(np.int64), 1)
    touched = 1 + np.ceil((domain - np.gcd(size, domain)) / size)
    lost = np.where(domain > 0, np.minimum(touched, np.maximum(replicas_per_supernode, 1.0)), 1.0)
    return np.where(known, lost, np.nan)


@quantity(unit="1", source="definition")
def most_replicas_lost(*, by_kind: tuple[Array, ...]) -> Array:
    """Replicas that one failure takes away, on the kind of SuperNode where that is most."""
    return functools.reduce(np.maximum, by_kind)


@quantity(unit="1", source="definition (N + k redundancy)")
def redundant_replicas(*, n_plus: Array, replicas_lost: Array) -> Array:
    """Replicas beyond those needed, for N+k at peak."""
    return n_plus * replicas_lost


@quantity(unit="1", source="definition")
def spares_that_rule(*, spares_by_availability: Array, spares_by_redundancy: Array) -> Array:
    """Spare replicas: as many as the availability target needs, and as N + k does.

    The more of the two: replicas that stand in for those that happen to be away do so for a lost domain too.
    """
    return np.maximum(spares_by_availability, spares_by_redundancy)


@quantity(unit="1", source="definition", key=True)
def supernodes_needed(*, replicas: Array, replicas_per_supernode: Array) -> Array:
    """SuperNodes needed: at its peak, whole ones."""
    return np.ceil(replicas / replicas_per_supernode - ROUNDING)


@quantity(unit="1", source=_SPARES, key=True)
def supernodes_needed_with_headroom(
    *, replicas: Array, spare_replicas: Array, replicas_per_supernode: Array
) -> Array:
    """SuperNodes needed, including spares: replicas that stand in for failed ones."""
    return np.ceil((replicas + spare_replicas) / replicas_per_supernode - ROUNDING)


@quantity(unit="1", source="definition")
def supernodes_of_all_kinds(*, by_kind: tuple[Array, ...]) -> Array:
    """SuperNodes that a demand needs, of all kinds that a replica is on."""
    return sum(by_kind[1:], start=by_kind[0])


@quantity(unit="1", source="definition")
def fewest_per_supernode(*, by_kind: tuple[Array, ...]) -> Array:
    """Replicas for each SuperNode of the kind of which a replica takes most."""
    return functools.reduce(np.minimum, by_kind)


@quantity(unit="1", source="definition")
def peak_load_share(*, requests_per_s: Array, replicas: Array, requests_per_s_per_replica: Array) -> Array:
    """Share of what the replicas can answer, that the peak asks for: rounding up leaves the rest."""
    return requests_per_s / (replicas * requests_per_s_per_replica)


@quantity(unit="1", source="definition")
def autoscaled_share(*, replicas: Array, replicas_at_mean: Array) -> Array:
    """Share of the hours of replicas that are needed if they follow the demand.

    At least: replicas for the mean over those for the peak. Starting one takes time, and some stay ready.
    """
    return replicas_at_mean / replicas


@dataclass(frozen=True, slots=True, kw_only=True)
class Redundancy:
    """The SLO of failures, and how a replica and its neighbours fail."""

    replica_availability: Array
    availability: Array
    n_plus: Array
    replicas_lost: Array

    def by_availability(self, replicas: Array) -> Array:
        """Spares of so many replicas that the availability target needs."""
        return promised_spares(
            availability=self.availability,
            spare_replicas=spare_replicas(
                replicas=replicas,
                replica_availability=self.replica_availability,
                availability=self.availability,
            ),
        )

    def by_redundancy(self) -> Array:
        """Spares that N + k needs, whatever the replicas."""
        return redundant_replicas(n_plus=self.n_plus, replicas_lost=self.replicas_lost)


def sizing(
    *,
    requests_per_s: Array,
    peak_to_mean: Array,
    growth_per_year: Array,
    years: Array,
    requests_per_s_per_replica: Array,
    accelerators_per_replica: Array,
    placed_accelerators: tuple[Array, ...],
    supernode_accelerators: tuple[Array, ...],
    replica_availability: Array,
    availability: Array,
    n_plus: Array,
    failure_domain_accelerators: tuple[Array, ...],
) -> Sizing:
    """All of it, for the last of the years.

    Parameters
    ----------
    requests_per_s : mean over today's year [1/s]
    requests_per_s_per_replica : within the service level [1/s]
    placed_accelerators : of a replica on each kind of SuperNode that it is on, with its gaps in scale-up domains [1]
    supernode_accelerators : of a SuperNode of each of these kinds [1]
    replica_availability : share of the time that one replica is up [1]
    availability : share of the time that enough replicas must be up; not a number or 0: no promise, no spares
    n_plus : failure domains that may be lost in the busiest hour [1]
    failure_domain_accelerators : of one, of each kind; 0 where a replica fails by itself [1]
    """
    mean = grown_requests_per_s(requests_per_s=requests_per_s, growth_per_year=growth_per_year, years=years)
    peak = peak_requests_per_s(mean_requests_per_s=mean, peak_to_mean=peak_to_mean)
    each = {"requests_per_s_per_replica": requests_per_s_per_replica}
    replicas = replicas_needed(requests_per_s=peak, **each)
    at_mean = replicas_needed(requests_per_s=mean, **each)
    inside = tuple(
        replicas_per_supernode(supernode_accelerators=there, accelerators_per_replica=placed)
        for there, placed in zip(supernode_accelerators, placed_accelerators, strict=True)
    )
    of_kinds = tuple(
        replicas_lost(
            failure_domain_accelerators=domain, accelerators_per_replica=placed, replicas_per_supernode=held
        )
        for domain, placed, held in zip(failure_domain_accelerators, placed_accelerators, inside, strict=True)
    )
    one = len(inside) == 1
    lost = of_kinds[0] if one else most_replicas_lost(by_kind=of_kinds)
    redundancy = Redundancy(
        replica_availability=replica_availability,
        availability=availability,
        n_plus=n_plus,
        replicas_lost=lost,
    )
    by_availability = redundancy.by_availability(replicas)
    by_redundancy = redundancy.by_redundancy()
    spares = spares_that_rule(spares_by_availability=by_availability, spares_by_redundancy=by_redundancy)
    at_peak = tuple(supernodes_needed(replicas=replicas, replicas_per_supernode=each) for each in inside)
    headroom = tuple(
        supernodes_needed_with_headroom(replicas=replicas, spare_replicas=spares, replicas_per_supernode=each)
        for each in inside
    )
    return Sizing(
        peak_requests_per_s=peak,
        replicas=replicas,
        replicas_at_mean=at_mean,
        replicas_lost=lost,
        spares_by_availability=by_availability,
        spares_by_redundancy=by_redundancy,
        spare_replicas=spares,
        accelerators_per_replica=accelerators_per_replica,
        accelerators=accelerators_needed(
            replicas=replicas, accelerators_per_replica=accelerators_per_replica
        ),
        accelerators_with_headroom=accelerators_needed(
            replicas=replicas + spares, accelerators_per_replica=accelerators_per_replica
        ),
        replicas_per_supernode=inside[0] if one else fewest_per_supernode(by_kind=inside),
        supernodes=at_peak[0] if one else supernodes_of_all_kinds(by_kind=at_peak),
        supernodes_with_headroom=headroom[0] if one else supernodes_of_all_kinds(by_kind=headroom),
        supernodes_of_sides=at_peak,
        supernodes_with_headroom_of_sides=headroom,
        load_share=peak_load_share(requests_per_s=peak, replicas=replicas, **each),
        autoscaled_share=autoscaled_share(replicas=replicas, replicas_at_mean=at_mean),
    )
