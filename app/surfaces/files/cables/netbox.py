"""The cable schedule as NetBox imports it: device types in YAML, and tables in CSV, in the order of their numbers [1, 2].

A device of a type has an interface for each port that some device of that type has a link in, and a link is a cable:
NetBox imports one end a side, so a cable of several links is several rows with one label.

[1] NetBox documentation, Bulk Import, https://netboxlabs.com/docs/netbox/getting-started/populating-data/
[2] NetBox device type library, https://github.com/netbox-community/devicetype-library
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from app.engine.fabric.cabling.decimals import Text, decimals
from app.engine.fabric.cabling.schedule import NetworkCables
from app.engine.fabric.graph.graph import HOST, Whole
from app.scenarios.reading.yaml_text import write_yaml
from app.surfaces.files.cables.text import Sent, csv_cell, each, joined_rows, zip_entry

SITE = "Podwright"
MAKER = "Unspecified"
GBIT_S = 8e-9
ETHERNET_TYPES = (
    (1, "1000base-t"), (10, "10gbase-x-sfpp"), (25, "25gbase-x-sfp28"), (50, "50gbase-x-sfp56"),
    (100, "100gbase-x-qsfp28"), (200, "200gbase-x-qsfp56"), (400, "400gbase-x-osfp"), (800, "800gbase-x-osfp"),
)  # fmt: skip
INFINIBAND_TYPES = (
    (100, "infiniband-edr"),
    (200, "infiniband-hdr"),
    (400, "infiniband-ndr"),
    (800, "infiniband-xdr"),
)
CABLE_HEADING = (
    b"side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,status,label,length,length_unit,"
    b"description\r\n"
)


@dataclass(slots=True)
class _Type:
    """A device type: its heights and interfaces in the order they are met."""

    units: int
    interfaces: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Device:
    name: str
    role: str
    type: str
    rack: str
    bottom_u: int


def cables_netbox(networks: Sequence[NetworkCables]) -> Iterator[bytes]:
    """The archive in blocks."""
    types: dict[str, _Type] = {}
    devices: dict[str, _Device] = {}
    for network in networks:
        _read(network, types, devices)
    sent = Sent()
    with zipfile.ZipFile(sent, "w", zipfile.ZIP_DEFLATED) as packed:  # type: ignore[call-overload]
        for name, content in _tables(types, devices):
            packed.writestr(zip_entry(name), content)
            yield sent.take()
        with packed.open(zip_entry("07-cables.csv"), "w", force_zip64=True) as file:
            file.write(CABLE_HEADING)
            for network in networks:
                for block in _cables(network):
                    file.write(block)
                    yield sent.take()
    yield sent.take()


def _read(network: NetworkCables, types: dict[str, _Type], devices: dict[str, _Device]) -> None:
    """The devices of a network and the interfaces of their types; a device keeps its type in every network."""
    graph = network.graph
    names = [name.decode() for name in network.names.tolist()]
    racks = [rack.decode() for rack in network.rack_of(np.arange(graph.device_count)).tolist()]
    kinds = [_type_name(network, kind) for kind in graph.kinds]
    for place, kind in enumerate(graph.devices.kind.tolist()):
        units = int(network.units[place])
        if names[place] not in devices:
            bottom = int(network.bottom_u[place]) if units > 0 else -1
            role = graph.kinds[kind].replace("_", " ").capitalize()
            devices[names[place]] = _Device(names[place], role, kinds[kind], racks[place], bottom)
            types.setdefault(kinds[kind], _Type(max(units, 0)))
    for label, slug, name in _interfaces(network, names):
        types[devices[name].type].interfaces.setdefault(label, slug)


def _type_name(network: NetworkCables, kind: str) -> str:
    """Of a switch its model with what it does; of the others what they are."""
    words = kind.replace("_", " ")
    if kind == HOST or network.type_of(kind) == b"switch":
        return words.capitalize()
    inside = network.inside[network.graph.of_kind(kind)]
    return f"{network.type_of(kind).decode()} {words}" if inside.size and inside.all() else words.capitalize()


def _interfaces(network: NetworkCables, names: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The label and type of every port that a device of a kind has a link in, and one device of that kind."""
    links, graph = network.graph.links, network.graph
    slugs, told = _slugs(network), set()
    for some in network.blocks():
        for end, ports in ((links.lower, links.lower_port), (links.upper, links.upper_port)):
            device, port = end[some], ports[some]
            kind = graph.devices.kind[device].astype(np.int64)
            keys, first = np.unique(kind * (1 + int(port.max())) + port, return_index=True)
            device, port, tier = device[first], port[first], links.tier[some][first]
            labels = network.words.of(device, port, network.words.label).tolist()
            for at in range(keys.size):
                seen = int(kind[first[at]]), int(port[at])
                if seen not in told:
                    told.add(seen)
                    yield labels[at].decode(), slugs[int(tier[at])], names[int(device[at])]


