"""A quantity is a function: its name is the quantity's name, its body the formula.

    @quantity(unit="s", source="definition")
    def training_time_s(*, tokens: Array, tokens_per_s: Array) -> Array:
        '''Productive training time.
        ...'''
        return tokens / tokens_per_s

The first docstring line is the label that people read. The result field, tooltip, spreadsheet
header and explanation all come from this one declaration.
"""

from __future__ import annotations

import functools
import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np

from app.engine.trace import Node, Traced, plain, traced_parts
from app.engine.units import words_of

Better = Literal["", "less", "more"]


@dataclass(frozen=True, eq=False)
class Quantity:
    """What is known about a quantity without computing it.

    `path` is where the value stands in the evaluation ("performance.mfu",
    "fabric.tiers[].switches"), or room.name for a quantity that is only a step on the way. `also_at` is a
    place that another quantity has declared, and this one fills for another kind of workload.

    A share that people read as a percentage is `percent`; its value stays a fraction. A `key` figure is among
    those that every surface shows first, in the order of the evaluation; `short` is its label where room is
    scarce. `better` is what a comparison prefers of it. Values that stand for choices are read as their `words`.
    """

    path: str
    unit: str
    source: str
    function: Callable[..., Any]
    also_at: str = ""
    percent: bool = False
    short: str = ""
    key: bool = False
    better: Better = ""
    words: tuple[str, ...] = ()
    written: str = ""  # the formula, where it is not the body of the function

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def label(self) -> str:
        """The first docstring line up to its first colon or semicolon."""
        first = (inspect.getdoc(self.function) or self.name).splitlines()[0].rstrip(".")
        return re.split("[:;]", first, maxsplit=1)[0]

    @property
    def short_label(self) -> str:
        return self.short or self.label

    @property
    def summary(self) -> str:
        """Its label with the unit and, where values stand for choices, what each is."""
        unit = "" if self.unit == "1" else f" [{self.unit}]"
        choices = ", ".join(f"{value} {words}" for value, words in enumerate(self.words))
        return f"{self.label}{unit}{f': {choices}' if choices else ''}."

    @property
    def description(self) -> str:
        return inspect.getdoc(self.function) or ""

    @functools.cached_property
    def formula(self) -> str:
        return self.written or _body(self.function)


Formula = TypeVar("Formula", bound=Callable[..., Any])

REGISTRY: dict[str, Quantity] = {}

MAY_BE_TRACED = frozenset({Traced, list, tuple, dict})
"""Types of arguments that are, or may hold, traced values. An evaluation asks thousands of times."""


def quantity(
    *,
    unit: str,
    source: str,
    at: str | None = None,
    also_at: str = "",
    leaf: bool = False,
    percent: bool = False,
    short: str = "",
    key: bool = False,
    better: Better = "",
) -> Callable[[Formula], Formula]:
    """Declare a quantity. The function takes keyword arguments only and returns one array.

    Parameters
    ----------
    unit : of the returned value, "1" for a ratio or count
    source : numbered reference, standard, or "definition"
    at : place in the evaluation when it is not `room.function_name`
    also_at : place of another quantity that this one fills for another kind of workload
    leaf : the body cannot run on traced values (SciPy, loops over structure, table look-ups);
        it is called with bare values and explained by its inputs only
    percent : whether people read the fraction as a percentage, on every surface
    short : label where room is scarce
    key : whether it is among the figures that every surface shows first
    better : whether less or more of it is better

    Raises
    ------
    ValueError : a second quantity claims the same place
    """

    def declare(function: Formula) -> Formula:
        room = function.__module__.split(".")[2]
        path = at or f"{room}.{function.__name__}"
        record = Quantity(path, unit, source, function, also_at, percent, short, key, better)
        declared: Formula = _declared(record, leaf=leaf)
        return declared

    return declare


