"""A SuperNode of one's own parts: counts, power, price and racks beside published machines, and what must hold."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.specs import SuperNode
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
from app.scenarios.resolve.supernode import parts_of
from app.scenarios.resolve.supernode_parts import Built, as_parts
from tests.scenarios.support import document, scenario

pytestmark = pytest.mark.slow
TRAYS_OF_FOUR = {"accelerators_per_tray": 4, "processor": "cpu_grace"}
MACHINES = {  # rated power [kW], racks, price [1,000 USD: low, high]; None where nobody published it or it is an estimate
    "dgx_a100_640": (6.5, None, (199, 300)),
    "dgx_h100": (10.2, None, (270, 460)),
    "dgx_h200": (10.2, None, (400, 500)),
    "dgx_b200": (14.3, None, (379, 520)),
    "dgx_b300": (14.0, None, (300, 600)),
    "amd_mi300x_8way": (None, None, (180, 300)),
    "amd_mi355x_8way": (None, None, (250, 350)),
    "intel_gaudi3_8way": (None, None, (125, 200)),
    "gb200_nvl72": (132.0, 1, (2000, 4000)),
    "gb200_nvl36x2": (132.0, 2, None),  # an analyst's figure
    "gb300_nvl72": (142.0, 1, (3300, 6500)),
    "vr_nvl72": (190.0, 1, (7000, 8800)),  # at 1.8 kW an accelerator, its lower operating point
    "dgx_superpod_gb200_1su": (
        8 * 132.0,
        8,
        None,
    ),  # 1.2 MW is published of the scalable unit with its networks
    "huawei_cloudmatrix384": (559.0, 16, None),
    "aws_trn2_ultraserver": (50.0, 2, None),  # recalled: from 500 W a chip, which the parts take too
    "tpu_v4_pod": (None, 64, None),
    "tpu_v5p_pod": (None, 140, None),
    "tpu_v7_pod": (None, 144, None),
}
COUNTS = {  # switch chips, cables, modules, circuit switches
    "dgx_h100": (4, 0, 0, 0),
    "gb200_nvl72": (18, 5184, 0, 0),
    "gb200_nvl36x2": (
        36,
        7776,
        None,
        0,
    ),  # 18 switch trays, recalled; 1,296 links in racks and 648 between them
    "vr_nvl72": (36, None, 0, 0),
    "amd_mi300x_8way": (0, 0, 0, 0),
    "aws_trn2_ultraserver": (0, None, None, 0),
    "huawei_cloudmatrix384": (448, 2688, 5376, 0),
    "tpu_v4_pod": (0, None, None, 48),
    "tpu_v7_pod": (0, None, None, 48),
}


def custom(accelerator: str, accelerators: int, **stated: Any) -> dict[str, Any]:
    parts = stated.pop("parts", {})
    return {
        "custom": {
            "name": "A SuperNode",
            "accelerator": accelerator,
            "accelerators": accelerators,
            "parts": parts,
            **stated,
        }
    }


def built(chosen: dict[str, Any]) -> tuple[SuperNode, Built]:
    found = parts_of(document(supernode=chosen, pod={"supernodes": 2}), ready_catalog())
    assert found is not None
    return found


def supernode(chosen: dict[str, Any]) -> SuperNode:
    return resolve(document(supernode=chosen, pod={"supernodes": 2}), ready_catalog()).design.supernode


def of_nvl72(accelerators: int, **stated: Any) -> SuperNode:
    return supernode(custom("nvidia_gb200", accelerators, parts=TRAYS_OF_FOUR, **stated))


def parts_of_machine(key: str) -> dict[str, Any]:
    catalog = ready_catalog()
    found = as_parts(catalog, catalog.part("systems", key))
    assert found is not None
    return {"custom": found.model_dump(exclude_none=True)}


@pytest.mark.parametrize(("key", "published"), MACHINES.items(), ids=MACHINES)
def test_published_machines_are_the_sum_of_their_parts(
    key: str, published: tuple[float | None, int | None, tuple[float, float] | None]
) -> None:
    """Rated power within 10 %, racks exactly, the price's range across the published one."""
    power_kw, racks, price = published
    found = supernode(parts_of_machine(key))
    if power_kw is not None:
        assert found.max_power_w[0] / 1e3 == pytest.approx(power_kw, rel=0.1)
    if racks is not None:
        assert found.racks[0] == racks
    if price is not None:
        catalog = ready_catalog()
        parts = as_parts(catalog, catalog.part("systems", key))
        assert parts is not None
        low, high = price
        resolved = resolve(
            document(supernode={"custom": parts.model_dump(exclude_none=True)}, pod={"supernodes": 2}),
            catalog,
        )
        origin = resolved.origins["supernode.price_usd"]
        assert origin.low is not None
        assert origin.high is not None
        assert origin.low / 1e3 <= high
        assert low <= origin.high / 1e3
        assert found.price_usd[0] / 1e3 == pytest.approx(
            np.clip(found.price_usd[0] / 1e3, low, high), rel=0.04
        )


