"""Spares: of what grain, how many, how often they run out, and what a run waits then.

The replacement unit is a host, a tray or, in a torus that circuit switches join, a cube. The number of units
away at any moment follows a Poisson distribution. A spare host or cube is on and steps in at once. A tray works only
in the domain that it belongs to: its spare lies in stores, and its place stays empty until someone has put it
in or the tray is back from its reset, unless accelerators of the domain are kept in reserve.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, pdtr, pdtrc, pdtrik, xlogy

from app.engine.quantities import quantity
from app.engine.trace import Array

_POISSON = "[1] Palm's theorem: units in repair at constant failure rate are Poisson distributed"
_ERLANG = "[1] Erlang 1917, loss formula; [2] Kelly 1979, Reversibility and Stochastic Networks: any repair time of that mean"
_TAIL = 12.0
"""Deviations above the mean in repair, beyond which nothing is counted."""
_LARGEST_LOGARITHM = 700.0
_MOST_MISSING = 10_000
"""Missing units that are counted: more would be no run."""
_MOST_AT_ONCE = 2_000_000
"""Probabilities that are held at once, of some samples after the others."""
_ELASTIC = (
    "[1] Gemini 2.5 technical report, arXiv 2507.06261: training goes on with the slices that are left, at about 97 % "
    "of the throughput, while one is restored"
)
_CUBES = "[1] Jouppi et al., TPU v4, ISCA 2023, arXiv 2304.01433: circuit switches put a spare cube in place"

# scipy.stats has these by name, but loading it takes a fifth of the time that a server needs to start; where nothing
# else will do, `scipy.stats` is written out, which loads it when it is first used.


def _at_most(count: Array, mean: Array) -> Array:
    """Probability of `count` or fewer."""
    return np.where(count < 0, 0.0, pdtr(np.maximum(np.floor(count), 0), mean))


def _more_than(count: Array, mean: Array) -> Array:
    """Probability of more than `count`."""
    return np.where(count < 0, 1.0, pdtrc(np.maximum(np.floor(count), 0), mean))


def _all_out(ready: Array, mean: Array) -> Array:
    """Erlang's loss formula: probability that all of `ready` are out, where no more can be."""
    exactly = np.exp(xlogy(ready, mean) - mean - gammaln(ready + 1))
    fewer = pdtr(np.floor(ready), mean)
    return np.where(fewer > 0, exactly / np.where(fewer > 0, fewer, 1.0), 1.0)


def _mean_missing(ready: Array, away: Array, copies: Array, missing: Array) -> Array:
    """Mean of what is missing, of columns over the row of how many may be."""
    with np.errstate(divide="ignore"):
        steps = np.log(away / (ready + missing) * np.maximum(1 - (missing - 1) / copies, 0))
        none = np.minimum(-np.log(_all_out(ready, away)), _LARGEST_LOGARITHM)
    likely = np.cumsum(steps, axis=-1)
    largest = np.maximum(np.max(likely, axis=-1, keepdims=True), none)
    weight: Array = np.exp(likely - largest)
    total: Array = weight.sum(axis=-1) + np.exp(none - largest)[:, 0]
    mean: Array = (missing * weight).sum(axis=-1) / total
    return mean


def _smallest_enough(probability: Array, mean: Array) -> Array:
    """Smallest count that is not exceeded with this probability."""
    count = np.ceil(pdtrik(probability, np.where(mean > 0, mean, 1.0)))
    one_less = np.maximum(count - 1, 0)
    least = np.where(pdtr(one_less, mean) >= probability, one_less, count)
    return np.where(mean > 0, least, 0.0)


@quantity(unit="1", source=_CUBES, at="reliability.unit_accelerators")
def unit_accelerators(
    *, accelerators_per_supernode: Array, nodes_per_supernode: Array, cube_side: Array
) -> Array:
    """Accelerators that are replaced together.

    Those of a host or tray; of a cube where circuit switches join cubes to a torus.

    Parameters
    ----------
    cube_side : accelerators along the side of a cube; not a number where there are no cubes
    """
    return np.fmax(accelerators_per_supernode / nodes_per_supernode, cube_side**3)


@quantity(unit="1", source="definition")
def units_used(*, accelerators_used: Array, unit_accelerators: Array) -> Array:
    """Units that the job occupies."""
    return np.ceil(np.round(accelerators_used / unit_accelerators, 9))


@quantity(unit="1", source="definition")
def pod_units(*, supernodes: Array, accelerators_per_supernode: Array, unit_accelerators: Array) -> Array:
    """Units of the pod."""
    return np.floor(np.round(supernodes * accelerators_per_supernode / unit_accelerators, 9))


