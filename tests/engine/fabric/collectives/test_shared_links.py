"""Slowdown of exchanges by shared links, against the load of every link of the graph, routed here by itself."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.collectives.shared_links import Block, Pattern, SharedLinks, nothing_shared, slowdown
from app.engine.fabric.graph.graph import HOST, FabricGraph
from app.engine.fabric.topologies import asked_of, topology_of
from tests.engine.fabric.pods import pod, qm9700
from tests.support import assumptions, dgx_h100, number, part_of

HOST_ACCELERATORS, NICS = 8, 8
TREE = {
    "oversubscription": 2,
    "scalable_unit_supernodes": 8,
    "switch": qm9700(ports=24, max_logical_ports=24),
}
SMALL = qm9700(ports=16, max_logical_ports=16)
DESIGNS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "rail_fat_tree 2:1": ("rail_fat_tree", 32, TREE | {"switch": qm9700(ports=64, max_logical_ports=64)}),
    "rail_fat_tree 2:1 over three tiers": ("rail_fat_tree", 64, TREE | {"switch": qm9700(ports=32, max_logical_ports=32)}),
    "fat_tree 3:1 over three tiers": ("fat_tree", 32, TREE | {"oversubscription": 1, "spine_oversubscription": 3}),
    "rail_only 2:1": ("rail_only", 32, TREE),
    "dragonfly": ("dragonfly", 36, {"group_routers": 4, "router_endpoints": 8, "router_global_links": 2}),
    "dragonfly_plus": ("dragonfly_plus", 32, {"group_routers": 4, "router_endpoints": 8, "router_global_links": 2}),
    "torus_2d": ("torus_2d", 64, {"shape": (8, 8)}),
    "torus_3d": ("torus_3d", 128, {"shape": (8, 4, 4)}),
    "nd_full_mesh": ("nd_full_mesh", 16, {"shape": (4, 4)}),
    "hyperx": ("hyperx", 32, {"shape": (4, 4), "switch": qm9700(ports=40, max_logical_ports=40)}),
    "hammingmesh": ("hammingmesh", 64, {"shape": (4, 4)}),
}  # fmt: skip
GROUPS = ((1, "all"), (1, 4), (1, 8), (4, 2), (4, 4), (8, "all"))
"""Hosts from one member to the next, and members."""


PATTERNS: tuple[Pattern, ...] = ("ring", "all_to_all")
AROUND = ("dragonfly", "dragonfly_plus", "nd_full_mesh", "hyperx")


def checked(name: str, pattern: Pattern, everybody: bool) -> bool:
    """Not rings over boards, which no host routes so, nor parts of a dragonfly, which goes round in part only."""
    if name.startswith("dragonfly"):
        return pattern == "all_to_all" and everybody
    return name != "hammingmesh" or pattern == "all_to_all"


def links_of(name: str) -> tuple[SharedLinks, FabricGraph]:
    topology, supernodes, changes = DESIGNS[name]
    stated = {key: tuple(map(number, value)) if key == "shape" else value for key, value in changes.items()}
    ask = asked_of(
        pod=pod(supernodes, topology=topology, **stated),
        supernode=dgx_h100(),
        assumptions=assumptions("fabric", FabricAssumptions),
    )
    chosen = topology_of(topology)
    return chosen.shape(ask).shared_links, chosen.graph(ask)


def said(pattern: Pattern, links: SharedLinks, stride: float, members: float, hosts: float) -> float:
    found = slowdown(
        pattern,
        links,
        members=number(members),
        inner_ranks=number(stride * HOST_ACCELERATORS),
        domain_accelerators=number(HOST_ACCELERATORS),
        accelerators_used=number(hosts * HOST_ACCELERATORS),
    )
    return float(found[0])


def groups(hosts: int, stride: int, members: int) -> Iterator[list[int]]:
    for begin in range(0, hosts, stride * members):
        for first in range(begin, begin + stride):
            yield list(range(first, first + stride * members, stride))


def demands(
    pattern: Pattern, name: str, hosts: int, stride: int, members: int
) -> list[tuple[int, int, float]]:
    """What host sends host, each sending 1 in all."""
    found = []
    for group in groups(hosts, stride, members):
        if pattern == "all_to_all":
            found += [(a, b, 1 / (members - 1)) for a, b in product(group, group) if a != b]
        elif name.startswith("torus"):
            found += torus_rings(DESIGNS[name][2]["shape"], group)
        elif name == "nd_full_mesh":
            found += line_exchanges(DESIGNS[name][2]["shape"], group)
        else:
            found += [(host, group[(at + 1) % members], 1.0) for at, host in enumerate(group)]
    return found


def torus_rings(shape: tuple[int, ...], group: list[int]) -> list[tuple[int, int, float]]:
    """Rings along every dimension, both ways where they close, each as wide as the links that it has."""
    at = {host: np.unravel_index(host, shape) for host in group}
    streams: dict[int, list[tuple[int, int, float]]] = defaultdict(list)
    for axis in range(len(shape)):
        lines: dict[Any, list[int]] = defaultdict(list)
        for host in group:
            lines[(*at[host][:axis], *at[host][axis + 1 :])].append(host)
        for line in lines.values():
            if len(line) < 2:
                continue
            apart = int(at[line[1]][axis] - at[line[0]][axis])
            closed = apart * len(line) == shape[axis]
            for place, host in enumerate(line):
                streams[host].append((host, line[(place + 1) % len(line)], 1 / apart))
                if closed:
                    streams[host].append((host, line[place - 1], 1 / apart))
    return [(a, b, w / sum(x[2] for x in mine)) for mine in streams.values() for a, b, w in mine]


def line_exchanges(shape: tuple[int, ...], group: list[int]) -> list[tuple[int, int, float]]:
    """Straight to the members of the same line of every dimension."""
    at = {host: np.unravel_index(host, shape) for host in group}
    near = {
        host: [b for b in group if sum(x != y for x, y in zip(at[host], at[b], strict=True)) == 1] for host in group
    }  # fmt: skip
    return [(host, other, 1 / len(near[host])) for host in group for other in near[host]]


class Routing:
    """Every shortest path gets an equal part at every step, by links; a host passes on only where there is no switch."""

    def __init__(self, graph: FabricGraph) -> None:
        hosts = graph.of_kind(HOST)
        self.hosts = hosts
        host = set(hosts.tolist())
        self.width: Counter[tuple[int, int]] = Counter()
        self.port: dict[tuple[int, int], int] = {}
        self.switched = any(kind != HOST for kind in graph.kinds if graph.of_kind(kind).size)
        for lower, upper, port in zip(
            graph.links.lower, graph.links.upper, graph.links.lower_port, strict=True
        ):
            self.width[int(lower), int(upper)] += 1
            self.width[int(upper), int(lower)] += 1
            if int(lower) in host:
                self.port[int(lower), int(port)] = int(upper)
        self.near: dict[int, list[int]] = defaultdict(list)
        for a, b in self.width:
            self.near[a].append(b)
        self.ended = (
            host if self.switched and not any(a in host and b in host for a, b in self.width) else set()
        )
        self.ways: dict[int, dict[int, int]] = {}

    def distance(self, target: int) -> dict[int, int]:
        if target not in self.ways:
            found, queue = {target: 0}, deque([target])
            while queue:
                here = queue.popleft()
                if here in self.ended and here != target:
                    continue
                for other in self.near[here]:
                    if other not in found:
                        found[other] = found[here] + 1
                        queue.append(other)
            self.ways[target] = found
        return self.ways[target]

    def streams(self, wanted: list[tuple[int, int, float]]) -> dict[int, dict[int, float]]:
        """By where they end: what begins where. Between switches a port sends to the same port."""
        found: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for a, b, amount in wanted:
            one, other = int(self.hosts[a]), int(self.hosts[b])
            if not self.ended:
                found[other][one] += amount
                continue
            for port in range(NICS):
                begin, end = self.port[one, port], self.port[other, port]
                if begin != end:
                    found[end][begin] += amount / NICS
        return found

    def busiest(self, wanted: list[tuple[int, int, float]]) -> float:
        load: Counter[tuple[int, int]] = Counter()
        for target, begins in self.streams(wanted).items():
            distance, held = self.distance(target), defaultdict(float, begins)
            for here in sorted((p for p in distance), key=lambda p: -distance[p]):
                if here == target or not held[here]:
                    continue
                onward = [b for b in self.near[here] if distance.get(b, 1 << 30) == distance[here] - 1]
                wide = sum(self.width[here, b] for b in onward)
                for b in onward:
                    part = held[here] * self.width[here, b] / wide
                    load[here, b] += part
                    held[b] += part
        return max((amount / self.width[pair] * NICS for pair, amount in load.items()), default=0.0)


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_slowdown_is_the_load_of_the_busiest_link(name: str) -> None:
    links, graph = links_of(name)
    routing, hosts = Routing(graph), DESIGNS[name][1]
    everybody = routing.busiest(demands("all_to_all", name, hosts, 1, hosts))
    rows = []
    for stride, asked in GROUPS:
        members = hosts // stride if asked == "all" else int(asked)
        if hosts % (stride * members):
            continue
        for pattern in PATTERNS:
            if not checked(name, pattern, members == hosts):
                continue
            load = routing.busiest(demands(pattern, name, hosts, stride, members))
            # what overruns the shortest ways takes others, which loads all links twice
            around = 2 * max(everybody, 1.0) if name in AROUND else np.inf
            routed = min(load, around)
            rows.append(
                (pattern, stride, members, said(pattern, links, stride, members, hosts), max(routed, 1.0))
            )
    off = [row for row in rows if abs(row[3] / row[4] - 1) > 0.05]
    assert rows
    assert not off, "\n".join(map(str, rows))


def tree(
    taper: float, size: float = 32, above: float = 1, group: float = float("inf"), **changes: Any
) -> SharedLinks:
    none = np.zeros(1)
    return SharedLinks(
        blocks=(
            Block(accelerators=number(size * HOST_ACCELERATORS), taper=number(taper), others=none),
            Block(accelerators=number(group * HOST_ACCELERATORS), taper=number(taper * above), others=none),
        ),
        **{"rails_apart": none, "strain": np.ones(1)} | changes,
    )


@pytest.mark.parametrize(
    ("pattern", "stride", "members", "slower"),
    [
        ("ring", 1, 128, 1.0),  # 1 of 32 hosts leaves, a quarter of the links is left for it
        ("ring", 16, 8, 2.0),  # 16 of 32 leave: half of 4
        ("ring", 32, 4, 4.0),  # all leave
        ("ring", 1, 32, 1.0),  # inside one leaf
        ("all_to_all", 1, 32, 1.0),
        ("all_to_all", 1, 128, 4 * 96 / 127),  # 96 of 127 others are elsewhere
        ("all_to_all", 16, 8, 4 * 6 / 7),  # 6 of 7
    ],
)
def test_tapered_tree_by_hand(pattern: Pattern, stride: float, members: float, slower: float) -> None:
    assert said(pattern, tree(4.0), stride, members, 128) == pytest.approx(slower)


@pytest.mark.slow
@pytest.mark.parametrize("seed", part_of(range(300)))
def test_what_holds_of_every_tree(seed: int) -> None:
    """1 without a taper, never faster than the ports, never worse than the taper, more taper is never faster."""
    draw = np.random.default_rng(seed)
    size = int(draw.integers(2, 40))
    stride, members = int(draw.integers(1, 40)), int(draw.integers(2, 64))
    hosts = stride * members * int(draw.integers(1, 5))
    taper, more, above = draw.uniform(1, 8), draw.uniform(1, 2), draw.uniform(1, 4)
    group = size * int(draw.integers(2, 6))
    for pattern in PATTERNS:
        found = said(pattern, tree(taper, size, above, group), stride, members, hosts)
        assert said(pattern, tree(1, size), stride, members, hosts) == 1
        assert 1 <= found <= taper * above + 1e-9
        assert said(pattern, tree(taper * more, size, above, group), stride, members, hosts) >= found - 1e-9
        assert said(pattern, tree(taper, hosts, above, hosts), stride, members, hosts) == 1
        assert (
            said(pattern, tree(taper, size, above, group, strain=number(more)), stride, members, hosts)
            >= found
        )
        # links out of a leaf carry what the hosts of whole stretches in it must send: no less than any cut of one leaf
        if size % (stride * members) == 0 and group % (stride * members) == 0:
            assert found == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_what_holds_of_every_topology(name: str) -> None:
    """A group of one waits for nothing; arrays give what numbers give; nothing is unknown or below the ports."""
    links, _ = links_of(name)
    draw, hosts = np.random.default_rng(1), DESIGNS[name][1]
    strides, members = draw.integers(1, hosts, 200).astype(float), draw.integers(1, hosts, 200).astype(float)
    kept = strides * members <= hosts
    strides, members = strides[kept], members[kept]
    for pattern in PATTERNS:
        found = slowdown(
            pattern,
            links,
            members=members,
            inner_ranks=strides * HOST_ACCELERATORS,
            domain_accelerators=number(HOST_ACCELERATORS),
            accelerators_used=number(hosts * HOST_ACCELERATORS),
        )
        assert np.isfinite(found).all()
        assert (found >= 1).all()
        assert (found[members == 1] == 1).all()
        alone = [said(pattern, links, s, m, hosts) for s, m in zip(strides, members, strict=True)]
        assert found == pytest.approx(np.array(alone))


def test_nothing_shared_and_what_is_unknown() -> None:
    assert said("all_to_all", nothing_shared(), 1, 64, 64) == 1
    assert np.isnan(said("ring", tree(float("nan")), 1, 64, 64))
    assert said("ring", tree(float("nan")), 1, 1, 64) == 1


@pytest.mark.parametrize("name", ["torus_2d", "torus_3d"])
def test_rings_over_all_of_a_torus_are_embedded_in_it(name: str) -> None:
    links, _ = links_of(name)
    hosts = DESIGNS[name][1]
    free = 8 / (8 if name == "torus_2d" else 6)  # 8 ports over 6 directions leave two
    assert said("ring", links, 1, hosts, hosts) == pytest.approx(free)
