"""The hardware that a row names, as a system of the catalog."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from app.catalog.lookup import Catalog, Part
from app.validation.power.statement import Statement
from app.validation.rows import UnsupportedRowError

COUNTED = re.compile(r"\b(\d+)\s?x\s?([A-Z][A-Za-z]*\d+\w*(?: (?:SXM|PCIe|NVL)\b)?)")
"""8xH100, 4x A100, 8xMI300X: so many accelerators in a node."""
NAMED = re.compile(r"\b([A-Z][A-Za-z]*\d+\w*)(?:[ -]NVL\d+)?\b")
NODE, RACK = ("server", "supernode", "rack"), ("supernode", "rack", "server")
USUAL_NODE = 8


@dataclass(frozen=True, slots=True)
class Hardware:
    """A catalog system with the accelerators of the row; `override` is what the row says otherwise."""

    system: Part
    accelerator: str
    accelerators: int
    override: dict[str, Any] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()

    @property
    def supernode(self) -> dict[str, Any]:
        """The SuperNode of a scenario."""
        named: dict[str, Any] = {"system": self.system.key}
        return {**named, "override": self.override} if self.override else named


def hardware_of(statement: Statement, neighbours: Iterable[Statement], catalog: Catalog) -> Hardware:
    """The hardware of a row; where it names none, that which all rows of its submission name.

    Raises
    ------
    UnsupportedRowError : none is named, or the catalog does not have it
    """
    named = named_in(statement, catalog)
    if named is not None:
        return named
    of_others = {
        (found.system.key, found.accelerators): found
        for other in neighbours
        if (found := named_in(other, catalog)) is not None
    }
    if len(of_others) == 1:
        (found,) = of_others.values()
        return found
    counted = COUNTED.findall(statement.said_as_printed)
    if counted:
        raise UnsupportedRowError(f"the catalog has no system of {counted[0][1]} with a rating")
    raise UnsupportedRowError("it names no accelerator, and the other rows of its submission not one alone")


def named_in(statement: Statement, catalog: Catalog) -> Hardware | None:
    """The hardware that a row itself names; None where it names none that the catalog has."""
    texts = (statement.row.text("quantity"), statement.said_as_printed, statement.row.text("source"))
    for text in texts:
        for count, name in COUNTED.findall(text):
            if key := accelerator_of(name, catalog):
                return _system(key, int(count), NODE, catalog)
    for text in texts:
        for name in NAMED.findall(text):
            if key := accelerator_of(name, catalog):
                kinds = RACK if re.search(r"\b(rack|NVL\d+|scalable unit)\b", text) else NODE
                return _system(key, None, kinds, catalog)
    return None


def accelerator_of(name: str, catalog: Catalog) -> str | None:
    """The catalog key of an accelerator by how a row calls it, None where it is not one."""
    if key := catalog.find("accelerators", name):
        return key
    word = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
    found = [part for part in catalog.parts("accelerators") if word.search(part.name)]
    boards = [part for part in found if "SXM" in part.name] or found
    return boards[-1].key if boards else None


def _system(accelerator: str, count: int | None, kinds: tuple[str, ...], catalog: Catalog) -> Hardware | None:
    """The first system of these kinds that is sold with the accelerator; a smaller node in proportion."""
    found = [
        part
        for kind in kinds
        for part in catalog.parts("systems")
        if part.attributes.get("category") == kind
        and part.attributes.get("accelerator_key") == accelerator
        and part.attributes.get("status") != "illustrative"
        and "max_power_w" in part.facts
    ]
    for part in found:
        if count is None or part.facts["accelerators"].value == count:
            return Hardware(part, accelerator, int(part.facts["accelerators"].value))
    if not found or count is None:
        return None
    part = found[0]
    sold = part.facts["accelerators"].value
    rating_w = part.facts["max_power_w"].value * count / sold
    return Hardware(
        part,
        accelerator,
        count,
        {"accelerators": count, "scale_up_domain_accelerators": count, "max_power_w": rating_w},
        (f"{count} of the {sold:g} accelerators of {part.name}, its rating in proportion",),
    )
