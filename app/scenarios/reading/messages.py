"""Turns what pydantic finds into messages that name the field, the value, the rule and a way out."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

from pydantic import BaseModel, Tag
from pydantic_core import ErrorDetails

from app.engine.uncertainty.distributions import KINDS
from app.likeness import most_like
from app.scenarios.errors import InputError, path_text, shorten

WORDS = {
    "missing": ("required", "is required"),
    "greater_than": ("above", "must be above {gt:,.12g}"),
    "greater_than_equal": ("at_least", "must be at least {ge:,.12g}"),
    "less_than": ("below", "must be below {lt:,.12g}"),
    "less_than_equal": ("at_most", "must be at most {le:,.12g}"),
    "finite_number": ("finite", "must be a finite number"),
    "int_type": ("whole_number", "must be a whole number"),
    "int_from_float": ("whole_number", "must be a whole number"),
    "float_type": ("number", "must be a number"),
    "bool_type": ("true_or_false", "must be true or false"),
    "string_type": ("text", "must be text"),
    "string_unicode": ("text", "must be readable text"),
    "string_too_short": ("not_empty", "must not be empty"),
    "string_too_long": ("at_most", "must be at most {max_length:,} characters"),
    "string_pattern_mismatch": ("pattern", "must look like performance.mfu"),
    "too_short": ("at_least", "must have {min_length:,} or more entries"),
    "too_long": ("at_most", "must have at most {max_length:,} entries"),
    "literal_error": ("one_of", "must be {expected}"),
    "model_type": ("mapping", "must be a mapping of fields"),
    "dict_type": ("mapping", "must be a mapping"),
    "tuple_type": ("list", "must be a list"),
}
NUMBER_WANTED = ("float_type", "int_type", "literal_error")  # the last where a word may stand in its place
BY_PATTERN = ("design_id", "key_syntax", "plain_text")
"""Rules of our own validators that the schema says as a pattern."""
ALIKE = 70  # of 100: below that a suggestion misleads more than it helps


def input_errors(found: list[ErrorDetails], document: type[BaseModel]) -> list[InputError]:
    """One `InputError` a fault, in the order of the document's fields."""
    # A default that follows from other fields is not worked out while those are wrong: not a fault.
    return [
        _input_error(error, document)
        for error in found
        if error["type"] != "default_factory_not_called"
        and not _is_misspelt(error, found)
        and not _is_short_of_wrong_entries(error, found)
    ]


def _is_misspelt(missing: ErrorDetails, found: list[ErrorDetails]) -> bool:
    """Return whether a missing field is shown next to an unknown key like it: one fault, told by the key."""
    if missing["type"] != "missing":
        return False
    beside = [
        str(error["loc"][-1])
        for error in found
        if error["type"] == "extra_forbidden" and error["loc"][:-1] == missing["loc"][:-1]
    ]
    return any(_nearest(key, [str(missing["loc"][-1])]) for key in beside)


def _is_short_of_wrong_entries(short: ErrorDetails, found: list[ErrorDetails]) -> bool:
    """Return whether a list is too short only since entries of it are wrong: one fault, told by the entries."""
    place = short["loc"]
    return short["type"] == "too_short" and any(
        error is not short and error["loc"][: len(place)] == place for error in found
    )