@pytest.mark.parametrize(("key", "published"), COUNTS.items(), ids=COUNTS)
def test_published_machines_have_their_chips_and_cables(
    key: str, published: tuple[int, int | None, int | None, int]
) -> None:
    switches, cables, modules, circuits = published
    _, one = built(parts_of_machine(key))
    counts = {line.name: float(line.count[0]) for line in one.parts.lines}
    assert counts.get("scale_up_switches", 0) == switches
    assert counts.get("circuit_switches", 0) == circuits
    if cables is not None:
        assert one.cables[0] == cables
    if modules is not None:
        assert one.modules[0] == modules


def test_a_rack_of_72_by_hand() -> None:
    """Trays of four on NVLink 5: 18 chips, 1,296 links of copper in the rack, and every part's power and price.

    A chip of 72 ports x 400 Gbit/s at 18.4 pJ/bit draws 529.92 W and costs 28,800 x 1.07 = 30,816 USD.
    """
    found, one = built(custom("nvidia_gb200", 72, parts=TRAYS_OF_FOUR, nic_gbit_s=400))
    lines = {line.name: line for line in one.parts.lines}
    assert {name: line.count[0] for name, line in lines.items() if name != "assembly"} == {
        "accelerators": 72, "processors": 36, "host_memory": 18, "nics": 72, "trays": 18,
        "scale_up_switches": 18, "scale_up_links": 1296, "racks": 1,
    }  # fmt: skip
    parts_w = 72 * 1200 + 36 * 300 + 18 * 1e12 * 1.6e-10 + 72 * 36 + 18 * 300 + 18 * 529.92
    assert found.max_power_w[0] == pytest.approx(parts_w / (0.965 - 0.04))
    parts_usd = (
        72 * 32_500 + 18 * 1e12 * 6e-9 + 72 * 400 * 3.8 + 18 * 9000 + 18 * 30_816 + 1296 * 400 * 0.28 + 90_000
    )
    assert found.price_usd[0] == pytest.approx(parts_usd / 0.95)
    assert (found.nodes[0], found.racks[0], found.scale_up_topology) == (18, 1, "switched")
    assert found.accelerator.scale_up_bandwidth_bytes_per_s[0] == 900e9


def test_two_racks_of_36_have_switches_of_their_own() -> None:
    """NVL36x2 by hand: 18 planes of a chip in each rack, 72 ports of which 36 go down and 36 to the other rack; every
    pair is joined at full rate, and half of all bandwidth crosses between the racks.
    """
    found, one = built({"system": "gb200_nvl36x2"})
    assert one.shape is not None
    layers = {layer.name: (*layer.switches, *layer.links) for layer in one.shape.layers}
    assert layers == {"plane": (36, 1296), "peers": (0, 648)}
    assert one.shape.bisection_bandwidth_bytes_per_s[0] == 36 * 900e9
    assert one.shape.oversubscription[0] == 1
    assert [*one.shape.steps, *one.shape.mean_distance_links] == [2, pytest.approx(3 - 35 / 71)]
    assert [medium.name for medium in one.media] == ["copper", "linear_copper"]
    assert found.scale_up_latency_s[0] == 2 * of_nvl72(72).scale_up_latency_s[0]
    half = supernode({"system": "gb200_nvl36x2", "override": {"accelerators": 36}})
    assert half.scale_up is not None
    assert half.scale_up.first_tier_accelerators is None  # one rack: nothing to join
    assert half.price_usd is not None
    beyond = supernode({"system": "gb200_nvl36x2", "override": {"accelerators": 144}})
    assert beyond.scale_up is not None
    assert beyond.scale_up.taper is not None


