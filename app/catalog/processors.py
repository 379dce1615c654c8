"""The processors of a system, by the words that its row names them with."""

from __future__ import annotations

import re

from app.catalog.values import Part
from app.catalog.view import CatalogView


def processor_of(catalog: CatalogView, system: Part) -> Part | None:
    """The processor of the catalog that a system names; None where it names none."""
    model = str(system.attributes.get("cpu_model", ""))
    parts = (catalog.part("cpus", key) for key in catalog.keys("cpus"))
    return next((part for part in parts if _same_model(part.name, model)), None)


def _same_model(name: str, model: str) -> bool:
    """Whether a system's words name this processor: by the last word before its cores.

    >>> _same_model("Xeon Platinum 8480C (56c)", "Intel Xeon Platinum 8480C (56c)")
    True
    """
    mark = re.sub(r"\(.*", "", name).split()[-1]
    return mark in re.split(r"[^\w]+", model)