def _input_error(error: ErrorDetails, document: type[BaseModel]) -> InputError:
    kind, context, value = error["type"], error.get("ctx", {}), error["input"]
    place = _place(error["loc"], keep_last=kind == "extra_forbidden")
    part = _part_of(error["loc"], document)
    if kind == "extra_forbidden":
        return _said(place, None, "unknown_key", "is not a known key", _known_key(place, part, document))
    if kind == "fault":
        place += tuple(context["field"].split(".")) if context["field"] else ()
        whole = isinstance(value, dict | list | BaseModel)  # the part was checked, not one value
        words = context["message"] if whole else f"{shorten(value)} {context['message']}"
        return _said(
            place,
            None if whole else value,
            context["rule"],
            words,
            context["hint"],
            stated=context["rule"] in BY_PATTERN,
        )
    rule, words = WORDS.get(kind, (kind, error["msg"]))
    hint = _way_out(place, part)
    if kind == "missing":
        return _said(place, None, rule, words, hint)
    if error["loc"][-1:] == ("[key]",):
        return _said(place, None, rule, "a key must be text", "quote it")
    if kind in WORDS:
        words = words.format(**context)
    if kind == "float_type" and isinstance(value, int) and not isinstance(value, bool):
        rule, words = "finite", "must be a number below 1.8e308"
    if kind == "literal_error" and isinstance(value, str) and (near := _nearest(value, _quoted(context))):
        hint = f"did you mean {near}?"
    elif isinstance(value, str) and kind in NUMBER_WANTED:
        hint = _about_a_range(value) or hint
    return _said(place, value, rule, f"{shorten(value)} {words}", hint)


def _about_a_range(value: str) -> str:
    """What to do about a range where none can stand, or about what looks like one."""
    if range_of_text(value):
        return "ranges stand in fields of a scenario that hold one number: write a number here"
    meant = as_it_could_be_written(value)
    return f"a range is written {meant}" if meant else ""


def _said(
    place: tuple[str | int, ...], value: object, rule: str, words: str, hint: str, *, stated: bool = True
) -> InputError:
    return InputError(
        path=path_text(place),
        value=value,
        rule=rule,
        message=f"{words}.",
        hint=sentence(hint),
        stated=stated,
    )


def sentence(text: str) -> str:
    """Capital letter and full stop.

    >>> sentence("did you mean tokens?"), sentence("keep one"), sentence("")
    ('Did you mean tokens?', 'Keep one.', '')
    """
    if not text:
        return ""
    return text[:1].upper() + text[1:] + ("" if text[-1] in ".?" else ".")


def _place(location: tuple[str | int, ...], *, keep_last: bool) -> tuple[str | int, ...]:
    # Tags of alternatives ("<word>") and key marks are pydantic's, not the reader's.
    last = len(location) - 1
    return tuple(
        step
        for index, step in enumerate(location)
        if (keep_last and index == last) or not (step == "[key]" or _is_tag(step))
    )


def _is_tag(step: str | int) -> bool:
    return isinstance(step, str) and step.startswith("<") and step.endswith(">")


def _known_key(place: tuple[str | int, ...], part: type[BaseModel] | None, document: type[BaseModel]) -> str:
    known = [field.alias or name for name, field in part.model_fields.items()] if part else []
    key = str(place[-1])[:80]
    if near := _nearest(key, known):
        return f"did you mean {near}?"
    own = path_text(place)
    elsewhere = [path for path in all_paths(document) if path.rsplit(".", 1)[-1] == key and path != own]
    if elsewhere:
        return f"did you mean {elsewhere[0]}?"
    return f"known here: {', '.join(known)}"


def _way_out(place: tuple[str | int, ...], part: type[BaseModel] | None) -> str:
    field = part.model_fields.get(str(place[-1])) if part and place else None
    description = (field.description or "") if field else ""
    if not description:
        return ""
    first, _, rest = description.rstrip(".").partition(" ")
    return f"expected: {first.lower() if first.istitle() else first} {rest}"


def _part_of(location: tuple[str | int, ...], document: type[BaseModel]) -> type[BaseModel] | None:
    """The part of the document that a field stands in; tags say which where there are several."""
    part: type[BaseModel] | None = document
    annotation: Any = None
    end = len(location)
    while end and (location[end - 1] == "[key]" or _is_tag(location[end - 1])):
        end -= 1
    for step in location[: max(end - 1, 0)]:
        if isinstance(step, int):
            continue
        if _is_tag(step):
            chosen = next(_parts_in(annotation, str(step)), None)
            part = chosen if chosen is not None else part
            continue
        if get_origin(annotation) is dict:  # a key of the reader's own, such as economics.wacc
            annotation = get_args(annotation)[1]
            continue
        field = part.model_fields.get(step) if part else None
        annotation = field.annotation if field else None
        part = next(_parts_in(annotation), None) if field else None
    return part


