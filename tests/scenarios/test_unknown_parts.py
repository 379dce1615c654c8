"""A key that names no part is refused by its field, wherever it is and however small the pod is."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from tests.scenarios.every_input.designs import designs, merged

UNKNOWN = "no_such_part"
OWN_PLANT = {"facility": {"distribution": "dc_800", "cooling": "direct_liquid_dry"}}
OWN_NETWORKS = {
    "pod": {"networks": {name: {"carried_by": "own"} for name in ("storage", "in_band", "out_of_band")}}
}
PLACES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "CustomScaleUp.fabric": ("parts", "supernode.custom.scale_up.fabric", {}),
    "CustomSuperNode.accelerator": ("parts", "supernode.custom.accelerator", {}),
    "EconomicsDocument.jurisdiction": ("small", "economics.jurisdiction", {}),
    "FabricDocument.core_switch": ("small", "pod.fabric.core_switch", {}),
    "FabricDocument.spine_switch": ("small", "pod.fabric.spine_switch", {}),
    "FabricDocument.switch": ("small", "pod.fabric.switch", {}),
    "FacilityDocument.busway": ("small", "facility.busway", OWN_PLANT),
    "FacilityDocument.cdu": ("small", "facility.cdu", OWN_PLANT),
    "FacilityDocument.rack_converter": ("small", "facility.rack_converter", OWN_PLANT),
    "FacilityDocument.rectifier": ("small", "facility.rectifier", OWN_PLANT),
    "FacilityDocument.site": ("small", "facility.site", {}),
    "InBandNetworkDocument.nic": ("small", "pod.networks.in_band.nic", OWN_NETWORKS),
    "InBandNetworkDocument.switch": ("small", "pod.networks.in_band.switch", OWN_NETWORKS),
    "InlineSite.climate": ("small", "facility.site.climate", {"facility": {"site": {"name": "Here"}}}),
    "OperationsDocument.storage": ("small", "operations.storage", {}),
    "OutOfBandNetworkDocument.switch": ("small", "pod.networks.out_of_band.switch", OWN_NETWORKS),
    "PowerSupplyDocument.market": ("small", "facility.power_supply.market", {}),
    "ServingDocument.model": ("serving", "workload.model", {}),
    "SpeculationDocument.draft_model": (
        "serving",
        "workload.speculation.draft_model",
        {"workload": {"speculation": {"tokens": 2}}},
    ),
    "StorageNetworkDocument.nic": ("small", "pod.networks.storage.nic", OWN_NETWORKS),
    "StorageNetworkDocument.switch": ("small", "pod.networks.storage.switch", OWN_NETWORKS),
    "SuperNodeDocument.system": ("small", "supernode.system", {}),
    "SuperNodeParts.nic": ("parts", "supernode.custom.parts.nic", {}),
    "SuperNodeParts.processor": ("parts", "supernode.custom.parts.processor", {}),
    "TrainingDocument.model": ("small", "workload.model", {}),
}
WORDS = {"FabricDocument.media"}


def keys_of_the_catalog() -> set[str]:
    """Class and field of everything in the document that is written as a key of the catalog is."""
    found = set()
    for name, definition in ScenarioDocument.model_json_schema()["$defs"].items():
        for field, schema in definition.get("properties", {}).items():
            if "[a-z0-9][a-z0-9_]{0,79}" in str(schema.get("anyOf", schema.get("oneOf", schema))):
                found.add(f"{name}.{field}")
    return found


def test_every_key_is_tried() -> None:
    assert set(PLACES) | WORDS == keys_of_the_catalog()


@pytest.mark.parametrize("supernodes", [1, 4])
@pytest.mark.parametrize("place", PLACES)
def test_an_unknown_part_is_refused_by_its_field(place: str, supernodes: int) -> None:
    base, path, also = PLACES[place]
    stated: Any = UNKNOWN
    for part in reversed(path.split(".")):
        stated = {part: stated}
    document = merged(merged(merged(designs()[base], {"pod": {"supernodes": supernodes}}), also), stated)
    with pytest.raises(ScenarioError) as refused:
        evaluate_scenario(build_scenario(document), ready_catalog())
    (fault,) = refused.value.errors
    assert fault.path == path
    assert fault.value == UNKNOWN
    assert fault.hint
