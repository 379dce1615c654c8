"""Formulas as MathML, from the code that computes them.

Bodies of quantities are Python over arrays. Arithmetic, comparisons, choices and the usual functions have a
mathematical notation; a body that needs loops or helpers has none and is shown as code.
"""

from __future__ import annotations

import ast
import functools
import textwrap
from collections.abc import Mapping, Sequence

from markupsafe import Markup, escape

Drawn = tuple[str, int]
"""MathML and how tightly its outermost operator binds."""

CHOICE, OR, AND, COMPARISON, SUM, PRODUCT, SIGN, POWER, ATOM = range(9)
BINARY = {ast.Add: (SUM, "+"), ast.Sub: (SUM, "−"), ast.Mult: (PRODUCT, "·"), ast.MatMult: (PRODUCT, "·")}
COMPARED = {
    ast.Lt: "&lt;", ast.LtE: "≤", ast.Gt: "&gt;", ast.GtE: "≥", ast.Eq: "=", ast.NotEq: "≠",
    ast.In: "∈", ast.NotIn: "∉",
}  # fmt: skip
JOINED = {ast.BitAnd: (AND, "and"), ast.BitOr: (OR, "or"), ast.And: (AND, "and"), ast.Or: (OR, "or")}
FENCED = {"ceil": "⌈⌉", "floor": "⌊⌋", "abs": "||"}
FUNCTIONS = {
    "maximum": "max", "max": "max", "fmax": "max", "minimum": "min", "min": "min", "fmin": "min",
    "exp": "exp", "log": "ln", "log10": "lg", "round": "round", "sum": "sum", "median": "median",
}  # fmt: skip
TESTS = {"isnan": "is unknown", "isinf": "is infinite", "isfinite": "is finite"}
PLAIN_CALLS = ("float", "int")  # that change no value


class NoMathematicsError(ValueError):
    """A body that has no mathematical notation."""


@functools.lru_cache(maxsize=4096)
def mathematics_of(name: str, code: str) -> Markup:
    """Return the lines of a formula as MathML, "" where it has none.

    >>> "mfrac" in mathematics_of("tokens_per_s", "return tokens / step_time_s")
    True
    >>> mathematics_of("sums", "for part in parts:\\n    total += part")
    Markup('')
    """
    try:
        return Markup("").join(_line(statement, name, {}) for statement in _body(code))
    except (NoMathematicsError, SyntaxError):
        return Markup("")


@functools.lru_cache(maxsize=4096)
def values_in(code: str, values: tuple[tuple[str, str], ...], result: str) -> Markup:
    """Return the last line of a formula with values in place of names, "" where that cannot be shown.

    Parameters
    ----------
    values : the text of each name's value, with its unit
    result : the text of what they give
    """
    try:
        (only,) = _body(code)
        known = dict(values)
        names = {node.id for node in ast.walk(only) if isinstance(node, ast.Name)} - {"np"}
        if not isinstance(only, ast.Return) or only.value is None or not names or not names <= set(known):
            return Markup("")
        return _math(f"<mtext>{escape(result)}</mtext><mo>=</mo>{_drawn(only.value, known)[0]}")
    except (SyntaxError, ValueError):
        return Markup("")


def _body(code: str) -> list[ast.stmt]:
    """The statements of a function's body."""
    whole = ast.parse("def formula():\n" + textwrap.indent(code, "    ")).body[0]
    assert isinstance(whole, ast.FunctionDef)
    return whole.body


def _line(statement: ast.stmt, name: str, values: Mapping[str, str]) -> Markup:
    if isinstance(statement, ast.Return) and statement.value is not None:
        target, value = _named(name), statement.value
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = _drawn(statement.targets[0], values)[0], statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        target, value = _drawn(statement.target, values)[0], statement.value
    else:
        raise NoMathematicsError
    return _math(f"{target}<mo>=</mo>{_drawn(value, values)[0]}")


def _math(content: str) -> Markup:
    return Markup(f'<math display="block"><mrow>{content}</mrow></math>')


def _named(name: str) -> str:
    """A name as words; a short one as a symbol."""
    words = name.strip("_").replace("_", " ")
    return f"<mi>{escape(words)}</mi>" if len(words) == 1 else f"<mtext>{escape(words)}</mtext>"