def _parts_in(annotation: Any, tag: str = "") -> Iterator[type[BaseModel]]:
    """Parts inside an annotation; with a tag those that carry it."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel) and not tag:
        yield annotation
    marks = getattr(annotation, "__metadata__", ())
    inside = "" if any(isinstance(mark, Tag) and mark.tag == tag for mark in marks) else tag
    for inner in get_args(annotation)[:1] if marks else get_args(annotation):
        yield from _parts_in(inner, inside)


def all_paths(part: type[BaseModel], above: str = "") -> Iterator[str]:
    """Every field of a document, such as "pod.fabric.switch"."""
    for name, field in part.model_fields.items():
        yield above + name
        for inner in _parts_in(field.annotation):
            yield from all_paths(inner, f"{above}{name}.")


def _quoted(context: Mapping[str, Any]) -> list[str]:
    return str(context.get("expected", "")).split("'")[1::2]


def _nearest(text: str, known: list[str]) -> str:
    return next(iter(most_like(text, known, 1, least=ALIKE)), "")


LONGEST = 200  # characters; the time of a match grows with the square
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
TO = r"(?:\s+to\s+|\s*\u2013\s*)"  # the word, or the dash of ranges: a hyphen is the sign of a number
TEXT = re.compile(rf"({NUMBER}){TO}({NUMBER})(?:{TO}({NUMBER}))?(?:\s+({'|'.join(KINDS)}))?", re.IGNORECASE)
ALMOST = re.compile(
    rf"\(?({NUMBER})\s*(?:-|~|\.\.+|\u2026|,|/|\bto\b|\u2013)+\s*({NUMBER})\b.*", re.IGNORECASE
)


def range_of_text(text: str) -> dict[str, Any] | None:
    """The range that a text stands for, as plain values; None where it stands for none.

    >>> range_of_text("0.08 to 0.12"), range_of_text("Room 5 to 10")
    ({'low': 0.08, 'high': 0.12}, None)
    >>> range_of_text("5 to 8 to 20 pert")
    {'low': 5, 'typical': 8, 'high': 20, 'distribution': 'pert'}
    """
    found = TEXT.fullmatch(text.strip().replace("\u2212", "-")) if len(text) <= LONGEST else None
    if not found:
        return None
    first, second, third, distribution = found.groups()
    ends = [_number(end) for end in (first, second, third) if end]
    if not all(math.isfinite(end) for end in ends):
        return None
    names = ("low", "typical", "high") if third else ("low", "high")
    written: dict[str, Any] = dict(zip(names, ends, strict=True))
    return written | ({"distribution": distribution.lower()} if distribution else {})


def as_it_could_be_written(text: str) -> str:
    """What was probably meant by a text that is no range; "" where none was.

    >>> as_it_could_be_written("5-10"), as_it_could_be_written("five")
    ('5 to 10', '')
    """
    found = ALMOST.fullmatch(text.strip().replace("\u2212", "-")) if len(text) <= LONGEST else None
    return f"{found[1]} to {found[2]}" if found else ""


def point_of(low: float, typical: float | None, high: float, *, whole: bool = False) -> float:
    """The value that stands for a range: the typical one, else the geometric mean of its ends.

    The arithmetic mean where an end is zero or negative, and the nearest whole number of what is counted.

    >>> point_of(4, None, 9), point_of(-1, None, 3), point_of(1, 2, 9), point_of(100, None, 200, whole=True)
    (6.0, 1.0, 2, 141)
    """
    if typical is not None:
        return typical
    mean = math.sqrt(low) * math.sqrt(high) if low > 0 and high > 0 else low / 2 + high / 2
    return round(mean) if whole else float(f"{mean:.12g}")


def _number(text: str) -> float:
    return int(text) if text.lstrip("+-").isdigit() and len(text) < 19 else float(text)
