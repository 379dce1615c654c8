"""A fabric as arrays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.graph.graph import (
    NONE,
    FabricGraph,
    devices_of,
    joined_links,
    links_between,
    ports_in_order,
)
from app.engine.fabric.topologies import asked_of, topology_of
from tests.engine.fabric.pods import pod
from tests.support import assumptions, dgx_h100


def two_hosts_below_a_leaf() -> FabricGraph:
    devices, first = devices_of({"host": 2, "leaf": 1}, plane={"leaf": np.zeros(1, int)}, group={}, rail={})
    down = links_between(
        tier=0,
        lower=first["host"] + np.arange(2),
        upper=np.array([first["leaf"]]),
        lower_port=np.array([0]),
        upper_port=np.arange(2),
    )
    return FabricGraph(
        kinds=("host", "leaf"),
        tiers=("leaf", "spine"),
        devices=devices,
        links=joined_links([down]),
        link_bandwidth_bytes_per_s=np.full(2, 50e9),
    )


def test_devices_stand_kind_by_kind_and_are_numbered_within_it():
    graph = two_hosts_below_a_leaf()
    assert graph.device_count == 3
    assert graph.of_kind("host").tolist() == [0, 1]
    assert graph.of_kind("leaf").tolist() == [2]
    assert graph.of_kind("spine").tolist() == []
    assert graph.devices.number.tolist() == [0, 1, 0]
    assert graph.devices.plane.tolist() == [NONE, NONE, 0]


def test_links_keep_both_ends_and_their_ports():
    graph = two_hosts_below_a_leaf()
    assert graph.link_count == 2
    assert graph.of_tier("leaf").tolist() == [0, 1]
    assert graph.of_tier("spine").tolist() == graph.of_tier("core").tolist() == []
    assert graph.links.upper.tolist() == [2, 2]
    assert graph.links.upper_port.tolist() == [0, 1]
    assert graph.links.lower_port.tolist() == [0, 0]


def test_no_devices_make_an_empty_graph():
    devices, first = devices_of({"host": 0, "leaf": 0}, plane={}, group={}, rail={})
    assert devices.kind.size == 0
    assert first == {"host": 0, "leaf": 0}


@pytest.mark.slow
@given(arrays(np.int64, st.integers(0, 40), elements=st.integers(0, 6)), st.integers(0, 5))
def test_every_device_gets_its_ports_in_order_without_gaps(devices, first):
    ports = ports_in_order(devices, first)
    for device in np.unique(devices):
        mine = ports[devices == device]
        assert mine.tolist() == list(range(first, first + mine.size))


def test_the_graph_of_ends_is_the_graph_without_the_ports_of_switches():
    ask = asked_of(
        pod=pod(40, management_ports=4, planes=2),
        supernode=dgx_h100(),
        assumptions=assumptions("fabric", FabricAssumptions),
    )
    tree = topology_of("rail_fat_tree")
    whole, ends = tree.graph(ask), tree.graph_of_ends(ask)
    for name in ("tier", "lower", "upper"):
        assert np.array_equal(getattr(whole.links, name), getattr(ends.links, name))
    assert np.array_equal(whole.devices.kind, ends.devices.kind)
    assert whole.links.upper_port.min() == 0
    assert ends.links.upper_port[ends.of_tier("spine")].tolist() == [NONE] * ends.of_tier("spine").size
