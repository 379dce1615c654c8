"""Devices and links of the networks: as many as are counted, within the ports of the switches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from app.engine.fabric.graph.graph import FabricGraph
from app.engine.fabric.networks.counts import Sizes, Tree
from app.engine.fabric.networks.graphs import access_graph, tree_graph
from tests.engine.fabric.networks.plans import in_band, networks, pod, sizes, storage
from tests.engine.fabric.pods import nvl72

PODS = st.tuples(
    st.integers(2, 700), st.integers(1, 3), st.sampled_from([1, 4 / 3, 3, 12.25]), st.integers(0, 40)
)


def degrees(graph: FabricGraph, kind: str) -> np.ndarray:
    ends = np.r_[graph.links.lower, graph.links.upper]
    return np.bincount(ends, minlength=graph.device_count)[graph.of_kind(kind)]


def assert_as_counted(graph: FabricGraph, tree: Tree) -> None:
    for kind, count in (
        ("host", tree.hosts),
        ("leaf", tree.leaves),
        ("spine", tree.spines),
        ("core", tree.cores),
    ):
        assert graph.of_kind(kind).size == count[0], kind
    for tier, links in (("leaf", tree.leaf_links), ("spine", tree.uplinks), ("core", tree.core_links)):
        assert graph.of_tier(tier).size == links[0], tier


@pytest.mark.slow
@given(asked=PODS)
def test_a_tree_has_the_devices_and_links_that_are_counted(asked: tuple[int, int, float, int]) -> None:
    hosts, ports, over, servers = asked
    plan = storage(host_ports=ports, oversubscription=over, storage_servers=servers)
    tree = sizes(pod(hosts, networks(storage=plan))).storage
    assert tree is not None
    graph = tree_graph(tree)
    assert_as_counted(graph, tree)
    radix = 64
    assert all(degrees(graph, kind).max(initial=0) <= radix for kind in ("leaf", "spine", "core"))
    assert (degrees(graph, "host") == ports).all()


@pytest.mark.slow
@given(asked=PODS)
def test_no_two_links_share_a_port(asked: tuple[int, int, float, int]) -> None:
    hosts, ports, over, servers = asked
    plan = in_band(host_ports=ports, oversubscription=over, service_servers=servers)
    tree = sizes(pod(hosts, networks(in_band=plan))).in_band
    assert tree is not None
    links = tree_graph(tree).links
    ends = np.c_[np.r_[links.lower, links.upper], np.r_[links.lower_port, links.upper_port]]
    assert len(np.unique(ends, axis=0)) == len(ends)


@pytest.mark.slow
@given(hosts=st.integers(130, 2500))
def test_hosts_reach_each_other_and_lose_no_leaf_twice(hosts: int) -> None:
    """Each port of a host ends in another leaf, and spines join all leaves."""
    tree = sizes(pod(hosts)).storage
    assert tree is not None
    graph = tree_graph(tree)
    below = graph.links.upper[np.isin(graph.links.lower, graph.of_kind("host"))].reshape(hosts, 2)
    assert (below[:, 0] != below[:, 1]).all()
    ends = (graph.links.lower, graph.links.upper)
    joined = coo_array((np.ones(graph.link_count), ends), shape=(graph.device_count,) * 2)
    assert connected_components(joined)[0] == 1


@pytest.mark.slow
@given(hosts=st.integers(2, 600))
def test_the_out_of_band_network_has_a_port_for_everything(hosts: int) -> None:
    built = sizes(pod(hosts))
    access = built.out_of_band
    assert access is not None
    graph = access_graph(access)
    assert graph.of_kind("access").size == access.switches[0]
    assert graph.of_tier("access").size == access.managed_ports[0]
    assert graph.of_tier("uplink").size == access.uplinks[0]
    down = np.bincount(graph.links.upper, minlength=graph.device_count)[graph.of_kind("access")]
    assert down.max() <= 48
    assert kept_for_uplinks(built) >= access.uplinks[0]


def kept_for_uplinks(built: Sizes) -> float:
    """Ports of in-band leaves that neither servers and hosts nor links up take."""
    tree = built.in_band
    assert tree is not None
    return float((tree.leaves * 64 - tree.leaf_links - tree.uplinks)[0])


def test_trays_of_a_rack_are_hosts_each() -> None:
    tree = sizes(pod(8), nvl72()).in_band
    assert tree is not None
    assert tree_graph(tree).of_kind("host").size == pytest.approx(8 * 18)
