"""Switches and links of the networks beside the compute fabric, by hand and against what is printed."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.fabric.networks.counts import Tree
from app.engine.trace import Array
from tests.engine.fabric.networks.plans import NAN, in_band, networks, out_of_band, pod, sizes, storage
from tests.engine.fabric.pods import qm9700, sn5600


def value(array: Array) -> float:
    return float(array[0])


def counts(tree: Tree | None) -> tuple[float, ...]:
    assert tree is not None
    return tuple(value(each) for each in (tree.host_leaves, tree.storage_leaves, tree.spines, tree.cores))


def test_the_in_band_network_of_the_127_node_superpod_is_the_printed_one() -> None:
    """RA-11333-001 V11, tables 7 and 8: 8 switches; 254 + 8 + 8 + 4 links below leaves, 24 above."""
    tree = sizes(pod(127)).in_band
    assert counts(tree) == (6, 0, 2, 0)
    assert tree is not None
    assert value(tree.leaf_links) == 254 + 8 + 8 + 4
    assert value(tree.uplinks) == 24


def test_the_storage_links_of_the_127_node_superpod_are_the_printed_ones() -> None:
    """Table 8: 494 cables of DGX systems and between switches; 8 leaves of 32 down, 24 up are 4:3.

    Ten leaves and four spines carry them; the table has 16 switches and does not say which.
    """
    tree = sizes(pod(127, networks(storage=storage(storage_servers=12)))).storage
    assert counts(tree) == (8, 2, 4, 0)
    assert tree is not None
    assert value(tree.leaf_links) - 48 + value(tree.uplinks) == 494
    assert (value(tree.host_leaf_uplinks), value(tree.storage_leaf_uplinks)) == (24, 24)


def test_the_out_of_band_network_of_the_127_node_superpod_is_the_printed_one() -> None:
    """Tables 7 and 8: 8 access switches with two uplinks each; 108 power strips in 38 racks."""
    access = sizes(pod(127)).out_of_band
    assert access is not None
    assert value(access.power_strips) == 96 + 12
    assert (value(access.switches), value(access.uplinks)) == (8, 16)
    # 127 systems, 13 storage and 8 other servers, 48 + 14 + 8 switches
    assert value(access.managed_ports) == 127 + 21 + 70 + 108


def test_a_pair_of_leaves_takes_a_small_pod_without_spines() -> None:
    tree = sizes(pod(16, networks(in_band=in_band(switch=sn5600(), port_bandwidth_bytes_per_s=25e9)))).in_band
    assert counts(tree) == (2, 0, 0, 0)
    assert tree is not None
    assert value(tree.uplinks) == 0


def test_one_port_a_host_takes_one_leaf() -> None:
    assert counts(sizes(pod(16, networks(storage=storage(host_ports=1)))).storage) == (1, 0, 0, 0)


def test_a_large_storage_network_has_cores() -> None:
    """2,048 hosts: 57 pairs of 36 hosts, 110 links of 774 storage links; spines of 64 ports reach 64 leaves."""
    tree = sizes(pod(2048)).storage
    host_leaves, storage_leaves, spines, cores = counts(tree)
    assert (host_leaves, storage_leaves) == (2 * 57, 2 * 13)  # 4,096 x 0.189 / 4 = 194 servers, 776 links
    assert tree is not None
    assert value(tree.host_leaf_uplinks) == 27  # 36 x 3/4
    assert spines >= value(tree.uplinks) / 32
    assert cores == np.ceil(spines / 2)


@pytest.mark.parametrize("supernodes", [0, 1])
def test_nothing_to_join_has_no_networks(supernodes: float) -> None:
    built = sizes(pod(supernodes))
    assert built.storage is not None
    assert built.in_band is not None
    assert built.out_of_band is not None
    assert counts(built.storage) == counts(built.in_band) == (0, 0, 0, 0)
    assert value(built.storage.leaf_links) == value(built.in_band.leaf_links) == 0
    assert value(built.out_of_band.switches) == value(built.out_of_band.managed_ports) == 0


def test_networks_that_are_not_asked_for_are_not_built() -> None:
    built = sizes(pod(127, networks(storage=None, in_band=None, out_of_band=None)))
    assert (built.storage, built.in_band, built.out_of_band) == (None, None, None)


def test_an_access_switch_in_every_rack() -> None:
    """32 racks of four systems and 6 others."""
    access = sizes(pod(127, networks(out_of_band=out_of_band(switches_per_rack=1)))).out_of_band
    assert access is not None
    assert value(access.switches) == 38


def test_a_switch_of_unknown_size_leaves_what_depends_on_it_unknown() -> None:
    """No one knows how many switches the out-of-band network manages, nor what uplinks it has in-band."""
    unknown = storage(switch=qm9700(ports=NAN))
    built = sizes(pod(127, networks(storage=unknown)))
    assert built.storage is not None
    assert built.in_band is not None
    assert built.out_of_band is not None
    assert np.isnan(
        [value(tree.switches) for tree in (built.storage, built.in_band, built.out_of_band)]
    ).all()
    assert counts(sizes(pod(127, networks(storage=unknown, out_of_band=None))).in_band) == (6, 0, 2, 0)


def test_samples_are_sized_together() -> None:
    spread = storage(oversubscription=np.array([[1.0], [4 / 3], [3.0]]))
    tree = sizes(pod(127, networks(storage=spread))).storage
    assert tree is not None
    assert tree.host_leaf_uplinks.ravel().tolist() == [32, 24, 15]