@quantity(unit="1", source="definition")
def idle_units(*, pod_units: Array, units_used: Array) -> Array:
    """Units of the pod that the job leaves free.

    They step in before any spare does.
    """
    return np.maximum(pod_units - units_used, 0)


@quantity(unit="1", source=_POISSON, at="reliability.units_in_repair")
def units_in_repair(*, by_component: tuple[Array, ...]) -> Array:
    """Mean number of units in repair."""
    return sum(by_component[1:], start=by_component[0])


@quantity(unit="days", source="definition")
def mean_away_days(*, units_in_repair: Array, node_failures_per_day: Array) -> Array:
    """Mean time that a unit is away."""
    return np.where(node_failures_per_day == 0, 0.0, units_in_repair / node_failures_per_day)


@quantity(unit="1", source=_POISSON, at="reliability.spare_units_recommended", leaf=True)
def spare_units_recommended(*, units_in_repair: Array, idle_units: Array, confidence: Array) -> Array:
    """Spare units for the wanted confidence.

    The smallest number that is enough with that probability, less those the job leaves free. Small
    pods need a larger share than large ones.
    """
    known = np.isfinite(units_in_repair)
    enough = _smallest_enough(confidence, np.where(known, units_in_repair, 0.0))
    return np.where(known, np.maximum(enough - idle_units, 0), np.nan)


@quantity(unit="1", source="definition", at="reliability.spare_units")
def spare_units(*, stated: Array, recommended: Array) -> Array:
    """Spare units: hosts, trays or cubes.

    As the scenario states, else as recommended.
    """
    return np.where(np.isnan(stated), recommended, stated)


@quantity(unit="1", source="definition", at="reliability.spare_supernodes", key=True)
def spare_supernodes(
    *, spare_units: Array, unit_accelerators: Array, accelerators_per_supernode: Array
) -> Array:
    """Spares in SuperNodes.

    A spare tray of 4 of 72 accelerators is 1/18 of a SuperNode, and costs as much.
    """
    return spare_units * unit_accelerators / accelerators_per_supernode


@quantity(unit="1", source="definition")
def part_of_domain(*, unit_accelerators: Array, domain_accelerators: Array, cube_side: Array) -> Array:
    """Units that work only in their own scale-up domain: 1 for trays, 0 for hosts and cubes."""
    return np.where((unit_accelerators < domain_accelerators) & np.isnan(cube_side), 1.0, 0.0)


@quantity(unit="1", source="definition", at="reliability.spare_supernodes_installed")
def spare_supernodes_installed(*, spare_supernodes: Array, part_of_domain: Array) -> Array:
    """Spares that stand in racks and draw power, in SuperNodes: hosts and cubes, while spare trays lie in stores."""
    return np.where(part_of_domain > 0, 0.0, spare_supernodes)


@quantity(unit="1", percent=True, source=_POISSON, at="reliability.spare_coverage", leaf=True)
def spare_coverage(*, units_in_repair: Array, spare_units: Array, idle_units: Array) -> Array:
    """Probability that spares are enough."""
    return _at_most(spare_units + idle_units, units_in_repair)


@quantity(unit="1", percent=True, source=_POISSON, at="reliability.availability", leaf=True)
def availability(
    *, units_in_repair: Array, spare_units: Array, idle_units: Array, units_used: Array
) -> Array:
    """Availability of the needed accelerators.

    1 - E[(D - S)+] / N with D units in repair, S spare or idle and N needed. Of the hardware alone: power and site
    are not in it.
    """
    ready = spare_units + idle_units
    missing = units_in_repair * _more_than(ready - 1, units_in_repair) - ready * _more_than(
        ready, units_in_repair
    )
    return np.clip(1 - missing / units_used, 0, 1)


@quantity(unit="1", source=_POISSON)
def units_in_repair_while_places_fill(
    *,
    units_in_repair: Array,
    mean_away_days: Array,
    empty_place_s: Array,
    copies_that_go_on: Array,
) -> Array:
    """Mean number of units in repair of a job that waits for trays to be put in: nothing of it fails meanwhile.

    a / (1 + a / T e / c), with e the time that a place stays empty after a failure of a unit.
    """
    away_s = np.where(mean_away_days > 0, mean_away_days, 1.0) * 24 * 3600
    longer: Array = 1 + units_in_repair / away_s * empty_place_s / copies_that_go_on
    fewer: Array = units_in_repair / longer
    return fewer


