"""The form of what fails, as it was typed and as it is meant."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.load import build_document
from app.views.fabric.faults_document import FaultsDocument

LONGEST = 2_000
LISTS = ("links", "switches", "planes", "rails", "racks", "one_supply")
NUMBERS = ("random_links", "random_switches", "seed")
WHOLE_NUMBERS = ("planes", "rails", *NUMBERS)
BOXES = (*LISTS, *NUMBERS, "feed", "one", "other")
PLACES = {"power.racks": "racks", "power.one_supply": "one_supply", "power.feed": "feed"}


class FaultsForm(NamedTuple):
    """`document` is None where something cannot be used; `faults` belong to no box."""

    texts: dict[str, str]
    errors: dict[str, str]
    faults: tuple[str, ...]
    document: FaultsDocument | None

    @property
    def is_refused(self) -> bool:
        return bool(self.errors or self.faults)


def faults_form(typed: Mapping[str, str]) -> FaultsForm:
    """The form as the address has it."""
    texts = {box: typed.get(box, "").strip()[:LONGEST] for box in BOXES}
    form = FaultsForm(texts, {}, (), None)
    try:
        return form._replace(document=build_document(FaultsDocument, _stated(texts)))
    except ScenarioError as error:
        return refused(form, error.errors)


def refused(form: FaultsForm, faults: tuple[InputError, ...]) -> FaultsForm:
    """The form with what is wrong beside its boxes, and the rest above them."""
    errors: dict[str, str] = {}
    above = []
    for fault in faults:
        message = f"{fault.message} {fault.hint}".strip()
        box = _box(fault.path)
        if box:
            errors.setdefault(box, message)
        else:
            above.append(message)
    return form._replace(errors=errors, faults=tuple(above), document=None)


def _box(path: str) -> str:
    if path.startswith("between"):
        return "other" if path == "between[1]" else "one"
    root = path.partition("[")[0]
    root = PLACES.get(root, root)
    return root if root in BOXES else ""


def _stated(texts: dict[str, str]) -> dict[str, Any]:
    """What was typed as the document has it; what is no number stays text, for the document to refuse by name."""
    lists: dict[str, list[Any]] = {name: _parts(name, texts[name]) for name in LISTS}
    stated: dict[str, Any] = {name: lists[name] for name in ("links", "switches", "planes", "rails")}
    stated |= {name: _number(texts[name]) for name in NUMBERS if texts[name]}
    if texts["feed"]:
        stated["power"] = {
            "feed": texts["feed"],
            "racks": lists["racks"] or None,
            "one_supply": lists["one_supply"],
        }
    if texts["one"] or texts["other"]:
        stated["between"] = [texts["one"], texts["other"]]
    return stated


def _parts(name: str, text: str) -> list[Any]:
    parts = [part for part in re.split(r"[,;\s]+", text) if part]
    return [_number(part) for part in parts] if name in WHOLE_NUMBERS else parts


def _number(text: str) -> Any:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else text