def _drawn(node: ast.expr, values: Mapping[str, str]) -> Drawn:
    if isinstance(node, ast.Name):
        shown = values.get(node.id)
        return (_named(node.id) if shown is None else f"<mtext>{escape(shown)}</mtext>"), ATOM
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
    ):
        return _number(node.value), ATOM
    if isinstance(node, ast.BinOp):
        return _operation(node, values)
    if isinstance(node, ast.UnaryOp):
        return _unary(node, values)
    if isinstance(node, ast.BoolOp):
        level, word = JOINED[type(node.op)]
        parts = [_within(part, level, values) for part in node.values]
        return f"<mspace width='0.4em'/><mtext>{word}</mtext><mspace width='0.4em'/>".join(parts), level
    if isinstance(node, ast.Compare):
        return _comparison(node, values)
    if isinstance(node, ast.IfExp):
        return _choice(node.test, node.body, node.orelse, values), CHOICE
    if isinstance(node, ast.Attribute):
        return _attribute(node, values), ATOM
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return (
            f"<msub><mrow>{_within(node.value, ATOM, values)}</mrow><mn>{escape(node.slice.value)}</mn></msub>",
            ATOM,
        )
    if isinstance(node, ast.Tuple):
        return "<mo>,</mo>".join(_drawn(part, values)[0] for part in node.elts), CHOICE
    if isinstance(node, ast.Call):
        return _call(node, values)
    raise NoMathematicsError


def _within(node: ast.expr, level: int, values: Mapping[str, str]) -> str:
    """An operand, in brackets where it binds less tightly than what it stands in."""
    drawn, own = _drawn(node, values)
    return drawn if own >= level else _brackets(drawn)


def _brackets(content: str, pair: str = "()") -> str:
    return f"<mrow><mo>{pair[0]}</mo>{content}<mo>{pair[1]}</mo></mrow>"


def _number(value: float) -> str:
    if value and (abs(value) >= 1e6 or abs(value) < 1e-4):
        mantissa, exponent = f"{value:.6e}".split("e")
        mantissa = mantissa.rstrip("0").rstrip(".")
        power = f"<msup><mn>10</mn><mn>{int(exponent)}</mn></msup>".replace("<mn>-", "<mn>−")
        return power if mantissa == "1" else f"<mn>{mantissa}</mn><mo>·</mo>{power}"
    return f"<mn>{value:,.10g}</mn>".replace("<mn>-", "<mn>−")


def _operation(node: ast.BinOp, values: Mapping[str, str]) -> Drawn:
    kind = type(node.op)
    if kind in JOINED:
        level, word = JOINED[kind]
        between = f"<mspace width='0.4em'/><mtext>{word}</mtext><mspace width='0.4em'/>"
        return _within(node.left, level, values) + between + _within(node.right, level, values), level
    if kind in BINARY:
        level, sign = BINARY[kind]
        right = level + 1 if kind is ast.Sub else level
        return (
            f"{_within(node.left, level, values)}<mo>{sign}</mo>{_within(node.right, right, values)}",
            level,
        )
    if kind is ast.Div:
        above, below = _drawn(node.left, values)[0], _drawn(node.right, values)[0]
        return f"<mfrac><mrow>{above}</mrow><mrow>{below}</mrow></mfrac>", PRODUCT
    if kind is ast.FloorDiv:
        above, below = _drawn(node.left, values)[0], _drawn(node.right, values)[0]
        return _brackets(f"<mfrac><mrow>{above}</mrow><mrow>{below}</mrow></mfrac>", "⌊⌋"), ATOM
    if kind is ast.Mod:
        return (
            f"{_within(node.left, SIGN, values)}<mtext> mod </mtext>{_within(node.right, SIGN, values)}",
            PRODUCT,
        )
    if kind is ast.Pow:
        base = _within(node.left, ATOM, values)
        return f"<msup><mrow>{base}</mrow><mrow>{_drawn(node.right, values)[0]}</mrow></msup>", POWER
    raise NoMathematicsError