@quantity(unit="1", source=_ERLANG, leaf=True)
def missing_units(
    *, units_in_repair: Array, spare_units: Array, idle_units: Array, copies_that_go_on: Array
) -> Array:
    """Mean number of units that a job misses, none of which fails.

    With a in repair if nothing ever waited, S spare or idle and c copies that go on, j missing are t_j as likely as
    none with all spares out, t_j = product over i up to j of a / (S + i) (1 - (i - 1) / c): the mean of j. For c = 1,
    a job that waits as a whole, Erlang's loss formula of S + 1.

    Parameters
    ----------
    units_in_repair : a, in shape (samples, 1) or (1,)
    copies_that_go_on : c, at least 1
    """
    pool = np.broadcast_arrays(spare_units + idle_units, units_in_repair, copies_that_go_on)
    ready, away, copies = (part.ravel() for part in pool)
    most = away + _TAIL * (np.sqrt(away) + 1) - ready
    most = np.fmin(np.where(np.isfinite(most), most, 1.0), np.fmin(np.ceil(copies), _MOST_MISSING))
    missing = np.arange(1, max(np.max(most, initial=1.0), 1.0) + 1)
    at_once = max(1, _MOST_AT_ONCE // missing.size)
    means = [
        _mean_missing(ready[start:end, None], away[start:end, None], copies[start:end, None], missing)
        for start in range(0, ready.size, at_once)
        for end in (start + at_once,)
    ]
    mean: Array = np.concatenate(means).reshape(pool[0].shape)
    return mean


@quantity(unit="s", source=_ERLANG)
def shortage_wait_s(
    *,
    missing_units: Array,
    copies_that_go_on: Array,
    units_in_repair: Array,
    mean_away_days: Array,
) -> Array:
    """Mean time that a job loses to repairs after a failure of a unit.

    s / (1 - s) T / a: a share s = missing units / c of the time passes waiting, in the rest of it a unit fails every
    T / a. Where the job waits as a whole and finds no spare, T / (S + 1) on average.
    """
    share = missing_units / copies_that_go_on
    between_s = mean_away_days * 24 * 3600 / np.where(units_in_repair > 0, units_in_repair, 1.0)
    return share / (1 - share) * between_s


@quantity(unit="1", source="definition")
def domains_used(*, accelerators_used: Array, domain_accelerators_used: Array) -> Array:
    """Scale-up domains that the job runs in."""
    return np.ceil(np.round(accelerators_used / domain_accelerators_used, 9))


@quantity(unit="1", source="definition", at="reliability.reserve_units_per_domain")
def reserve_units_per_domain(
    *, domain_accelerators: Array, accelerators_used: Array, domains_used: Array, unit_accelerators: Array
) -> Array:
    """Units that the job leaves free in each scale-up domain: 2 trays of 4 where it runs on 64 of 72."""
    free = domain_accelerators - accelerators_used / domains_used
    return np.floor(np.round(np.maximum(free, 0) / unit_accelerators, 9))


@quantity(unit="s", source=_POISSON, leaf=True)
def empty_place_s(
    *,
    part_of_domain: Array,
    units_in_repair: Array,
    domains_used: Array,
    reserve_units_per_domain: Array,
    unit_return_s: Array,
) -> Array:
    """Mean time that the place of a failed unit stays empty.

    Until a tray is put in or back from its reset, where as many of the domain are away as it has in reserve; a spare
    host or cube needs no such time.
    """
    none_left = _more_than(reserve_units_per_domain - 1, units_in_repair / domains_used)
    return np.where(part_of_domain > 0, none_left * unit_return_s, 0.0)


@quantity(unit="1", source="definition")
def complete_copies(
    *, data_parallel: Array, tensor_parallel: Array, context_parallel: Array, expert_parallel: Array
) -> Array:
    """Copies of the model that hold all of its experts and could train without each other."""
    sharing_experts = np.maximum(expert_parallel / (tensor_parallel * context_parallel), 1)
    return np.maximum(np.floor(data_parallel / sharing_experts), 1)


@quantity(unit="1", source=_ELASTIC)
def copies_that_go_on(*, copies: Array, elastic_operation: Array) -> Array:
    """Copies of the model that train, by which the loss of one is shared.

    1 where a job cannot go on without all, so that it waits as a whole.
    """
    others: Array = np.maximum(copies, 1) - 1
    return 1 + elastic_operation * others


@quantity(unit="s", source=_ELASTIC, at="reliability.waiting_s")
def waiting_s(
    *,
    shortage_wait_s: Array,
    empty_place_s: Array,
    copies_that_go_on: Array,
    node_failures_per_day: Array,
    failures_per_day: Array,
) -> Array:
    """Mean wait for a working unit after an interruption.

    For a repair where no spare is left, and for a tray to be put in. Only failures of hardware take a unit away.
    While a job goes on with the copies of the model that are left, it waits for the part that is missing.
    """
    by_hardware = np.where(failures_per_day == 0, 0.0, node_failures_per_day / failures_per_day)
    return by_hardware * (shortage_wait_s + empty_place_s / copies_that_go_on)