def test_one_accelerator_has_no_scale_up_network() -> None:
    found, one = built(custom("nvidia_h100_sxm", 1, parts={"accelerators_per_tray": 1}))
    assert found.scale_up is None
    assert {line.name for line in one.parts.lines}.isdisjoint({"scale_up_switches", "scale_up_links"})


def test_two_tiers_pay_for_switches_and_optics_and_a_taper_saves() -> None:
    one, two = of_nvl72(72), of_nvl72(144)
    tapered = of_nvl72(144, scale_up={"oversubscription": 2})
    assert two.price_usd[0] > 2 * one.price_usd[0]
    assert two.scale_up_latency_s[0] == 3 * one.scale_up_latency_s[0]
    assert tapered.price_usd[0] < two.price_usd[0]
    assert tapered.max_power_w[0] < two.max_power_w[0]
    reached = tapered.accelerator.scale_up_bandwidth_bytes_per_s[0]
    assert reached < two.accelerator.scale_up_bandwidth_bytes_per_s[0] == 900e9


@pytest.mark.parametrize(
    ("cheaper", "dearer"),
    [("active_copper", "pluggable"), ("co_packaged", "pluggable"), ("lpo", "pluggable")],
)
def test_media_differ_in_price_and_power(cheaper: str, dearer: str) -> None:
    one, other = (of_nvl72(144, scale_up={"medium": medium}) for medium in (cheaper, dearer))
    assert one.price_usd[0] < other.price_usd[0]
    assert one.max_power_w[0] < other.max_power_w[0]


def refusal(chosen: dict[str, Any]) -> str:
    with pytest.raises(ScenarioError) as caught:
        supernode(chosen)
    return str(caught.value)


def test_limits_are_named() -> None:
    too_large = refusal(custom("nvidia_gb200", 4000, parts=TRAYS_OF_FOUR))
    assert "NVLink 5 joins at most 2,592 accelerators, not 4,000" in too_large
    too_far = refusal(custom("nvidia_gb200", 1152, parts=TRAYS_OF_FOUR, scale_up={"medium": "copper"}))
    assert "supernode.custom.scale_up.medium" in too_far
    assert "reach 2 m" in too_far
    no_box = refusal(custom("google_tpu_v5p", 100, parts={"accelerators_per_tray": 4}))
    assert "No box of whole cubes" in no_box
    unjoined = refusal(custom("nvidia_l40s", 8, parts={}))
    assert "supernode.custom.scale_up.fabric" in unjoined
    unknown = refusal(custom("nvidia_gb200", 72, parts={"processor": "cpu_grce"}))
    assert "cpu_grace" in unknown


def test_what_is_stated_goes_before_the_parts() -> None:
    stated = {"price_usd": 3e6, "max_power_w": 120e3, "racks": 2}
    found = of_nvl72(72, **stated)
    assert {name: getattr(found, name)[0] for name in stated} == stated


FABRICS = ("nvlink4_8", "nvlink5_72", "nvlink6_72", "ub_384")
CHIPS = ("nvidia_h100_sxm", "nvidia_b200_sxm", "nvidia_gb200", "amd_mi300x", "huawei_ascend_910c")


def random_design(chance: random.Random) -> dict[str, Any]:
    return custom(
        chance.choice(CHIPS),
        chance.choice((2, 4, 8, 16, 24, 36, 48, 64, 72, 96, 128, 192, 256, 384, 576, 768, 1152)),
        cooling=chance.choice(("air", "liquid", "hybrid")),
        parts={
            "accelerators_per_tray": chance.choice((2, 4, 8)),
            "processors_per_tray": chance.choice((1, 2)),
        },
        scale_up={
            "fabric": chance.choice(FABRICS),
            "oversubscription": chance.choice((1, 1, 2, 3)),
            "medium": chance.choice(("auto", "pluggable", "co_packaged", "lpo")),
        },
        nic_gbit_s=chance.choice((200, 400, 800)),
    )


