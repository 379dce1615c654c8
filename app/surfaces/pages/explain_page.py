"""The explanation of one figure: formula, values put in, and where each comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from markupsafe import Markup

from app.charts.figure import estimated_words
from app.charts.format import Shown, show, show_at
from app.engine.quantities import label_at, quantity_at
from app.surfaces.pages.designs import Evaluated
from app.surfaces.pages.intervals import ExplainedInterval, explained_interval
from app.surfaces.pages.labels import in_words
from app.surfaces.pages.mathematics import mathematics_of, values_in
from app.surfaces.pages.studio.fields import fields_by_path

MARKS = {
    "vendor": "Vendor specification",
    "measured": "Measured",
    "third_party": "Third-party estimate",
    "derived": "Derived",
    "assumption": "Assumption",
    "scenario": "Set in the scenario",
    "estimate": "Accepted estimate",
    "unknown": "Not published",
}


class Formula(NamedTuple):
    """How a value is computed: in mathematical notation, with values in place of names, and as code.

    `mathematics` is "" where the code has no such notation, `values` where a name has no value in sight.
    """

    mathematics: Markup
    values: Markup
    values_text: str
    code: str


class Step(NamedTuple):
    """One line of the tree."""

    label: str
    role: str
    shown: Shown
    mark: str
    formula: Formula | None
    note: str
    steps: tuple[Step, ...]
    field: str = ""  # of the form, where the value can be stated otherwise
    catalog: str = ""
    own: str = ""  # whose own value it is, who entered it and when


class Source(NamedTuple):
    label: str
    mark: str
    title: str
    date: str


class ExplainPage(NamedTuple):
    key: str
    design: str
    path: str
    label: str
    shown: Shown
    interval: ExplainedInterval | None
    description: str
    formula: Formula | None
    source: str
    steps: tuple[Step, ...]
    sources: tuple[Source, ...]
    estimated: str = ""  # the accepted estimates that it rests on


def explain_page(evaluated: Evaluated, tree: dict[str, Any]) -> ExplainPage:
    """Everything the page of an explanation shows, in words."""
    path = tree["path"]
    known = {node["id"]: node for node in _walk(tree) if "id" in node}
    return ExplainPage(
        key=evaluated.key,
        design=evaluated.as_json["name"],
        path=path,
        label=tree.get("label") or label_at(path),
        shown=show_at(path, _number(tree.get("value"))),
        interval=explained_interval(tree),
        description=_first_paragraph(tree.get("description", "")),
        formula=_formula(tree),
        source=tree.get("source", ""),
        steps=tuple(_step(child, known) for child in tree.get("inputs", ())),
        sources=_sources(tree),
        estimated=estimated_words(evaluated.as_json, path),
    )


def step_of(tree: dict[str, Any]) -> Step:
    """A whole tree as one line that opens."""
    return _step(tree, {node["id"]: node for node in _walk(tree) if "id" in node})


def _step(node: dict[str, Any], known: Mapping[str, dict[str, Any]]) -> Step:
    """A line of the tree. An input that occurs twice is shown whole again; a computation is referred to."""
    seen = known.get(node.get("see", ""), node)
    origin = seen.get("origin", {})
    name = node.get("name", "")
    label = seen.get("label") or origin.get("label") or in_words(name.rsplit(".", 1)[-1])
    if node.get("see") and node["kind"] != "input":
        note = "computed in another line of this tree"
    elif node["kind"] == "search":
        note = node.get("note", "chosen by search")
    else:
        note = origin.get("source", "")
    return Step(
        label=label,
        role=node.get("role", ""),
        shown=_shown(node),
        mark=origin.get("kind", "derived" if node["kind"] != "input" else "unknown"),
        formula=_formula(node),
        note=note,
        steps=tuple(_step(child, known) for child in node.get("inputs", ())),
        field=_field(seen),
        catalog=origin.get("catalog", ""),
        own=origin.get("own", ""),
    )


def _formula(node: dict[str, Any]) -> Formula | None:
    """The formula of a quantity, as an equation of its name; None for an input."""
    code = node.get("formula", "")
    if not code:
        return None
    name = node.get("name", "").rsplit(".", 1)[-1]
    values = {child.get("role", ""): _shown(child).text for child in node.get("inputs", ())}
    drawn = values_in(code, tuple(values.items()), _shown(node).text)
    return Formula(
        mathematics=mathematics_of(name, code),
        values=drawn,
        values_text=_values_text(code, values, _shown(node).text) if drawn else "",
        code=re.sub(r"^return ", f"{name} = ", code, flags=re.MULTILINE),
    )


def _values_text(code: str, values: Mapping[str, str], result: str) -> str:
    """A formula of one line with values in place of names, as text to copy."""
    put_in = re.sub(
        r"(?<![\w.])[a-z_]\w*(?![\w(.\[])",
        lambda name: values.get(name[0], name[0]),
        code.removeprefix("return "),
    )
    return f"{result} = {put_in}"


def _field(node: dict[str, Any]) -> str:
    """The field of the form that decides an input."""
    if node["kind"] != "input":
        return ""
    fields = fields_by_path()
    stated = node.get("origin", {}).get("field", "")
    if stated in fields:
        return str(stated)
    if node["name"] in fields:
        return str(node["name"])
    return next((path for path, field in fields.items() if field.used == node["name"]), "")


def _shown(node: dict[str, Any]) -> Shown:
    value = node.get("value")
    unit = node.get("unit") or "1"
    if isinstance(value, dict):
        low, high = show(value["low"], unit), show(value["high"], unit)
        return Shown(f"{low.text} to {high.text}")
    if quantity_at(node.get("name", "")):
        return show_at(node["name"], value)
    return show(value, unit)


def _sources(tree: dict[str, Any]) -> tuple[Source, ...]:
    found: dict[tuple[str, str], Source] = {}
    for node in _walk(tree):
        origin = node.get("origin")
        if origin and origin.get("source") and origin["kind"] != "scenario":
            label = origin.get("label") or in_words(node["name"].rsplit(".", 1)[-1])
            source = Source(label, origin["kind"], origin["source"], origin.get("date", ""))
            found.setdefault((label, source.title), source)
    return tuple(found.values())


def _walk(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("inputs", ()):
        yield from _walk(child)


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) else None


def _first_paragraph(description: str) -> str:
    """The words after the label, up to the parameters."""
    parts = [part.strip() for part in description.split("\n\n")[1:]]
    text = parts[0] if parts and "----" not in parts[0] else ""
    return " ".join(text.split())
