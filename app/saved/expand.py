"""Putting saved designs in where a scenario names them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.saved.errors import NotSavedError
from app.saved.records import WORDS, Kind, Saved
from app.scenarios.errors import ScenarioError, refuse

DESIGN_KINDS: tuple[Kind, ...] = ("supernode", "pod")

FindSaved = Callable[[Kind, str], Saved]
"""Something saved by kind and id, what was deleted too; raises NotSavedError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignUse:
    """A saved design that a scenario names in one of its fields, and the revision that was put in."""

    field: Kind  # supernode | pod: the field has the name of the kind
    id: str
    revision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Expanded:
    """A scenario document without references, and the designs that went into it."""

    document: dict[str, Any]
    uses: tuple[DesignUse, ...]


def expanded(document: dict[str, Any], find: FindSaved) -> Expanded:
    """The document with each saved design put in; fields stated next to a design override it.

    Raises
    ------
    ScenarioError : there is no such design, or it was deleted; the message names both ways out
    """
    result, uses = dict(document), []
    for kind in DESIGN_KINDS:
        part = document.get(kind)
        if not isinstance(part, dict) or part.get("design") is None:
            continue
        design = _found(find, kind, part["design"])
        stated = {name: value for name, value in part.items() if name != "design"}
        result[kind] = merged(design.document[kind], stated)
        uses.append(DesignUse(field=kind, id=design.id, revision=design.revision))
    return Expanded(document=result, uses=tuple(uses))


def merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """`below` with what `above` states in its place, mapping by mapping; None states nothing.

    >>> merged({"override": {"racks": 1, "nodes": 8}}, {"override": {"racks": 2, "nodes": None}})
    {'override': {'racks': 2, 'nodes': 8}}
    """
    result = copy.deepcopy(below)
    for name, value in above.items():
        under = result.get(name)
        if isinstance(value, dict) and isinstance(under, dict):
            result[name] = merged(under, value)
        elif value is not None:
            result[name] = copy.deepcopy(value)
    return result


def _found(find: FindSaved, kind: Kind, id: str) -> Saved:
    field = f"{kind}.design"
    try:
        design = find(kind, id)
    except NotSavedError:
        raise refuse(
            f"There is no saved {WORDS[kind]} {id!r}.",
            rule="unknown_design",
            path=field,
            value=id,
            hint=f"Choose a saved one, or put in the fields of a {kind} in its place.",
        ) from None
    if design.deleted_at is not None:
        raise _deleted(design, field)
    return design


def _deleted(design: Saved, field: str) -> ScenarioError:
    return refuse(
        f"The {WORDS[design.kind]} {design.name!r} was deleted.",
        rule="deleted_design",
        path=field,
        value=design.id,
        hint=f"Restore it, or put in the values of its revision {design.revision} in its place.",
    )
