"""From a demand to SuperNodes: worked counts, spares against the binomial law."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.sizing import (
    Sizing,
    replicas_held,
    replicas_lost,
    replicas_needed,
    replicas_per_supernode,
    sizing,
    spare_replicas,
    supernodes_needed,
)
from tests.support import number


def sized(**changes: float) -> Sizing:
    usual = {
        "requests_per_s": 40, "peak_to_mean": 1, "growth_per_year": 0, "years": 0,
        "requests_per_s_per_replica": 10, "accelerators_per_replica": 8, "supernode_accelerators": 8,
        "replica_availability": 0.999, "availability": np.nan, "n_plus": 0, "failure_domain_accelerators": 0,
    }  # fmt: skip
    values = usual | changes
    values = {"placed_accelerators": values["accelerators_per_replica"]} | values
    given = {name: number(value) for name, value in values.items()}
    of_one_kind = ("placed_accelerators", "supernode_accelerators", "failure_domain_accelerators")
    return sizing(**given | {name: (given[name],) for name in of_one_kind})


def spares(replicas: float, up: float, promised: float) -> float:
    return float(
        spare_replicas(
            replicas=number(replicas), replica_availability=number(up), availability=number(promised)
        )[0]
    )


def at_least(needed: int, held: int, up: float) -> float:
    return sum(
        comb(held, count) * up**count * (1 - up) ** (held - count) for count in range(needed, held + 1)
    )


def held(accelerators: float, supernode: float, replica: float) -> float:
    found = replicas_held(
        accelerators=number(accelerators),
        supernode_accelerators=number(supernode),
        accelerators_per_replica=number(replica),
    )
    return float(found[0])


@pytest.mark.parametrize(
    ("accelerators", "supernode", "replica", "replicas"),
    [
        (216, 72, 48, 3),  # one on each rack: the 24 left on two of them are no replica
        (216, 72, 36, 6),
        (200, 72, 48, 3),  # the third rack lends 56
        (180, 72, 48, 2),
        (32, 8, 16, 2),  # over two SuperNodes
        (24, 8, 12, 1),
        (8, 8, 16, 0),
        (12, 8, 12, 1),  # of the second SuperNode only half is lent
    ],
)
def test_whole_replicas_supernode_by_supernode(
    accelerators: float, supernode: float, replica: float, replicas: float
) -> None:
    assert held(accelerators, supernode, replica) == replicas


@given(supernodes=st.integers(1, 20), supernode=st.integers(1, 100), replica=st.integers(1, 400))
def test_the_supernodes_that_replicas_need_hold_them(supernodes: int, supernode: int, replica: int) -> None:
    there = held(supernodes * supernode, supernode, replica)
    each = replicas_per_supernode(
        supernode_accelerators=number(supernode), accelerators_per_replica=number(replica)
    )
    if there:
        assert supernodes_needed(replicas=number(there), replicas_per_supernode=each)[0] <= supernodes
    more = supernodes_needed(replicas=number(there + 1), replicas_per_supernode=each)[0]
    assert more > supernodes
    assert held(more * supernode, supernode, replica) >= there + 1


def test_forty_accelerators_are_five_replicas() -> None:
    assert held(40, 8, 8) == 5
    assert held(47, 8, 8) == 5
    found = sized(requests_per_s=50)
    assert (found.replicas[0], found.accelerators[0], found.supernodes[0]) == (5, 40, 5)
    assert found.load_share[0] == 1


def test_peak_and_growth() -> None:
    """20 requests/s, a quarter more each year for two years, three times as many at the peak: 93.75."""
    found = sized(requests_per_s=20, growth_per_year=0.25, years=2, peak_to_mean=3)
    assert found.peak_requests_per_s[0] == pytest.approx(93.75)
    assert (found.replicas[0], found.replicas_at_mean[0]) == (10, 4)
    assert found.autoscaled_share[0] == pytest.approx(0.4)
    assert found.load_share[0] == pytest.approx(0.9375)


def test_replicas_within_and_over_supernodes() -> None:
    """NVL72 holds 4 replicas of 16 and leaves 8 accelerators; one of 144 takes two whole SuperNodes."""
    found = sized(accelerators_per_replica=16, supernode_accelerators=72, requests_per_s=90)
    assert (found.replicas_per_supernode[0], found.replicas[0], found.supernodes[0]) == (4, 9, 3)
    found = sized(accelerators_per_replica=144, supernode_accelerators=72)
    assert (found.replicas[0], found.supernodes[0]) == (4, 8)
    third = replicas_per_supernode(supernode_accelerators=number(8), accelerators_per_replica=number(24))
    assert third[0] == pytest.approx(1 / 3)
    found = sized(accelerators_per_replica=24, requests_per_s=210)
    assert found.supernodes[0] == 63  # 21 / (1/3), not one more


def test_rounding_is_no_replica() -> None:
    assert replicas_needed(requests_per_s=number(0.3), requests_per_s_per_replica=number(0.1))[0] == 3
    assert replicas_needed(requests_per_s=number(0), requests_per_s_per_replica=number(10))[0] == 1
    assert np.isnan(replicas_needed(requests_per_s=number(1), requests_per_s_per_replica=number(0))[0])


@given(needed=st.integers(1, 60), up=st.floats(0.5, 0.9999), promised=st.floats(0.5, 0.99999))
def test_spares_as_the_binomial_law(needed: int, up: float, promised: float) -> None:
    count = int(spares(needed, up, promised))
    assert at_least(needed, needed + count, up) >= promised - 1e-9
    if count:
        assert at_least(needed, needed + count - 1, up) < promised + 1e-9


def test_limits_of_spares() -> None:
    assert spares(5, 1, 0.999) == spares(5, 0.9, 0) == 0
    assert np.isinf(spares(5, 0.99, 1))
    assert np.isinf(spares(5, 0, 0.9))
    assert np.isnan(spares(np.nan, 0.99, 0.9))
    assert np.isnan(spares(5, np.nan, 0.9))
    assert sized().spare_replicas[0] == 0  # no SLO is set
    found = sized(availability=0.9999, replica_availability=0.99)
    assert found.spare_replicas[0] == 2
    assert found.supernodes_with_headroom[0] == found.supernodes[0] + 2
    assert found.accelerators_with_headroom[0] == 48


def lost(domain: float, replica: float, held: float) -> float:
    found = replicas_lost(
        failure_domain_accelerators=number(domain),
        accelerators_per_replica=number(replica),
        replicas_per_supernode=number(held),
    )
    return float(found[0])


@pytest.mark.parametrize(
    ("domain", "replica", "held", "replicas"),
    [
        (0, 8, 1, 1),  # an instance by itself
        (4, 8, 9, 1),  # a tray of an NVL72 below a replica of two of them
        (4, 2, 36, 2),
        (4, 6, 12, 2),  # every other tray has halves of two replicas
        (8, 3, 24, 4),  # a part of one, two whole, a part of another
        (8, 3, 2, 2),  # a server by itself holds two whole ones
        (72, 16, 4, 4),  # a SuperNode with all of them
        (72, 144, 0.5, 1),  # a replica over two SuperNodes is lost with either
    ],
)
def test_replicas_that_fail_together(domain: float, replica: float, held: float, replicas: float) -> None:
    assert lost(domain, replica, held) == replicas


@given(domain=st.integers(1, 40), replica=st.integers(1, 40))
def test_lost_replicas_are_those_of_the_worst_domain(domain: int, replica: int) -> None:
    """Replicas side by side, each slot with its replica and its domain."""
    slots = np.arange(domain * replica)
    worst = max(np.unique(slots[slots // domain == one] // replica).size for one in range(replica))
    assert lost(domain, replica, 1e9) == worst


def test_unknown_domains_stay_unknown() -> None:
    assert np.isnan(lost(np.nan, 8, 1))


def test_n_plus_one_by_hand() -> None:
    """45 requests/s on replicas that answer 10: five, and one more, or with racks of four replicas four more."""
    bare = sized(requests_per_s=45)
    assert (bare.replicas[0], bare.accelerators_with_headroom[0]) == (5, 40)  # N+0 without availability
    one = sized(requests_per_s=45, n_plus=1)
    assert (one.spare_replicas[0], one.accelerators_with_headroom[0]) == (1, 48)
    racks = {"requests_per_s": 45, "accelerators_per_replica": 16, "supernode_accelerators": 72}
    rack = sized(**racks, n_plus=1, failure_domain_accelerators=72)
    assert (rack.replicas_lost[0], rack.spare_replicas[0]) == (4, 4)
    assert (rack.supernodes[0], rack.supernodes_with_headroom[0]) == (2, 3)


def test_the_stricter_of_availability_and_n_plus_rules() -> None:
    usual = {"requests_per_s": 45, "replica_availability": 0.9, "availability": 0.999}
    by_availability = sized(**usual).spare_replicas[0]
    assert by_availability > 1
    few, many = sized(**usual, n_plus=1), sized(**usual, n_plus=9)
    assert (few.spares_by_redundancy[0], few.spare_replicas[0]) == (1, by_availability)
    assert (many.spares_by_availability[0], many.spare_replicas[0]) == (by_availability, 9)
    assert sized(**usual | {"availability": 0}).spare_replicas[0] == 0


@pytest.mark.slow
def test_more_redundancy_never_needs_fewer_accelerators() -> None:
    """300 random designs: one more domain, a wider one, and a higher availability."""
    draws = np.random.default_rng(7)
    for _ in range(300):
        usual = {
            "requests_per_s": draws.uniform(1, 900), "requests_per_s_per_replica": draws.uniform(0.5, 50),
            "accelerators_per_replica": draws.integers(1, 100), "supernode_accelerators": draws.choice([8, 64, 72, 384]),
            "replica_availability": draws.uniform(0.9, 0.9999), "availability": draws.choice([0, 0.9, 0.999]),
            "n_plus": draws.integers(0, 4), "failure_domain_accelerators": draws.choice([0, 4, 8]),
        }  # fmt: skip
        found = sized(**usual)
        more = (
            sized(**usual | {"n_plus": usual["n_plus"] + 1}),
            sized(**usual | {"failure_domain_accelerators": usual["supernode_accelerators"]}),
            sized(**usual | {"availability": 0.9999}),
        )
        assert found.accelerators_with_headroom[0] >= found.accelerators[0]
        for one in more:
            assert one.accelerators_with_headroom[0] >= found.accelerators_with_headroom[0]
            assert one.supernodes_with_headroom[0] >= found.supernodes_with_headroom[0]
