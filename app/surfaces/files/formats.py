"""The formats of exports: one table for the command line, the API and the pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import orjson

from app.scenarios.document.scenario import OWN_ROWS
from app.scenarios.errors import refuse, shorten
from app.scenarios.reading.spreadsheets.text import csv_bytes
from app.scenarios.reading.yaml_text import write_yaml
from app.surfaces.files.rows import FigureRow, figure_rows
from app.surfaces.files.work import Work
from app.surfaces.files.workbook.book import evaluation_xlsx
from app.views.file_format import XLSX_TYPE

What = Literal["scenario", "evaluation"]


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file: what it is called and sent as, and what writes it."""

    name: str
    what: What
    media_type: str
    suffix: str
    title: str
    write: Callable[[Work], bytes]


COLUMNS = ("path", "label", "value", "unit", "basis", "source", "low", "high")


def evaluation_csv(work: Work) -> bytes:
    """Every figure in long form, then what was evaluated, with what, and what stands in the way."""
    evaluation = work.evaluated.as_json
    rows = (*figure_rows(evaluation), *_other_rows(evaluation))
    return csv_bytes([COLUMNS, *map(_row_values, rows)])


def _other_rows(evaluation: dict[str, Any]) -> Iterator[FigureRow]:
    yield FigureRow("name", "Name of the scenario", evaluation["name"], "")
    yield FigureRow("feasible", "Can be built as designed", evaluation["feasible"], "")
    for position, problem in enumerate(evaluation["problems"]):
        path = f"problems[{position}]"
        yield FigureRow(f"{path}.kind", "Kind of problem", problem["kind"], "")
        yield FigureRow(f"{path}.field", "Field", problem["field"], "")
        yield FigureRow(f"{path}.message", "Problem", problem["message"], "")
        if problem["missed_by"] is not None:
            yield FigureRow(f"{path}.missed_by", "Missed by", problem["missed_by"], problem["unit"])
        if problem["fix"]:
            yield FigureRow(f"{path}.fix.message", "Fix", problem["fix"]["message"], "")
    for position, one in enumerate(evaluation.get("estimates", ())):
        path = f"estimates[{position}]"
        yield FigureRow(
            f"{path}.value",
            f"Accepted estimate of {one['label']}",
            one["value"],
            one["unit"],
            basis=f"accepted for {one['place']}",
            source=one["rule"],
            low=one["low"],
            high=one["high"],
        )
    for name, value in evaluation["provenance"].items():
        if value is not None:
            yield FigureRow(f"provenance.{name}", name.replace("_", " ").capitalize(), value, "")


def _row_values(row: FigureRow) -> tuple[float | int | str | bool | None, ...]:
    """A row in the order of the columns."""
    return (row.path, row.label, row.value, row.unit, row.basis, row.source, row.low, row.high)


def evaluation_json(work: Work) -> bytes:
    """The evaluation as the API gives it, with the scenario, so that importing it gives the same figures."""
    content: dict[str, Any] = {**work.evaluated.as_json, "scenario": work.document.as_dict()}
    if work.own_rows is not None:
        content[OWN_ROWS] = work.own_rows.as_dict()
    if work.revision is not None:
        content["saved"] = {"revision": work.revision, "note": work.note, "saved_at": work.dated.isoformat()}
    return orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n"


def scenario_yaml(work: Work) -> bytes:
    """The canonical form as YAML 1.2."""
    return write_yaml(work.values).encode()


def scenario_json(work: Work) -> bytes:
    """The canonical form as JSON."""
    return (json.dumps(work.values, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


FORMATS = (
    Format("yaml", "scenario", "application/yaml", ".yaml", "Scenario, YAML", scenario_yaml),
    Format("json", "scenario", "application/json", ".json", "Scenario, JSON", scenario_json),
    Format("json", "evaluation", "application/json", ".evaluation.json", "Figures, JSON", evaluation_json),
    Format("csv", "evaluation", "text/csv; charset=utf-8", ".csv", "Figures, CSV", evaluation_csv),
    Format("xlsx", "evaluation", XLSX_TYPE, ".xlsx", "Figures, Excel", evaluation_xlsx),
)
NAMES = tuple(dict.fromkeys(one.name for one in FORMATS))
WHATS: tuple[What, ...] = ("scenario", "evaluation")


def format_of(name: str, what: str | None = None) -> Format:
    """The format of that name; without `what`, YAML and JSON are of the scenario, CSV and XLSX of its figures.

    Raises
    ------
    ScenarioError : there is no such format, or not of that
    """
    if name not in NAMES:
        raise _fault("format", name, f"{shorten(name)} is not a format.", f"Formats: {', '.join(NAMES)}.")
    if what is not None and what not in WHATS:
        hint = f"One of: {', '.join(WHATS)}."
        raise _fault("what", what, f"{shorten(what)} cannot be exported.", hint)
    for one in FORMATS:
        if one.name == name and what in (None, one.what):
            return one
    others = ", ".join(one.name for one in FORMATS if one.what == what)
    hint = f"Formats of the {what}: {others}."
    raise _fault("what", str(what), f"There is no {name} of the {what}.", hint, stated=False)


def format_for_file(name: str, what: str | None = None) -> Format:
    """The format that a file's name ends in; with no such ending YAML, or JSON of the figures.

    Raises
    ------
    ScenarioError : it cannot hold what is asked for
    """
    ending = name.lower().rpartition(".")[2].replace("yml", "yaml")
    if ending in NAMES:
        return format_of(ending, what)
    return format_of("json" if what == "evaluation" else "yaml", what)


def _fault(path: str, value: str, message: str, hint: str, *, stated: bool = True) -> Exception:
    return refuse(message, rule="one_of", path=path, value=value, hint=hint, stated=stated)
