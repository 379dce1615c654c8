"""The cables of an evaluated scenario: what the schedule, its files and the comparison are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from app.catalog.view import CatalogView
from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.cabling.decimals import Text
from app.engine.fabric.cabling.ports import COMPUTE, device_names
from app.engine.fabric.cabling.schedule import NetworkCables, rack_names
from app.engine.fabric.floor.sizes import one_and_the_same
from app.engine.fabric.graph.graph import FabricGraph
from app.engine.fabric.materials.parts import NetworkParts
from app.engine.fabric.media.cages import cage_numbers
from app.engine.fabric.media.choice import choose_media
from app.engine.fabric.tier_parts import TIERS, has_own_tiers, switch_of
from app.engine.fabric.topologies import asked_of
from app.engine.specs import Design, FabricPlan, Switch
from app.engine.trace import Array, plain
from app.scenarios.errors import refuse, shorten
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.reading.spreadsheets.text import WorkbookLimits, csv_rows, decoded
from app.scenarios.reading.spreadsheets.workbook import ZIP, Value, open_workbook
from app.views.fabric.discovered import HEADING, discovered
from app.views.fabric.floor import LaidOut, floor_of
from app.views.fabric.parts import leaf_module_links, network_parts

LANES = 4
"""Of a port of an InfiniBand switch: 4 x 100 Gbit/s for NDR, 4 x 200 Gbit/s for XDR."""
BITS_PER_GBYTE_S = 8 / 1e9


class _Gear(NamedTuple):
    """Switches, modules and NICs at the ends of the links of a network."""

    switch: Switch | None
    switch_links: int  # of one module in a switch
    node_links: int  # of one module in a host or server
    nic_ports: int  # of one NIC of a host


def cables_of(
    evaluated: EvaluatedScenario, catalog: CatalogView, network: str = ""
) -> tuple[NetworkCables, ...]:
    """The cables of every network of a design, or of one.

    Raises
    ------
    ScenarioError : there is no such network
    """
    laid = floor_of(evaluated)
    if network and network not in laid.graphs:
        built = f"One of: {', '.join(laid.graphs)}." if laid.graphs else "It has none: a single SuperNode."
        raise refuse(
            f"{shorten(network)} is not a network of this design.",
            rule="one_of",
            path="network",
            value=network,
            hint=built,
        )
    parts = network_parts(evaluated, catalog, laid.graphs)
    return tuple(
        _cables(evaluated.resolved.design, laid, name, parts[name])
        for name in laid.graphs
        if network in ("", name)
    )


def _cables(design: Design, laid: LaidOut, network: str, parts: NetworkParts) -> NetworkCables:
    graph, places, racks = laid.graphs[network], laid.floor.places[network], laid.floor.racks
    gear = _gear(design, network)
    infiniband = gear.switch is not None and "infiniband" in gear.switch.protocol.lower()
    in_switch = gear.switch_links
    lengths_m = np.asarray(laid.lengths_m[network], float)
    return NetworkCables(
        network=network,
        graph=graph,
        rack_names=rack_names(racks.row, racks.position),
        rack=places.rack,
        bottom_u=places.bottom_u,
        units=places.units,
        parts=np.array([medium.name.encode() for medium in parts.media] or [b""]),
        part=choose_media(graph, lengths_m, media=parts.media, rules=parts.rules),
        length_m=lengths_m,
        cable_links=np.array([medium.cable_links for medium in parts.media] or [1]),
        splitter=np.array([medium.ends > 1 for medium in parts.media] or [False]),
        cage_links=cage_numbers(graph, in_switch, gear.node_links),
        ethernet=not infiniband,
        switch_type=switch_type(gear.switch),
        switch_types=_types_by_tier(design.pod.fabric) if network == COMPUTE else {},
        nic_ports=gear.nic_ports,
        link_words=link_words(graph, gear.switch) if infiniband else np.full(len(graph.tiers), b""),
        known_names=_known_names(laid.graphs, network),
    )


def _gear(design: Design, network: str) -> _Gear:
    plan, networks = design.pod.fabric, design.pod.networks
    if network == COMPUTE:
        assumptions = design.assumptions.rooms["fabric"]
        assert isinstance(assumptions, FabricAssumptions)
        with np.errstate(all="ignore"):  # what is not known is 1
            ask = asked_of(pod=design.pod, supernode=design.supernode, assumptions=assumptions)
        return _Gear(
            plan.switch,
            _whole(ask.plugs.switch_module_links),
            _whole(ask.plugs.node_module_links),
            _whole(ask.plugs.links_per_nic) * _whole(plan.planes),  # a NIC has ports into every plane
        )
    leaves = {"storage": networks.storage, "in_band": networks.in_band}.get(network)
    if leaves is not None:
        modules = leaf_module_links(leaves), _whole(leaves.host_transceiver.ports)
        return _Gear(leaves.switch, *modules, _whole(leaves.nic_ports))
    return _Gear(networks.out_of_band.switch if networks.out_of_band else None, 1, 1, 1)


def _known_names(graphs: Mapping[str, FabricGraph], network: str) -> dict[str, Text]:
    """Names of devices that stand in other networks too, by the kind that they are here."""
    known = {}
    for kind, places in one_and_the_same(graphs).get(network, {}).items():
        names = [device_names(graphs[other], other)[graphs[other].of_kind(of)] for other, of in places]
        count = graphs[network].of_kind(kind).size
        known[kind] = np.resize(np.concatenate(names), count)  # uplinks take turns where leaves are few
    return known


def _types_by_tier(plan: FabricPlan) -> dict[str, bytes]:
    return {tier: switch_type(switch_of(plan, tier)) for tier in TIERS} if has_own_tiers(plan) else {}


def switch_type(switch: Switch | None) -> bytes:
    """What tools that discover an InfiniBand fabric call a switch: its model, before Quantum-X800 with an M.

    >>> switch_type(None)
    b'switch'
    """
    if switch is None:
        return b"switch"
    model = re.sub(r"[^A-Z0-9]+", "-", switch.key.upper()).strip("-")
    return (f"M{model}" if model.startswith("QM") else model).encode()


def link_words(graph: FabricGraph, switch: Switch | None) -> Text:
    """Lanes and their speed of the links of each tier of an InfiniBand network, nothing where it is not known."""
    lane = float(np.ravel(plain(switch.port_bandwidth_bytes_per_s))[0]) / LANES if switch else float("nan")
    words = []
    for bandwidth in graph.link_bandwidth_bytes_per_s.tolist():
        lanes = bandwidth / lane
        whole = lanes in (1, 2, LANES)
        words.append(f"{lanes:.0f}x-{lane * BITS_PER_GBYTE_S:.0f}G".encode() if whole else b"")
    return np.array(words or [b""], "S")


def _whole(value: Array) -> int:
    """A count that decides structure; 1 where it is not known."""
    number = float(np.ravel(plain(value))[0])
    return max(round(number), 1) if np.isfinite(number) else 1


MOST_BYTES = 50_000_000
MOST_ROWS = 500_000
LIMITS = WorkbookLimits(
    most_bytes=10_000_000,
    most_unpacked_bytes=100_000_000,
    most_rows=60_000,  # takes ten seconds; CSV of that size takes one
    most_values=1_000_000,
)
CSV_LIMITS = replace(LIMITS, most_rows=MOST_ROWS, most_values=20 * MOST_ROWS)


@dataclass(frozen=True, slots=True, kw_only=True)
class CableTable:
    """Rows with the numbers of their lines, the headings first; `name` is that of the sheet.

    `numbered`: ports of switches are numbered through, and not by cage.
    """

    name: str
    rows: Iterator[tuple[int, Sequence[Value]]]
    numbered: bool = False


def cable_file_content(path: Path) -> bytes:
    """Content of a file, up to just above the size limit.

    Raises
    ------
    ScenarioError : it cannot be read
    """
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise refuse(
            f"{shorten(path)} cannot be read: {error.strerror or error}.",
            rule="file",
            value=str(path),
            hint="Name a CSV file or an Excel workbook (.xlsx).",
        ) from None


def cable_tables(content: bytes) -> Iterator[CableTable]:
    """The tables of a CSV file, a workbook, or what a running network tells of itself.

    Raises
    ------
    ScenarioError : it is neither, or too large
    """
    if len(content) > MOST_BYTES:
        raise refuse(
            f"The file has more than {MOST_BYTES:,} bytes.",
            rule="file",
            hint="Compare it network by network.",
        )
    if content.startswith(ZIP):
        book = open_workbook(content, LIMITS)
        for sheet in book.sheets:
            yield CableTable(name=sheet, rows=((row.number, row.values) for row in book.rows(sheet)))
        return
    text = decoded(content)
    if not text.strip():
        raise refuse(
            "The file is empty.", rule="file", hint="It needs a heading line and a line for each cable."
        )
    if (found := discovered(text)) is not None:
        rows: list[tuple[int, Sequence[Value]]] = [(1, HEADING), *found.rows]
        yield CableTable(name="", rows=iter(rows), numbered=found.numbered)
        return
    yield CableTable(name="", rows=csv_rows(text, CSV_LIMITS, "Compare it network by network."))
