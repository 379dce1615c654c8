"""Cables as running networks and NetBox tell them: out of the design and in again, and each change found."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import zipfile

import numpy as np
import pytest

from app.scenarios.errors import ScenarioError
from app.scenarios.reading.yaml_text import read_yaml
from app.surfaces.files.cables.formats import CABLE_FORMATS, cable_format_of_file, cables_netbox
from app.views.fabric.cable_diff import diff_cables
from app.views.fabric.cable_file import read_cable_file
from tests.engine.fabric.cabling.fabrics import cables, superpod
from tests.support import part_of

NETWORK = cables(superpod(33, management_ports=2))
ETHERNET = dataclasses.replace(NETWORK, ethernet=True)


def topology(network, lines_left_out=()) -> str:
    """What ibnetdiscover would write of a network: every link from both of its ends, an adapter a port of a host."""
    links, graph = network.graph.links, network.graph
    names = [name.decode() for name in network.names.tolist()]
    told: dict[str, list[str]] = {}

    def section(device: int, port: int) -> tuple[str, int]:
        if network.inside[device]:
            return (
                f'Switch 65 "S-{device:x}"  # "MF0;{names[device]}:MQM9700/U1" enhanced port 0 lid 3 lmc 0',
                port + 1,
            )
        return f'Ca 1 "H-{device:x}-{port}"  # "{names[device]} mlx5_{port}"', 1

    for link in range(graph.link_count):
        if link in lines_left_out:
            continue
        ends = [
            section(int(links.lower[link]), int(links.lower_port[link])),
            section(int(links.upper[link]), int(links.upper_port[link])),
        ]
        for (here, port), (there, other) in (ends, ends[::-1]):
            far = there.split('"')[1]
            told.setdefault(here, []).append(f'[{port}]\t"{far}"[{other}] \t\t# "x" lid 1 4xNDR')
    return "# Topology file\nvendid=0x2c9\n" + "\n".join(
        "\n".join([head, *lines, ""]) for head, lines in told.items()
    )


def neighbours(network) -> str:
    links, words = network.graph.links, network.words
    names = [name.decode() for name in network.names.tolist()]
    told: dict[str, list[dict]] = {}
    for one, port, other, far in (
        (links.lower, links.lower_port, links.upper, links.upper_port),
        (links.upper, links.upper_port, links.lower, links.lower_port),
    ):
        here, there = words.of(one, port, words.label).tolist(), words.of(other, far, words.label).tolist()
        for link in range(network.graph.link_count):
            interface = {
                here[link].decode(): {
                    "chassis": {names[other[link]]: {"id": {"type": "mac", "value": "00:00"}}},
                    "port": {"id": {"type": "ifname", "value": there[link].decode()}},
                }
            }
            told.setdefault(names[one[link]], []).append(interface)
    return json.dumps({name: {"lldp": {"interface": each}} for name, each in told.items()})


def test_a_fabric_that_is_wired_as_designed_has_no_differences():
    found = diff_cables([NETWORK], topology(NETWORK).encode())
    assert found.is_same
    assert found.found.matched == found.file.rows == NETWORK.graph.link_count
    found = diff_cables([ETHERNET], neighbours(ETHERNET).encode())
    assert found.is_same
    assert found.found.matched == found.file.rows == NETWORK.graph.link_count


@pytest.mark.parametrize("seed", part_of(range(20)))
def test_links_that_are_not_told_are_missing(seed):
    out = np.random.default_rng(seed).choice(NETWORK.graph.link_count, 1 + seed, replace=False).tolist()
    found = diff_cables([NETWORK], topology(NETWORK, out).encode())
    assert {kind: count for kind, count in found.counts.items() if count} == {"missing": len(out)}


def test_the_adapter_that_reduces_inside_a_switch_has_no_cable():
    text = topology(NETWORK) + (
        '\nSwitch 65 "S-own"  # "leaf-own"\n[65] "H-own"[1]\n'
        '\nCa 1 "H-own"  # "Mellanox Technologies Aggregation Node"\n[1] "S-own"[65]\n'
    )
    assert diff_cables([NETWORK], text.encode()).is_same


def test_a_topology_that_ends_at_nothing_is_refused():
    text = 'Switch 65 "S-1"  # "leaf-01-1"\n[1]\t"S-2"[1]\n'
    with pytest.raises(ScenarioError, match="S-2") as refused:
        read_cable_file(text.encode())
    assert refused.value.errors[0].line == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "begins as JSON"),
        ('{"leaf-1": 3}', "has no lldp"),
        ('{"a": {"lldp": []}}', "has no lldp"),
        ("[" * 5, "column"),
    ],
)
def test_no_neighbours_are_refused(text, words):
    with pytest.raises(ScenarioError, match=words):
        read_cable_file(text.encode())


def test_one_interface_is_an_object():
    told = {
        "swp1": {"chassis": {"leaf-2": {}}, "port": {"id": {"type": "mac", "value": "0"}, "descr": "swp3"}}
    }
    read = read_cable_file(json.dumps({"leaf-1": {"lldp": {"interface": told}}}).encode())
    assert (read.cables.a.tolist(), read.cables.z.tolist()) == ([b"leaf-1\t1"], [b"leaf-2\t3"])


def archive(networks) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(b"".join(cables_netbox(networks)))) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


@pytest.mark.slow
@pytest.mark.parametrize("network", [NETWORK, ETHERNET])
def test_netbox_has_every_end_of_every_cable(network):
    files = archive([network])
    types = {}
    for name, content in files.items():
        if name.endswith(".yaml"):
            kind = read_yaml(content.decode()).values
            assert len({one["name"] for one in kind["interfaces"]}) == len(kind["interfaces"])
            types[kind["model"]] = {one["name"] for one in kind["interfaces"]}
    devices = {row["name"]: row["device_type"] for row in rows(files["06-devices.csv"])}
    cabled = rows(files["07-cables.csv"])
    assert len(cabled) == network.graph.link_count
    ends = [(row[f"side_{side}_device"], row[f"side_{side}_name"]) for row in cabled for side in "ab"]
    assert len(set(ends)) == len(ends)
    for device, port in ends:
        assert port in types[devices[device]], (device, port)
    assert {row["role"] for row in rows(files["06-devices.csv"])} <= {
        row["name"] for row in rows(files["03-device-roles.csv"])
    }
    assert list(files) == sorted(files)


@pytest.mark.parametrize("network", [NETWORK, ETHERNET])
def test_the_cables_of_netbox_are_those_of_the_design(network):
    found = diff_cables([network], archive([network])["07-cables.csv"])
    assert found.is_same
    assert not found.file.unknown_columns


def test_lengths_of_netbox_have_a_unit():
    text = "side_a_device,side_a_name,side_b_device,side_b_name,length,length_unit\n{}"
    read = read_cable_file(text.format("a,1,b,1,10,ft\nc,1,d,1,2,\ne,1,f,1,,\n").encode())
    assert read.cables.length_m[:2].tolist() == pytest.approx([3.048, 2.0])
    assert np.isnan(read.cables.length_m[2])
    with pytest.raises(ScenarioError, match="is no unit of a length") as refused:
        read_cable_file(text.format("a,1,b,1,10,yd\n").encode())
    assert "km" in str(refused.value.errors[0].hint)


def test_the_archive_is_a_format():
    assert cable_format_of_file("pod.netbox.zip").name == "netbox"
    assert [one.name for one in CABLE_FORMATS][-1] == "netbox"


@pytest.mark.parametrize(
    ("words", "adapter", "port", "names"),
    [
        ("MF0;leaf-01-1:MQM9700/U1", "node-0001 mlx5_2", 1, (b"leaf-01-1", b"node-0001\t3")),
        ("leaf-01-1", "node-0001 HCA-3", 1, (b"leaf-01-1", b"node-0001\t3")),
        ("leaf-01-1", "node-0001 mlx5_2", 2, (b"leaf-01-1", b"node-0001\tmlx5_2/p2")),
    ],
)
def test_names_of_switches_and_adapters(
    words: str, adapter: str, port: int, names: tuple[bytes, bytes]
) -> None:
    text = f'Switch 65 "S-1"  # "{words}" lid 3\n[7]\t"H-1"[{port}]\nCa 2 "H-1"  # "{adapter}"\n[{port}]\t"S-1"[7]\n'
    read = read_cable_file(text.encode())
    assert (read.cables.a.tolist(), read.cables.z.tolist()) == ([names[0] + b"\t7"], [names[1]])
