"""Explain a figure: run the evaluation once more on traced inputs and read the trace.

The explanation is the computation itself, so the two cannot disagree.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from app.engine.design import at_same_speed, evaluate_sections
from app.engine.evaluation import Sections
from app.engine.leaves import any_unknown, leaves
from app.engine.specs import Assumptions, Design
from app.engine.trace import Node, Origin, Traced, traced_input
from app.engine.units import unit_of


def traced_design(design: Design, origins: Mapping[str, Origin]) -> Design:
    """The design with every number wrapped, each with the origin at its place.

    Raises
    ------
    KeyError : a number of the design has no origin
    """
    wrapped: Design = _wrap(design, "", origins)
    return wrapped


def explained_figures(design: Design, origins: Mapping[str, Origin]) -> dict[str, Traced]:
    """Every figure of the evaluation by place, each able to explain itself."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        sections = evaluate_sections(traced_design(design, origins))
    return dict(leaves(sections))


def missing_inputs(figures: Mapping[str, Traced]) -> dict[str, tuple[Origin, list[str]]]:
    """Unknown inputs, with the figures that are unknown because of each.

    Only unknown steps are followed: an unknown input that a computation did without is no cause.
    """
    missing: dict[str, tuple[Origin, list[str]]] = {}
    known: dict[Node, dict[Node, None]] = {}
    for path, figure in figures.items():
        for node in _unknown_inputs(figure.node, known):
            origin = node.origin or Origin(kind="unknown")
            missing.setdefault(node.name, (origin, []))[1].append(path)
    return missing


def missing_in(
    design: Design, origins: Mapping[str, Origin], sections: Sections
) -> dict[str, tuple[Origin, list[str]]]:
    """Unknown inputs of a design that is evaluated already, as `missing_inputs` finds them in its figures.

    As little as possible is traced: nothing where every figure is known or infinite, and only what
    follows from speed and fabric where these two are known.
    """
    if not any_unknown(sections):
        return {}
    if any_unknown((sections.fabric, sections.performance)):
        return missing_inputs(explained_figures(design, origins))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        figures = leaves(at_same_speed(traced_design(design, origins), sections))
    return missing_inputs({path: figure for path, figure in figures if isinstance(figure, Traced)})


def resting_on(figures: Mapping[str, Traced], places: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of a figure and an input among `places` that it rests on."""
    wanted = set(places)
    known: dict[Node, frozenset[str]] = {}
    for path, figure in figures.items():
        for place in sorted(_wanted_inputs(figure.node, wanted, known)):
            yield path, place


def explanation(path: str, figure: Traced) -> dict[str, Any]:
    """A figure's tree as plain values: formula, values put in, units, sources, down to the inputs.

    A step that occurs twice is spelled out the first time and referred to by `id` afterwards.
    """
    return {"path": path, **_tree(figure.node, {})}


def _wrap(item: Any, path: str, origins: Mapping[str, Origin]) -> Any:
    if isinstance(item, np.ndarray):
        return traced_input(path, item, unit_of(path), origins[path])
    if isinstance(item, Assumptions):
        return Assumptions(
            rooms={room: _wrap(part, f"{path}.{room}", origins) for room, part in item.rooms.items()}
        )
    if isinstance(item, tuple):
        return tuple(_wrap(part, f"{path}[{place}]", origins) for place, part in enumerate(item))
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        changes = {
            field.name: _wrap(getattr(item, field.name), f"{path}.{field.name}".lstrip("."), origins)
            for field in dataclasses.fields(item)
        }
        return dataclasses.replace(item, **changes)
    return item


def _unknown_inputs(node: Node, known: dict[Node, dict[Node, None]]) -> dict[Node, None]:
    """The unknown inputs below a node, in order. `known` keeps those of every step: figures share most."""
    stack = [node]
    while stack:
        current = stack[-1]
        below = [child for _, child in current.inputs] if _is_unknown(current) else []
        later = [child for child in below if child not in known]
        if later:
            stack.extend(later)
            continue
        found = {current: None} if current.kind == "input" and _is_unknown(current) else {}
        for child in below:
            found |= known[child]
        known[stack.pop()] = found
    return known[node]


def _wanted_inputs(node: Node, wanted: set[str], known: dict[Node, frozenset[str]]) -> frozenset[str]:
    """The inputs among `wanted` below a node. `known` keeps those of every step, as figures share most."""
    stack = [node]
    while stack:
        current = stack[-1]
        below = [child for _, child in current.inputs]
        later = [child for child in below if child not in known]
        if later:
            stack.extend(later)
            continue
        own = {current.name} if current.kind == "input" and current.name in wanted else ()
        known[stack.pop()] = frozenset(own).union(*(known[child] for child in below))
    return known[node]


def _is_unknown(node: Node) -> bool:
    array = np.asarray(node.value)
    return bool(array.dtype.kind == "f" and np.isnan(array).any())


def _tree(node: Node, known: dict[int, str]) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "kind": node.kind,
        "name": node.name,
        "value": _shown_value(node.value),
        "unit": node.unit,
    }
    if id(node) in known:
        return shown | {"see": known[id(node)]}
    identity = known[id(node)] = f"n{len(known)}"
    shown["id"] = identity
    if node.quantity:
        shown |= {
            "label": node.quantity.label,
            "formula": node.quantity.formula,
            "description": node.quantity.description,
            "source": node.quantity.source,
        }
    if node.origin:
        shown["origin"] = {
            name: value for name, value in dataclasses.asdict(node.origin).items() if value not in ("", None)
        }
    if node.note:
        shown["note"] = node.note
    if node.inputs:
        shown["inputs"] = [{"role": role} | _tree(child, known) for role, child in node.inputs]
    return shown


def _shown_value(value: Any) -> Any:
    array = np.asarray(value, dtype=float)
    if array.size != 1:
        finite = array[np.isfinite(array)]
        if not finite.size:
            return None
        return {"shape": list(array.shape), "low": float(finite.min()), "high": float(finite.max())}
    number = float(array.reshape(-1)[0])
    return number if np.isfinite(number) else None
