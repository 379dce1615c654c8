"""The served model of a scenario on another system, in another format, or at another size, as a scenario of its own."""

from __future__ import annotations

import math
from typing import Any

from app.catalog.view import CatalogView
from app.scenarios.document import ScenarioDocument
from app.scenarios.economics.systems_compared import on_system

NVIDIA = "nvidia"
ITS_ENGINE = "tensorrt_llm"


def on_hardware(
    document: ScenarioDocument,
    catalog: CatalogView,
    *,
    system: str | None,
    precision: str,
    accelerators: int,
    per_supernode: int,
    mode: str = "auto",
    topology: str = "auto",
) -> dict[str, Any]:
    """The scenario with its model on so many accelerators of a system, None for its own, as plain values.

    The layout is left to the engine, and so is the load: that of the demand, or the most that keeps what is promised.
    Formats of single parts and own measurements hold for the scenario's own system and format alone, and its engine
    where it runs.
    """
    values = on_system(document, system, accelerators, per_supernode, topology)
    workload = values["workload"] | {
        "layout": "auto",
        "mode": mode,
        "concurrency": "auto",
        "precision": precision,
    }
    if system is not None or precision != document.workload.precision:
        workload.pop("calibration", None)
        workload.pop("parts", None)
    if (
        system is not None
        and workload.get("engine", {}).get("name") == ITS_ENGINE
        and not _is_nvidia(catalog, system)
    ):
        workload["engine"] = {"name": "auto"}
    return values | {"workload": workload}


def _is_nvidia(catalog: CatalogView, system: str) -> bool:
    accelerator = catalog.part("systems", system).attributes.get("accelerator_key")
    if not accelerator:
        return False
    return catalog.part("accelerators", accelerator).vendor.lower() == NVIDIA


def accelerators_of(catalog: CatalogView, system: str) -> int | None:
    """Accelerators of a SuperNode of the catalog; None where nobody published them."""
    fact = catalog.part("systems", system).facts.get("accelerators")
    return None if fact is None or math.isnan(fact.value) else round(fact.value)
