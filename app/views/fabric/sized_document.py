"""A scenario with SuperNodes of another size."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from app.catalog.values import Part
from app.catalog.view import CatalogView
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.document.supernode import SuperNodeDocument, SuperNodeOverride
from app.scenarios.resolve.hardware_words import generation_family

SOLD = ("server", "rack", "supernode")
"""Categories of systems that are shown next to the sizes."""
OF_ONE_SIZE = (
    "nodes", "host_memory_bytes", "scale_out_nics", "max_power_w", "typical_power_w", "racks", "rack_units", "weight_kg", "price_usd",
)  # fmt: skip
"""Fields that hold for a SuperNode of one size alone."""


def is_sized_by_parts(document: ScenarioDocument) -> bool:
    """Whether SuperNodes of other sizes can be bought: of a catalog system or of parts, without what holds for one size."""
    choice = document.supernode
    override = choice.override or SuperNodeOverride()
    stated = any(getattr(override, name) is not None for name in OF_ONE_SIZE)
    custom = choice.custom
    if custom is not None:
        stated = (
            stated
            or custom.parts is None
            or any(getattr(custom, name) is not None for name in OF_ONE_SIZE if name != "nodes")
        )
    return not stated and document.economics.supernode_price_usd is None


def document_of_size(
    document: ScenarioDocument, size: int, *, bought: int, used: int | None
) -> ScenarioDocument:
    """The scenario with SuperNodes of a size: as many accelerators, found layouts, a fabric that joins them.

    `used` of them work; None: all of the whole SuperNodes that so many take.
    """
    override = (document.supernode.override or SuperNodeOverride()).model_copy(
        update={"accelerators": size, "scale_up_domain_accelerators": size}
    )
    supernodes = math.ceil(bought / size)
    fabric: dict[str, Any] = {"scalable_unit_supernodes": None}
    if supernodes > 1 and document.pod.fabric.topology == "none":
        fabric["topology"] = type(document.pod.fabric).model_fields["topology"].default
    pod = document.pod.model_copy(
        update={
            "supernodes": supernodes,
            "accelerators_used": "all" if used is None or used >= supernodes * size else used,
            "fabric": document.pod.fabric.model_copy(update=fabric),
        }
    )
    update: dict[str, Any] = {  # spares as stated are of one size
        "operations": document.operations.model_copy(update={"spares": "auto"}),
        "supernode": document.supernode.model_copy(update={"override": override}),
        "pod": pod,
    }
    if document.workload.kind == "training":
        update["parallelism"] = "auto"
    if document.workload.kind == "serving":
        update["workload"] = document.workload.model_copy(update={"layout": "auto", "demand": None})
    return document.model_copy(update=update)


def documents_of_systems(
    document: ScenarioDocument, catalog: CatalogView, accelerator: str, *, bought: int, used: int | None
) -> Iterator[tuple[Part, ScenarioDocument]]:
    """Catalog systems whose accelerators are of the generation of this one, each with the same work on as
    many."""

    def generation(chip: str) -> str:
        return generation_family(str(catalog.part("accelerators", chip).attributes.get("generation", "")))

    wanted = generation(accelerator)
    for key in catalog.keys("systems"):
        system = catalog.part("systems", key)
        chip, joined = (system.attributes.get(name) for name in ("accelerator_key", "scale_up_fabric"))
        if not chip or not joined or key == document.supernode.system:
            continue
        if system.attributes.get("category") not in SOLD or generation(chip) != wanted:
            continue
        sold = SuperNodeDocument(system=key)
        size = round(system.facts["accelerators"].value)
        named = document.model_copy(update={"supernode": sold})
        sized = document_of_size(named, size, bought=max(bought, size), used=used)
        yield system, sized.model_copy(update={"supernode": sold})
