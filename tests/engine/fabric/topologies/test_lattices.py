"""Lattices: every formula against the graph, by brute force on small sizes."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.fabric.graph.measures import (
    diameter_and_mean,
    fewest_links_between_halves,
    is_connected,
    network_of,
)
from app.engine.fabric.topologies.lattices.places import near_equal_length
from tests.engine.fabric.pods import evaluate, nvl72, pod
from tests.engine.fabric.topologies.asks import (
    ask,
    diameter_of,
    first,
    host,
    links_of,
    shape_and_graph,
    switches_of,
)
from tests.support import number

FULL = [
    *(("torus_2d", 4, shape) for shape in ((2, 2), (3, 3), (3, 5), (2, 7), (4, 4), (1, 8), (3, 6))),
    *(("torus_3d", 6, shape) for shape in ((2, 2, 2), (3, 2, 3), (4, 2, 2))),
    *(("full_mesh", 11, (places,)) for places in (2, 3, 6, 7, 12)),
    *(("nd_full_mesh", 12, shape) for shape in ((3, 4), (3, 3, 2), (2, 2, 2, 2), (5, 3), (2, 8), (7, 2))),
    *(
        ("hammingmesh", 4, shape)
        for shape in ((2, 2, 2, 2), (1, 2, 2, 4), (3, 2, 2, 1), (2, 2, 4, 1), (4, 1, 4, 1), (3, 1, 3, 1))
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("topology", "ports", "shape"), FULL)
def test_a_full_lattice_is_as_its_formulas_say(topology: str, ports: int, shape: tuple[int, ...]) -> None:
    counted, graph = shape_and_graph(ask(topology, int(np.prod(shape)), ports, shape))
    network = network_of(graph)
    diameter, mean = diameter_and_mean(network)
    assert is_connected(network)
    assert diameter == diameter_of(counted)
    assert mean == pytest.approx(first(counted.mean_path_links), rel=1e-12)
    assert fewest_links_between_halves(network) == first(counted.bisection_links)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hosts", "shape", "oversubscription"),
    [(8, (4,), 1), (8, (2, 2), 1), (9, (3, 3), 1), (8, (2, 4), 2), (12, (3, 2, 2), 1)],
)
def test_a_full_hyperx_is_as_its_formulas_say(
    hosts: int, shape: tuple[int, ...], oversubscription: int
) -> None:
    asked = ask("hyperx", hosts, 4, shape, oversubscription=oversubscription)
    counted, graph = shape_and_graph(asked)
    network = network_of(graph)
    diameter, mean = diameter_and_mean(network)
    router = graph.links.upper[graph.of_tier("router")] - graph.of_kind("router")[0]
    assert network.endpoints == 4 * hosts
    assert diameter == diameter_of(counted)
    assert mean == pytest.approx(first(counted.mean_path_links), rel=1e-12)
    assert fewest_links_between_halves(network, router) == first(counted.bisection_links)


@pytest.mark.parametrize(
    ("hosts", "shape", "ports", "switches"),
    [(64, (4, 4, 4), 6, 48), (128, (4, 4, 8), 6, 48), (192, (4, 4, 12), 12, 96), (48, (4, 12), 4, 8)],
)
def test_circuits_make_the_same_torus(hosts: int, shape: tuple[int, ...], ports: int, switches: int) -> None:
    asked = ask(f"torus_{len(shape)}d", hosts, ports, shape, circuit_switches=True)
    counted, graph = shape_and_graph(asked)
    cabled, _ = shape_and_graph(ask(f"torus_{len(shape)}d", hosts, ports, shape))
    diameter, mean = diameter_and_mean(network_of(graph))
    assert switches_of(counted) == switches
    assert diameter == diameter_of(counted) == diameter_of(cabled)
    assert mean == pytest.approx(first(cabled.mean_path_links), rel=1e-12)
    assert first(counted.bisection_links) == first(cabled.bisection_links)
    # each circuit is two fibres
    links = links_of(counted)
    assert links["cube"] + links["circuit"] / 2 == sum(links_of(cabled).values())


def test_a_pod_of_tpu_cubes_has_48_circuit_switches_of_128_ports() -> None:
    """Jouppi et al., ISCA 2023: 64 cubes of 4 x 4 x 4, 96 optical links each, on 48 circuit switches."""
    counted, graph = shape_and_graph(ask("torus_3d", 4096, 6, (16, 16, 16), circuit_switches=True))
    assert switches_of(counted) == 48
    assert links_of(counted) == {"cube": 64 * 144, "circuit": 64 * 96}
    on_each = np.bincount(graph.links.upper[graph.of_tier("circuit")], minlength=graph.device_count)
    assert set(on_each[graph.of_kind("circuit_switch")]) == {128}
    assert first(counted.units) == 64
    assert links_of(counted)["circuit"] / 4096 == 1.5  # optics of a chip
    fabric = evaluate(
        pod(4096, topology="torus_3d", circuit_switches=True, shape=tuple(number(16) for _ in range(3))),
        host(6),
    )
    assert [tier.name for tier in fabric.tiers] == ["cube", "circuit"]
    assert fabric.tiers[1].switch_modules == 0
    assert first(fabric.tiers[1].ports_used) == 2.0  # 128 on a switch of 64 ports: it is named a problem


def test_a_torus_by_hand() -> None:
    """4 x 8 hosts with eight NICs: two links in each of four directions."""
    fabric = evaluate(pod(32, topology="torus_2d"), host(8))
    assert [(tier.name, first(tier.links)) for tier in fabric.tiers] == [
        ("dimension_1", 64),
        ("dimension_2", 64),
    ]
    assert first(fabric.switches_total) == 0
    assert first(fabric.cables_total) == first(fabric.links_total) == 128  # no cable carries two links
    assert first(fabric.modules_total) == 128  # 8 x 32 ends, twin-port
    assert first(fabric.bisection_bandwidth_bytes_per_s) == 2 * 2 * 4 * 50e9
    assert first(fabric.diameter_links) == 2 + 4
    assert first(fabric.mean_distance_links) == pytest.approx(32 / 31 * (1 + 2))
    # of what a node sends, 8 / 4 hops along the longer rings over two directions of two links
    assert first(fabric.oversubscription) == pytest.approx(8 * 2 * 32 / 31 / 4)
    # five nodes pass on: 12 NICs, 12 optical ends, 6 cables of 20 m
    assert first(fabric.latency_s) == pytest.approx(12 * 600e-9 + 12 * 100e-9 + 120 * 4.5e-9)


def test_a_hammingmesh_of_two_by_two_boards_has_a_quarter_of_its_bandwidth_globally() -> None:
    """Hoefler et al. 2022: Hx2Mesh 25 %, Hx4Mesh 12.5 % of the injection bandwidth, of large meshes."""
    for side, share in ((2, 0.25), (4, 0.125)):
        counted, _ = shape_and_graph(ask("hammingmesh", side**2 * 32**2, 4, (side, side, 32, 32)))
        assert 1 / first(counted.oversubscription) == pytest.approx(share, rel=0.04)


def test_the_full_mesh_of_eight_is_that_of_an_accelerator_board() -> None:
    """Eight devices with seven links each: 28 links, 16 of them cut by halving."""
    counted, _ = shape_and_graph(ask("full_mesh", 8, 7))
    assert links_of(counted) == {"dimension_1": 28}
    assert first(counted.bisection_links) == 16
    assert first(counted.oversubscription) == 1


@pytest.mark.parametrize(
    ("hosts", "dimensions", "shape"),
    [
        (1, 2, (1, 1)),
        (2, 2, (1, 2)),
        (12, 2, (3, 4)),
        (2048, 3, (8, 16, 16)),
        (127, 2, (8, 16)),
        (96, 5, (2, 2, 2, 3, 4)),
    ],
)
def test_lengths_that_are_left_open_are_near_equal(
    hosts: int, dimensions: int, shape: tuple[int, ...]
) -> None:
    found = [
        near_equal_length(places=number(hosts), dimensions=number(dimensions), axis=number(axis))
        for axis in range(dimensions)
    ]
    assert tuple(first(length) for length in found) == shape


def test_lengths_of_many_samples_at_once() -> None:
    hosts = np.array([[12.0], [np.nan], [2048.0]])
    found = near_equal_length(places=hosts, dimensions=number(2), axis=number(0))
    assert found.shape == hosts.shape
    assert found[[0, 2], 0].tolist() == [3, 32]
    assert np.isnan(found[1, 0])


@pytest.mark.slow
@given(
    topology=st.sampled_from(["torus_2d", "torus_3d", "full_mesh", "nd_full_mesh", "hyperx", "hammingmesh"]),
    hosts=st.integers(2, 150),
    ports=st.integers(1, 12),
    planes=st.integers(1, 2),
    circuits=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_shape_and_graph_agree_and_no_port_is_used_twice(
    topology: str, hosts: int, ports: int, planes: int, circuits: bool
) -> None:
    asked = ask(topology, hosts, ports, planes=planes, circuit_switches=circuits and "torus" in topology)
    counted, graph = shape_and_graph(asked)
    of_tiers = {name: graph.of_tier(name).size for name in graph.tiers}
    assert of_tiers == {name: planes * links for name, links in links_of(counted).items()}
    assert graph.device_count - hosts == planes * switches_of(counted)
    links = graph.links
    ends = np.r_[links.lower, links.upper], np.r_[links.lower_port, links.upper_port]
    assert len(np.unique(np.stack(ends), axis=1).T) == 2 * graph.link_count
    assert (ends[1] >= 0).all()
    on_hosts = ends[1][np.isin(ends[0], graph.of_kind("host"))]
    assert on_hosts.max(initial=0) < ports * planes
    if topology == "hyperx":
        on_switches = ends[1][np.isin(ends[0], graph.of_kind("router"))]
        assert on_switches.max() < first(asked.plugs.switch_radix)


@pytest.mark.slow
@given(
    topology=st.sampled_from(["torus_2d", "torus_3d", "nd_full_mesh", "hammingmesh"]),
    hosts=st.integers(2, 60),
    circuits=st.booleans(),
)
@settings(max_examples=30, deadline=None)
def test_a_lattice_that_is_partly_filled_is_connected_and_no_wider(
    topology: str, hosts: int, circuits: bool
) -> None:
    asked = ask(topology, hosts, 12, circuit_switches=circuits and "torus" in topology)
    counted, graph = shape_and_graph(asked)
    network = network_of(graph)
    assert is_connected(network)
    assert diameter_and_mean(network)[0] <= diameter_of(counted)


def test_places_are_the_nodes_of_racks() -> None:
    """Two racks of 18 trays with four NICs each: a ring of NICs each way along both dimensions."""
    counted, graph = shape_and_graph(ask("torus_2d", 2, server=nvl72()))
    assert graph.of_kind("host").size == 36
    assert links_of(counted) == {"dimension_1": 36, "dimension_2": 36}
    assert network_of(graph).endpoints == 36


def test_more_hosts_than_places_are_left_out() -> None:
    counted, graph = shape_and_graph(ask("torus_2d", 20, 4, (4, 4)))
    assert graph.of_kind("host").size == 20
    assert sum(links_of(counted).values()) == graph.link_count == 32
    assert not is_connected(network_of(graph))


def test_unpublished_nics_leave_links_unknown() -> None:
    server = dataclasses.replace(host(4), scale_out_nics=number(np.nan))
    counted, graph = shape_and_graph(ask("torus_2d", 16, server=server))
    assert np.isnan(list(links_of(counted).values())).all()
    assert graph.link_count == 0