def _unary(node: ast.UnaryOp, values: Mapping[str, str]) -> Drawn:
    if isinstance(node.op, ast.USub):
        return f"<mo>−</mo>{_within(node.operand, SIGN, values)}", SIGN
    if isinstance(node.op, ast.Not | ast.Invert):
        return f"<mtext>not </mtext>{_within(node.operand, SIGN, values)}", SIGN
    raise NoMathematicsError


def _comparison(node: ast.Compare, values: Mapping[str, str]) -> Drawn:
    drawn = _within(node.left, SUM, values)
    for operator, right in zip(node.ops, node.comparators, strict=True):
        if type(operator) not in COMPARED:
            raise NoMathematicsError
        drawn += f"<mo>{COMPARED[type(operator)]}</mo>{_within(right, SUM, values)}"
    return drawn, COMPARISON


def _attribute(node: ast.Attribute, values: Mapping[str, str]) -> str:
    if isinstance(node.value, ast.Name) and node.value.id == "np":
        constants = {
            "pi": "<mi>π</mi>",
            "inf": "<mi>∞</mi>",
            "nan": "<mtext>unknown</mtext>",
            "e": "<mi>e</mi>",
        }
        if node.attr in constants:
            return constants[node.attr]
        raise NoMathematicsError
    return _named(node.attr)


def _choice(test: ast.expr, then: ast.expr, otherwise: ast.expr, values: Mapping[str, str]) -> str:
    """Cases with their conditions; a choice in the last case continues the list."""
    rows = []
    while True:
        rows.append((_drawn(then, values)[0], f"<mtext>if </mtext>{_drawn(test, values)[0]}"))
        if (
            isinstance(otherwise, ast.Call)
            and _function_name(otherwise) == "where"
            and len(otherwise.args) == 3
        ):
            test, then, otherwise = otherwise.args
        else:
            break
    rows.append((_drawn(otherwise, values)[0], "<mtext>otherwise</mtext>"))
    cells = "".join(
        f"<mtr><mtd><mrow>{value}</mrow></mtd><mtd><mrow>{condition}</mrow></mtd></mtr>"
        for value, condition in rows
    )
    return f'<mrow><mo>{{</mo><mtable columnalign="left">{cells}</mtable></mrow>'


def _function_name(node: ast.Call) -> str:
    function = node.func
    if (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "np"
    ):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _call(node: ast.Call, values: Mapping[str, str]) -> Drawn:
    name, arguments = _function_name(node), node.args
    if node.keywords or any(isinstance(part, ast.Starred) for part in arguments):
        raise NoMathematicsError
    if name == "where" and len(arguments) == 3:
        test, then, otherwise = arguments
        return _choice(test, then, otherwise, values), CHOICE
    if name == "clip" and len(arguments) == 3:
        value, low, high = (_drawn(part, values)[0] for part in arguments)
        return _applied("min", [_applied("max", [value, low]), high]), ATOM
    if len(arguments) == 1:
        one = arguments[0]
        if name in PLAIN_CALLS:
            return _drawn(one, values)
        if name in FENCED:
            return _brackets(_drawn(one, values)[0], FENCED[name]), ATOM
        if name in TESTS:
            return f"{_within(one, SIGN, values)}<mtext> {TESTS[name]}</mtext>", COMPARISON
        if name == "sqrt":
            return f"<msqrt><mrow>{_drawn(one, values)[0]}</mrow></msqrt>", ATOM
        if name == "log2":
            return f"<msub><mi>log</mi><mn>2</mn></msub>{_brackets(_drawn(one, values)[0])}", ATOM
        if name == "expm1":
            return f"{_applied('exp', [_drawn(one, values)[0]])}<mo>−</mo><mn>1</mn>", SUM
        if name == "log1p":
            return _applied("ln", [f"<mn>1</mn><mo>+</mo>{_within(one, SUM, values)}"]), ATOM
    if name == "mod" and len(arguments) == 2:
        left, right = (_within(part, SIGN, values) for part in arguments)
        return f"{left}<mtext> mod </mtext>{right}", PRODUCT
    if name in FUNCTIONS:
        return _applied(FUNCTIONS[name], [_drawn(part, values)[0] for part in arguments]), ATOM
    raise NoMathematicsError


def _applied(name: str, arguments: Sequence[str]) -> str:
    return f"<mi>{name}</mi>{_brackets('<mo>,</mo>'.join(arguments))}"
