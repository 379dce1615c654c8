"""What a problem offers to do about itself, as a change of one field that a click makes."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from app.scenarios.declared_fields import declared_field, label_of_field
from app.scenarios.document.ranges import field_of_fault
from app.scenarios.errors import InputError
from app.surfaces.pages.studio.fields import fields_by_path, in_field_words
from app.surfaces.pages.studio.numbers import in_percent, number_text, scale_of

PARTS = {
    "workload.demand": "workload.demand.requests_per_s",
    "workload.calibration": "workload.calibration.measured_tpot_over_predicted",
}
"""Parts that a fault names as a whole, and the field that it is told beside."""


class Offer(NamedTuple):
    """`field` of the scenario set to `value`."""

    field: str
    value: Any
    label: str


class Refusal(NamedTuple):
    """A fault of the scenario as the form says it."""

    path: str
    message: str
    offers: tuple[Offer, ...]
    label: str  # of the field, in words


def fix_offers(problem: dict[str, Any]) -> list[Offer]:
    """The changes that fix a problem, the smallest first."""
    return [_fix_offer(fix) for fix in (problem.get("fix"), *problem.get("alternatives", ())) if fix]


def _fix_offer(fix: dict[str, Any]) -> Offer:
    value = as_document_value(fix["field"], fix["value"])
    return Offer(fix["field"], value, f"Set {label_of_field(fix['field'])} to {_said(fix['field'], value)}")


def refusal(error: InputError) -> Refusal:
    """A fault of the document, with the nearest values that would do."""
    message = in_field_words(f"{error.message} {error.hint}".strip())
    field = field_of_fault(PARTS.get(error.path, error.path), fields_by_path())
    if field in fields_by_path() and fields_by_path()[field].percent:
        message = in_percent(message)
    if field != error.path:
        return Refusal(field, message, (), label_of_field(field))
    label = label_of_field(error.path) if error.path else ""
    return Refusal(error.path, message, tuple(_nearest(error, message)), label)


def as_document_value(path: str, value: Any) -> Any:
    """A value of the engine as the document holds it: whole numbers where it counts.

    >>> as_document_value("parallelism.pp", 16.0), as_document_value("supernode.override.max_power_w", 10200.0)
    (16, 10200.0)
    """
    try:
        known = declared_field(path).whole
    except KeyError:
        known = False
    if known and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _nearest(error: InputError, message: str) -> list[Offer]:
    values: list[Any] = []
    if error.path not in fields_by_path():
        return []
    field = fields_by_path()[error.path]
    if found := re.search(r"Nearest choices?: ([\d,]+)(?: and ([\d,]+))?", message):
        values = [int(text.replace(",", "")) for text in found.groups() if text]
    elif found := re.search(r"Did you mean ([\w+()/]+)\?|Set (?:vpp|ep) (\d+)|Choose (?:vpp|pp) ([\d,]+) or less",
                            message):  # fmt: skip
        word = next(text for text in found.groups() if text).replace(",", "")
        values = [int(word) if word.isdigit() else word]
    elif error.rule in ("at_least", "at_most"):
        bound = field.bounds[0 if error.rule == "at_least" else 1]
        values = [] if bound is None else [int(bound) if field.whole else bound]
    elif error.rule == "whole_number" and isinstance(error.value, float):
        values = [max(round(error.value), 1)]
    elif error.rule == "unknown_precision" and (
        found := re.search(r"Choose one of ([\w, ]+), or", error.hint)
    ):
        values = [word for word in reversed(found[1].split(", ")) if word in dict(field.words)]
    return [Offer(error.path, value, f"Use {_said(error.path, value)}") for value in values]


def _said(path: str, value: Any) -> str:
    field = fields_by_path().get(path)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return dict(field.words).get(str(value), str(value)) if field else str(value)
    if field is None or field.control != "number":
        return f"{value:g}"
    scale = scale_of(field, value)
    return f"{number_text(float(f'{value:.6g}'), scale)} {scale.unit}".strip()
