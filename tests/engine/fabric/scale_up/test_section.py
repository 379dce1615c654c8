"""Scale-up domains against what is published of them, and in their limits."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.scale_up.section import evaluate_scale_up
from tests.engine.fabric.scale_up.plans import (
    cloudmatrix384,
    dgx_h100_256,
    evaluated,
    mesh,
    nvl72,
    nvl576,
    plan,
    torus,
)
from tests.support import assumptions, dgx_h100


def test_nvl72_is_eighteen_planes_of_one_tier() -> None:
    """GB200 NVL72: 18 switch chips, 1,296 links, 5,184 copper cables, 130 TB/s both ways."""
    found = evaluated(nvl72(), 72)
    assert [(tier.name, *tier.switches, *tier.links, *tier.cables) for tier in found.tiers] == [
        ("plane", 18, 1296, 5184)
    ]
    assert 2 * 72 * found.accelerator_bandwidth_bytes_per_s == pytest.approx(130e12, rel=0.01)
    assert (*found.diameter_links, *found.mean_distance_links) == (2, 2)
    assert found.bisection_bandwidth_bytes_per_s == 36 * 900e9
    assert found.all_to_all_bandwidth_bytes_per_s == found.accelerator_bandwidth_bytes_per_s


def test_cloudmatrix384_is_seven_planes_of_two_tiers() -> None:
    """336 chips in the nodes, 112 in the switch racks, 2,688 optical cables; 3,136 GB/s leave each node."""
    found = evaluated(cloudmatrix384(), 384)
    assert [(tier.name, *tier.switches, *tier.links, *tier.cables) for tier in found.tiers] == [
        ("lower", 336, 5376, 0),
        ("upper", 112, 5376, 2688),
    ]
    assert found.tiers[1].links / 48 * 28e9 == 3136e9
    assert [distance.name for distance in found.distances] == ["other_die", "one_switch", "two_switches"]
    assert [float(distance.accelerators[0]) for distance in found.distances] == [0, 7, 376]
    assert [float(distance.latency_s[0]) for distance in found.distances] == [0.2e-6, 0.8e-6, 2.3e-6]
    assert found.latency_s == 2.3e-6


def test_a_domain_of_576_has_sixteen_and_nine_chips_a_plane() -> None:
    """36 of 72 ports point down; eight chips above would do, and nine are reached evenly: 36 / 9 links each."""
    found = evaluated(nvl576(), 576)
    assert [*found.tiers[0].switches, *found.tiers[1].switches] == [18 * 16, 18 * 9]
    assert found.latency_s == pytest.approx(3e-6)  # three chips on the way
    assert found.mean_distance_links == pytest.approx(4 - 2 * 35 / 575)


def test_a_tapered_domain_has_half_of_its_links_above() -> None:
    """DGX H100 256: 72 of 144 links leave each server; 57.6 TB/s both ways; 36 chips, two a link switch."""
    found = evaluated(dgx_h100_256(), 256)
    assert found.tiers[1].links == 32 * 72
    assert 2 * found.bisection_bandwidth_bytes_per_s == 57.6e12
    assert found.tiers[1].switches == 36
    # of all that an accelerator sends, 248 of 255 parts leave its server, over half of the links
    assert found.all_to_all_bandwidth_bytes_per_s == pytest.approx(225e9 * 255 / 248)
    assert found.oversubscription == 2


def test_tpu_v4_needs_48_circuit_switches_of_128_ports() -> None:
    """TPU v4: 64 cubes, 48 circuit switches, 6,144 optical ends, 96 of each cube."""
    found = evaluated(torus(16, 16, 16, cube_side=4, upper_cables_per_link=2), 4096)
    assert (*found.circuit_switches, *found.circuit_switch_ports, *found.optical_ends) == (48, 128, 6144)
    assert [(tier.name, *tier.links, *tier.cables) for tier in found.tiers] == [
        ("copper", 9216, 9216),
        ("optical", 3072, 6144),
    ]
    assert found.tiers[0].links / 64 == 144  # inside a cube


def test_tpu7x_needs_48_circuit_switches_of_288_ports() -> None:
    found = evaluated(torus(16, 24, 24, cube_side=4), 9216)
    assert (*found.circuit_switches, *found.circuit_switch_ports, *found.optical_ends) == (48, 288, 13824)


def test_trainium2_has_slower_links_along_its_third_side() -> None:
    """4 x 128 + 2 x 64 = 640 GB/s a chip, one way."""
    given = torus(4, 4, 4, link_bandwidth_bytes_per_s=128e9, third_link_bandwidth_bytes_per_s=64e9)
    found = evaluated(given, 64)
    assert found.accelerator_bandwidth_bytes_per_s == 640e9
    assert found.bisection_bandwidth_bytes_per_s == 2 * 16 * 64e9  # across the slower side
    assert [float(one.bandwidth_bytes_per_s[0]) for one in found.distances] == [128e9, 128e9, 64e9]
    assert found.links_total == 3 * 64


def test_a_mesh_of_eight_has_a_link_for_every_pair() -> None:
    """MI300X: 28 links of 64 GB/s, 448 GB/s each."""
    found = evaluated(mesh(), 8)
    assert found.links_total == 28
    assert found.distances[0].bandwidth_bytes_per_s == 64e9
    assert found.bisection_bandwidth_bytes_per_s == 16 * 64e9
    assert found.switches_total == 0


def test_links_of_a_mesh_may_be_several_a_pair() -> None:
    """Gaudi 3: 21 links of 25 GB/s are three to each of seven peers."""
    found = evaluated(mesh(links_per_accelerator=21, link_bandwidth_bytes_per_s=25e9), 8)
    assert (*found.links_total, *found.distances[0].bandwidth_bytes_per_s) == (84, 75e9)


def test_what_nobody_published_is_unknown_and_nothing_else_is() -> None:
    found = evaluated(nvl72(cables_per_link=float("nan")), 72)
    assert np.isnan(found.cables_total)
    assert found.links_total == 1296


def test_without_a_plan_there_is_no_section() -> None:
    assert evaluate_scale_up(dgx_h100(), assumptions("fabric", FabricAssumptions)) is None


def test_switches_and_optics_draw_by_the_bit_and_cost_by_the_rate() -> None:
    """NVL72 by hand: 18 chips x 72 ports x 400 Gbit/s x 18.4 pJ = 9,539 W; 518,400 Gbit/s x 1.07 USD; copper
    1,296 links x 400 Gbit/s x 0.28 USD. Two tiers of 144: 4 + 2 chips in 18 planes, and 2,592 links with two ends of
    400 Gbit/s x 16.3 pJ.
    """
    one = evaluated(nvl72(), 72)
    assert one.switch_power_w == pytest.approx(9538.56)
    assert one.switch_price_usd == pytest.approx(554_688)
    assert one.cable_price_usd == pytest.approx(145_152)
    assert one.optics_power_w == 0
    two = evaluated(nvl576(), 144)
    assert two.switches_total == 108
    assert two.switch_power_w == pytest.approx(6 * 9538.56)
    assert two.optics_power_w == pytest.approx(2592 * 2 * 400e9 * 16.3e-12)
    assert two.cable_price_usd == pytest.approx(2592 * 400 * (0.28 + 2 * 1.3))


def test_traces_of_a_board_cost_nothing_by_themselves() -> None:
    assert evaluated(mesh(cables_per_link=0), 8).cable_price_usd == 0


def test_planes_need_their_number() -> None:
    with pytest.raises(TypeError, match="without a number of planes"):
        evaluated(plan("switch_planes"), 8)
