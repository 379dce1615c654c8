"""Ports by cage and by number, in the words of InfiniBand and of Ethernet."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.fabric.cabling.ports import canonical_port, port_words
from app.engine.fabric.graph.graph import passes_on
from tests.engine.fabric.cabling.fabrics import pairs


@pytest.mark.parametrize(
    ("ethernet", "network", "host", "switch"),
    [
        (False, "compute", ["1", "2"], ["1/1", "1/2", "2/1"]),
        (True, "compute", ["rail1", "rail2"], ["swp1s0", "swp1s1", "swp2s0"]),
        (True, "in_band", ["in-band-1", "in-band-2"], ["swp1s0", "swp1s1", "swp2s0"]),
    ],
)
def test_two_links_share_a_cage(ethernet: bool, network: str, host: list[str], switch: list[str]):
    graph = pairs(3)
    words = port_words(graph, passes_on(graph), np.full(5, 2), ethernet=ethernet, network=network)
    hosts = words.of(np.zeros(2, int), np.arange(2), words.label)
    leaf = words.of(np.full(3, 3), np.arange(3), words.label)
    assert [one.decode() for one in hosts.tolist()] == host
    assert [one.decode() for one in leaf.tolist()] == switch
    assert words.of(np.full(3, 3), np.arange(3), words.cage).tolist() == [b"1", b"1", b"2"]
    assert words.of(np.full(3, 3), np.arange(3), words.place).tolist() == [b"1", b"2", b"1"]


def test_a_cage_of_one_link_has_no_second_number():
    graph = pairs(2)
    words = port_words(graph, passes_on(graph), np.ones(4, int), ethernet=False)
    assert words.of(np.array([2]), np.array([1]), words.label).tolist() == [b"2"]
    other = port_words(graph, passes_on(graph), np.ones(4, int), ethernet=True)
    assert other.of(np.array([2]), np.array([1]), other.label).tolist() == [b"swp2"]


def test_each_way_to_write_a_port_is_read_as_the_schedule_writes_it():
    graph = pairs(40)
    for ethernet in (False, True):
        for links in (1, 2, 4):
            words = port_words(graph, passes_on(graph), np.full(42, links), ethernet=ethernet)
            plain = port_words(graph, passes_on(graph), np.full(42, links), ethernet=False)
            read = [canonical_port(one.decode()) for one in words.label.tolist()]
            assert read == [one.decode() for one in plain.label.tolist()]


@pytest.mark.parametrize(
    ("written", "meant"),
    [(" 7 ", "7"), ("P61", "61"), ("swp12", "12"), ("sw3p2", "3/2"), ("mlx5_0", "1"), ("mlx5_3/P1", "4"),
     ("RAIL5", "5"), ("enp3s0np0", "enp3s0np0"), ("in-band-1", "in-band-1")],
)  # fmt: skip
def test_usual_names_of_ports(written: str, meant: str):
    assert canonical_port(written) == meant
