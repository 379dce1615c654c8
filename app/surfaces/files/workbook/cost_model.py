"""The cost of a pod as a chain of cells: what it starts from, and a formula for every step after that.

The chain is read from the trace of the evaluation, and each formula from the body of its quantity, so
the workbook cannot disagree with the engine. Cells are named after the quantities.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from app.engine.quantities import Quantity
from app.engine.trace import Node, Traced
from app.engine.units import words_of
from app.surfaces.files.rows import input_label
from app.surfaces.files.workbook.excel_formula import INFINITE, NoFormulaError, excel_formula

ROOM = "app.engine.economics."
GROUPS = {
    "capital": "Capital",
    "building": "Building, land or colocation",
    "operating": "Running cost, a year",
    "finance": "The price of money and time",
    "capital_charge": "Capital, a year",
    "tco": "Ownership",
    "run_cost": "The run",
    "token_cost": "Tokens",
    "rent": "Owning or renting",
}


class CostLine(NamedTuple):
    """One cell: its name in formulas, what it is, and how it came about."""

    name: str
    label: str
    value: float | str | None  # None is unknown
    unit: str
    path: str
    formula: str = ""
    kind: str = ""
    source: str = ""


@dataclass
class CostModel:
    """`inputs` are cells to be changed, `groups` those that follow from them."""

    inputs: list[CostLine] = field(default_factory=list)
    groups: dict[str, list[CostLine]] = field(default_factory=dict)
    _by_path: dict[str, CostLine] = field(default_factory=dict)

    def at(self, path: str) -> CostLine:
        """The cell of a figure or an input."""
        return self._by_path[path]

    def add(self, line: CostLine, group: str = "") -> None:
        """A further cell, of the inputs or of a group."""
        (self.groups[group] if group else self.inputs).append(line)
        self._by_path[line.path] = line


def cost_model(figures: Mapping[str, Traced], linked: Mapping[str, str]) -> CostModel:
    """The cells behind all cost figures. `linked` names cells of other sheets that inputs are taken from."""
    model = CostModel(groups={title: [] for title in GROUPS.values()})
    steps = list(_steps([figure.node for path, figure in figures.items() if path.startswith("cost.")]))
    cells = _cell_names(steps, linked.values())
    for node in steps:
        name = cells[id(node)]
        record = node.quantity if _is_cost(node) else None
        if record is None:
            model.add(_input_line(node, name, linked))
            continue
        line = CostLine(
            name,
            record.label,
            _value(node),
            record.unit,
            record.also_at or node.name,
            formula=_formula(node, record, cells),
            source=record.source,
        )
        model.add(line, GROUPS[record.function.__module__.rpartition(".")[2]])
    model.groups = {title: lines for title, lines in model.groups.items() if lines}
    return model


def _steps(roots: list[Node]) -> Iterator[Node]:
    """Every cell once, each after those it is computed from. Other rooms' figures are not looked into."""
    seen: set[int] = set()
    stack = [(root, False) for root in reversed(roots)]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield node
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            if _is_cost(node):
                stack.extend((below, False) for _, below in reversed(node.inputs))


def _is_cost(node: Node) -> bool:
    return node.quantity is not None and node.quantity.function.__module__.startswith(ROOM)


def _cell_names(steps: list[Node], given: Iterable[str]) -> dict[int, str]:
    """A name of its own for every cell. Quantities keep theirs; an input that shares one says more of its place.

    Excel does not tell capitals from small letters.
    """
    names: dict[int, str] = {}
    taken = {name.lower() for name in given}
    for node in sorted(steps, key=lambda step: step.quantity is None):
        name = next(name for name in _possible_names(node) if name.lower() not in taken)
        taken.add(name.lower())
        names[id(node)] = name
    return names


def _possible_names(node: Node) -> Iterator[str]:
    if node.quantity:
        longest = node.quantity.name
        yield longest
    else:
        words = re.sub(r"[^\w.]", "_", node.name).split(".")
        yield from ("_".join(words[start:]) for start in reversed(range(len(words))))
        longest = "_".join(words)
    yield from (f"{longest}_{number}" for number in itertools.count(2))


def _input_line(node: Node, name: str, linked: Mapping[str, str]) -> CostLine:
    label = node.quantity.label if node.quantity else words_of(node.name)
    kind, source = "computed", ""
    if node.origin:
        label, kind, source = input_label(node.origin), node.origin.kind, node.origin.source
    formula = f"={linked[node.name]}" if node.name in linked else ""
    return CostLine(name, label, _value(node), node.unit, node.name, formula, kind, source)


def _formula(node: Node, record: Quantity, cells: Mapping[int, str]) -> str:
    """The formula over the cells of its inputs; none where the body is not one that Excel could compute."""
    names = {role: cells[id(below)] for role, below in node.inputs if role}
    made_inside = {below.quantity.name: cells[id(below)] for role, below in node.inputs
                   if not role and below.quantity}  # fmt: skip
    try:
        return excel_formula(record.formula, names, made_inside)
    except NoFormulaError:
        return ""


def _value(node: Node) -> float | str | None:
    value = float(np.asarray(node.value, dtype=float).reshape(-1)[0])
    if np.isnan(value):
        return None
    return value if np.isfinite(value) else INFINITE
