"""YAML 1.2 text -> plain values, with limits, without tags and without duplicate keys.

ruamel.yaml reads the text; values are built here from its events, one at a time, so that limits
hold before anything grows: nesting needs no stack, an alias is counted as what it stands for.
Scalars follow the core schema of YAML 1.2 [1]: 15.6e12 is a number, `no` and dates are text.

[1] YAML 1.2.2, section 10.3.2, https://yaml.org/spec/1.2.2/#1032-tag-resolution
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
)

from app.scenarios.errors import ScenarioError, path_text, refuse
from app.scenarios.reading.json_text import (
    DEEPEST,
    MOST_VALUES,
    NotFinite,
    number,
    too_deep,
    too_many,
    whole_number,
)
from app.server.text import UNKEPT

Place = tuple[str | int, ...]

NULL = ("", "~", "null", "Null", "NULL")
BOOLEAN = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
WHOLE = re.compile(r"[-+]?[0-9]+")
OCTAL = re.compile(r"0o[0-7]+")
HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
LONG_TAG = re.compile(r"!\S{1000}")  # no text needs one, and the time of its reader grows with the square
PLAIN_TAGS = ("!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")


@dataclass
class YamlText:
    """Plain values, and where each stands: line and column from 1."""

    values: Any
    positions: dict[Place, tuple[int, int]]


@dataclass
class _Open:
    """A collection that is being read."""

    values: dict[str, Any] | list[Any]
    place: Place
    anchor: str | None
    count_before: int
    key: str | None = None


@dataclass
class _Builder:
    root: Any = None
    started: bool = False
    open: list[_Open] = field(default_factory=list)
    anchors: dict[str, tuple[Any, int]] = field(default_factory=dict)
    positions: dict[Place, tuple[int, int]] = field(default_factory=dict)
    count: int = 0


def read_yaml(text: str) -> YamlText:
    """Plain values with their positions.

    Raises
    ------
    ScenarioError : the text is not YAML, nested too deeply, too long, or names a key twice
    """
    if tag := LONG_TAG.search(text):
        line, column = text.count("\n", 0, tag.start()) + 1, tag.start() - text.rfind("\n", 0, tag.start())
        raise _fault("holds a word of more than 1,000 characters after a !", "yaml_tag", line, column)
    builder = _Builder()
    for event in _events(text):
        _take(builder, event)
    return YamlText(builder.root, builder.positions)


def _events(text: str) -> Iterator[Event]:
    events = YAML(typ="safe", pure=True).parse(text)
    while True:
        try:
            event = next(events)
        except StopIteration:
            return
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            place = (mark.line + 1, mark.column + 1) if mark else (None, None)
            raise _fault(f"is not YAML: {error.problem or error.context}", "yaml_syntax", *place) from None
        except YAMLError as error:
            raise _fault(f"is not YAML: {str(error).splitlines()[0]}", "yaml_syntax") from None
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, AssertionError):
            # Hostile text makes the parser itself fail, for example "\UFFFFFFFF" or %YAML 1.x.
            raise _fault("is not YAML: it cannot be read", "yaml_syntax") from None
        yield event


def _take(builder: _Builder, event: Event) -> None:
    line, column = event.start_mark.line + 1, event.start_mark.column + 1
    if isinstance(event, DocumentStartEvent):
        if builder.started:
            raise _fault("holds a second document", "one_document", line, column)
        builder.started = True
    elif isinstance(event, CollectionEndEvent):
        closed = builder.open.pop()
        if closed.anchor:
            builder.anchors[closed.anchor] = (closed.values, builder.count - closed.count_before)
    elif isinstance(event, NodeEvent):
        builder.count += 1
        if isinstance(event, AliasEvent):
            if event.anchor not in builder.anchors:
                reason = "an alias without an anchor before it, or inside its own anchor"
                raise _fault(f"is not YAML: *{event.anchor} is {reason}", "yaml_alias", line, column)
            value, size = builder.anchors[event.anchor]
            builder.count += size
            _check_count(builder, line, column)
            _place_value(builder, value, line, column)
            return
        _check_count(builder, line, column)
        if isinstance(event, CollectionStartEvent):
            _check_tag(event, line, column)
            _open_collection(builder, event, line, column)
        elif isinstance(event, ScalarEvent):
            _check_tag(event, line, column)
            if UNKEPT.search(event.value):
                raise _fault(
                    "holds a character that is no text (NUL, or half of a surrogate pair)",
                    "plain_text",
                    line,
                    column,
                )
            text = event.tag is not None or not event.implicit[0]
            value = event.value if text else _scalar(event.value)
            if event.anchor:
                builder.anchors[event.anchor] = (value, 0)
            _place_value(builder, value, line, column)


def _check_tag(event: CollectionStartEvent | ScalarEvent, line: int, column: int) -> None:
    # A tag could ask for any kind of object: only those that change nothing are read.
    if event.tag and event.tag not in PLAIN_TAGS:
        raise _fault(f"holds the tag {event.tag[:60]}, which is not read", "yaml_tag", line, column)


def _open_collection(builder: _Builder, event: CollectionStartEvent, line: int, column: int) -> None:
    if len(builder.open) >= DEEPEST:
        raise too_deep(line, column)
    values: dict[str, Any] | list[Any] = {} if isinstance(event, MappingStartEvent) else []
    place = _place_value(builder, values, line, column)
    if event.anchor:
        builder.anchors.pop(event.anchor, None)
    builder.open.append(_Open(values, place, event.anchor, builder.count - 1))


def _place_value(builder: _Builder, value: Any, line: int, column: int) -> Place:
    """Put a key or value where the reading stands."""
    place: Place = ()
    if not builder.open:
        builder.root = value
    else:
        inside = builder.open[-1]
        if isinstance(inside.values, list):
            place = (*inside.place, len(inside.values))
            inside.values.append(value)
        elif inside.key is None:
            if not isinstance(value, str):
                raise _fault("holds a key that is not text: quote it", "yaml_key", line, column)
            if value in inside.values:
                raise refuse(
                    "is given twice.",
                    rule="duplicate_key",
                    path=path_text((*inside.place, value)),
                    hint="Keep one of the two.",
                    line=line,
                    column=column,
                )
            inside.key, place = value, (*inside.place, value)
            builder.positions[place] = (line, column)
            return place
        else:
            place = (*inside.place, inside.key)
            inside.values[inside.key] = value
            inside.key = None
    builder.positions.setdefault(place, (line, column))
    return place


def _scalar(text: str) -> Any:
    if text in NULL:
        return None
    if text in BOOLEAN:
        return BOOLEAN[text]
    if WHOLE.fullmatch(text):
        return whole_number(text)
    if OCTAL.fullmatch(text) or HEXADECIMAL.fullmatch(text):
        return whole_number(text[2:], 8 if text[1] == "o" else 16)
    if FLOAT.fullmatch(text):
        return number(text)
    return NotFinite(text) if NOT_FINITE.fullmatch(text) else text


def _check_count(builder: _Builder, line: int, column: int) -> None:
    if builder.count > MOST_VALUES:
        raise too_many(line, column)


def _fault(message: str, rule: str, line: int | None = None, column: int | None = None) -> ScenarioError:
    hint = "Check indentation, colons, quotes and brackets near it." if rule == "yaml_syntax" else ""
    return refuse(f"The text {message}.", rule=rule, hint=hint, line=line, column=column)


def write_yaml(values: dict[str, Any]) -> str:
    """A document as text, in the order of its fields."""
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    yaml.width = 100
    stream = io.StringIO()
    yaml.dump(values, stream)
    return stream.getvalue()
