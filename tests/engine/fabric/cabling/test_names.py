"""Names of devices: readable, and each once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.fabric.cabling.ports import device_names
from app.engine.fabric.graph.graph import FabricGraph, Links, devices_of
from tests.engine.fabric.cabling.fabrics import superpod


def without_links(counts: dict[str, int], **places: dict[str, np.ndarray]) -> FabricGraph:
    devices, _ = devices_of(counts, **({"plane": {}, "group": {}, "rail": {}} | places))
    nothing = np.empty(0, np.int32)
    links = Links(tier=nothing, lower=nothing, upper=nothing, lower_port=nothing, upper_port=nothing)
    return FabricGraph(
        kinds=tuple(counts),
        tiers=("leaf",),
        devices=devices,
        links=links,
        link_bandwidth_bytes_per_s=np.ones(1),
    )


def names(graph: FabricGraph, network: str = "compute") -> list[str]:
    return [name.decode() for name in device_names(graph, network).tolist()]


def test_a_superpod_reads_as_people_write_it():
    found = names(superpod(63, scalable_unit_supernodes=32, management_ports=4))
    assert found[0] == "node-0001"
    assert found[62] == "node-0063"
    assert found[63] == "management-01"
    leaves = [name for name in found if name.startswith("leaf")]
    assert leaves[:9] == [f"leaf-01-{rail}" for rail in range(1, 9)] + ["leaf-02-1"]
    assert [name for name in found if name.startswith("spine")][:2] == ["spine-01", "spine-02"]


def test_planes_and_networks_are_named_where_there_are_several():
    graph = without_links({"host": 1, "spine": 4}, plane={"spine": np.array([0, 0, 1, 1])})
    assert names(graph)[1:] == ["spine-p1-01", "spine-p1-02", "spine-p2-01", "spine-p2-02"]
    assert names(graph, "out_of_band") == ["node-0001", "out-of-band-spine-p1-01", "out-of-band-spine-p1-02",
                                           "out-of-band-spine-p2-01", "out-of-band-spine-p2-02"]  # fmt: skip


def test_numbers_have_as_many_digits_as_the_largest_needs():
    found = names(without_links({"host": 12_345, "spine": 100}))
    assert found[0] == "node-00001"
    assert found[12_345] == "spine-001"


def test_no_devices_have_no_names():
    assert names(without_links({"host": 0, "leaf": 0})) == []


def test_a_switch_that_is_managed_keeps_its_name():
    graph = without_links({"host": 1, "managed_switch": 2, "access": 1})
    own = {"managed_switch": np.array([b"leaf-01-1", b"spine-01"])}
    found = device_names(graph, "out_of_band", own).tolist()
    assert found == [b"node-0001", b"leaf-01-1", b"spine-01", b"out-of-band-access-01"]


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.integers(-1, 2), st.integers(-1, 12)), min_size=1, max_size=60),
    st.integers(0, 5),
)
def test_every_device_has_a_name_of_its_own(places: list[tuple[int, int]], hosts: int):
    plane, group = (np.array(column) for column in zip(*places, strict=True))
    graph = without_links(
        {"host": hosts, "leaf": len(places), "router": len(places)},
        plane={"leaf": plane, "router": plane},
        group={"leaf": group, "router": group},
    )
    found = names(graph)
    assert len(set(found)) == graph.device_count
    assert all(name == name.strip() and " " not in name for name in found)