def grown(chosen: dict[str, Any], factor: int) -> dict[str, Any]:
    return {"custom": chosen["custom"] | {"accelerators": chosen["custom"]["accelerators"] * factor}}


def test_money_watts_and_ports_conserve_over_random_designs() -> None:
    """The price is never below its accelerators, the power never below theirs; no link without a port."""
    chance = random.Random(24)
    built_up = 0
    for _ in range(300):
        chosen = random_design(chance)
        try:
            small, one = built(chosen)
        except ScenarioError:
            continue
        built_up += 1
        lines = {line.name: line for line in one.parts.lines}
        assert small.price_usd[0] == pytest.approx(sum(line.total_price_usd[1] for line in one.parts.lines))
        assert small.price_usd[0] >= lines["accelerators"].total_price_usd[1]
        assert small.max_power_w[0] > sum(line.total_power_w[0] for line in one.parts.lines)
        for name in ("nodes", "max_power_w", "price_usd", "weight_kg", "rack_units", "scale_out_nics"):
            assert np.isfinite(getattr(small, name)).all(), (name, chosen)
        plan, shape = one.plan, one.shape
        assert plan is not None
        assert shape is not None
        assert plan.switch_ports is not None
        lower = next(layer for layer in shape.layers if layer.name in ("plane", "lower"))
        upper = sum(layer.links[0] for layer in shape.layers if layer.name == "upper")
        assert lower.links[0] + upper <= lower.switches[0] * plan.switch_ports[0] * (1 + 1e-9)
        reached = small.accelerator.scale_up_bandwidth_bytes_per_s[0]
        assert reached <= (plan.links_per_accelerator * plan.link_bandwidth_bytes_per_s)[0] * (1 + 1e-9)
        try:
            double, _ = built(grown(chosen, 2))
        except ScenarioError:
            continue
        for name in ("price_usd", "max_power_w"):
            assert getattr(double, name)[0] > getattr(small, name)[0], (name, chosen)
        for name in ("nodes", "racks", "weight_kg", "scale_out_nics"):
            assert getattr(double, name)[0] >= getattr(small, name)[0], (name, chosen)
    assert built_up > 200


