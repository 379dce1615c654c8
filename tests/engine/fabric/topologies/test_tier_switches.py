"""A switch for each tier, and links between switches of another rate than those to nodes."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from app.engine.fabric.media.cages import cage_numbers, cages_of
from app.engine.fabric.problems import fabric_problems
from app.engine.fabric.tier_parts import switch_of
from app.engine.specs import Switch
from app.engine.trace import count_of, first_of
from tests.engine.fabric.pods import counts, evaluate, module, pod, qm9700, sn5600, supernode
from tests.engine.fabric.topologies.asks import host
from tests.engine.fabric.topologies.brute_force import Built, built
from tests.support import assumptions, number, part_of

GBIT_S = 1e9 / 8


def ethernet(
    key: str, ports: int, gbit_s: float, split: int = 8, latency_ns: float = 500, price: float = 1000
) -> Switch:
    return qm9700(
        key=key, name=key, protocol="Ethernet", ports=ports, port_bandwidth_bytes_per_s=gbit_s * GBIT_S,
        max_logical_ports=ports * split, latency_s=latency_ns * 1e-9, price_usd=price, typical_power_w=price,
    )  # fmt: skip


TOMAHAWK_5 = ethernet("th5", 64, 800)


def hpn(segments: int, **changes):
    """Segments of 128 hosts of Qian et al., SIGCOMM 2024: 128 x 200 Gbit/s down and 60 x 400 Gbit/s up."""
    plan = {
        "switch": TOMAHAWK_5, "switch_transceiver": module(ports=1), "uplink_transceiver": module(ports=1),
        "planes": 2, "uplink_bandwidth_bytes_per_s": 400 * GBIT_S, "oversubscription": 16 / 15,
        "scalable_unit_supernodes": 128,
    }  # fmt: skip
    return pod(segments * 128, **(plan | changes)), supernode(
        scale_out_nic_bandwidth_bytes_per_s=400 * GBIT_S
    )


def test_a_pod_of_alibaba_hpn_has_the_published_switches_and_links() -> None:
    """15 segments of 16 leaves; 60 spines a plane, with 120 links of 400 Gbit/s down and 8 ports left for cores."""
    found = evaluate(*hpn(15))
    assert counts(found)[:2] == (240, 120)
    leaf, spine = found.tiers
    assert (leaf.links[0], spine.links[0]) == (15 * 1024 * 2, 240 * 60)
    assert found.oversubscription[0] == pytest.approx(128 * 200 / (60 * 400))
    assert leaf.ports_used[0] == pytest.approx((128 / 4 + 60 / 2) / 64)
    assert spine.ports_used[0] == pytest.approx(120 / 128)
    graph = built(*hpn(15)).graph
    assert (graph.link_bandwidth_bytes_per_s / GBIT_S).tolist() == [200, 400, 400]


def test_spines_of_a_pod_of_alibaba_hpn_leave_one_link_up_for_fifteen_down() -> None:
    found = evaluate(*hpn(30, tiers_asked=3, spine_oversubscription=15))
    leaf, spine, core = found.tiers
    assert (leaf.switches[0], spine.switches[0]) == (480, 240)
    assert core.links[0] == 240 * 8
    assert core.switches[0] == 2 * math.ceil(120 * 8 / 128)  # of two planes
    assert found.oversubscription[0] == pytest.approx(128 * 200 / (60 * 400) * 15)


def test_a_chassis_above_rack_switches_takes_its_own_ports_price_power_and_latency() -> None:
    """By hand: 16 racks of 64 x 400G, 32 down and 32 up, are 512 links up and one chassis of 576 ports."""
    chassis = ethernet("chassis", 576, 400, latency_ns=4000, price=500_000)
    rack = ethernet("rack", 64, 400, price=20_000)
    asked = {
        "topology": "fat_tree",
        "switch": rack,
        "switch_transceiver": module(ports=1),
        "scalable_unit_supernodes": math.nan,
    }
    one, own = (
        evaluate(pod(64, **asked, **changes))
        for changes in ({}, {"spine_switch": chassis, "spine_transceiver": module(ports=1)})
    )
    assert counts(one)[:2] == (16, 8)
    assert counts(own)[:2] == (16, 1)
    prices = {line.item: (line.count[0], line.price_usd[0], line.power_w[0]) for line in own.bill}
    assert prices["Leaf switches"] == (16, 320_000, 320_000)
    assert prices["Spine switches"] == (1, 500_000, 500_000)
    assert own.latency_s[0] - one.latency_s[0] == pytest.approx(3.5e-6)
    assert own.bisection_bandwidth_bytes_per_s[0] == one.bisection_bandwidth_bytes_per_s[0]


def drawn(seed: int) -> tuple[dict, object, str]:
    """A random design: switches of 16 to 128 ports of 200 to 800 Gbit/s a tier, and a rate of links between them."""
    draw = np.random.default_rng(seed)
    topology = str(draw.choice(["rail_fat_tree", "fat_tree", "rail_only", "dual_tor"]))
    rates = [200.0, 400.0, 800.0]
    switches = [
        ethernet(
            f"tier{tier}",
            int(draw.choice([16, 24, 32, 64])),
            float(draw.choice(rates[1:])),
            latency_ns=300 + 100 * tier,
        )
        for tier in range(3)
    ]
    planes = int(draw.choice([1, 2]))
    nic = float(draw.choice([200, 400])) * GBIT_S
    slowest = min(first_of(switch.port_bandwidth_bytes_per_s) for switch in switches) / GBIT_S
    uplink = float(draw.choice([rate for rate in (100.0, 200.0, 400.0, 800.0) if rate <= slowest]))
    twin = int(draw.choice([1, 2]))
    plan = {
        "topology": topology, "switch": switches[0], "spine_switch": switches[1], "core_switch": switches[2],
        "uplink_bandwidth_bytes_per_s": uplink * GBIT_S, "planes": planes,
        "oversubscription": float(draw.choice([1, 1, 1.5, 2, 16 / 15])),
        "spine_oversubscription": number(float(draw.choice([1, 2, 3]))),
        "scalable_unit_supernodes": math.nan, "switch_transceiver": module(ports=twin),
        "uplink_transceiver": module(ports=twin), "spine_transceiver": module(key="other", ports=int(draw.choice([1, 2]))),
    }  # fmt: skip
    hosts = int(draw.integers(2, 160))
    server = host(int(draw.choice([1, 2, 4])), scale_out_nic_bandwidth_bytes_per_s=nic)
    return plan, server, hosts


def ends_of(found: Built, tier: str, side: str) -> tuple[np.ndarray, np.ndarray]:
    links = found.graph.of_tier(tier)
    return getattr(found.graph.links, side)[links], getattr(found.graph.links, f"{side}_port")[links]


@pytest.mark.slow
@pytest.mark.parametrize("seed", part_of(range(200)))
def test_random_designs_keep_ports_cages_and_bandwidth(seed: int) -> None:
    plan, server, hosts = drawn(seed)
    found = built(pod(hosts, **plan), server)
    fabric, graph, ask = found.fabric, found.graph, found.ask
    planes = count_of(ask.pod.fabric.planes)
    # counts of shape and graph are the same
    for layer in found.shape.layers:
        assert graph.of_tier(layer.name).size == first_of(layer.links) * planes
        assert graph.of_kind(layer.name).size == first_of(layer.switches) * planes
    # no port is used twice, and no device has more ports or cages in use than it has
    devices = np.concatenate([graph.links.lower, graph.links.upper])
    port = np.concatenate([graph.links.lower_port, graph.links.upper_port])
    assert np.unique(np.stack([devices, port]), axis=1).shape[1] == devices.size
    if not found.can_be_built:
        return
    splits = {"leaf": ask.plugs.leaf_up.split, "spine": ask.plugs.spine.split, "core": ask.plugs.core.split}
    for kind in ("leaf", "spine", "core"):
        switch = switch_of(ask.pod.fabric, kind)
        assert switch is not None
        up, _ = ends_of(found, {"leaf": "spine", "spine": "core"}.get(kind, "none"), "lower")
        down, _ = ends_of(found, kind, "upper")
        for device in graph.of_kind(kind):
            ups, downs = int((up == device).sum()), int((down == device).sum())
            down_split = first_of(ask.plugs.port_split) if kind == "leaf" else first_of(splits[kind])
            # the bound by ports: what is taken, port by port
            taken = downs / down_split + ups / first_of(splits[kind])
            assert taken <= first_of(switch.ports) + 1e-9, (kind, ups, downs)
            # bandwidth in and out of ports is never more than they carry
            rate_down = (
                ask.plugs.link_bandwidth_bytes_per_s
                if kind == "leaf"
                else ask.plugs.uplink_bandwidth_bytes_per_s
            )
            carried = downs * first_of(rate_down) + ups * first_of(ask.plugs.uplink_bandwidth_bytes_per_s)
            assert carried <= first_of(switch.ports * switch.port_bandwidth_bytes_per_s) * (1 + 1e-9)
    # a cage has links of one tier where links up are of another kind, and modules are those of the cages
    cages = cages_of(graph, cage_numbers(graph, count_of(ask.plugs.switch_module_links), 1))
    assert cages is not None
    for tier in fabric.tiers[1:]:
        links = graph.of_tier(tier.name)
        in_cages = np.unique(cages.lower[links]).size
        if first_of(ask.plugs.apart) > 0 and tier.name == "spine":
            assert first_of(tier.lower_modules) == in_cages
        else:  # a cage that links of two tiers share counts in the lower one
            assert first_of(tier.lower_modules) <= in_cages
        assert first_of(tier.switch_modules) >= first_of(tier.lower_modules)
        if first_of(ask.plugs.apart) > 0 and tier.name == "spine":
            below = graph.of_tier("leaf")
            assert not np.intersect1d(cages.lower[links], cages.upper[below]).size
    # bandwidth is conserved: links up of a tier carry what the stated taper leaves of links down
    if len(fabric.tiers) > 1:
        over = first_of(fabric.oversubscription)
        spines = first_of(ask.pod.fabric.spine_oversubscription) if len(fabric.tiers) > 2 else 1.0
        assert over <= first_of(ask.pod.fabric.oversubscription) * max(spines, 1.0) * (1 + 1e-6)
        bisection = first_of(fabric.bisection_bandwidth_bytes_per_s)
        injected = first_of(ask.plugs.endpoint_links * ask.plugs.link_bandwidth_bytes_per_s) * planes
        assert (
            0
            < bisection
            <= injected
            * first_of(np.asarray(found.shape.bisection_links) * 0 + 1)
            / 2
            * (1 + 1e-9)
            * (first_of(ask.plugs.rails) if ask.pod.fabric.topology == "rail_only" else 1.0)
        )
    # never fewer spines than the ports of one carry
    if len(fabric.tiers) == 2:
        spine = fabric.tiers[1]
        assert first_of(spine.switches) >= first_of(spine.links) / first_of(ask.plugs.spine.radix) - 1e-9
    for line in fabric.bill:
        assert np.isfinite(line.price_usd).all()


@pytest.mark.slow
@pytest.mark.parametrize("seed", part_of(range(60)))
def test_the_same_switch_and_rate_are_todays_numbers(seed: int) -> None:
    draw = np.random.default_rng(seed)
    switch = [qm9700(), sn5600()][seed % 2]
    asked = {
        "topology": str(draw.choice(["rail_fat_tree", "fat_tree", "rail_only", "dual_tor"])), "switch": switch,
        "oversubscription": float(draw.choice([1, 1.5, 2])), "spine_oversubscription": number(float(draw.choice([1, 2]))),
        "scalable_unit_supernodes": float(draw.choice([math.nan, 32])),
    }  # fmt: skip
    hosts = int(draw.integers(2, 400))
    plain = built(pod(hosts, **asked), host(int(draw.choice([2, 4, 8]))))
    rate = first_of(plain.ask.plugs.link_bandwidth_bytes_per_s)
    stated = {"spine_switch": switch, "core_switch": switch, "uplink_bandwidth_bytes_per_s": rate}
    own = built(pod(hosts, **asked, **stated), plain.ask.supernode)
    for field in dataclasses.fields(plain.fabric):
        before, after = getattr(plain.fabric, field.name), getattr(own.fabric, field.name)
        assert repr(before) == repr(after), field.name
    for name in ("lower", "upper", "lower_port", "upper_port"):
        assert np.array_equal(getattr(plain.graph.links, name), getattr(own.graph.links, name))


@pytest.mark.slow
@pytest.mark.parametrize("seed", part_of(range(60)))
def test_twice_the_rate_of_links_up_is_never_slower(seed: int) -> None:
    """As many leaves with as many links down: links up are half as many, rounded up, of twice the rate."""
    draw = np.random.default_rng(seed)
    ports, over = int(draw.choice([16, 32, 64])), float(draw.choice([1, 1.5, 2, 4]))
    switch = ethernet("one", ports, 800)
    unit = int(draw.integers(2, ports))
    hosts = unit * int(draw.integers(2, 8))
    found = []
    for gbit_s in (200.0, 400.0, 800.0):
        design = pod(
            hosts, topology="fat_tree", switch=switch, switch_transceiver=module(ports=1), tiers_asked=2,
            oversubscription=over, scalable_unit_supernodes=unit, uplink_bandwidth_bytes_per_s=gbit_s * GBIT_S,
        )  # fmt: skip
        found.append(evaluate(design, host(1, scale_out_nic_bandwidth_bytes_per_s=200 * GBIT_S)))
    units = [first_of(each.unit_supernodes) for each in found]
    for slow, fast, before, after in zip(found, found[1:], units, units[1:], strict=False):
        if before == after:
            assert first_of(fast.oversubscription) <= first_of(slow.oversubscription) * (1 + 1e-9)
            assert first_of(fast.bisection_bandwidth_bytes_per_s) >= first_of(
                slow.bisection_bandwidth_bytes_per_s
            ) * (1 - 1e-9)
            assert first_of(fast.links_total) <= first_of(slow.links_total)


def test_what_a_topology_has_no_place_for_is_said() -> None:
    from app.engine.fabric.assumptions import FabricAssumptions

    def fields(**changes) -> list[str]:
        design = pod(64, switch=TOMAHAWK_5, **changes)
        found = fabric_problems(
            pod=design,
            supernode=supernode(),
            fabric=evaluate(design),
            assumptions=assumptions("fabric", FabricAssumptions),
        )
        return [problem.field for problem in found]

    stated = {"spine_switch": TOMAHAWK_5, "uplink_bandwidth_bytes_per_s": 400 * GBIT_S}
    assert {"pod.fabric.spine_switch", "pod.fabric.uplink_gbit_s"} <= set(
        fields(topology="dragonfly", **stated)
    )
    assert "pod.fabric.core_switch" in fields(core_switch=TOMAHAWK_5, tiers_asked=2)
    assert not {"pod.fabric.spine_switch", "pod.fabric.core_switch"} & set(fields(tiers_asked=2, **stated))
