"""Which systems the job of a scenario is tried on, and the scenario on each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from app.catalog.values import Part
from app.catalog.view import CatalogView
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.resolve.lookups import part_or_error

MOST_SYSTEMS = 12
USUAL_SYSTEMS = 8
ON_SALE = ("shipping", "cloud")
BUILDING_BLOCKS = ("server", "rack", "supernode", "pod", "workstation")
RENTALS = ("on_demand", "reserved")
PRICES_OF_A_SYSTEM = (
    "supernode_price_usd",
    "rental_on_demand_usd_per_accelerator_hour",
    "rental_reserved_usd_per_accelerator_hour",
)
RENTS_OF_A_SYSTEM = (
    "contract_usd_per_accelerator_hour",
    "spot_usd_per_accelerator_hour",
    "capacity_block_usd_per_accelerator_hour",
)
OF_ONE_SIZE = ("shape", "group")
"""Of a fabric: what only fits the number of SuperNodes that it was stated for."""
PROCESS_GRID = "process_grid"


def systems_compared(document: ScenarioDocument, catalog: CatalogView, asked: Sequence[str]) -> list[str]:
    """The systems beside the scenario's own: those asked for, else common ones.

    Raises
    ------
    ScenarioError : one is not in the catalog; the nearest names are in the message
    """
    for place, key in enumerate(asked):
        part_or_error(catalog, "systems", key, f"systems[{place}]")
    keys = list(asked) or usual_systems(catalog)
    return [key for key in keys if key != document.supernode.system]


def usual_systems(catalog: CatalogView) -> list[str]:
    """The systems on sale of which most prices are known, newest first: one for each accelerator.

    Of systems with the same accelerator it is one with a known price, then the smallest.
    """
    parts = [catalog.part("systems", key) for key in catalog.keys("systems")]
    parts = [part for part in parts if _is_building_block(part)]
    parts.sort(key=lambda part: (catalog.price(part.key) is None, _accelerators(part), part.key))
    one_each: dict[str, Part] = {}
    for part in parts:
        one_each.setdefault(part.attributes["accelerator_key"], part)
    ranked = sorted(
        one_each.values(), key=lambda part: (-_prices_known(part, catalog), -_year(part), part.key)
    )
    return [part.key for part in ranked[:USUAL_SYSTEMS]]


def _is_building_block(part: Part) -> bool:
    words = part.attributes
    return bool(
        words.get("accelerator_key")
        and words.get("status") in ON_SALE
        and words.get("category") in BUILDING_BLOCKS
    )


def _prices_known(part: Part, catalog: CatalogView) -> int:
    rented = [catalog.rental(part.attributes["accelerator_key"], kind) for kind in RENTALS]
    return sum(price is not None for price in (catalog.price(part.key), *rented))


def _accelerators(part: Part) -> float:
    fact = part.facts.get("accelerators")
    return fact.value if fact is not None else math.inf


def _year(part: Part) -> int:
    return part.year or 0


def on_system(
    document: ScenarioDocument, key: str | None, accelerators: int, per_supernode: int, topology: str = "auto"
) -> dict[str, Any]:
    """The scenario with its job on so many accelerators of a system, None for its own, as plain values.

    The layout is left to the search. On another system the pod has the networks and the cooling that the
    engine takes unasked and a fabric of that topology, and prices that were stated of the own system are
    not used.
    """
    values = document.as_dict() | {"parallelism": "auto", "published": []}
    values["workload"] = _without_process_grids(values["workload"])
    if key is None:
        return values | {"pod": _own_pod(values["pod"], document, accelerators, per_supernode)}
    supernodes = math.ceil(accelerators / per_supernode)
    economics = {name: value for name, value in values["economics"].items() if name not in PRICES_OF_A_SYSTEM}
    renting = economics.get("renting", {})
    economics["renting"] = {name: value for name, value in renting.items() if name not in RENTS_OF_A_SYSTEM}
    return values | {
        "supernode": {"system": key},
        "pod": {
            "supernodes": supernodes,
            "accelerators_used": accelerators,
            "fabric": {"topology": topology},
        },
        "facility": values["facility"] | {"cooling": "auto"},
        "economics": economics,
    }


def _without_process_grids(workload: dict[str, Any]) -> dict[str, Any]:
    """A generic job laid out by the engine: a grid that was stated fits one number of accelerators."""
    if "communication" not in workload:
        return workload
    free = [
        {name: value for name, value in one.items() if name != PROCESS_GRID}
        for one in workload["communication"]
    ]
    return workload | {"communication": free}


def _own_pod(
    pod: dict[str, Any], document: ScenarioDocument, accelerators: int, per_supernode: int
) -> dict[str, Any]:
    """The pod of the scenario at another size, with as large a share of it at work."""
    used = document.pod.accelerators_used
    share = 1.0 if used == "all" else used / (document.pod.supernodes * per_supernode)
    supernodes = max(math.ceil(accelerators / (share * per_supernode) - 1e-9), 1)
    sized = pod | {"supernodes": supernodes, "accelerators_used": accelerators}
    if supernodes == document.pod.supernodes:
        return sized
    fabric = {name: value for name, value in pod.get("fabric", {}).items() if name not in OF_ONE_SIZE}
    if fabric.get("topology") == "none":
        del fabric["topology"]
    return sized | {"fabric": fabric}
