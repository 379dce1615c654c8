"""Curves over sizes: what they are made of, where they end and where they cross."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.sizes.curves import Sizes, crossings, size_curves
from app.engine.fabric.topologies import TOPOLOGIES
from tests.engine.fabric.pods import evaluate, pod, qm9700
from tests.support import assumptions, dgx_h100

PRICES = {"switch.price_usd": (20_000.0, 32_000.0, 50_000.0)}
SIZES = np.array([2.0, 32, 64, 512, 8192, 12_288])


def curves(*topologies: str, sizes: Any = SIZES, **changes: Any) -> Sizes:
    return size_curves(
        pod=pod(64, **{"scalable_unit_supernodes": float("nan")} | changes),
        supernode=dgx_h100(),
        assumptions=assumptions("fabric", FabricAssumptions),
        topologies=topologies,
        supernodes=sizes,
        prices=PRICES,
    )


def test_a_curve_is_the_fabric_of_each_size() -> None:
    (curve,) = curves("fat_tree").curves
    for place, size in enumerate(SIZES[:-1]):
        fabric = evaluate(pod(size, topology="fat_tree", scalable_unit_supernodes=float("nan")))
        assert curve.price_usd[place, 1] == pytest.approx(float(fabric.network_price_usd[0]))
        assert curve.power_w[place] == pytest.approx(float(fabric.network_power_w[0]))
        assert curve.switches[place] == float(fabric.switches_total[0])
        between = curve.price_usd[place] - curve.switches[place] * np.array(PRICES["switch.price_usd"])
        assert np.ptp(between) == pytest.approx(0)  # the rest has one price


def test_a_curve_ends_where_its_topology_does() -> None:
    found = curves("fat_tree", "rail_only").curves
    assert np.isnan(found[0].price_usd[-1]).all()
    assert np.isnan(found[0].bisection_bandwidth_bytes_per_s[-1])
    assert found[0].ends is not None
    assert found[0].ends.limit == 8192
    assert found[1].ends is None
    assert np.isfinite(found[1].price_usd).all()


def test_every_topology_has_a_curve() -> None:
    """Two sizes, few nodes: what is not joined by then says what ends it."""
    found = curves(*TOPOLOGIES, sizes=np.array([2.0, 4.0])).curves
    assert [curve.topology for curve in found] == list(TOPOLOGIES)
    for curve in found:
        assert np.isfinite(curve.power_w).all() or curve.ends is not None, curve.topology


def test_shapes_of_one_size_are_left_open() -> None:
    stated = curves("dragonfly", group_routers=4, router_endpoints=2, router_global_links=2, tiers_asked=1)
    assert stated.curves[0].switches.tolist() == curves("dragonfly").curves[0].switches.tolist()
    assert curves("fat_tree", tiers_asked=1).curves[0].ends is not None
    assert curves("fat_tree", tiers_asked=1, sizes=SIZES[:-1]).curves[0].ends is None


def test_an_unknown_price_leaves_the_power_known() -> None:
    (curve,) = size_curves(
        pod=pod(64, switch=qm9700(price_usd=float("nan"))),
        supernode=dgx_h100(),
        assumptions=assumptions("fabric", FabricAssumptions),
        topologies=("rail_fat_tree",),
        supernodes=np.array([2.0, 64.0]),
        prices={},
    ).curves
    assert np.isnan(curve.price_usd).all()
    assert np.isfinite(curve.power_w).all()
    assert curve.ends is None


def test_crossings_by_hand() -> None:
    # b - a is +1 at 10 and -1 at 1,000: they meet halfway on the logarithm, at 100
    (found,) = crossings(
        names=("a", "b"),
        accelerators=np.array([10.0, 1000.0]),
        values=np.array([[1.0, 3.0], [2.0, 2.0]]),
    )
    assert (found.before, found.then, found.lowest) == ("a", "b", True)
    assert found.accelerators == pytest.approx(100)
    assert found.value == pytest.approx(2)


def test_a_crossing_above_a_third_curve_is_not_the_lowest() -> None:
    found = crossings(
        names=("a", "b", "c"),
        accelerators=np.array([10.0, 1000.0]),
        values=np.array([[1.0, 3.0], [2.0, 2.0], [0.5, 0.5]]),
    )
    assert [one.lowest for one in found] == [False]


def test_what_only_touches_or_is_unknown_crosses_nothing() -> None:
    sizes = np.array([1.0, 10, 100])
    touching = np.array([[1.0, 2, 1], [2.0, 2, 2]])
    assert crossings(names=("a", "b"), accelerators=sizes, values=touching) == ()
    unknown = np.array([[1.0, np.nan, np.nan], [2.0, 1, 0]])
    assert crossings(names=("a", "b"), accelerators=sizes, values=unknown) == ()
    through = np.array([[1.0, 2, 3], [2.0, 2, 2]])
    (found,) = crossings(names=("a", "b"), accelerators=sizes, values=through)
    assert found.then == "b"
    assert 1 < found.accelerators < 100
