"""Reading an exported file back: a scenario as YAML or JSON, or one inside an evaluation, JSON or Excel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.scenarios.document import ScenarioDocument
from app.scenarios.errors import ScenarioError, refuse, shorten
from app.scenarios.json_text import read_json
from app.scenarios.limits import MOST_BYTES, MOST_VALUES
from app.scenarios.load import build_scenario, decoded, file_content, parse_scenario
from app.scenarios.spreadsheets.limits import WorkbookLimits
from app.scenarios.spreadsheets.workbook import ZIP, open_workbook
from app.scenarios.yaml_text import Place, read_yaml

SHEET_OF_SCENARIO = "Scenario"
LIMITS = WorkbookLimits(most_bytes=MOST_BYTES, most_unpacked_bytes=10_000_000, most_rows=MOST_VALUES)
OF_AN_EVALUATION = {"provenance", "performance", "feasible"}


def import_file(path: str | Path) -> ScenarioDocument:
    """The scenario of a file on this machine.

    Raises
    ------
    ScenarioError : the file cannot be read, holds no scenario, or one that cannot be used
    """
    return import_scenario(file_content(path), str(path))


def import_scenario(content: bytes, filename: str = "") -> ScenarioDocument:
    """The scenario of a file that somebody hands in: exported here, or written by hand.

    Raises
    ------
    ScenarioError : it holds no scenario, or one that cannot be used; with line and column where known
    """
    if content.startswith(ZIP):
        return parse_scenario(_text_of_workbook(content))
    text = decoded(content).removeprefix("\ufeff")
    name = filename.lower()
    if name.endswith((".csv", ".tsv")) or text.startswith("path,label,value"):
        raise _refuse(
            "A CSV file holds figures and not the scenario that they are of.",
            "Import the scenario as YAML or JSON, or the evaluation as JSON or Excel.",
        )
    is_yaml = name.endswith((".yaml", ".yml"))  # which may begin with a brace and not be JSON
    if name.endswith(".json") or (text.lstrip().startswith("{") and not is_yaml):
        return _from_json(text)
    return parse_scenario(text)


def _from_json(text: str) -> ScenarioDocument:
    if not text.strip():
        return parse_scenario(text, format="json")
    values = read_json(text)
    inside = isinstance(values, dict) and values.keys() >= OF_AN_EVALUATION
    if inside and "scenario" not in values:
        raise _refuse(
            "This is an evaluation without the scenario that it was made from.",
            "Export it anew, which adds the scenario, or import the scenario itself.",
        )
    try:
        return build_scenario(values["scenario"] if inside else values)
    except ScenarioError:
        # JSON is read without places in the text: only to name them is it read again, as the YAML it also is.
        return build_scenario(*_with_places(text, values, inside=inside))


def _with_places(text: str, values: Any, *, inside: bool) -> tuple[Any, dict[Place, tuple[int, int]]]:
    try:
        places = read_yaml(text).positions
    except ScenarioError:  # JSON that YAML does not take, such as with tabs before a key
        places = {}
    if not inside:
        return values, places
    below = {place[1:]: at for place, at in places.items() if place[:1] == ("scenario",)}
    return values["scenario"], below


def _text_of_workbook(content: bytes) -> str:
    """The lines of the sheet that holds the scenario."""
    book = open_workbook(content, LIMITS)
    if SHEET_OF_SCENARIO not in book.sheets:
        sheets = ", ".join(shorten(name) for name in book.sheets[:12])
        raise _refuse(
            f"The workbook has no sheet named {SHEET_OF_SCENARIO!r}; it has {sheets}.",
            "Import a workbook that Podwright exported, or the scenario as YAML or JSON.",
        )
    lines: list[str] = []
    for number, values in book.rows(SHEET_OF_SCENARIO):
        lines += [""] * (number - 1 - len(lines))  # lines are named by their rows
        lines.append("" if values[0] is None else str(values[0]))
    return "\n".join(lines)


def _refuse(message: str, hint: str) -> ScenarioError:
    return refuse(message, rule="file", hint=hint)
