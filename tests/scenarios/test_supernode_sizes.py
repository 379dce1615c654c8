"""A catalog system at other sizes: its parts go with the accelerators, its scale-up network is counted again."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.fabric.scale_up.section import STRUCTURES
from app.engine.specs import SuperNode
from app.scenarios.document.supernode import CustomSuperNode
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.examples import example
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
from app.scenarios.resolve.supernode_parts import as_parts
from tests.scenarios.support import document
from tests.support import part_of

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
RACK = "gb200_nvl72"
OF_NVL72 = {"switch_power_w": 9538.56}
"""The scale-up network of an NVL72: tests/engine/fabric/scale_up has the hand calculation."""
SIZED = ("dgx_a100_640", "dgx_h100", "dgx_b200", RACK, "vr_nvl72", "huawei_cloudmatrix384", "amd_mi300x_8way",
         "aws_trn2_ultraserver", "tpu_v5p_pod", "tpu_v7_pod")  # fmt: skip


def supernode(system: str, **override: Any) -> SuperNode:
    chosen = {"system": system, "override": override} if override else {"system": system}
    return resolve(document(supernode=chosen, pod={"supernodes": 4}), ready_catalog()).design.supernode


def first(value: Any) -> float:
    return float(np.median(value))


def test_half_a_rack_has_half_of_everything_but_its_network() -> None:
    """36 of 72: nine chips in place of 18, so half of all; the rack is half full."""
    whole, half = supernode(RACK), supernode(RACK, accelerators=36)
    for name in ("max_power_w", "typical_power_w", "price_usd", "scale_out_nics", "nodes", "weight_kg"):
        assert first(getattr(half, name)) == pytest.approx(first(getattr(whole, name)) / 2), name
    assert (first(half.scale_up_domain_accelerators), first(half.racks)) == (36, 0.5)
    assert half.scale_up is not None
    assert first(half.scale_up.planes) == 9


def test_two_racks_in_one_domain_pay_for_a_second_tier() -> None:
    """144 in two tiers: six chips in each of 18 planes and 2,592 links of active copper from rack to rack, at the level
    that the published figures have over the parts of one rack.
    """
    rack, both = supernode(RACK), supernode(RACK, accelerators=144)
    parts_w = 2 * (72 * 1200 + 36 * 300 + 18 * 1e12 * 1.6e-10 + 72 * 25 + 18 * 300)  # NICs of 25 W (catalog)
    one_w = parts_w / 2 + OF_NVL72["switch_power_w"]
    two_w = parts_w + 6 * OF_NVL72["switch_power_w"] + 2592 * 2 * 400e9 * 12.5e-12
    assert first(both.max_power_w) / first(rack.max_power_w) == pytest.approx(two_w / one_w, rel=0.003)
    assert 2.5 < first(both.price_usd) / first(rack.price_usd) < 3
    assert first(both.scale_up_latency_s) == 3 * first(rack.scale_up_latency_s)
    assert both.scale_up is not None
    assert [one.name for one in both.scale_up.media] == ["copper", "active_copper"]
    assert (
        first(both.racks) == 3 + 2
    )  # twice the chips stand with the trays; 36 of the upper tier, 28 to a rack


@pytest.mark.parametrize(
    ("system", "most"),
    [
        (RACK, 2592),  # 36 links down of a lower chip, 72 lower chips below an upper one
        ("huawei_cloudmatrix384", 384),  # 48 ports of a chip of the upper tier, eight NPUs a node
        ("dgx_h100", 512),  # 64 boards of eight
        ("dgx_a100_640", 648),  # by the ports of its chips; nobody built it
        ("amd_mi300x_8way", 8),
        ("aws_trn2_ultraserver", 64),
        ("tpu_v5p_pod", 6144),
    ],
)
def test_what_links_cannot_join_is_refused_with_the_size_they_can(system: str, most: int) -> None:
    too_many = {"accelerators": 16_384, "scale_up_domain_accelerators": 16_384}
    with pytest.raises(ScenarioError, match=f"joins at most {most:,} accelerators") as refused:
        supernode(system, **too_many)
    assert f"{most:,} or fewer" in refused.value.errors[0].hint


def test_the_field_that_asked_for_too_many_is_the_one_at_fault() -> None:
    with pytest.raises(ScenarioError) as refused:
        supernode("amd_mi300x_8way", accelerators=9)
    assert refused.value.errors[0].path == "supernode.override.accelerators"


@pytest.mark.parametrize("system", SIZED)
def test_as_sold_is_as_published(system: str) -> None:
    """Stating the size that is sold changes nothing."""
    sold = supernode(system)
    same = supernode(system, accelerators=int(first(sold.accelerators)))
    for name in ("price_usd", "max_power_w", "nodes", "racks", "scale_out_nics", "scale_up_latency_s"):
        assert first(getattr(same, name)) == pytest.approx(first(getattr(sold, name)), nan_ok=True), name


def test_what_the_scenario_states_stands() -> None:
    stated = {
        "accelerators": 144,
        "price_usd": 5e6,
        "max_power_w": 2e5,
        "nodes": 40,
        "racks": 3,
        "scale_out_nics": 80,
    }
    found = supernode(RACK, **stated)
    assert {name: first(getattr(found, name)) for name in stated} == stated


def test_a_domain_of_a_part_leaves_the_machine_as_it_is() -> None:
    """Two domains of 36 in one rack: as many chips, and the price of the rack."""
    rack, parted = supernode(RACK), supernode(RACK, scale_up_domain_accelerators=36)
    assert first(parted.accelerators) == 72
    assert first(parted.price_usd) == pytest.approx(first(rack.price_usd))


def test_a_mesh_has_links_to_those_that_are_there() -> None:
    four = supernode("amd_mi300x_8way", accelerators=4)
    assert first(four.accelerator.scale_up_bandwidth_bytes_per_s) == 3 * 64e9


def test_the_two_to_one_taper_of_256_is_felt() -> None:
    """NVIDIA's NVLink Switch System: half of the links of a server leave it, 225 GB/s an accelerator."""
    found = supernode("dgx_h100", accelerators=256)
    assert first(found.accelerator.scale_up_bandwidth_bytes_per_s) == pytest.approx(225e9 * 255 / 248)
    assert found.scale_up is not None
    section = evaluate_scenario(
        document(supernode={"system": "dgx_h100", "override": {"accelerators": 256}}, pod={"supernodes": 4}),
        ready_catalog(),
    ).as_json["fabric"]["scale_up"]
    assert [tier["switches"] for tier in section["tiers"]] == [128, 36]  # published: 36 chips in 18 switches


