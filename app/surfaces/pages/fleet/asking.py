"""Asking for a fleet on its page: the form or its YAML, rows that come and go, and a trace with its
preview."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.scenarios.errors import InputError, ScenarioError, refuse
from app.scenarios.fleet.build import fleet_text, with_trace
from app.scenarios.fleet.document import MOST_ACCELERATORS, FleetDocument
from app.scenarios.load import build_document, decoded
from app.scenarios.reading.yaml_text import read_yaml, write_yaml
from app.surfaces.pages.fleet.form import Typed, typed_of, values_of, with_row, without_row
from app.views.fleet.preview import TracePreview, trace_preview

MOST_FILE_BYTES = 8_000_000
"""Of a trace on the page, as it comes back with the form. The command line and REST take longer ones."""


class Asked(NamedTuple):
    """The form as it was sent. `document` is None until a fleet is asked for and can be built."""

    typed: Typed
    yaml: str
    by_yaml: bool
    document: FleetDocument | None = None
    faults: tuple[InputError, ...] = ()
    preview: TracePreview | None = None
    starts: bool = False
    saves: bool = False
    of: str = ""  # key of the saved fleet that it is a change of


def first_asked(text: str, of: str = "") -> Asked:
    """A form with a fleet as text in it; a trace in it goes to its own input."""
    values = read_yaml(text).values
    trace = values.get("trace") or {}
    kept = {name: value for name, value in values.items() if name != "trace"}
    typed = typed_of(kept)
    if trace:
        typed["trace"] = str(trace.get("csv", ""))
        typed |= {"skip_bad_rows": "1"} if trace.get("skip_bad_rows") else {}
    return Asked(typed, write_yaml(kept), by_yaml=False, of=of)


def asked_of(fields: dict[str, str], content: bytes) -> Asked:
    """What a form asks: its `do` says whether to run it, save it, change its rows or look at its trace."""
    typed = {name: text for name, text in fields.items() if name not in ("csrf", "do", "yaml", "of", "by")}
    do, yaml, by_yaml = fields.get("do", "run"), fields.get("yaml", ""), fields.get("by") == "yaml"
    asked = Asked(typed, yaml, by_yaml, of=fields.get("of", ""))
    try:
        if content:
            typed["trace"] = _file_text(content)
        word, _, rest = do.partition(".")
        if word == "add":
            return asked._replace(typed=with_row(typed, rest))
        if word == "remove":
            name, _, place = rest.partition(".")
            return asked._replace(typed=without_row(typed, name, int(place)))
        if do == "yaml":
            return asked._replace(yaml=write_yaml(values_of(typed)), by_yaml=True)
        if do == "fill":
            filled = typed_of(read_yaml(yaml).values)
            kept: Typed = {name: text for name, text in typed.items() if name in ("trace", "skip_bad_rows")}
            return asked._replace(typed={**filled, **kept}, by_yaml=False)
        if do == "preview":
            return asked._replace(preview=_preview(typed))
        document = _document(asked)
        return asked._replace(document=document, starts=do == "run", saves=do == "save")
    except ScenarioError as error:
        return asked._replace(faults=error.errors)
    except (ValueError, StopIteration):
        fault = refuse("The form asks for a row that is not there.", rule="range", path="").errors
        return asked._replace(faults=fault)


def _document(asked: Asked) -> FleetDocument:
    csv = asked.typed.get("trace", "").strip()
    trace = {"csv": csv, "skip_bad_rows": bool(asked.typed.get("skip_bad_rows"))} if csv else None
    if asked.by_yaml:
        return fleet_text(asked.yaml, trace=trace)
    return build_document(FleetDocument, with_trace(values_of(asked.typed), trace))


def _preview(typed: Typed) -> TracePreview:
    text = typed.get("trace", "")
    if not text.strip():
        raise refuse(
            "No trace was chosen.", rule="required", path="trace", hint="Choose a file, or paste its lines."
        )
    return trace_preview(text, largest=_largest(typed))


def _largest(typed: Typed) -> int:
    """Accelerators of the largest pod that is stated; of a design they are not known yet."""
    pods: Sequence[dict[str, Any]] = values_of(typed).get("pods") or ()
    sizes = [(pod.get("supernodes"), pod.get("accelerators")) for pod in pods]
    if not sizes or not all(isinstance(one, int) and isinstance(other, int) for one, other in sizes):
        return MOST_ACCELERATORS
    return max(one * other for one, other in sizes if isinstance(one, int) and isinstance(other, int))


def _file_text(content: bytes) -> str:
    if len(content) > MOST_FILE_BYTES:
        raise refuse(
            f"The file has more than {MOST_FILE_BYTES:,} bytes.", rule="too_long", path="trace",
            hint="Run it by podwright fleet FILE --trace CSV, or POST /api/v1/fleets.",
        )  # fmt: skip
    return decoded(content)