def alias(
    name: str,
    label: str,
    *,
    at: str,
    of: str = "",
    unit: str = "1",
    source: str = "definition",
    also_at: str = "",
    percent: bool = False,
    short: str = "",
    key: bool = False,
    words: tuple[str, ...] = (),
    note: str = "",
) -> Callable[..., Any]:
    """Declare a second name of a value: a quantity whose formula is its one argument.

    Parameters
    ----------
    of : name of the argument, where it is not that of the quantity
    words : of the values 0, 1 and so on, where they stand for choices
    note : description below the label
    """

    argument = of or name

    def function(**arguments: Any) -> Any:
        return 1 * arguments[argument]

    caller = inspect.currentframe().f_back.f_globals["__name__"]  # type: ignore[union-attr]
    function.__name__, function.__module__ = name, caller
    function.__doc__ = f"{label}.\n\n{note}" if note else f"{label}."
    record = Quantity(
        at, unit, source, function, also_at, percent, short, key, words=words, written=f"return {argument}"
    )
    declared: Callable[..., Any] = _declared(record)
    return declared


def _declared(record: Quantity, *, leaf: bool = False) -> Any:
    """Register a quantity and wrap its function, so that traced arguments are explained."""
    function = record.function
    if record.path in REGISTRY and REGISTRY[record.path].function is not function:
        raise ValueError(f"two quantities at {record.path}")
    REGISTRY[record.path] = record

    @functools.wraps(function)
    def call(**arguments: Any) -> Any:
        if MAY_BE_TRACED.isdisjoint(map(type, arguments.values())):
            return function(**arguments)
        return _traced_call(record, leaf, arguments)

    call.quantity = record  # type: ignore[attr-defined]
    return call


def quantity_at(path: str) -> Quantity | None:
    """The quantity that fills a place of the evaluation: "fabric.tiers[0].switches" -> its record.

    A room inside one of several workloads is the room: "workloads[0].performance.mfu" -> performance.mfu.
    """
    place = re.sub(r"\[\d+\]", "[]", path) if "[" in path else path
    return REGISTRY.get(place) or REGISTRY.get(place.removeprefix("workloads[]."))


def label_at(path: str) -> str:
    """What people call the figure at a place of the evaluation; of none that is declared, its name in words."""
    record = quantity_at(path)
    if record is not None:
        return record.label
    words = words_of(path)
    return words[:1].upper() + words[1:]


def short_label_at(path: str) -> str:
    """The label of a figure where room is scarce."""
    record = quantity_at(path)
    return record.short_label if record else label_at(path)


def _traced_call(record: Quantity, leaf: bool, arguments: dict[str, Any]) -> Any:
    roles = tuple((role, part.node) for role, value in arguments.items() for part in traced_parts(value))
    if not roles:
        return record.function(**arguments)
    if leaf:
        value, body = record.function(**plain(arguments)), None
    else:
        result = record.function(**arguments)
        value, body = plain(result), result.node if isinstance(result, Traced) else None
        known = {id(node) for _, node in roles}
        roles += tuple(("", node) for node in _quantities_in(body, known))
    node = Node(
        kind="quantity",
        name=record.path,
        value=value,
        unit=record.unit,
        inputs=roles,
        quantity=record,
        body=body,
    )
    return Traced(value, node)


def _quantities_in(body: Node | None, known: set[int]) -> list[Node]:
    """Named nodes that a body made by itself, beside its arguments."""
    found: list[Node] = []
    stack = [body] if body else []
    seen = set(known)
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if node.kind == "operator":
            stack.extend(child for _, child in node.inputs)
        else:
            found.append(node)
    return found


def _body(function: Callable[..., Any]) -> str:
    """The lines of a function below its docstring: the formula as it is computed."""
    source = textwrap.dedent(inspect.getsource(function))
    after_signature = source.split(":\n", 1)[1] if '"""' not in source else source.split('"""', 2)[2]
    return textwrap.dedent(after_signature.lstrip("\n")).strip()


def unknown() -> Any:
    """The value of what is not published: not a number, and never zero."""
    return np.full(1, np.nan)
