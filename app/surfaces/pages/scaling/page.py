"""The page of a projection: the form as it was typed, and what it comes to."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.catalog.scaling_laws import DEFAULT_LAW, scaling_laws
from app.charts.format import THIN_SPACE
from app.charts.scaling.words import parameters_text, power_text, tokens_text
from app.engine.scaling.doubt import fitted_spans
from app.engine.scaling.law import Constant, ScalingLaw, Span
from app.saved.records import Saved
from app.saved.store import SavedWork
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.load import build_scenario
from app.surfaces.pages.designs import Designs, is_new
from app.surfaces.pages.saved.compare.sides import Option, options
from app.surfaces.pages.saved.rights import saved_key
from app.surfaces.pages.scaling.answer import ScalingAnswer, scaling_answer
from app.surfaces.pages.scaling.form import (
    FIRST_DEADLINE_DAYS,
    FURTHER,
    KNOWN,
    Field,
    ScalingForm,
    scaling_form,
)
from app.surfaces.pages.studio.carried import Carried, carried
from app.views.projecting.curves import curves
from app.views.projecting.project import project

NO_DESIGN = "There is no such design. It may have been deleted; choose another."
NOT_READ = "The unsaved scenario in this address cannot be read. Choose another design, or come from the studio again."


class Projected(NamedTuple):
    """A projection that was made: its outcome, and the form and design that it is of."""

    outcome: dict[str, Any]
    carried: Carried | None


CONFIDENCES = {
    "high": "confirmed",
    "medium": "from a public reproduction or a secondary place",
    "memory": "unverified",
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
        notes.append("unverified")
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


class ScalingPage(NamedTuple):
    form: ScalingForm
    answer: ScalingAnswer | None
    carried: Carried | None
    saved: Saved | None  # the saved projection that the form began as
    designs: tuple[tuple[str, tuple[Option, ...]], ...]
    laws: tuple[LawLine, ...]

    @property
    def known(self) -> tuple[Field, ...]:
        return KNOWN

    @property
    def further(self) -> tuple[Field, ...]:
        return FURTHER

    @property
    def law_choices(self) -> tuple[tuple[str, str], ...]:
        return law_choices()

    @property
    def further_typed(self) -> int:
        """Number of further fields that are filled in."""
        return sum(bool(self.form.text(field.name)) for field in FURTHER)


def scaling_page(designs: Designs, work: SavedWork, form: ScalingForm, saved: Saved | None) -> ScalingPage:
    """Everything the page shows; where something cannot be used the form says so, and there is no answer."""
    form, found = projected(designs, form)
    answer = None
    if found is not None and form.options is not None:
        answer = scaling_answer(found.outcome, curves(form.options, found.outcome))
    return ScalingPage(
        form=form,
        answer=answer,
        carried=found.carried if found else None,
        saved=saved,
        designs=training_designs(designs, work),
        laws=law_lines(),
    )


def first_visit(designs: Designs) -> ScalingForm:
    """What the page asks by itself: the best model that the first worked example can train in time."""
    return scaling_form({"design": designs.listed()[0], "deadline_days": FIRST_DEADLINE_DAYS})


def projected(designs: Designs, form: ScalingForm) -> tuple[ScalingForm, Projected | None]:
    """The projection of a form; where there is none, the form with what is wrong."""
    try:
        design = None if not form.design else carried(designs, form.design, form.state)
    except KeyError:
        return _refused(form, NO_DESIGN), None
    if design is not None and form.state and not design.state:
        return _refused(form, NOT_READ), None
    if form.errors or form.options is None:
        return form, None
    try:
        # built again where it is refused, for the faults with their places
        scenario = None if design is None else design.scenario or build_scenario(design.values)
        made_from = designs.of(design.key) if design else designs
        evaluated = None if scenario is None else made_from.scenario(scenario)
        return form, Projected(project(form.options, evaluated), design)
    except ScenarioError as error:
        return form.with_errors(error.errors), None


def _refused(form: ScalingForm, message: str) -> ScalingForm:
    """The form with something wrong with its design."""
    return form.with_errors(
        [InputError(path="scenario", value=form.design, rule="unknown_scenario", message=message)]
    )


def named_or_written(form: ScalingForm, designs: Designs) -> Any:
    """The scenario of a form as a saved projection holds it: by name, or written out where it has none.

    Raises
    ------
    KeyError : there is no such design
    """
    named = saved_key(form.design)
    if form.state or is_new(form.design) or (named is not None and named.revision):
        return carried(designs, form.design, form.state).values
    return form.design


def training_designs(designs: Designs, work: SavedWork) -> tuple[tuple[str, tuple[Option, ...]], ...]:
    """What can be chosen to count by: examples that train a model, and what was saved."""
    return tuple(
        (title, tuple(option for option in group if saved_key(option.ref) or _trains(designs, option.ref)))
        for title, group in options(designs, work)
    )


def _trains(designs: Designs, key: str) -> bool:
    document: ScenarioDocument = designs.evaluated(key).document
    return document.workload.kind == "training"