def _slugs(network: NetworkCables) -> list[str]:
    """What NetBox calls the interfaces at the links of each tier: the slowest that carries them."""
    known = ETHERNET_TYPES if network.ethernet else INFINIBAND_TYPES
    rates = network.graph.link_bandwidth_bytes_per_s * GBIT_S
    return [next((slug for most, slug in known if rate <= most * 1.001), "other") for rate in rates.tolist()]


def _tables(types: Mapping[str, _Type], devices: Mapping[str, _Device]) -> Iterator[tuple[str, bytes]]:
    """What is imported before the cables, in order."""
    roles = list(dict.fromkeys(one.role for one in devices.values()))
    racks = sorted({one.rack for one in devices.values() if one.rack})
    highest = max((one.bottom_u + types[one.type].units - 1 for one in devices.values()), default=0)
    yield "01-sites.csv", _csv(("name", "slug", "status"), [(SITE, _slug(SITE), "planned")])
    yield "02-manufacturers.csv", _csv(("name", "slug"), [(MAKER, _slug(MAKER))])
    yield (
        "03-device-roles.csv",
        _csv(("name", "slug", "color"), [(one, _slug(one), "9e9e9e") for one in roles]),
    )
    yield (
        "04-racks.csv",
        _csv(
            ("site", "name", "status", "width", "u_height"),
            [(SITE, one, "planned", "19", str(max(highest, 42))) for one in racks],
        ),
    )
    for name, one in types.items():
        yield f"05-device-types/{_slug(name)}.yaml", _device_type(name, one)
    yield (
        "06-devices.csv",
        _csv(
            ("name", "role", "manufacturer", "device_type", "site", "rack", "face", "position", "status"),
            [
                (
                    one.name, one.role, MAKER, one.type, SITE, one.rack,
                    "front" if placed else "", str(one.bottom_u) if placed else "", "planned",
                )
                for one in devices.values()
                for placed in [bool(one.rack) and one.bottom_u > 0]
            ],
        ),
    )  # fmt: skip


def _device_type(name: str, one: _Type) -> bytes:
    content: dict[str, Any] = {
        "manufacturer": MAKER,
        "model": name,
        "slug": f"{_slug(MAKER)}-{_slug(name)}",
        "u_height": one.units,
        "is_full_depth": True,
        "interfaces": [{"name": label, "type": slug} for label, slug in one.interfaces.items()],
    }
    return b"---\n" + write_yaml(content).encode()


def _cables(network: NetworkCables) -> Iterator[bytes]:
    safe = replace(network, parts=each(network.parts, csv_cell))
    prefix = f"{network.network}-".encode()
    for links in safe.blocks():
        text = safe.text(links)
        length = text["Length (m)"]
        unit: Text = np.where(length == b"", b"", b"m")
        label = np.strings.add(prefix, _numbers(safe, links))
        parts: list[Text | bytes] = [
            text["A-Node Name"], b",dcim.interface,", text["A-Port"], b",",
            text["Z-Node Name"], b",dcim.interface,", text["Z-Port"], b",planned,",
            label, b",", length, b",", unit, b",", text["Part"], b"\r\n",
        ]  # fmt: skip
        yield joined_rows(parts, links.size)


def _numbers(network: NetworkCables, links: Whole) -> Text:
    return decimals(network.cable[links] + 1)


def _csv(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    lines = [
        ",".join(heading).encode(),
        *(b",".join(csv_cell(cell.encode()) for cell in row) for row in rows),
    ]
    return b"\r\n".join(lines) + b"\r\n"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