def pooled(chosen: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The same with a memory pool of modules."""
    pool = {
        "technology": "cxl",
        "bytes_per_accelerator": 10 ** chance.uniform(9, 12.5),
        "bandwidth_bytes_per_s": 10 ** chance.uniform(9, 12),
        "latency_s": 10 ** chance.uniform(-7, -5),
    }
    return chosen | {"memory_pool": pool}


def test_memory_cables_and_bandwidth_conserve_over_300_random_designs() -> None:
    """Of each design with a memory pool: every byte, dollar and watt of it is there once, every cable has two ends, no cut
    is wider than the ports on either side, and a larger pool is never free.
    """
    chance = random.Random(25)
    built_up = 0
    for _ in range(300):
        chosen = random_design(chance)
        each = chosen["custom"]["parts"]["accelerators_per_tray"] * chance.choice((1e11, 2.5e11, 1e12))
        chosen["custom"]["parts"]["host_memory_bytes_per_tray"] = each
        with_pool = pooled(chosen, chance)
        try:
            (own, without), (found, one) = built(chosen), built(with_pool)
        except ScenarioError:
            continue
        built_up += 1
        assert found.host_memory_bytes[0] == pytest.approx(found.nodes[0] * each)
        size = with_pool["memory_pool"]["bytes_per_accelerator"]
        assert found.pool is not None
        assert found.pool.capacity_bytes[0] == size
        lines = {line.name: line for line in one.parts.lines}
        line = lines.pop("memory_pool")
        assert line.total_price_usd[1] == pytest.approx(found.accelerators[0] * size * 1e-8)
        assert line.total_power_w[0] == pytest.approx(found.accelerators[0] * size * 2.6e-10)
        before = {line.name: line for line in without.parts.lines}
        for name in lines.keys() - {"racks", "assembly"}:  # watts fill racks, and all is assembled
            if name.startswith("scale_up"):
                continue  # more racks may need links that go further
            assert lines[name].total_price_usd == pytest.approx(before[name].total_price_usd), name
            assert lines[name].total_power_w == pytest.approx(before[name].total_power_w), name
        assert found.price_usd[0] - own.price_usd[0] >= line.total_price_usd[1] * (1 - 1e-9)
        assert found.max_power_w[0] - own.max_power_w[0] >= line.total_power_w[0] * (1 - 1e-9)
        shape, plan = one.shape, one.plan
        assert shape is not None
        assert plan is not None
        assert one.cables[0] == pytest.approx(
            sum(layer.links[0] * layer.cables_per_link[0] for layer in shape.layers), nan_ok=True
        )
        assert not one.modules[0] > 2 * one.cables[0] * (1 + 1e-9)
        ports = found.accelerators[0] * (plan.links_per_accelerator * plan.link_bandwidth_bytes_per_s)[0]
        assert shape.bisection_bandwidth_bytes_per_s[0] <= ports / 2 * (1 + 1e-9)
        for value in (found.price_usd, found.max_power_w, one.parts.rack_power_w, found.pool.latency_s):
            assert np.isfinite(value).all()
        larger = {**with_pool, "memory_pool": {**with_pool["memory_pool"], "bytes_per_accelerator": 2 * size}}
        try:
            more, _ = built(larger)
        except ScenarioError:
            continue
        assert more.price_usd[0] > found.price_usd[0]
        assert more.max_power_w[0] > found.max_power_w[0]
    assert built_up > 200


def test_capital_is_never_below_the_parts_over_60_evaluated_designs() -> None:
    """Capital of an accelerator is at least what the parts of its SuperNode cost, and no figure of money is nan."""
    chance, catalog = random.Random(26), ready_catalog()
    evaluated = 0
    for _ in range(60):
        chosen = random_design(chance)
        chosen["custom"]["accelerators"] = chance.choice((8, 16, 32, 64))
        chosen["custom"]["nic_gbit_s"] = 400  # switches of faster ones have no published price
        chosen = pooled(chosen, chance) if chance.random() < 0.5 else chosen
        values = scenario(pod__supernodes=2) | {"supernode": chosen}
        values["parallelism"] = {"tp": 1, "pp": 1, "zero_stage": 1, "recompute": "full"}
        try:
            found, one = built(chosen)
            answer = evaluate_scenario(build_scenario(values), catalog).evaluation
        except ScenarioError:
            continue
        evaluated += 1
        each = answer.sections.cost.capex_usd[0] / (2 * found.accelerators[0])
        parts = sum(line.total_price_usd[1] for line in one.parts.lines) / found.accelerators[0]
        assert each >= parts * (1 - 1e-9)
        assert np.isfinite(each)
        assert answer.sections.power.utility_peak_w[0] >= 2 * sum(
            line.total_power_w[0] for line in one.parts.lines if line.name == "memory_pool"
        )
    assert evaluated > 30


def test_a_design_of_parts_is_evaluated_and_explained() -> None:
    values = scenario(pod__supernodes=4)
    values["supernode"] = custom("nvidia_gb200", 144, parts=TRAYS_OF_FOUR, nic_gbit_s=400)
    found = evaluate_scenario(build_scenario(values), ready_catalog())
    assert found.evaluation.feasible
    origin = found.resolved.origins["supernode.price_usd"]
    assert origin.kind == "derived"
    assert "scale up switches" in origin.source
    assert "144" in origin.source


def test_a_chip_of_more_ports_keeps_one_tier() -> None:
    """256 ports of UALink and 512 of scale-up Ethernet reach what two tiers of NVLink 5 do, for less."""
    parts = {"parts": TRAYS_OF_FOUR, "nic_gbit_s": 400}
    two_tiers = supernode(custom("nvidia_gb200", 256, **parts))
    for fabric in ("ualink_256", "sue_512"):
        one_tier = supernode(custom("nvidia_gb200", 256, scale_up={"fabric": fabric}, **parts))
        assert one_tier.scale_up is not None
        assert one_tier.scale_up.taper is None
        assert one_tier.price_usd[0] < 0.7 * two_tiers.price_usd[0]
    beyond = refusal(custom("nvidia_gb200", 1028, scale_up={"fabric": "ualink_256"}, **parts))
    assert "UALink 200G joins at most 1,024 accelerators" in beyond
