"""Problems of a lattice: the limit is named, and the nearest design that works."""

from __future__ import annotations

from typing import Any

import pytest

from app.engine.fabric.problems import fabric_problems
from app.engine.problems import Fix, Problem
from app.engine.specs import SuperNode
from tests.engine.fabric.pods import FabricAssumptions, evaluate, pod, qm9700
from tests.engine.fabric.topologies.asks import host
from tests.support import assumptions, number


def problems(
    topology: str, hosts: float, server: SuperNode, shape: tuple[int, ...] = (), **plan: Any
) -> list[Problem]:
    asked = pod(hosts, topology=topology, shape=tuple(number(length) for length in shape), **plan)
    return fabric_problems(
        pod=asked,
        supernode=server,
        fabric=evaluate(asked, server),
        assumptions=assumptions("fabric", FabricAssumptions),
    )


@pytest.mark.parametrize(
    ("topology", "hosts", "ports", "shape", "message", "field", "value"),
    [
        ("torus_3d", 64, 4, (), "needs a port for 6 directions; its NICs have 4", "pod.fabric.topology", "torus_2d"),
        ("torus_2d", 16, 2, (), "needs a port for 4 directions; its NICs have 2", "pod.fabric.topology", "rail_fat_tree"),
        ("torus_2d", 20, 4, (4, 4), "4 x 4 holds 16 nodes, not 20: 4 are not joined", "pod.supernodes", 16),
        ("torus_2d", 16, 4, (2, 2, 4), "2 x 2 x 4 has 3 lengths; this topology has 2", "pod.fabric.shape", "auto"),
        ("full_mesh", 16, 8, (), "A lattice of 9 holds 9 nodes, not 16", "pod.supernodes", 9),
        ("full_mesh", 16, 8, (16,), "needs a port for 15 neighbours", "pod.fabric.topology", "nd_full_mesh"),
        ("nd_full_mesh", 600, 8, (), "holds 144 nodes, not 600", "pod.supernodes", 144),
        ("nd_full_mesh", 100, 8, (10, 10), "needs a port for 18 neighbours", "pod.fabric.topology", "rail_fat_tree"),
        ("hyperx", 64, 8, (2, 2), "needs 128 ports of a switch for nodes and 2 for its lines; a switch has 64",
         "pod.supernodes", 31),
        ("hammingmesh", 280, 4, (2, 2, 35, 2), "A line of 35 boards needs 70 ports of its switch, which has 64",
         "pod.supernodes", 4096),
        ("hammingmesh", 16, 3, (), "needs a port for 4 directions; its NICs have 3", "pod.fabric.topology", "rail_fat_tree"),
    ],
)  # fmt: skip
def test_what_cannot_be_built(
    topology: str,
    hosts: int,
    ports: int,
    shape: tuple[int, ...],
    message: str,
    field: str,
    value: float | str,
) -> None:
    found = [one for one in problems(topology, hosts, host(ports), shape) if one.kind == "infeasible"]
    assert len(found) == 1
    assert message in found[0].message
    assert isinstance(found[0].fix, Fix)
    assert (found[0].fix.field, found[0].fix.value) == (field, value)
    assert found[0].missed_by is not None
    assert found[0].missed_by > 0


@pytest.mark.parametrize(
    ("topology", "hosts", "ports", "plan", "message"),
    [
        ("torus_3d", 64, 8, {}, "8 ports of a node do not deal evenly over 6 directions: 2 stay free"),
        ("torus_2d", 127, 4, {}, "8 x 16 has 128 places for 127 nodes: 1 stays empty"),
        ("torus_2d", 16, 4, {"management_ports": 4}, "no ports for management servers, so 4 are left out"),
        (
            "hyperx",
            128,
            8,
            {"shape": (4, 16)},
            "links to each of its neighbours, so the fabric is oversubscribed",
        ),
    ],
)
def test_what_is_worth_knowing(
    topology: str, hosts: int, ports: int, plan: dict[str, Any], message: str
) -> None:
    found = problems(topology, hosts, host(ports), **plan)
    assert [one.kind for one in found] == ["warning"]
    assert message in found[0].message


def test_a_torus_that_fits_has_no_problems() -> None:
    assert problems("torus_2d", 32, host(8)) == []
    assert problems("nd_full_mesh", 25, host(8)) == []
    assert problems("hyperx", 1024, host(1)) == []
    assert problems("hammingmesh", 16, host(4)) == []


def test_circuit_switches_want_blocks_and_ports() -> None:
    palomar = qm9700(key="palomar", name="Palomar", protocol="optical circuit", ports=136)

    def found(hosts: int, shape: tuple[int, ...], switch: Any = palomar) -> list[Problem]:
        return problems("torus_3d", hosts, host(6), shape, circuit_switches=True, switch=switch)

    assert found(4096, (16, 16, 16)) == []
    odd = found(96, (4, 4, 6))[1]
    assert "a length of 6 is none: the fabric is calculated as 4 x 4 x 8" in odd.message
    assert odd.fix == Fix(field="pod.fabric.shape[2]", value=8.0, message="Make it 8 nodes long.")
    many = found(4224, (16, 16, 20))[1]
    assert "66 blocks of 64 nodes need 132 ports of each circuit switch, which has 128 beside" in many.message
    assert many.fix is not None
    assert many.fix.value == 4096
    packets = found(64, (4, 4, 4), qm9700())
    assert packets[0].message == "QM9700 is no optical circuit switch."
