"""What lists and cards say of saved work, taken down at each save so that no list evaluates anything."""

from __future__ import annotations

from typing import Any

from app.catalog.view import CatalogView
from app.saved.documents import PodDesign, SuperNodeDesign
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.resolve.lookups import part_or_error
from app.scenarios.resolve.supernode import check_supernode

FIGURES = {
    "elapsed_time_s": ("performance", "elapsed_time_s"),
    "tokens_per_s_per_accelerator": ("performance", "tokens_per_s_per_accelerator"),
    "mfu": ("performance", "mfu"),
    "utility_peak_w": ("power", "utility_peak_w"),
    "usd_per_run": ("cost", "usd_per_run"),
    "tco_usd": ("cost", "tco_usd"),
}
NAMES = (
    "workload_kind",
    "model",
    "model_key",
    "system",
    "system_key",
    "accelerator",
    "accelerators",
    "site",
    "feasible",
)
UNKNOWN: dict[str, Any] = dict.fromkeys((*NAMES, *FIGURES))
"""The summary of a scenario of which nothing was taken down, as in databases of the first version."""


def scenario_summary(scenario: EvaluatedScenario) -> dict[str, Any]:
    """Names as people read them, keys of the catalog where it has them, and the key figures."""
    results = scenario.as_json
    inputs = results["inputs"]
    names = {
        "workload_kind": inputs["workload"]["kind"],
        "model": inputs["workload"].get("model") or inputs["workload"].get("name"),
        "model_key": _model_key(scenario.document),
        "system": inputs["supernode"]["name"],
        "system_key": scenario.document.supernode.system,
        "accelerator": inputs["accelerator"]["name"],
        "accelerators": inputs["pod"]["accelerators_used"],
        "site": inputs["site"]["name"],
        "feasible": results["feasible"],
    }
    return names | {name: results[room][figure] for name, (room, figure) in FIGURES.items()}


def supernode_summary(design: SuperNodeDesign, catalog: CatalogView) -> dict[str, Any]:
    """System and accelerators of a SuperNode design; its parts are looked up, and it is built up from them.

    Raises
    ------
    ScenarioError : the catalog has no such system or accelerator, the nearest ones are named; or it cannot be built
    """
    choice = design.supernode
    check_supernode(choice, catalog)
    override = choice.override.accelerators if choice.override else None
    if choice.custom is not None:
        chip = part_or_error(
            catalog, "accelerators", choice.custom.accelerator, "supernode.custom.accelerator"
        )
        name, accelerators = choice.custom.name, float(choice.custom.accelerators)
        return {
            "system": name,
            "system_key": None,
            "accelerator": chip.name,
            "accelerators": override or accelerators,
        }
    part = part_or_error(catalog, "systems", str(choice.system), "supernode.system")
    known = part.facts.get("accelerators")
    chip_key = str(part.attributes.get("accelerator_key", ""))
    return {
        "system": part.name,
        "system_key": part.key,
        "accelerator": catalog.part("accelerators", chip_key).name if chip_key else None,
        "accelerators": override or (known.value if known else None),
    }


def pod_summary(design: PodDesign, catalog: CatalogView) -> dict[str, Any]:
    """Size of a SuperPOD design; its switch is looked up.

    Raises
    ------
    ScenarioError : the catalog has no such switch; the nearest ones are named
    """
    pod = design.pod
    switch = None
    if pod.fabric.switch != "auto":
        switch = part_or_error(catalog, "switches", pod.fabric.switch, "pod.fabric.switch").name
    count = pod.supernodes + sum(further.supernodes for further in pod.also)
    return {"supernodes": count, "topology": pod.fabric.topology, "switch": switch}


def _model_key(document: ScenarioDocument) -> str | None:
    model = getattr(document.workload, "model", None)
    return model if isinstance(model, str) else None
