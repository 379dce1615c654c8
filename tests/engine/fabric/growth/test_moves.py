"""Links that are laid again when one fabric becomes another."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.fabric.graph.graph import NO_PORT, FabricGraph, devices_of, links_between
from app.engine.fabric.growth.plan import moved_links


def one_host(planes: int) -> FabricGraph:
    """A host with a link to a leaf of each plane and two to a spine of the first."""
    counts = {"host": 1, "leaf": planes, "spine": 1}
    places = {"leaf": np.arange(planes), "spine": np.zeros(1, int)}
    devices, first = devices_of(counts, plane=places, group={}, rail={})
    upper = np.r_[first["leaf"] + np.arange(planes), first["spine"], first["spine"]]
    return FabricGraph(
        kinds=tuple(counts),
        tiers=("leaf",),
        devices=devices,
        links=links_between(
            tier=0, lower=np.zeros(1, int), upper=upper, lower_port=NO_PORT, upper_port=NO_PORT
        ),
        link_bandwidth_bytes_per_s=np.ones(1),
    )


@pytest.mark.parametrize("planes", [1, 64, 65, 1000])
def test_a_plane_less_moves_its_own_links_alone(planes: int):
    """However many planes there are, none is taken for a device of another kind."""
    assert moved_links(one_host(planes + 1), one_host(planes)) == {"leaf": 1}
    assert moved_links(one_host(planes), one_host(planes + 1)) == {"leaf": 0}
