"""Switches and NICs that a scenario leaves out are those of the accelerator's ecosystem, for every system of the catalog."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.document.pod import FabricDocument, PodDocument
from app.scenarios.document.supernode import SuperNodeDocument
from app.scenarios.resolve import fabric
from app.scenarios.resolve.accelerator import PEAK_FACT
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.supernode import chosen_supernode
from app.scenarios.resolve.usual_parts import usual_module, usual_nic

SYSTEMS = [
    key
    for key in ready_catalog().keys("systems")
    if ready_catalog().part("systems", key).attributes.get("accelerator_key")
]
TRAINED = ("bf16", "fp16", "fp8", "nvfp4")
NICS = {key: ready_catalog().part("nics", key).name for key in ready_catalog().keys("nics")}


def plan_of(system: str, **stated: Any) -> tuple[fabric.FabricPlan, Inputs, str]:
    inputs = Inputs(catalog=ready_catalog())
    key = ready_catalog().part("systems", system).attributes["accelerator_key"]
    facts = ready_catalog().part("accelerators", key).facts
    precision = next(one for one, peak in PEAK_FACT.items() if one in TRAINED and peak in facts)
    supernode = chosen_supernode(inputs, SuperNodeDocument(system=system), precision, None)
    pod = PodDocument.model_validate(
        {"supernodes": 4, "fabric": FabricDocument(topology="rail_fat_tree", **stated),
         "networks": {"storage": {"carried_by": "own"}, "in_band": {"carried_by": "own"},
                      "out_of_band": {"carried_by": "own"}}}
    )  # fmt: skip
    found = fabric.pod(inputs, pod, supernode)
    chip = ready_catalog().part("accelerators", supernode.accelerator.key)
    return found, inputs, str(chip.attributes.get("ecosystem", ""))


def ecosystems(kind: str, key: str) -> list[str]:
    return str(ready_catalog().part(kind, key).attributes.get("ecosystems", "")).split()


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_is_of_another_ecosystem(system: str) -> None:
    """Every part that a bill may name is of the ecosystem, or of none."""
    pod, inputs, own = plan_of(system)
    switches = [pod.fabric.switch, pod.networks.storage.switch, pod.networks.in_band.switch]
    has_switch = any(
        own in ecosystems("switches", key)
        for key in ready_catalog().keys("switches")
        if key != "google_palomar_ocs"
    )
    for switch in switches:
        assert switch is not None
        assert (
            (own in ecosystems("switches", switch.key))
            if has_switch
            else "open" in ecosystems("switches", switch.key)
        )
    for path in ("pod.fabric", "pod.networks.storage", "pod.networks.in_band"):
        origin = inputs.origins[f"{path}.nic_price_usd"]
        named = [key for key, name in NICS.items() if origin.label.startswith(name)]
        if named:
            assert any(own in ecosystems("nics", key) for key in named), origin.label
        else:
            assert np.isnan(inputs.values[f"{path}.nic_price_usd"][0])
            assert origin.label.startswith("NIC of")
        assert "ConnectX" not in origin.label or own in ("nvidia", "amd")


@pytest.mark.parametrize(
    ("system", "switch", "nic"),
    [
        ("dgx_h100", "qm9700", "cx7_ndr"),
        ("amd_mi300x_8way", "ufispace_s9321_64e", "pollara400"),
        ("aws_trn2_ultraserver", "ufispace_s9321_64e", "efa_v3"),
        ("intel_gaudi3_8way", "ufispace_s9321_64e", "gaudi3_integrated"),
        ("huawei_cloudmatrix384", "ufispace_s9321_64e", "ascend910c_roce"),
        ("tpu_v5p_pod", "ufispace_s9321_64e", None),
    ],
)
def test_of_each_ecosystem_by_hand(system: str, switch: str, nic: str | None) -> None:
    pod, inputs, own = plan_of(system)
    assert pod.fabric.switch is not None
    assert pod.fabric.switch.key == switch
    rate = float(inputs.values["supernode.scale_out_nic_bandwidth_bytes_per_s"][0]) * 8 / 1e9
    found = usual_nic(inputs, own, "compute", rate, "roce" if own != "nvidia" else "infiniband", exact=True)
    assert (found.key if found else None) == nic


def test_a_kind_that_is_asked_for_comes_before_the_ecosystem() -> None:
    """MI300X are sold on InfiniBand too, with ConnectX-7; UEC is spoken by AMD's own card."""
    pod, inputs, own = plan_of("amd_mi300x_8way", kind="infiniband")
    assert pod.fabric.switch is not None
    assert pod.fabric.switch.protocol.startswith("InfiniBand")
    assert "ConnectX-7" in inputs.origins["pod.fabric.nic_price_usd"].label
    nic = usual_nic(inputs, own, "compute", 400, "ultra_ethernet", exact=True)
    assert nic is not None
    assert nic.key == "pollara400"
    pod, _, _ = plan_of("dgx_b300", kind="roce")
    assert pod.fabric.switch is not None
    assert pod.fabric.switch.key == "sn5600"


@pytest.mark.parametrize(
    ("system", "maker", "access"),
    [
        ("dgx_h100", "NVIDIA LinkX", "sn2201"),
        ("gb300_nvl72", "NVIDIA LinkX", "sn2201"),
        ("amd_mi300x_8way", "generic", "edgecore_as4630_54te"),
        ("aws_trn2_ultraserver", "generic", "edgecore_as4630_54te"),
        ("huawei_cloudmatrix384", "generic", "edgecore_as4630_54te"),
        ("tpu_v5p_pod", "generic", "edgecore_as4630_54te"),
    ],
)
def test_modules_and_access_switches_follow_too(system: str, maker: str, access: str) -> None:
    pod, _, own = plan_of(system)
    networks = pod.networks
    assert networks.out_of_band is not None
    assert networks.out_of_band.switch.key == access
    assert own in ecosystems("switches", access) or "open" in ecosystems("switches", access)
    modules = [
        pod.fabric.switch_transceiver, pod.fabric.node_transceiver, networks.out_of_band.uplink_transceiver,
        *(one for network in (networks.storage, networks.in_band) if network is not None
          for one in (network.switch_transceiver, network.host_transceiver)),
    ]  # fmt: skip
    makers = {str(ready_catalog().part("optics", one.key).attributes["vendor"]) for one in modules}
    assert maker in makers
    assert own == "nvidia" or makers == {"generic"}  # LinkX has no module of some classes


def test_a_merchant_module_carries_what_the_named_one_does() -> None:
    """Same links at the same rate, so that counts do not move with the maker."""
    inputs = Inputs(catalog=ready_catalog())
    for key in ready_catalog().keys("optics"):
        named, chosen = (
            ready_catalog().part("optics", one) for one in (key, usual_module(inputs, "open", key))
        )
        for fact in ("links", "link_bandwidth_bytes_per_s"):
            assert (fact in named.facts) == (fact in chosen.facts)
            assert fact not in named.facts or named.facts[fact].value == chosen.facts[fact].value
        assert usual_module(inputs, "nvidia", key) == key
