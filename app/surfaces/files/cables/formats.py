"""The files of the cable schedule: one table for the command line, the API and the pages.

The cable schedule in the language of Graphviz: devices as nodes, each link as an edge between their ports.

Ports are written as Cumulus Linux and NVIDIA's Cable Validation Tool read them: "leaf-01-1":"swp1s0" [1].

[1] NVIDIA UFM Cable Validation Tool v1.6.0, Dot File,
https://docs.nvidia.com/networking/display/cablevalidationtool160/dot+file

The cable schedule as the topology file that ibdiagnet compares a fabric with [1, 2].

A section is a system: its type and name, then a line for each of its ports that has a link, with the width and
speed of the link and the system and port at the other end. Switches number their ports through: the second link
of cage 4 is P8 where a cage carries two. A host is one system of its NICs: U3/P1 is the first port of the third.

[1] ibdm-topo-file(1), https://manpages.ubuntu.com/manpages/jammy/man1/ibdm-topo-file.1.html
[2] NVIDIA IBUtils2 v2.23.0, Topology Comparison,
https://docs.nvidia.com/networking/display/ibdiagnetutilityv2230/Topology+Comparison

The cable schedule as a workbook in the point-to-point layout of NVIDIA's Cable Validation Tool.

A sheet a network, with the ten headings of the tool and two more behind them: it finds columns by heading.
A sheet of Excel ends at 1,048,576 rows; what is longer goes on in the next. The XML is written here, block by
block into the ZIP file that is sent: libraries write cell by cell, which takes a hundred times as long [1].

[1] ECMA-376, Office Open XML, part 1, 18.3.1 (worksheets) and 18.3.1.53 (text in the cell itself)
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape

import numpy as np

from app.engine.fabric.cabling.decimals import Text, decimals
from app.engine.fabric.cabling.schedule import BLOCK_ROWS, CABLE, COLUMNS, POINT_TO_POINT, NetworkCables
from app.engine.fabric.graph.graph import Whole
from app.scenarios.errors import refuse, shorten
from app.surfaces.files.cables.netbox import cables_netbox
from app.surfaces.files.cables.text import Sent, csv_cell, each, joined_rows, zip_entry
from app.views.file_format import XLSX_TYPE


@dataclass(frozen=True, slots=True)
class CableFormat:
    """One kind of file: what it is called and sent as, and what writes it, block by block."""

    name: str
    media_type: str
    suffix: str
    title: str
    write: Callable[[Sequence[NetworkCables]], Iterator[bytes]]


def cables_csv(networks: Sequence[NetworkCables]) -> Iterator[bytes]:
    """Header and rows in blocks, network by network; only one block is held."""
    yield ",".join(COLUMNS).encode() + b"\r\n"
    for network in networks:
        safe = replace(
            network, parts=each(network.parts, csv_cell), rack_names=each(network.rack_names, csv_cell)
        )
        for links in safe.blocks():
            cells = list(safe.text(links).values())
            parts = [part for cell in cells for part in (cell, b",")]
            yield joined_rows([*parts[:-1], b"\r\n"], links.size)


def cables_dot(networks: Sequence[NetworkCables]) -> Iterator[bytes]:
    """One graph of all networks, in blocks; hosts are written once."""
    yield b"graph cables {\n"
    for place, network in enumerate(networks):
        quoted = replace(
            network, parts=each(network.parts, _quoted), rack_names=each(network.rack_names, _quoted)
        )
        yield from _devices(quoted, with_hosts=place == 0)
        yield from _edges(quoted)
    yield b"}\n"


def _devices(network: NetworkCables, *, with_hosts: bool) -> Iterator[bytes]:
    graph = network.graph
    roles = np.array([kind.encode() for kind in graph.kinds] or [b""])
    shown = np.arange(graph.device_count)
    if not with_hosts and "host" in graph.kinds:
        shown = shown[graph.devices.kind != graph.kinds.index("host")]
    for start in range(0, shown.size, BLOCK_ROWS):
        some = shown[start : start + BLOCK_ROWS]
        yield joined_rows(
            [
                b'  "', network.names[some], b'" [role="', roles[graph.devices.kind[some]],
                b'" rack="', network.rack_of(some), b'" u="', network.height_of(some), b'"];\n',
            ],
            some.size,
        )  # fmt: skip


def _edges(network: NetworkCables) -> Iterator[bytes]:
    for links in network.blocks():
        text = network.text(links)
        parts: list[Text | bytes] = [
            b'  "', text["A-Node Name"], b'":"', text["A-Port"],
            b'" -- "', text["Z-Node Name"], b'":"', text["Z-Port"],
            b'" [network="', text["Network"], b'" tier="', text["Tier"],
            b'" part="', text["Part"], b'" length_m="', text["Length (m)"], b'"];\n',
        ]  # fmt: skip
        yield joined_rows(parts, links.size)


def _quoted(text: bytes) -> bytes:
    """A text between quotes of DOT."""
    return text.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b" ").replace(b"\r", b" ")


def cables_topo(networks: Sequence[NetworkCables]) -> Iterator[bytes]:
    """The systems of InfiniBand networks, each link from both of its ends."""
    for network in networks:
        yield f"# {network.network.replace('_', ' ')} network\n\n".encode()
        yield from _systems(network)


def _systems(network: NetworkCables) -> Iterator[bytes]:
    links = network.graph.links
    device = np.concatenate([links.lower, links.upper])
    port = np.concatenate([links.lower_port, links.upper_port])
    order = np.lexsort((port, device))
    other = np.roll(np.arange(device.size), links.tier.size)  # the other end of the same link
    systems, arrows = _system_texts(network), _arrows(network)
    ports, first = _port_texts(network, int(port.max(initial=-1)) + 1)
    before = -1
    for start in range(0, device.size, BLOCK_ROWS):
        ends = order[start : start + BLOCK_ROWS]
        here, there = device[ends], device[other[ends]]
        begins = np.r_[here[:1] != before, here[1:] != here[:-1]]
        before = here[-1]
        blank = np.where(begins & (np.arange(ends.size) + start > 0), b"\n", b"")
        yield joined_rows(
            [
                blank,
                np.where(begins, systems[here], b""),
                np.where(begins, b"\n", b""),
                b"    ",
                ports[first[here] + port[ends]],
                arrows[links.tier[ends % links.tier.size]],
                systems[there],
                b" ",
                ports[first[there] + port[other[ends]]],
                b"\n",
            ],
            ends.size,
        )


def _system_texts(network: NetworkCables) -> Text:
    """Type and name of each device. The type of a host says how many NICs it has."""
    links, nodes = network.graph.links, network.graph.device_count
    ports = np.zeros(nodes, int)
    np.maximum.at(ports, links.lower, links.lower_port + 1)
    np.maximum.at(ports, links.upper, links.upper_port + 1)
    nics = decimals(-(-ports // network.nic_ports))
    types = np.array([network.type_of(kind) for kind in network.graph.kinds] or [b""])
    switches = types[network.graph.devices.kind]
    kinds = np.where(network.inside, switches, np.strings.add(b"HCA_", nics))
    return np.strings.add(np.strings.add(kinds, b" "), network.names)


def _port_texts(network: NetworkCables, ports: int) -> tuple[Text, Whole]:
    """Names of ports: port p of device d is at `first[d] + p`."""
    nic, port = np.divmod(np.arange(ports), network.nic_ports)
    of_hosts = np.strings.add(
        np.strings.add(b"U", decimals(nic + 1)), np.strings.add(b"/P", decimals(port + 1))
    )
    of_switches = np.strings.add(b"P", decimals(np.arange(ports) + 1))
    return np.concatenate([of_hosts, of_switches]), np.where(network.inside, ports, 0)


def _arrows(network: NetworkCables) -> Text:
    """Parts between the ends of the links of each tier."""
    words = [b" -" + word + b"-> " if word else b" -> " for word in network.link_words.tolist()]
    return np.array(words or [b""])


SHEET_ROWS = 1_048_576
HEADINGS = POINT_TO_POINT + CABLE
NUMBERS = frozenset({"A-U", "Z-RU", "Length (m)"})
ROWS = 2_048  # of a block: as XML a row takes a kilobyte
XML = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
BOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
RELATIONS_TYPE = "application/vnd.openxmlformats-package.relationships+xml"
SHEET_HEAD = (
    f'<worksheet xmlns="{MAIN}"><sheetViews><sheetView workbookViewId="0">'
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
    f'<cols><col min="1" max="{len(HEADINGS)}" width="16" customWidth="1"/></cols><sheetData>'
).encode()
SHEET_END = b"</sheetData></worksheet>"


def cables_xlsx(networks: Sequence[NetworkCables], sheet_rows: int = SHEET_ROWS) -> Iterator[bytes]:
    """The workbook in blocks."""
    sent, titles = Sent(), []
    with zipfile.ZipFile(sent, "w", zipfile.ZIP_DEFLATED) as packed:  # type: ignore[call-overload]
        shown: list[NetworkCables | None] = [*networks]
        for network in shown or [None]:
            for place, links in enumerate(_sheets(network, sheet_rows), 1):
                title = network.network.replace("_", " ") if network else "no cables"
                titles.append(title if place == 1 else f"{title} {place}")
                with packed.open(
                    zip_entry(f"xl/worksheets/sheet{len(titles)}.xml"), "w", force_zip64=True
                ) as sheet:
                    for block in _sheet(network, links):
                        sheet.write(block)
                        yield sent.take()
        for name, content in _book(titles).items():
            packed.writestr(zip_entry(name), content)
    yield sent.take()


def _sheets(network: NetworkCables | None, sheet_rows: int) -> Iterator[range]:
    """The links of each sheet, below its heading; one sheet where there are none."""
    count = network.graph.link_count if network else 0
    for start in range(0, max(count, 1), sheet_rows - 1):
        yield range(start, min(start + sheet_rows - 1, count))


def _sheet(network: NetworkCables | None, links: range) -> Iterator[bytes]:
    heading = "".join(f'<c t="inlineStr"><is><t>{escape(words)}</t></is></c>' for words in HEADINGS)
    yield XML + SHEET_HEAD + f'<row r="1">{heading}</row>'.encode()
    if network is not None:
        safe = replace(network, parts=each(network.parts, _xml), rack_names=each(network.rack_names, _xml))
        for start in range(0, len(links), ROWS):
            yield _rows(safe, np.asarray(links[start : start + ROWS]), start + 2)
    yield SHEET_END


def _rows(network: NetworkCables, links: np.ndarray, first: int) -> bytes:
    text = network.text(links)
    parts: list[Text | bytes] = [b'<row r="', decimals(np.arange(links.size) + first), b'">']
    for heading in HEADINGS:
        before, after = (
            (b"<c><v>", b"</v></c>")
            if heading in NUMBERS
            else (b'<c t="inlineStr"><is><t>', b"</t></is></c>")
        )
        column = text[heading]
        blank = column == b""
        if blank.any():
            parts += [np.where(blank, b"<c/>", before), column, np.where(blank, b"", after)]
        else:
            parts += [before, column, after]
    return joined_rows([*parts, b"</row>"], links.size)


def _book(titles: Sequence[str]) -> dict[str, bytes]:
    """The other parts of the package: what it holds, and the names of its sheets."""
    numbers = range(1, len(titles) + 1)
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="{SHEET_TYPE}"/>'
        for number in numbers
    )
    sheets = "".join(
        f'<sheet name="{escape(title)}" sheetId="{number}" r:id="rId{number}"/>'
        for number, title in zip(numbers, titles, strict=True)
    )
    inside = "".join(
        f'<Relationship Id="rId{number}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        for number in numbers
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="{RELATIONS_TYPE}"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{BOOK_TYPE}"/>{overrides}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{inside}</Relationships>',
    }
    return {name: XML + content.encode() for name, content in parts.items()}


def _xml(text: bytes) -> bytes:
    """A text between tags. XML has no control characters."""
    words = "".join(letter if letter.isprintable() else " " for letter in text.decode("utf-8", "replace"))
    return escape(words).encode()


CABLE_FORMATS = (
    CableFormat("csv", "text/csv; charset=utf-8", ".cables.csv", "Schedule, CSV", cables_csv),
    CableFormat("xlsx", XLSX_TYPE, ".cables.xlsx", "Point to point, Excel", cables_xlsx),
    CableFormat("topo", "text/plain; charset=utf-8", ".topo", "Topology for ibdiagnet", cables_topo),
    CableFormat("dot", "text/vnd.graphviz; charset=utf-8", ".dot", "Graph, Graphviz", cables_dot),
    CableFormat("netbox", "application/zip", ".netbox.zip", "Devices and cables, NetBox", cables_netbox),
)
CABLE_FORMAT_NAMES = tuple(one.name for one in CABLE_FORMATS)


def cable_format(name: str) -> CableFormat:
    """The format of that name.

    Raises
    ------
    ScenarioError : there is none
    """
    for one in CABLE_FORMATS:
        if one.name == name:
            return one
    raise refuse(
        f"{shorten(name)} is not a format of cables.",
        rule="one_of",
        path="format",
        value=name,
        hint=f"Formats: {', '.join(CABLE_FORMAT_NAMES)}.",
        stated=True,
    )


def written_cables(networks: Sequence[NetworkCables], chosen: CableFormat) -> Iterator[bytes]:
    """The file in blocks. A topology file is of one subnet: the first network, when none has been chosen.

    Raises
    ------
    ScenarioError : the network is no InfiniBand, which alone has topology files
    """
    if chosen.name == "topo":
        networks = networks[:1]
        if networks and networks[0].ethernet:
            name = networks[0].network.replace("_", " ")
            raise refuse(
                f"The {name} network is not InfiniBand, and ibdiagnet compares no other.",
                rule="protocol",
                path="format",
                value=chosen.name,
                hint="Take xlsx or dot, which the Cable Validation Tool reads for Ethernet.",
            )
    return chosen.write(networks)


def cable_format_of_file(name: str) -> CableFormat:
    """The format that a file's name ends in; CSV where it ends in none.

    >>> cable_format_of_file("pod.topo").name, cable_format_of_file("").name
    ('topo', 'csv')
    """
    ending = name.lower().rpartition(".")[2].replace("zip", "netbox")
    return cable_format(ending if ending in CABLE_FORMAT_NAMES else "csv")
