"""What hosts send to hosts, group by group."""

from __future__ import annotations

from app.engine.fabric.sharing.demand import (
    AllToAll,
    Layout,
    all_to_all_between_domains,
    ring_between_domains,
    stages_between_domains,
)

SERVERS = Layout(hosts=8, domain_hosts=1, domain_accelerators=8)


def pairs(demand) -> list[tuple[int, int]]:
    return sorted(zip(demand.source.tolist(), demand.sink.tolist(), strict=True))


def test_replicas_of_a_stage_stand_side_by_side():
    ring = ring_between_domains(SERVERS, members=4, inner_ranks=8, amount=1.0)
    assert pairs(ring) == [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4)]


def test_replicas_with_others_between_them_are_further_apart():
    ring = ring_between_domains(SERVERS, members=4, inner_ranks=16, amount=1.0)
    assert pairs(ring) == [(0, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7), (6, 0), (7, 1)]


def test_a_group_that_is_not_full_closes_its_ring_earlier():
    ring = ring_between_domains(
        Layout(hosts=6, domain_hosts=1, domain_accelerators=8), members=4, inner_ranks=8, amount=1.0
    )
    assert pairs(ring)[4:] == [(4, 5), (5, 4)]


def test_hosts_of_a_rack_send_to_the_same_place_of_another():
    racks = Layout(hosts=6, domain_hosts=3, domain_accelerators=12)
    ring = ring_between_domains(racks, members=2, inner_ranks=1, amount=1.0)
    assert pairs(ring) == [(0, 3), (1, 4), (2, 5), (3, 0), (4, 1), (5, 2)]


def test_a_stage_sends_half_on_and_half_back():
    line = stages_between_domains(SERVERS, inner_ranks=32, amount=4.0, wraps=False)
    assert pairs(line) == [(0, 4), (1, 5), (2, 6), (3, 7), (4, 0), (5, 1), (6, 2), (7, 3)]
    assert set(line.amount.tolist()) == {2.0}
    round_ = stages_between_domains(SERVERS, inner_ranks=16, amount=4.0, wraps=True)
    assert (7, 1) in pairs(round_)
    assert (7, 1) not in pairs(stages_between_domains(SERVERS, inner_ranks=16, amount=4.0, wraps=False))


def test_an_all_to_all_of_everybody_stays_whole():
    everybody = all_to_all_between_domains(SERVERS, members=8, inner_ranks=1, amount=7.0)
    assert isinstance(everybody[0], AllToAll)


def test_an_all_to_all_in_groups_reaches_all_others_of_its_group():
    parts = all_to_all_between_domains(SERVERS, members=4, inner_ranks=1, amount=3.0)
    found = sorted(pair for part in parts for pair in pairs(part))
    assert found == [
        (one, other) for one in range(8) for other in range(8) if one != other and one // 4 == other // 4
    ]
    assert {amount for part in parts for amount in part.amount.tolist()} == {1.0}
