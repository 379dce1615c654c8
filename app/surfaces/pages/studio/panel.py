"""The input panel: its sections, their summaries when they are closed, and what has changed."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from app.charts.figure import get_path
from app.charts.mixed import kinds_text
from app.scenarios.document.layout import layout_document
from app.scenarios.document.scenario import ScenarioDocument
from app.surfaces.pages.designs import Evaluated
from app.surfaces.pages.studio.changes import changed_paths
from app.surfaces.pages.studio.field import Field
from app.surfaces.pages.studio.fields import (
    GENERIC_PRECISIONS,
    NAME,
    SERVING_PRECISIONS,
    fields_by_path,
    panels,
)
from app.surfaces.pages.studio.form import Values, field_text
from app.surfaces.pages.studio.kinds import kind_of, of_kind, other_scenarios
from app.surfaces.pages.studio.offers import Refusal
from app.surfaces.pages.studio.rows import Form, Row, row
from app.surfaces.pages.studio.serving_fields import (
    LAYOUT,
    REQUESTS,
    found_layouts,
    is_of_layout,
    is_of_requests,
    other_requests,
)
from app.surfaces.pages.studio.state import MISSING, value_at


class PanelView(NamedTuple):
    id: str
    title: str
    open: bool
    summary: str
    rows: tuple[Row, ...]
    more: tuple[Row, ...]
    more_title: str
    more_stated: int
    design: str  # name of the saved design that it takes its values from


class PanelPage(NamedTuple):
    """The whole panel. `faults` are those of no field with a control."""

    name: Row
    sections: tuple[PanelView, ...]
    changed: int
    faults: tuple[Refusal, ...]
    chosen_layout: dict[str, Any]
    serving_layouts: dict[str, Any]  # the one that runs, as each kind of layout states it
    serving_requests: dict[str, Any]  # as each kind of requests would state those at hand
    other_kinds: dict[str, Any]  # what a choice of another kind of workload puts in the place of this
    generic: bool
    serving: bool
    patterns: tuple[str, ...]  # of a generic job, in words
    kinds: str  # of SuperNode, where the pod has several


def panel_page(form: Form, refusals: tuple[Refusal, ...] = ()) -> PanelPage:
    """The panel of a scenario."""
    shown = {NAME.path} | {field.path for panel in panels() for field in (*panel.fields, *panel.more)}
    return PanelPage(
        name=row(NAME, form),
        sections=tuple(
            PanelView(
                id=panel.id,
                title=panel.title,
                open=panel.open,
                summary=_summary(panel.id, form),
                rows=tuple(
                    row(_of_kind(field, form), form) for field in panel.fields if _applies(field, form)
                ),
                more=tuple(row(field, form) for field in panel.more if _applies(field, form)),
                more_title="Details" if panel.id == "workload" and not _trains(form) else panel.more_title,
                more_stated=sum(field_text(field, form.values) != "" for field in panel.more),
                design=_design_name(panel.id, form),
            )
            for panel in panels()
        ),
        changed=len(changed_paths(defaulted(form.values), defaulted(form.base))),
        faults=tuple(refusal for refusal in refusals if refusal.path not in shown),
        chosen_layout=chosen_layout(form.now),
        serving_layouts=found_layouts(get_path(form.now.as_json, "performance.strategy") or {})
        if _serving(form)
        else {},
        serving_requests=other_requests(form.values) if _serving(form) else {},
        other_kinds=other_scenarios(form.values, form.base),
        generic=_generic(form),
        serving=_serving(form),
        patterns=tuple(_pattern_words(form)),
        kinds=kinds_text(form.now.as_json),
    )


def defaulted(values: Values) -> Values:
    """Values with the words that the document takes where nothing is stated."""
    named = value_at(values, "pod.design") not in (MISSING, None)
    below = {name: part for name, part in _defaults().items() if not (named and name == "pod")}
    return _merged(below, values)


def chosen_layout(evaluated: Evaluated) -> dict[str, Any]:
    """The layout that the engine runs, as the document would state it."""
    return layout_document(get_path(evaluated.as_json, "performance.strategy") or {})


def _applies(field: Field, form: Form) -> bool:
    """A layout that is searched for has no degrees to set; pods are offered once one is saved."""
    if field.path.startswith(f"{LAYOUT}."):
        return _serving(form) and is_of_layout(field.path, form.values)
    if field.path.startswith(f"{REQUESTS}."):
        return _serving(form) and is_of_requests(field.path, form.values)
    if field.path.startswith("workload."):
        return of_kind(field.path, _kind(form))
    if field.path.startswith("parallelism") and not _trains(form):
        return False
    if field.path == "pod.design":
        return bool(form.choices.get("pods")) or value_at(form.values, field.path) is not MISSING
    searched = not isinstance(value_at(form.values, "parallelism"), dict)
    return not (searched and field.path.startswith("parallelism."))


def _kind(form: Form) -> str:
    return kind_of(form.values)


def _trains(form: Form) -> bool:
    return _kind(form) == "training"


def _generic(form: Form) -> bool:
    return _kind(form) == "generic"


def _serving(form: Form) -> bool:
    return _kind(form) == "serving"


def _of_kind(field: Field, form: Form) -> Field:
    """The field with the words that it has for this kind of workload."""
    if field.path == "workload.precision" and _generic(form):
        return replace(field, words=GENERIC_PRECISIONS)
    if field.path == "workload.precision" and _serving(form):
        return replace(field, words=SERVING_PRECISIONS, control="select")  # more than stand side by side
    return field


def _pattern_words(form: Form) -> Iterator[str]:
    patterns = value_at(form.values, "workload.communication")
    for pattern in patterns if isinstance(patterns, list) else []:
        if isinstance(pattern, dict):
            yield str(pattern.get("pattern", "")).replace("_", " ")


WORKLOAD_WORDS = {
    "training": ("workload.model", "workload.tokens"),
    "serving": ("workload.model", "workload.requests.input_tokens", "workload.requests.output_tokens"),
    "generic": ("workload.name",),
}


def _summary(panel: str, form: Form) -> str:
    wanted = {
        "workload": WORKLOAD_WORDS[_kind(form)],
        "supernode": ("supernode.system",),
        "pod": ("pod.supernodes",),
        "floor": (),
        "parallelism": ("parallelism", "parallelism.tp", "parallelism.pp"),
        "facility": ("facility.site", "facility.cooling", "facility.redundancy"),
        "operations": ("operations.checkpoint", "operations.spares"),
        "economics": ("economics.life_years", "economics.wacc", "economics.utilisation"),
    }[panel]
    fields = {field.path: field for section in panels() for field in section.fields}
    words = [_in_brief(fields[path], form) for path in wanted if _applies(fields[path], form)]
    if panel == "pod" and (further := _further_kinds(form)):
        words.append(f"{further} further kind{'s' if further != 1 else ''}")
    return ", ".join(word for word in words if word)


def _further_kinds(form: Form) -> int:
    also = value_at(form.values, "pod.also")
    return len(also) if isinstance(also, list | tuple) else 0


def _design_name(panel: str, form: Form) -> str:
    path = {"supernode": "supernode.system", "pod": "pod.design"}.get(panel)
    if path is None or value_at(form.values, f"{panel}.design") in (MISSING, None):
        return ""
    return row(fields_by_path()[path], form).name


def _in_brief(field: Field, form: Form) -> str:
    shown = row(field, form)
    if field.control == "choice":
        return shown.name
    if field.control != "number":
        word = dict(field.words).get(shown.text, shown.text)
        return "layout set" if word == "Specify" else "layout searched" if word == "Search" else word
    if shown.text in dict(field.words):
        return f"{shown.text} {field.label[0].lower()}{field.label[1:]}".replace(
            "auto spare units", "auto spares"
        )
    unit = f"\u202f{shown.scale.unit}" if shown.scale.unit else ""
    short = {"parallelism.tp": "TP ", "parallelism.pp": "PP "}.get(field.path, "")
    after = {"pod.supernodes": " SuperNodes", "economics.wacc": " WACC", "economics.utilisation": " used"}
    return f"{short}{shown.text}{unit}{after.get(field.path, '')}" if shown.text else ""


@functools.cache
def _defaults() -> Values:
    names = ("pod", "facility", "operations", "economics")
    parts = {name: ScenarioDocument.model_fields[name].default for name in names}
    dumped = {name: part.model_dump(mode="json", exclude_none=True) for name, part in parts.items()}
    return {**dumped, "parallelism": "auto", "workload": {"precision": "bf16"}}


def _merged(under: Values, over: Values) -> Values:
    merged = {**under}
    for name, value in over.items():
        below = merged.get(name, MISSING)
        merged[name] = _merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged
