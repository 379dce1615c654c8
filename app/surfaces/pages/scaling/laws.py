"""The laws as a table: what each says, its constants and intervals, where it was fitted, who says so."""

from __future__ import annotations

from typing import NamedTuple

from app.catalog.scaling_laws import DEFAULT_LAW, scaling_laws
from app.charts.format import THIN_SPACE
from app.charts.scaling.words import parameters_text, power_text, tokens_text
from app.engine.scaling.doubt import fitted_spans
from app.engine.scaling.law import Constant, ScalingLaw, Span

CONFIDENCES = {
    "high": "confirmed",
    "medium": "from a public reproduction or a secondary place",
    "memory": "recalled, not confirmed",
}


class ConstantLine(NamedTuple):
    name: str
    value: str
    between: str
    note: str


class LawLine(NamedTuple):
    key: str
    name: str
    formula: str
    fitted: tuple[tuple[str, str], ...]
    constants: tuple[ConstantLine, ...]
    base: str
    source: str
    note: str
    confidence: str
    is_default: bool


def law_lines() -> tuple[LawLine, ...]:
    """Every law, the default first."""
    laws = scaling_laws()
    return tuple(_line(law, laws.get(law.base, law)) for law in laws.values())


def law_choices() -> tuple[tuple[str, str], ...]:
    """Keys and names."""
    return tuple((law.key, law.name) for law in scaling_laws().values())


def _line(law: ScalingLaw, base: ScalingLaw) -> LawLine:
    words = {"parameters": parameters_text, "tokens": tokens_text, "flops": power_text}
    labels = {"parameters": "parameters", "tokens": "tokens", "flops": "FLOP"}
    spans = fitted_spans(law, base)
    return LawLine(
        key=law.key,
        name=law.name,
        formula=law.formula,
        fitted=tuple(
            (labels[name], found) for name, span in spans.items() if (found := _span(span, words[name]))
        ),
        constants=tuple(_constant(name, constant) for name, constant in law.constants.items()),
        base=base.name if law.base else "",
        source=law.source,
        note=law.note,
        confidence=CONFIDENCES.get(law.confidence, law.confidence),
        is_default=law.key == DEFAULT_LAW,
    )


def _span(span: Span, words: object) -> str:
    assert callable(words)
    if span.low is None and span.high is None:
        return ""
    if span.low is None:
        return f"to {words(span.high)}"
    if span.high is None:
        return f"from {words(span.low)}"
    return str(words(span.low)) if span.low == span.high else f"{words(span.low)} to {words(span.high)}"


def _constant(name: str, constant: Constant) -> ConstantLine:
    between = ""
    if constant.low is not None and constant.high is not None and constant.probability is not None:
        share = f"{100 * constant.probability:.0f}{THIN_SPACE}%"
        between = f"{constant.low:g} to {constant.high:g} ({share})"
    elif constant.standard_error is not None:
        between = f"\u00b1 {constant.standard_error:g} (standard error)"
    notes = [constant.note]
    if constant.confidence == "memory":
        notes.append("recalled, not confirmed")
    return ConstantLine(
        name=_symbol(name),
        value=f"{constant.value:.8g}",
        between=between,
        note="; ".join(note for note in notes if note),
    )


def _symbol(name: str) -> str:
    """A constant as its law's formula writes it: A for `cap_a`, N_c for `n_c`; a word stays a word."""
    if name.startswith("cap_"):
        return name.removeprefix("cap_").upper()
    head, _, index = name.partition("_")
    if index and len(head) == 1:
        return f"{head if head == 'g' else head.upper()}_{index}"
    if head.startswith("alpha") and index:
        return f"{head}_{index.upper()}"
    return name.replace("_", " ")
