"""The served model of a scenario on another system, in another format, or at another size, as a scenario of its own."""

from __future__ import annotations

import math
from typing import Any

from app.catalog.view import CatalogView
from app.scenarios.document.scenario import ScenarioDocument
from app.views.economics.systems_compared import on_system
from app.views.serving.elsewhere import workload_elsewhere


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
    """Accelerators of a SuperNode of the catalog; None where nobody published them."""
    fact = catalog.part("systems", system).facts.get("accelerators")
    return None if fact is None or math.isnan(fact.value) else round(fact.value)
