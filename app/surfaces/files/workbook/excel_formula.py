"""The body of a quantity as an Excel formula, so that a workbook computes what the engine computed.

Only what formulas of the economics room are made of is understood; a body that holds anything else
has no Excel formula, and its cell holds the value alone.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

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
