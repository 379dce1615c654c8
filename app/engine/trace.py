"""Values that remember how they were made: the computation explains itself.

Explaining a figure is running the very same functions once more with every input wrapped in a
`Traced` value. Operators on traced values make operator nodes, calls of quantities make named
nodes (see `quantities.py`), and what is left at the bottom are the inputs, each with its `Origin`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

if TYPE_CHECKING:
    from app.engine.quantities import Quantity

Array = NDArray[np.float64]
"""What engine functions take and give. While explaining, a `Traced` stands in for it."""

CONTAINERS = (tuple, list, dict)

Kind = Literal["quantity", "operator", "search", "input", "constant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A value someone may accept where nothing is published; never used unasked."""

    value: float
    unit: str
    source: str
    field: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where an input comes from.

    `kind` is scenario | vendor | measured | third_party | derived | assumption | estimate | unknown.
    `catalog` names the row, as in "accelerators/nvidia_h100_sxm"; `own` says whose it is and who entered
    it, where it is no built-in one; `field` is the scenario field that would state the value otherwise.
    `rent_only` is why the price of a part is unknown that cannot be bought.
    """

    kind: str
    label: str = ""
    source: str = ""
    date: str = ""
    confidence: str = ""
    catalog: str = ""
    own: str = ""
    field: str = ""
    printed: str = ""
    low: float | None = None
    high: float | None = None
    suggestion: Suggestion | None = None
    rent_only: str = ""

    @property
    def priced_part(self) -> str:
        """Name of the part that is priced, without the basis of the quote."""
        return self.label.partition(", price")[0]


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One step of an explanation: its value and the nodes it was made from, each in its role."""

    kind: Kind
    name: str
    value: Any
    unit: str = ""
    inputs: tuple[tuple[str, Node], ...] = ()
    quantity: Quantity | None = None
    origin: Origin | None = None
    note: str = ""
    body: Node | None = field(default=None, repr=False)

    def walk(self) -> Iterator[Node]:
        """Every node below and including this one, once each."""
        seen: set[int] = set()
        stack = [self]
        while stack:
            node = stack.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            yield node
            stack.extend(child for _, child in node.inputs)


class Traced(NDArrayOperatorsMixin):
    """An array together with the node that explains it."""

    __slots__ = ("node", "value")
    __array_priority__ = 1000

    def __init__(self, value: Any, node: Node) -> None:
        self.value = np.asarray(value)
        self.node = node

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape

    @property
    def ndim(self) -> int:
        return self.value.ndim

    @property
    def size(self) -> int:
        return self.value.size

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.value.dtype

    def __repr__(self) -> str:
        return f"Traced({self.value!r}, {self.node.name!r})"

    def __len__(self) -> int:
        return len(self.value)

    def __bool__(self) -> bool:
        raise TypeError("a traced value cannot decide a branch: use np.where, or plain() for structure")

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("a traced value must not lose its trace: move this call into a leaf quantity")

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        value = getattr(ufunc, method)(*[plain(item) for item in inputs], **plain(kwargs))
        return _operator(ufunc.__name__, value, inputs)

    def __array_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        value = func(*plain(args), **plain(kwargs))
        return _operator(func.__name__, value, (args, kwargs))

    def __getitem__(self, index: Any) -> Traced:
        return Traced(value := self.value[plain(index)], _operator_node("item", value, (self, index)))

    def _method(self, name: str, *args: Any, **kwargs: Any) -> Traced:
        value = getattr(self.value, name)(*plain(args), **plain(kwargs))
        return Traced(value, _operator_node(name, value, (self,)))

    def sum(self, *args: Any, **kwargs: Any) -> Traced:
        return self._method("sum", *args, **kwargs)

    def max(self, *args: Any, **kwargs: Any) -> Traced:
        return self._method("max", *args, **kwargs)

    def min(self, *args: Any, **kwargs: Any) -> Traced:
        return self._method("min", *args, **kwargs)

    def mean(self, *args: Any, **kwargs: Any) -> Traced:
        return self._method("mean", *args, **kwargs)

    def reshape(self, *args: Any, **kwargs: Any) -> Traced:
        return self._method("reshape", *args, **kwargs)

    def astype(self, *args: Any, **kwargs: Any) -> Traced:
        return self._method("astype", *args, **kwargs)


def plain(item: Any) -> Any:
    """The bare value, without its trace; containers are searched.

    For structure only (how many tiers, which loop): a figure that must explain itself may not
    pass through here outside a leaf quantity.
    """
    if type(item) is Traced:
        return item.value
    if not isinstance(item, CONTAINERS):
        return item
    if isinstance(item, tuple):
        values = [plain(part) for part in item]
        return type(item)(*values) if hasattr(item, "_fields") else tuple(values)
    if isinstance(item, list):
        return [plain(part) for part in item]
    return {key: plain(part) for key, part in item.items()}


def first_of(value: Any) -> float:
    """The first sample of a value as a bare number, where a decision or a message needs one; None is NaN."""
    return float("nan") if value is None else float(np.ravel(plain(value))[0])


def quotient(above: float, below: float) -> float:
    """A quotient of bare numbers: not known (NaN) where it would be divided by zero, which arrays bear and numbers do not."""
    return above / below if below else float("nan")


def median_of(value: Any) -> float:
    """The median sample of a value as a bare number; NaN where it is unknown."""
    bare = np.asarray(plain(value))
    # most values have one sample, and NumPy's median takes 20 times as long as reading it
    return float(bare.reshape(-1)[0] if bare.size == 1 else np.median(bare))


def count_of(value: Any) -> int:
    """The first sample of a value as a whole number; 0 where it is unknown."""
    number = first_of(value)
    return round(number) if np.isfinite(number) else 0


def traced_parts(item: Any) -> list[Traced]:
    """The traced values inside an argument, containers searched."""
    if type(item) is Traced:
        return [item]
    if not isinstance(item, CONTAINERS):
        return []
    found: list[Traced] = []
    for part in item.values() if isinstance(item, dict) else item:
        if type(part) is Traced:  # as most are; every operator comes by here
            found.append(part)
        else:
            found += traced_parts(part)
    return found


def traced_input(name: str, value: Any, unit: str, origin: Origin) -> Traced:
    """Wrap one input of an evaluation."""
    array = np.atleast_1d(np.asarray(value, dtype=float))
    return Traced(array, Node(kind="input", name=name, value=array, unit=unit, origin=origin))


def traced_search(name: str, value: Any, unit: str, inputs: dict[str, Traced], note: str) -> Traced:
    """Wrap what a search over many candidates chose; only the winner is traced further."""
    roles = tuple((role, part.node) for role, part in inputs.items())
    node = Node(kind="search", name=name, value=np.asarray(value), unit=unit, inputs=roles, note=note)
    return Traced(value, node)


def _operator(name: str, value: Any, arguments: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(Traced(part, _operator_node(name, part, arguments)) for part in value)
    return Traced(value, _operator_node(name, value, arguments))


def _operator_node(name: str, value: Any, arguments: Any) -> Node:
    return Node("operator", name, value, inputs=tuple([("", part.node) for part in traced_parts(arguments)]))
