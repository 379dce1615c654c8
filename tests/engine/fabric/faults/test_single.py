"""The table of single failures, against every failure one by one."""

from __future__ import annotations

import pytest

from app.engine.fabric.faults.effect import effect
from app.engine.fabric.faults.failed import failed
from app.engine.fabric.faults.share import state_of
from app.engine.fabric.faults.single import single_failures
from tests.engine.fabric.faults.fabrics import leaves_and_spines, rail_fabric, three_tiers


@pytest.mark.parametrize(
    "graph",
    [
        leaves_and_spines(hosts=9, leaves=3, spines=2, up=2),
        rail_fabric(2),
        pytest.param(three_tiers(3), marks=pytest.mark.slow),
    ],
    ids=["two tiers", "one switch", "three tiers, partly filled"],
)
def test_each_row_is_the_worst_of_all_failures_of_its_kind(graph):
    whole = state_of(graph)
    for row in single_failures(whole):
        if row.part not in ("link", "switch"):
            continue
        every = graph.of_tier(row.name) if row.part == "link" else graph.of_kind(row.name)
        one = "links" if row.part == "link" else "devices"
        effects = [effect(whole, failed(graph, **{one: every[at : at + 1]}))[0] for at in range(every.size)]
        assert row.count == every.size
        assert badness(row.effect) == max(badness(found) for found in effects)


def badness(found):
    return found.reach.cut_off.sum(), -min(found.share.access, found.share.beyond)


def test_rows_go_from_the_hosts_upwards():
    rows = [(row.part, row.name) for row in single_failures(state_of(rail_fabric(64, planes=2)))]
    assert rows == [
        ("link", "leaf"), ("link", "spine"), ("switch", "leaf"), ("switch", "spine"), ("plane", ""), ("rail", ""),
    ]  # fmt: skip


def test_one_leaf_of_a_rail_fabric_cuts_nobody_off_but_the_only_leaf_of_a_host_does():
    rail = {(row.part, row.name): row for row in single_failures(state_of(rail_fabric(64)))}
    assert rail["switch", "leaf"].effect.reach.cut_off.sum() == 0
    single = leaves_and_spines(hosts=9, leaves=3, spines=2)
    plain = {(row.part, row.name): row for row in single_failures(state_of(single))}
    assert plain["switch", "leaf"].effect.reach.cut_off.sum() == 3
    assert plain["link", "leaf"].effect.reach.cut_off.sum() == 1
    assert plain["switch", "spine"].effect.share.beyond == 1 / 2
