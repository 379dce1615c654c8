"""HammingMesh: boards of hosts joined as a mesh, and a switch for every line of hosts across the boards.

A place is a host, its NIC ports dealt over four directions (see lattices/places.py). The shape is the boards
of a row and of a column, two by two hosts each, or four lengths: hosts of a board along a row and a column,
then boards of a row and of a column. A line has one switch, which takes both edges of each of its boards.
"""

from __future__ import annotations

import numpy as np

from app.engine.fabric.figures import Fabric
from app.engine.fabric.graph.graph import FabricGraph
from app.engine.fabric.topologies.lattices import blocks, board_counts, halving, places
from app.engine.fabric.topologies.lattices.problems import hammingmesh_problems
from app.engine.fabric.topologies.lattices.wires import lattice_graph, wires
from app.engine.fabric.topologies.shape import Ask, Layer, Shape, Topology
from app.engine.problems import Problem
from app.engine.trace import Array, count_of

LINES = ("row", "column")


def hammingmesh_lengths(ask: Ask) -> tuple[Array, Array, Array, Array]:
    """Hosts of a board along a row and a column, and boards of a row and a column."""
    stated = places.stated_lengths(ask, (2, 4))
    if len(stated) == 4:
        return stated[0], stated[1], stated[2], stated[3]
    edge = ask.assumptions.board_edge_nodes
    boards = stated or places.near_equal_lengths(np.ceil(places.hosts_of(ask) / edge**2), 2)
    return edge, edge, boards[0], boards[1]


def hammingmesh_shape(ask: Ask) -> Shape:
    """Links on boards, and rows and columns of switches."""
    row_length, column_length, row_boards, column_boards = lengths = hammingmesh_lengths(ask)
    board, ports = places.lattice_places(lengths=lengths[:2]), places.ports_of(ask)
    room = places.lattice_places(lengths=lengths)
    hosts = places.joined_hosts(lattice_hosts=places.hosts_of(ask), lattice_places=room)
    width = board_counts.board_width(host_ports=ports)
    inside, faces, steps, across, mean = [], [], [], [], []
    for length, inner, boards in (
        (row_length, column_length, row_boards),
        (column_length, np.ones(1), column_boards),
    ):
        of_board = {"hosts": hosts, "block_places": board, "length": length, "inner": inner, "width": width}
        inside.append(blocks.block_dimension_links(**of_board))
        faces.append(blocks.block_face_links(**of_board))
        steps.append(board_counts.line_path_links(board_length=length, boards=boards))
        across.append(board_counts.line_path_switches(boards=boards))
        mean.append(board_counts.line_mean_links(board_length=length, boards=boards))
    built = np.where(hosts > 0, 1.0, 0.0)
    switches = (
        board_counts.line_switches(boards=column_boards, board_length=column_length, width=width),
        board_counts.line_switches(boards=row_boards, board_length=row_length, width=width),
    )
    on_board = Layer(
        name="board",
        switches=np.zeros(1),
        links=inside[0] + inside[1],
        switch_ends=0,
        links_above=np.zeros(1),
        path_links=built * (steps[0] + steps[1]),
        cable_length_m=ask.assumptions.node_cable_length_m,
    )
    lines = tuple(
        Layer(
            name=name,
            switches=built * switches[axis],
            links=faces[axis],
            switch_ends=1,
            links_above=np.zeros(1),
            path_links=built * 2 * across[axis],
            cable_length_m=ask.assumptions.spine_cable_length_m,
        )
        for axis, name in enumerate(LINES)
    )
    return Shape(
        layers=(on_board, *lines),
        lengths=lengths,
        unit_supernodes=np.maximum(np.ceil(board / ask.supernode.nodes), 1.0),
        units=blocks.blocks_filled(hosts=hosts, block_places=board),
        groups=np.where(hosts > 0, 1.0, 0.0),
        bisection_links=halving.hammingmesh_bisection_links(
            board_lengths=lengths[:2], boards=lengths[2:], width=width, filled=hosts / room
        ),
        oversubscription=board_counts.hammingmesh_oversubscription(
            host_ports=ports,
            width=width,
            row_length=row_length,
            column_length=column_length,
            row_boards=row_boards,
            column_boards=column_boards,
        ),
        path_switches=built * (across[0] + across[1]),
        mean_path_links=built
        * board_counts.hammingmesh_mean_path_links(
            row_mean_links=mean[0], column_mean_links=mean[1], places=room
        ),
        node_links=2 * (inside[0] + inside[1]) + faces[0] + faces[1],
        shared_links=places.shared_links_of(
            ask,
            "boards",
            # hosts stand on their board first, along its column, and boards along theirs
            lengths=(row_boards, column_boards, row_length, column_length),
            bundle_ratio=places.ports_over_bundle(host_ports=ports, width=width),
            places=hosts,
        ),
    )


def hammingmesh_graph(ask: Ask) -> FabricGraph:
    """Every link of a HammingMesh. A host's ports: along the row forward and back, then along the column."""
    lengths = tuple(count_of(length) for length in hammingmesh_lengths(ask))
    sides, boards = lengths[:2], lengths[2:]
    all_hosts, block = count_of(places.hosts_of(ask)), sides[0] * sides[1]
    width = count_of(places.ports_of(ask)) // 4
    here = np.arange(min(all_hosts, int(np.prod(lengths))) if width else 0)
    board, place = np.divmod(here, block)
    across = np.divmod(board, boards[1])  # place of its board in a row and in a column
    link, parts = np.arange(width), []
    for axis, name in enumerate(LINES):
        length, inner = sides[axis], (sides[1], 1)[axis]
        forward, back = 2 * width * axis, 2 * width * axis + width
        step = place // inner % length
        onward = here[(step + 1 < length) & (here + inner < here.size)]
        parts.append(
            wires(
                "board",
                ("host", onward, np.full(1, forward)),
                ("host", onward + inner, np.full(1, back)),
                width,
            )
        )
        # lines of this direction: the place on the board and the board, both in the other direction
        spot = place % sides[1] if axis == 0 else place // sides[1]
        line = (across[1 - axis] * sides[1 - axis] + spot) * width
        for at_edge, port, far in ((step == length - 1, forward, 0), (step == 0, back, 1)):
            ends = here[at_edge]
            parts.append(
                wires(
                    name,
                    ("host", ends[:, None], port + link),
                    (f"{name}_switch", line[ends][:, None] + link, (2 * across[axis] + far)[ends][:, None]),
                    1,
                )
            )
    return lattice_graph(
        ask,
        tiers=["board", *LINES],
        parts=parts,
        switches={
            f"{name}_switch": boards[1 - axis] * sides[1 - axis] * width if here.size else 0
            for axis, name in enumerate(LINES)
        },
        host_group=np.arange(all_hosts) // max(block, 1),
    )


def _problems(ask: Ask, fabric: Fabric) -> list[Problem]:
    return hammingmesh_problems(ask, hammingmesh_lengths(ask))


HAMMINGMESH = Topology(
    name="hammingmesh",
    title="HammingMesh",
    shape=hammingmesh_shape,
    graph=hammingmesh_graph,
    problems=_problems,
    managed=False,
)
