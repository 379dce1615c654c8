"""Adopting an option of a search of a served model: a short text for each, so that a page names its scenario once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from app.catalog.view import CatalogView
from app.scenarios.document.serving import ServingDocument
from app.scenarios.document.serving_layout import KINDS
from app.scenarios.document.serving_parts import ServingPrecision
from app.scenarios.load import build_scenario
from app.surfaces.pages.studio.form import Values
from app.surfaces.pages.studio.state import with_value
from app.views.searching.serving_rows import on_pod

DEGREES = ("tp", "dp", "pp", "cp", "ep", "redundant_experts", "instances")
GROUPS = ("prefill", "decode")
NUMBERS = ("concurrency", "accelerators")
WORDS = ("system", "precision")
FORMATS: tuple[str, ...] = get_args(ServingPrecision)
MOST_DIGITS = 12


def option_text(option: Mapping[str, Any], pod: Mapping[str, Any]) -> str:
    """An option and its pod as an address carries them.

    >>> one = {"layout": {"tp": 8, "dp": 1}, "concurrency": 64.0}
    >>> option_text(one, {"system": None, "precision": "fp8", "accelerators": 8})
    'tp:8 dp:1 concurrency:64 precision:fp8 accelerators:8'
    """
    stated: dict[str, Any] = {}
    for name, value in option["layout"].items():
        stated |= (
            {f"{name}.{degree}": number for degree, number in value.items()}
            if name in GROUPS
            else {name: value}
        )
    stated["concurrency"] = f"{option['concurrency']:.0f}"
    stated |= {"system": pod["system"]} if pod["system"] else {}
    stated |= {"precision": pod["precision"], "accelerators": pod["accelerators"]}
    return " ".join(f"{name}:{value}" for name, value in stated.items())


def adopted_option(values: Values, text: str, catalog: CatalogView) -> Values:
    """The scenario with the layout, load, format and hardware of such a text.

    Raises
    ------
    ValueError : the text is none of an option
    ScenarioError : the scenario cannot be put on that hardware
    """
    layout: dict[str, Any] = {}
    numbers: dict[str, int] = {}
    words: dict[str, str] = {}
    for part in text.split():
        name, _, value = part.partition(":")
        group, _, degree = name.rpartition(".")
        if name in WORDS and value:
            words[name] = value
        elif name in NUMBERS:
            numbers[name] = _whole(part, value)
        elif degree == "on" and value in KINDS and group in ("", *GROUPS):
            (layout.setdefault(group, {}) if group else layout)["on"] = value
        elif degree in DEGREES and group in ("", *GROUPS):
            inside = layout.setdefault(group, {}) if group else layout
            inside[degree] = _whole(part, value)
        else:
            raise ValueError(f"{part[:40]!r} is no part of a layout.")
    if (
        not layout
        or "concurrency" not in numbers
        or not all(isinstance(layout.get(g, {}), dict) for g in GROUPS)
    ):
        raise ValueError("it names no layout and load.")
    if set(layout) & set(GROUPS) and set(layout) != set(GROUPS):
        raise ValueError("it has prefill or decode alone.")
    changed = _on_pod(values, words, numbers, catalog)
    changed = with_value(changed, "workload.layout", layout)
    changed = with_value(changed, "workload.mode", "auto")
    return with_value(changed, "workload.concurrency", numbers["concurrency"])


def _on_pod(values: Values, words: dict[str, str], numbers: dict[str, int], catalog: CatalogView) -> Values:
    system = words.get("system")
    document = build_scenario(values)
    assert isinstance(document.workload, ServingDocument)
    precision = words.get("precision", document.workload.precision)
    if precision not in FORMATS:
        raise ValueError(f"{precision[:40]!r} is no number format.")
    if precision == document.workload.precision and system is None:
        return values
    return on_pod(document, catalog, system, precision, max(numbers.get("accelerators", 1), 1))


def _whole(part: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < MOST_DIGITS):
        raise ValueError(f"{part[:40]!r} is no part of a layout.")
    return int(value)
