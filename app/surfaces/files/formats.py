"""The formats of exports: one table for the command line, the API and the pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from app.scenarios.errors import refuse, shorten
from app.surfaces.files.evaluation_csv import evaluation_csv
from app.surfaces.files.evaluation_json import evaluation_json
from app.surfaces.files.scenario_text import scenario_json, scenario_yaml
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
