"""The cost of a pod as a chain of cells: what it starts from, and a formula for every step after that.

The chain is read from the trace of the evaluation, and each formula from the body of its quantity, so
the workbook cannot disagree with the engine. Cells are named after the quantities.

The body of a quantity as an Excel formula, so that a workbook computes what the engine computed.

Only what formulas of the economics room are made of is understood; a body that holds anything else
has no Excel formula, and its cell holds the value alone.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from app.engine.quantities import Quantity
from app.engine.trace import Node, Traced
from app.engine.units import words_of
from app.surfaces.files.rows import input_label

ROOM = "app.engine.economics."
GROUPS = {
    "capital": "Capital",
    "building": "Building, land or colocation",
    "operating": "Running cost per year",
    "finance": "Cost of capital and time",
    "residual": "Resale value of used equipment",
    "capital_charge": "Annualised capital",
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


INFINITE = "infinite"  # Excel has no such number

_COMPARED, _ADDED, _MULTIPLIED, _RAISED, _SINGLE = range(5)  # how tightly a text holds together
_OPERATORS: dict[type[ast.AST], tuple[str, int]] = {
    ast.Add: ("+", _ADDED),
    ast.Sub: ("-", _ADDED),
    ast.Mult: ("*", _MULTIPLIED),
    ast.Div: ("/", _MULTIPLIED),
    ast.Pow: ("^", _RAISED),
    ast.Lt: ("<", _COMPARED),
    ast.LtE: ("<=", _COMPARED),
    ast.Gt: (">", _COMPARED),
    ast.GtE: (">=", _COMPARED),
    ast.Eq: ("=", _COMPARED),
}
_FUNCTIONS = {
    "where": "IF({0},{1},{2})",
    "isnan": "NOT(ISNUMBER({0}))",
    "minimum": "MIN({0},{1})",
    "maximum": "MAX({0},{1})",
    "ceil": "ROUNDUP({0},0)",
    "expm1": "(EXP({0})-1)",
    "log1p": "LN(1+{0})",
}

Written = tuple[str, int]


class NoFormulaError(Exception):
    """The body holds something that Excel has no counterpart for here."""


def excel_formula(body: str, names: Mapping[str, str], quantities: Mapping[str, str]) -> str:
    """The formula of a body. `names` are cells by argument, `quantities` cells by the function called.

    >>> excel_formula("return a * (b + 1)", {"a": "price_usd", "b": "spares"}, {})
    '=price_usd*(spares+1)'

    Raises
    ------
    NoFormulaError : the body cannot be written as one
    """
    known: dict[str, Written] = {argument: (cell, _SINGLE) for argument, cell in names.items()}
    for line in ast.parse(f"def body():\n{_indented(body)}").body[0].body:  # type: ignore[attr-defined]
        match line:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                known[name] = _write(value, known, quantities)
            case ast.Return(value=ast.expr() as value):
                return f"={_write(value, known, quantities)[0]}"
            case _:
                raise NoFormulaError(ast.dump(line))
    raise NoFormulaError("nothing is returned")


def _indented(body: str) -> str:
    return "\n".join(f"    {line}" for line in body.splitlines())


def _write(node: ast.expr, known: Mapping[str, Written], quantities: Mapping[str, str]) -> Written:
    match node:
        case ast.Constant(value=int() | float() as value):
            return _number(value), _SINGLE
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.Attribute(value=ast.Name(id="np"), attr="inf"):
            return f'"{INFINITE}"', _SINGLE
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            # In Excel the sign binds more tightly than a power: -(a^2) needs its brackets.
            return f"-{_held(_write(operand, known, quantities), _SINGLE)}", _MULTIPLIED
        case ast.BinOp(left=left, op=operator, right=right):
            return _binary(operator, left, right, known, quantities)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _binary(operator, left, right, known, quantities)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np"), attr=name), args=given):
            if name in _FUNCTIONS:
                parts = [_write(part, known, quantities)[0] for part in given]
                return _FUNCTIONS[name].format(*parts), _SINGLE
        case ast.Call(func=ast.Name(id=name)) if name in quantities:
            return quantities[name], _SINGLE
    raise NoFormulaError(ast.unparse(node))


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value).upper()


def _binary(operator: Any, left: ast.expr, right: ast.expr, *given: Any) -> Written:
    if type(operator) not in _OPERATORS:
        raise NoFormulaError(type(operator).__name__)
    sign, level = _OPERATORS[type(operator)]
    # What stands on the right of - and / keeps its brackets also among its equals: a - (b - c).
    return f"{_held(_write(left, *given), level)}{sign}{_held(_write(right, *given), level + 1)}", level


def _held(written: Written, level: int) -> str:
    text, own = written
    return text if own >= level else f"({text})"
