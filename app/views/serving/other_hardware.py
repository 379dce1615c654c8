"""The served model of a scenario on another system, in another format, or at another size, as a scenario of its own."""

from __future__ import annotations

import math
from typing import Any

from app.catalog.view import CatalogView
from app.scenarios.document.scenario import ScenarioDocument, ServingDocument
from app.scenarios.document.serving import runs_on, usual_engine
from app.views.economics.systems_compared import on_system


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

    The layout is left to the engine, and so is the load: that of the demand, or the most that meets the SLO.
    """
    values = on_system(document, system, accelerators, per_supernode, topology)
    workload = workload_elsewhere(document, catalog, system=system, precision=precision, mode=mode)
    return values | {"workload": workload}


def accelerators_of(catalog: CatalogView, system: str) -> int | None:
    """Accelerators of a SuperNode of the catalog; None where no one published them."""
    fact = catalog.part("systems", system).facts.get("accelerators")
    return None if fact is None or math.isnan(fact.value) else round(fact.value)


KEPT_PARTS = ("kv_cache",)
"""Formats of parts that another precision of the model does not decide."""


def workload_elsewhere(
    document: ScenarioDocument, catalog: CatalogView, *, system: str | None, precision: str, mode: str
) -> dict[str, Any]:
    """The workload on a system of the catalog, None for the scenario's own, in a format, as plain values.

    Layout and load are left open. Own measurements hold for the scenario's own system and format alone, its engine
    where it runs, and in another format of the model the formats of its parts follow from that.
    """
    workload: dict[str, Any] = document.as_dict()["workload"]
    other_format = precision != workload.get("precision", document.workload.precision)
    if other_format:
        kept = {name: form for name, form in workload.get("parts", {}).items() if name in KEPT_PARTS}
        workload = workload | {"precision": precision, "parts": kept}
    if system is not None or other_format:
        workload = {name: value for name, value in workload.items() if name != "calibration"}
    if system is not None and not _has_its_engine(document, catalog, system):
        workload = workload | {"engine": {"name": "auto"}}
    return workload | {"layout": "auto", "mode": mode, "concurrency": "auto"}


def _has_its_engine(document: ScenarioDocument, catalog: CatalogView, system: str) -> bool:
    """Return whether the engine that is stated runs there; of auto, whether it is the same one, which its version is of."""
    own, there = (_maker(catalog, key) for key in (document.supernode.system, system))
    assert isinstance(document.workload, ServingDocument)
    engine = document.workload.engine.name
    if there is None:
        return False
    if engine == "auto":
        return own is not None and usual_engine(own) == usual_engine(there)
    return runs_on(engine, there)


def _maker(catalog: CatalogView, system: str | None) -> str | None:
    """Who makes the accelerators of a system of the catalog; None where that is not known."""
    key = catalog.part("systems", system).attributes.get("accelerator_key") if system else None
    return catalog.part("accelerators", key).vendor if key else None
