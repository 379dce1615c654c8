"""A projection as a form: what was typed, what it stands for, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

import numpy as np

from app.catalog.scaling_laws import DEFAULT_LAW
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.studio.numbers import Scale, number_of
from app.views.projecting.options import ProjectionOptions

LONGEST = 400
LONGEST_STATE = 60_000
BILLION = re.compile(r"([\d.,\s]+)[bB]")
FIRST_DEADLINE_DAYS = "90"
"""What is asked of the first design where the address asks nothing."""


class Field(NamedTuple):
    """A box of the form."""

    name: str
    label: str
    unit: str
    placeholder: str


KNOWN = (
    Field("parameters", "Parameters, active", "", "70B"),
    Field("tokens", "Training tokens", "tokens", "15T"),
    Field("flops", "Compute", "FLOP", "1e24"),
    Field("loss", "Loss", "nats", "2.0"),
    Field("budget_usd", "Budget", "USD", "10M"),
    Field("deadline_days", "Deadline", "days", "90"),
)
FURTHER = (
    Field("experts", "Routed experts", "", "64"),
    Field("unique_tokens", "Tokens of the corpus", "tokens", "1T"),
    Field("inference_tokens", "Tokens it will serve", "tokens", "2T"),
    Field("bits", "Bits in training", "bits", "8"),
)
NUMBERS = tuple(field.name for field in (*KNOWN, *FURTHER))
NAMES = ("law", *NUMBERS, "design", "s", "of", "projection")
"""Everything that an address can ask. `s` is an unsaved scenario that was made from the design `of`."""


class ScalingForm(NamedTuple):
    """`texts` are fields as typed. `options` is None where one cannot be used."""

    texts: dict[str, str]
    options: ProjectionOptions | None
    errors: tuple[InputError, ...]

    def text(self, name: str) -> str:
        return self.texts.get(name, "")

    @property
    def law(self) -> str:
        return self.text("law") or DEFAULT_LAW

    @property
    def design(self) -> str:
        return self.text("design")

    @property
    def state(self) -> str:
        """The unsaved scenario, while the design that it was made from is chosen."""
        return self.text("s") if self.text("of") in ("", self.design) else ""

    def error(self, name: str) -> str:
        """Message of a fault of a field; "" without one."""
        return " ".join(_words(error) for error in self.errors if field_of(error) == name)

    @property
    def general_errors(self) -> tuple[str, ...]:
        """Faults of the form as a whole."""
        return tuple(_words(error) for error in self.errors if not field_of(error))

    def with_errors(self, errors: Iterable[InputError]) -> ScalingForm:
        return self._replace(errors=(*self.errors, *errors))

    @property
    def stated(self) -> dict[str, Any]:
        """The options as a document states them."""
        numbers = {name: number_typed(self.text(name)) for name in NUMBERS if self.text(name)}
        return {"law": self.law, **numbers}

    @property
    def fields(self) -> dict[str, str]:
        """What an address says of the form."""
        texts = {name: self.text(name) for name in NAMES} | {"law": self.law, "s": self.state}
        texts["of"] = self.design if self.state else ""
        return {name: text for name, text in texts.items() if text}

    def address(self, part: str = "") -> str:
        return f"/scaling{part}?{urlencode(self.fields)}"


def scaling_form(query: Mapping[str, str]) -> ScalingForm:
    """The form of an address; it has no texts where the address asks nothing."""
    limits = dict.fromkeys(NAMES, LONGEST) | {"s": LONGEST_STATE}
    texts = {name: query[name].strip()[:most] for name, most in limits.items() if name in query}
    form = ScalingForm(texts, None, ())
    try:
        return form._replace(options=build_document(ProjectionOptions, form.stated))
    except ScenarioError as error:
        return form.with_errors(error.errors)


def form_of(document: Mapping[str, Any], **more: str) -> ScalingForm:
    """The form of a saved projection, except for its design."""
    numbers = {name: typed(document[name]) for name in NUMBERS if document.get(name) is not None}
    return scaling_form({"law": str(document.get("law") or DEFAULT_LAW), **numbers, **more})


def number_typed(text: str) -> float | int | str:
    """The number of a text, B read as billion; text that is no number stays, to be refused by name.

    >>> number_typed("70B"), number_typed("15.6T"), number_typed("1,000"), number_typed("many")
    (70000000000, 15600000000000, 1000, 'many')
    """
    if billion := BILLION.fullmatch(text):
        text = f"{billion[1]}G"
    return number_of(text, Scale(1.0, ""), whole=True)


def field_of(error: InputError) -> str:
    """The field that a fault is shown at, "" for the form as a whole."""
    name = error.path.partition(".")[0]
    if name in ("law", *NUMBERS, ""):
        return name
    return "design"  # what is wrong with the scenario is wrong with the choice of it


def _words(error: InputError) -> str:
    if error.path in ("law", *NUMBERS, "", "scenario"):
        words = f"{error.message} {error.hint}".strip()
        if words[:1].islower() and error.path:  # a sentence that begins with its field
            label = next((field.label for field in (*KNOWN, *FURTHER) if field.name == error.path), "It")
            return f"{label} {words}"
        return words
    return str(error)


def typed(value: Any) -> str:
    """A number as people type it: in full up to a million, else with an exponent.

    >>> typed(90.0), typed(15.6e12)
    ('90', '1.56e13')
    """
    if abs(value) < 1e6:
        return str(np.format_float_positional(float(value), trim="-"))
    mantissa, exponent = f"{value:.12e}".split("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
