"""The options of a search as a form: what was typed, what it stands for, and what is wrong with it.

Narrowing the axes of a search that was made: from one value to another, and the search made again of that part.

A sample of layouts could be filtered in the page, but the best of what is left may not be in it. So a narrowed
axis is held, and the search looks at every layout of the part.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from app.scenarios.declared_fields import label_of_field
from app.scenarios.document.layout import SWITCHES
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.studio.fields import in_field_words
from app.views.searching.options import AXES, NUMBERS, WORDS, SearchOptions

OBJECTIVES = (
    ("step_time", "Step time"),
    ("memory", "Memory headroom"),
    ("cost", "Cost per token"),
    ("energy", "Energy per token"),
    ("accelerators", "Fewest accelerators"),
)
SPACES = (("whole", "Every layout"), ("usual", "Common layouts"))
HOLD = "hold."
NAMES = {"nvme": "NVMe", "peer": "Peers", "pool": "Memory pool"}
USUAL = {
    "shard_group": "all",
    "offload": "usual: none",
    "offload_to": "usual: host",
    "schedule": "usual: 1F1B",
    "context": "usual: ring",
    "etp": "usual: auto",
}
"""What a blank means on the axes that are looked at only where someone asks for them; elsewhere any value."""
LONGEST = 400


class AxisField(NamedTuple):
    """An axis that can be held; `choices` where it takes one of a few words."""

    name: str
    label: str
    text: str
    blank: str  # what an empty field stands for
    choices: tuple[tuple[str, str], ...]
    error: str


class SearchForm(NamedTuple):
    """`options` is None where something that was typed cannot be used."""

    options: SearchOptions | None
    objective: str
    space: str
    top: str
    deadline_days: str
    axes: tuple[AxisField, ...]
    errors: dict[str, str]

    def error(self, name: str) -> str:
        """Message of a fault of a field; "" without one."""
        return self.errors.get(name, "")

    @property
    def held(self) -> int:
        """Number of held axes."""
        return sum(bool(axis.text) for axis in self.axes)

    @property
    def query(self) -> dict[str, str]:
        """The form as it was typed, without what is left at its default."""
        fields = {
            "objective": self.objective,
            "space": self.space,
            "top": self.top,
            "deadline_days": self.deadline_days,
        }
        fields |= {f"{HOLD}{axis.name}": axis.text for axis in self.axes}
        return {name: text for name, text in fields.items() if text and text != DEFAULTS.get(name)}


DEFAULTS = {"objective": "step_time", "space": "whole", "top": "10"}


def search_form(query: Mapping[str, str]) -> SearchForm:
    """The form of an address."""
    given = {name: text.strip()[:LONGEST] for name, text in query.items()}
    texts = {name: given.get(name) or DEFAULTS.get(name, "") for name in (*DEFAULTS, "deadline_days")}
    stated: dict[str, Any] = {"objective": texts["objective"], "space": texts["space"]}
    stated["top"] = typed_number(texts["top"])
    if texts["deadline_days"]:
        stated["deadline_days"] = typed_number(texts["deadline_days"])
    errors: dict[str, str] = {}
    hold: dict[str, list[Any]] = {}
    for name in AXES:
        if text := given.get(f"{HOLD}{name}", ""):
            values = [axis_value(part.strip()) for part in text.split(",")]
            errors |= _errors({"hold": {name: values}}, f"{HOLD}{name}")
            hold[name] = values
    errors |= _errors(stated)
    if texts["objective"] == "accelerators" and not texts["deadline_days"]:
        errors["deadline_days"] = (
            "The fewest accelerators need a deadline. Give the days that the run may take."
        )
    options = None if errors else build_document(SearchOptions, stated | {"hold": hold})
    axes = tuple(
        AxisField(
            name,
            label_of_field(f"parallelism.{name}"),
            given.get(f"{HOLD}{name}", ""),
            USUAL.get(name, "any"),
            _choices(name),
            errors.get(f"{HOLD}{name}", ""),
        )
        for name in AXES
    )
    return SearchForm(options, axes=axes, errors=errors, **texts)


def _choices(name: str) -> tuple[tuple[str, str], ...]:
    if name in NUMBERS:
        return ()
    if name in SWITCHES:
        return (("true", "On"), ("false", "Off"))
    return tuple((word, NAMES.get(word, word.replace("_", " ").capitalize())) for word in WORDS[name][1])


def _errors(values: dict[str, Any], field: str = "") -> dict[str, str]:
    """Faults of some options, by the field that they were typed into."""
    try:
        build_document(SearchOptions, values)
    except ScenarioError as error:
        return {field or fault.path: fault_text(fault) for fault in error.errors}
    return {}


def fault_text(fault: InputError) -> str:
    """What is wrong, and a way out."""
    return in_field_words(f"{fault.message} {fault.hint}".strip())


def typed_number(text: str) -> Any:
    """A number as it was typed; what is none stays text, to be refused by name."""
    try:
        return int(text) if text.isascii() and text.isdigit() else float(text.replace(",", ""))
    except ValueError:
        return text


def axis_value(text: str) -> Any:
    """A value of an axis as it was typed."""
    return text == "true" if text in ("true", "false") else typed_number(text) if text else ""


LOW, HIGH, ONLY, VALUES = "from.", "to.", "only.", "values."


class NarrowAxis(NamedTuple):
    """An axis on which layouts differ; numbers from the least on, words as they come."""

    name: str
    label: str
    values: tuple[str, ...]
    numeric: bool


def narrow_axes(answer: Mapping[str, Any]) -> tuple[NarrowAxis, ...]:
    """The axes of a search that can be narrowed, with the values that its layouts take."""
    layouts = [point["parallelism"] for point in (*answer["sample"], *answer["pareto"], *answer["best"])]
    found = []
    for name in AXES:
        values = {layout[name] for layout in layouts if layout and layout.get(name) is not None}
        if len(values) > 1:
            numeric = name in NUMBERS and all(isinstance(value, int | float) for value in values)
            order = sorted(values) if numeric else sorted(values, key=str)
            texts = tuple(str(value).lower() for value in order)
            found.append(NarrowAxis(name, label_of_field(f"parallelism.{name}"), texts, numeric))
    return tuple(found)


def narrowed(query: Mapping[str, str]) -> dict[str, str]:
    """The parameters of the search of a narrowed part, from those of the form that asks for it.

    >>> narrowed({"top": "5", "values.tp": "1,2,4,8", "from.tp": "2", "to.tp": "4"})
    {'top': '5', 'hold.tp': '2,4'}
    """
    kept = {
        name: text for name, text in query.items() if text and not name.startswith((LOW, HIGH, ONLY, VALUES))
    }
    for name in AXES:
        if chosen := _chosen(query, name):
            kept[f"{HOLD}{name}"] = ",".join(chosen)
    return kept


def _chosen(query: Mapping[str, str], name: str) -> list[str]:
    """The values that an axis is narrowed to, none where all are left."""
    if only := query.get(f"{ONLY}{name}"):
        return [only]
    values = [text for text in query.get(f"{VALUES}{name}", "").split(",") if _is_number(text)]
    ends = [text for side in (LOW, HIGH) if _is_number(text := query.get(f"{side}{name}", ""))]
    if len(ends) < 2:
        return []
    low, high = sorted(map(float, ends))  # either way round means the same
    found = [text for text in values if low <= float(text) <= high]
    return [] if len(found) == len(values) else found


def _is_number(text: str) -> bool:
    return text.isascii() and text.replace(".", "", 1).isdigit()
