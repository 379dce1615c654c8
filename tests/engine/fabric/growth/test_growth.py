"""A pod that grows: counted by hand, and held against the fabric of each size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.growth.plan import (
    Growth,
    bought_pieces,
    growth,
    idle_pieces,
    moved_links,
    owned_pieces,
)
from app.engine.fabric.topologies import asked_of, topology_of
from tests.engine.fabric.pods import evaluate, nvl72, pod, qm9700, supernode
from tests.support import assumptions, dgx_h100

PRICES = {"switch.price_usd": (20_000.0, 32_000.0, 50_000.0)}
KNOWN = assumptions("fabric", FabricAssumptions)


def grown(layout: Any, stages: Any, kind: Any = None, **changes: Any) -> Growth:
    return growth(
        pod=pod(64, **{"scalable_unit_supernodes": float("nan")} | changes),
        supernode=kind or dgx_h100(),
        assumptions=KNOWN,
        stages=stages,
        layout=layout,
        prices=PRICES,
    )


def tier(found: Growth, name: str) -> Any:
    return next(one for one in found.tiers if one.name == name)


def test_two_tiers_double_by_hand() -> None:
    """4 spines take 8 links of each leaf; with 8 spines 4 of those go elsewhere: half of 256 are moved."""
    found = grown("each_stage", (32, 64))
    assert tier(found, "spine").switches.tolist() == [4, 8]
    assert tier(found, "spine").moved_links.tolist() == [0, 128]
    assert tier(found, "leaf").moved_links.tolist() == [0, 0]
    assert found.free_ports.tolist() == [0, 0]


def test_a_third_tier_takes_links_from_spines() -> None:
    """64 leaves on 32 spines; 72 leaves in three groups with 32 spines each: a group keeps its 24 leaves."""
    found = grown("each_stage", (256, 288))
    assert tier(found, "core").switches.tolist() == [0, 48]
    assert tier(found, "spine").moved_links.tolist() == [0, (64 - 24) * 32]


def test_spines_of_the_final_size_wait_partly_filled() -> None:
    """Published: 128 servers have 16 spines for 32 leaves. A quarter of the leaves fills a quarter of them."""
    found = grown("final_size", (32, 64, 128))
    assert tier(found, "leaf").switches.tolist() == [8, 16, 32]
    assert tier(found, "spine").switches.tolist() == [16, 16, 16]
    assert tier(found, "spine").links.tolist() == [256, 512, 1024]
    assert found.free_ports.tolist() == [16 * 64 - 256, 16 * 64 - 512, 0]
    assert not any(one.moved_links.any() for one in found.tiers)


def test_racks_have_their_own_spines_from_the_start() -> None:
    """Published: a unit of 8 NVL72 racks has 32 leaves and 24 spines; cores are what waits."""
    found = grown("final_size", (8, 16), nvl72())
    assert tier(found, "leaf").switches.tolist() == [32, 64]
    assert tier(found, "spine").switches.tolist() == [24, 48]
    assert tier(found, "core").switches.tolist() == [24, 24]


def test_prices_are_those_of_what_is_bought() -> None:
    found = grown("each_stage", (32, 64))
    switches = [line for line in found.lines if line.item.endswith("switches")]
    assert sum(line.bought.sum() for line in switches) == 24
    assert sum(line.price_usd.sum(axis=0) for line in switches).tolist() == [
        24 * price for price in PRICES["switch.price_usd"]
    ]
    both = evaluate(pod(64, scalable_unit_supernodes=float("nan")))
    assert found.price_usd[:, 1].sum() == pytest.approx(float(both.network_price_usd[0]))


def test_what_no_longer_fits_lies_idle() -> None:
    needed = np.array([4.0, 3, 5])
    owned = owned_pieces(needed=needed)
    assert owned.tolist() == [4, 4, 5]
    assert bought_pieces(owned=owned).tolist() == [4, 0, 1]
    assert idle_pieces(owned=owned, needed=needed).tolist() == [0, 1, 0]


@pytest.mark.parametrize("layout", ["each_stage", "final_size"])
def test_what_is_bought_adds_up_to_what_is_owned(layout: str) -> None:
    for line in grown(layout, (20, 40, 200), topology="dragonfly").lines:
        assert line.bought.sum() == line.owned[-1]
        assert (line.owned >= line.needed).all()


def test_an_unknown_price_is_unknown_where_something_is_bought() -> None:
    found = growth(
        pod=pod(64, switch=qm9700(price_usd=float("nan"))),
        supernode=dgx_h100(),
        assumptions=KNOWN,
        stages=(32, 64),
        layout="each_stage",
        prices={},
    )
    assert np.isnan(found.price_usd).all()
    modules = next(line for line in found.lines if line.item == "Node modules")
    assert np.isfinite(modules.price_usd).all()


@pytest.mark.parametrize("topology", ["torus_2d", "hyperx", "dragonfly", "dragonfly_plus", "dual_tor"])
@pytest.mark.parametrize("layout", ["each_stage", "final_size"])
def test_other_topologies_grow_too(topology: str, layout: str) -> None:
    found = grown(layout, (4, 16), topology=topology)
    final = evaluate(pod(16, topology=topology, scalable_unit_supernodes=float("nan")))
    for one in final.tiers:
        assert tier(found, one.name).switches[-1] == float(one.switches[0])
        assert tier(found, one.name).links[-1] == float(one.links[0])


def test_a_graph_keeps_all_its_own_links() -> None:
    ask = asked_of(pod=pod(40), supernode=supernode(), assumptions=KNOWN)
    graph = topology_of("rail_fat_tree").graph(ask)
    assert set(moved_links(graph, graph).values()) == {0}


@pytest.mark.slow
@settings(deadline=None, max_examples=30)
@given(
    topology=st.sampled_from(["rail_fat_tree", "fat_tree", "rail_only", "dual_tor", "dragonfly_plus"]),
    steps=st.lists(st.integers(2, 60), min_size=2, max_size=4, unique=True).map(sorted),
    layout=st.sampled_from(["each_stage", "final_size"]),
    managers=st.sampled_from([0, 2]),
)
def test_every_stage_has_the_nodes_of_its_size(topology, steps, layout, managers) -> None:  # type: ignore[no-untyped-def]
    found = grown(
        layout, steps, topology=topology, management_ports=managers,
        switch=qm9700(ports=16, max_logical_ports=32),
    )  # fmt: skip
    per_node = 16 if topology == "dual_tor" else 8
    assert found.tiers[0].links.tolist() == [size * per_node + managers for size in steps]
    for one in found.tiers:
        assert one.moved_links[0] == 0
        assert (one.moved_links[1:] <= one.links[:-1]).all()
        assert layout == "each_stage" or (np.diff(one.links) >= 0).all()
    assert (found.free_ports >= 0).all()
