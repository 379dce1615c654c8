"""What forms of a study change in its document: requirements, columns, base case, decision, or all of it as
YAML."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from app.scenarios.errors import refuse
from app.scenarios.load import build_document
from app.scenarios.reading.yaml_text import read_yaml
from app.scenarios.study.candidates import MOST_CHOSEN, CandidateDocument
from app.surfaces.pages.studies.asking import with_typed
from app.surfaces.pages.studio.state import MISSING, with_value

Values = dict[str, Any]
Form = Mapping[str, str]


def changed(values: Values, form: Form) -> tuple[Values, str]:
    """The document as a form changes it, and the note of its save.

    Raises
    ------
    ScenarioError : the form asks for nothing that can be done
    """
    what = form.get("do", "")
    if what not in CHANGES:
        raise refuse("The form asks for no change.", rule="one_of", path="do", value=what)
    return CHANGES[what](values, form)


def _ask(values: Values, form: Form) -> tuple[Values, str]:
    return with_typed(values, form), "Requirements changed"


def _keep(values: Values, form: Form) -> tuple[Values, str]:
    """A candidate becomes a column, under a name that no other column has."""
    columns = list(values.get("chosen") or ())
    if len(columns) >= MOST_CHOSEN:
        hint = "Remove one first."
        raise refuse(
            f"The board has {MOST_CHOSEN} columns already.", rule="at_most", path="chosen", hint=hint
        )
    names = {column.get("name") for column in columns}
    wanted = form.get("name", "").strip()[:180] or f"Column {len(columns) + 1}"
    name = next(one for one in (wanted, *(f"{wanted} ({n})" for n in range(2, 99))) if one not in names)
    candidate = build_document(CandidateDocument, json.loads(form.get("candidate", "{}")))
    column = {"name": name, "candidate": candidate.model_dump(mode="json", exclude_none=True)}
    return {**values, "chosen": [*columns, column]}, f"Kept {name}"


def _remove(values: Values, form: Form) -> tuple[Values, str]:
    name = form.get("name", "")
    left = [column for column in values.get("chosen") or () if column.get("name") != name]
    values = with_value(values, "chosen", left or MISSING)
    if values.get("base") == name:
        values = with_value(values, "base", MISSING)
    return values, f"Removed {name[:80]}"


def _base(values: Values, form: Form) -> tuple[Values, str]:
    key = form.get("key", "")
    return with_value(values, "base", key or MISSING), "Base case changed"


def _decide(values: Values, form: Form) -> tuple[Values, str]:
    text, chosen = form.get("text", "").strip(), form.get("chosen", "").strip()
    values = with_value(values, "decision.text", text or MISSING)
    return with_value(values, "decision.chosen", chosen or MISSING), "Decision changed"


def _question(values: Values, form: Form) -> tuple[Values, str]:
    return with_value(values, "question", form.get("question", "").strip() or MISSING), "Question changed"


def _yaml(values: Values, form: Form) -> tuple[Values, str]:
    return read_yaml(form.get("text", "")).values, "Changed as YAML"


CHANGES: dict[str, Callable[[Values, Form], tuple[Values, str]]] = {
    "ask": _ask,
    "keep": _keep,
    "remove": _remove,
    "base": _base,
    "decide": _decide,
    "question": _question,
    "yaml": _yaml,
}