def test_larger_is_never_free_and_bandwidth_never_above_the_ports() -> None:
    """300 seeded sizes: more accelerators cost and draw more, none less than its share without the network; NICs,
    hosts and ports are conserved; no domain is faster than the links of its accelerators.
    """
    drawn = random.Random(7)
    sizes = {
        system: sorted(
            {
                drawn.randint(2, 2 * int(first(supernode(system).scale_up_domain_accelerators)))
                for _ in range(30)
            }
        )
        for system in SIZED
    }
    tried = 0
    for system, counts in sizes.items():
        sold = supernode(system)
        each = {
            name: first(getattr(sold, name)) / first(sold.accelerators)
            for name in ("price_usd", "max_power_w")
        }
        network = {"price_usd": 0.35, "max_power_w": 0.15}  # of all, at most
        found: list[SuperNode] = []
        for count in counts:
            try:
                found.append(supernode(system, accelerators=count))
            except ScenarioError:
                continue  # refused with a reason: see above
        for one in found:
            tried += 1
            count = first(one.accelerators)
            rate = first(one.accelerator.scale_up_bandwidth_bytes_per_s)
            assert rate <= first(sold.accelerator.scale_up_bandwidth_bytes_per_s) * (1 + 1e-9)
            assert first(one.nodes) >= count * first(sold.nodes) / first(sold.accelerators) - 1e-9
            each_nic = first(sold.scale_out_nics) / first(sold.accelerators)
            of_trays = first(one.nodes) * first(sold.accelerators) / first(sold.nodes)
            assert each_nic * count <= first(one.scale_out_nics) * (1 + 1e-9)
            assert first(one.scale_out_nics) <= each_nic * of_trays * (1 + 1e-9)
            for name, value in each.items():
                if not np.isnan(value):
                    assert first(getattr(one, name)) / count > value * (1 - network[name]), (
                        system,
                        count,
                        name,
                    )
        for less, more in itertools.pairwise(found):
            for name in each:
                low, high = first(getattr(less, name)), first(getattr(more, name))
                assert np.isnan(low) or low < high, (
                    system,
                    name,
                    first(less.accelerators),
                    first(more.accelerators),
                )
    assert tried > 120


def test_an_override_and_the_same_parts_are_one_model() -> None:
    """300 seeded sizes of all systems that are built up: chips, links, cables, tiers, media, hosts, NICs and racks of an
    override are those of a SuperNode of the same parts, and so is what is refused.
    """
    catalog = ready_catalog()
    systems = [
        key
        for key in catalog.keys("systems")
        if (parts := as_parts(catalog, catalog.part("systems", key))) and parts.accelerators <= 9216
    ]
    compared = refused = 0
    seeds = part_of(range(300))
    for seed in seeds:
        drawn = random.Random(f"24 {seed}")
        key = drawn.choice(systems)
        parts = as_parts(catalog, catalog.part("systems", key))
        assert parts is not None
        size = drawn.choice(
            (2, 4, 6, 8, 12, 16, 32, 64, 96, 144, 256, 384, 576, 1024, drawn.randint(2, 1200))
        )
        custom = parts.model_copy(update={"accelerators": size})
        if parts.scale_up.domain_accelerators is not None:
            domain = min(size, parts.scale_up.domain_accelerators)
            joined = parts.scale_up.model_copy(update={"domain_accelerators": domain})
            custom = custom.model_copy(update={"scale_up": joined})
        if size == parts.accelerators:
            continue
        try:
            override = supernode(key, accelerators=size)
        except ScenarioError as error:
            refused += 1
            with pytest.raises(ScenarioError, match=re.escape(error.errors[0].message)):
                of_parts(custom)
            continue
        own = of_parts(custom)
        compared += 1
        for name in ("accelerators", "scale_up_domain_accelerators", "nodes", "racks"):
            value = first(getattr(own, name))  # racks are unknown where the power of an accelerator is
            assert np.isnan(value) or first(getattr(override, name)) == value, (key, size, name)
        if not np.isnan(override.scale_out_nics).any():
            assert first(override.scale_out_nics) == first(own.scale_out_nics), (key, size)
        assert counts_of(override) == counts_of(own), (key, size)
    assert compared > len(seeds) / 2
    assert refused > len(seeds) / 30


def of_parts(custom: CustomSuperNode) -> SuperNode:
    chosen = {"custom": custom.model_dump(exclude_none=True)}
    return resolve(document(supernode=chosen, pod={"supernodes": 4}), ready_catalog()).design.supernode


def counts_of(found: SuperNode) -> list[Any]:
    if found.scale_up is None:
        return []
    shape = STRUCTURES[found.scale_up.structure](found.scale_up, found.scale_up_domain_accelerators)
    layers = [
        (layer.name, first(layer.switches), first(layer.links), str(first(layer.cables_per_link)))
        for layer in shape.layers
    ]
    return [*layers, first(shape.circuits.switches), *(one.name for one in found.scale_up.media)]


@pytest.mark.parametrize("size", [8, 72, 144])
def test_the_table_of_the_guide_is_what_comes_out(size: int) -> None:
    """docs/fabric.md: Llama 3.1 405B, 4,608 accelerators of GB200 of which 4,096 train, in SuperNodes of each size."""
    guide = (ROOT / "docs" / "fabric.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| {size} \| (.*) \|$", guide, flags=re.MULTILINE)
    values = example("llama_3_1_405b_on_gb200_nvl72").read().as_dict()
    values["supernode"]["override"] = {"accelerators": size}
    values["pod"] |= {"supernodes": 4608 // size, "accelerators_used": 4096}
    values["pod"]["fabric"]["scalable_unit_supernodes"] = None
    values["parallelism"] = "auto"
    found = evaluate_scenario(build_scenario(values), ready_catalog()).as_json
    network = found["fabric"]["scale_up"]
    each = (network["switch_power_w"] + network["optics_power_w"]) / size / 1e3
    assert row.split(" | ") == [
        f"{network['switches_total']:.0f}",
        f"{each:.2f}",
        f"{found['cost']['capex_usd'] / 1e6:,.0f}",
        f"{found['power']['it_power_mean_w'] / 1e6:.1f}",
        f"{found['performance']['step_time_s']:.2f}",
    ]
