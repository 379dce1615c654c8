"""Reading an exported file back: a scenario as YAML or JSON, or one inside an evaluation, JSON or Excel."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from app.saved.team_catalog.own_rows import OwnRows
from app.saved.team_catalog.received import split_own_rows
from app.scenarios.document.scenario import OWN_ROWS, ScenarioDocument
from app.scenarios.errors import ScenarioError, refuse, shorten
from app.scenarios.load import build_scenario, decoded, file_content, parse_scenario
from app.scenarios.reading.json_text import MOST_BYTES, MOST_VALUES, read_json
from app.scenarios.reading.spreadsheets.text import WorkbookLimits
from app.scenarios.reading.spreadsheets.workbook import ZIP, open_workbook
from app.scenarios.reading.yaml_text import Place, read_yaml

SHEET_OF_SCENARIO = "Scenario"
LIMITS = WorkbookLimits(most_bytes=MOST_BYTES, most_unpacked_bytes=10_000_000, most_rows=MOST_VALUES)
OF_AN_EVALUATION = {"provenance", "performance", "feasible"}


class Imported(NamedTuple):
    """The scenario of a file, and the own rows of the catalog that came with it."""

    document: ScenarioDocument
    own_rows: OwnRows | None


def import_file(path: str | Path) -> ScenarioDocument:
    """The scenario of a file on this machine.

    Raises
    ------
    ScenarioError : the file cannot be read, holds no scenario, or one that cannot be used
    """
    return import_scenario(file_content(path), str(path))


def import_scenario(content: bytes, filename: str = "") -> ScenarioDocument:
    """The scenario of a file that rests on no own rows, or whose rows are not asked for.

    Raises
    ------
    ScenarioError : it holds no scenario, one that cannot be used, or one with own rows
    """
    found = import_work(content, filename)
    if found.own_rows is not None:
        raise refuse(
            "The file holds own rows of the catalog, which this does not read.",
            rule=OWN_ROWS,
            path=OWN_ROWS,
            hint="Add them to your catalog with `podwright save FILE`, or leave the section out.",
        )
    return found.document


def import_work(content: bytes, filename: str = "") -> Imported:
    """What a file holds that someone hands in: exported here, or written by hand.

    Raises
    ------
    ScenarioError : it holds no scenario, or one that cannot be used; with line and column where known
    """
    if content.startswith(ZIP):
        return import_yaml(_text_of_workbook(content))
    text = decoded(content).removeprefix("\ufeff")
    name = filename.lower()
    if name.endswith((".csv", ".tsv")) or text.startswith("path,label,value"):
        raise _refuse(
            "A CSV file holds figures and not the scenario that they are of.",
            "Import the scenario as YAML or JSON, or the evaluation as JSON or Excel.",
        )
    is_yaml = name.endswith((".yaml", ".yml"))  # which may begin with a brace and not be JSON
    if name.endswith(".json") or (text.lstrip().startswith("{") and not is_yaml):
        return import_json(text)
    return import_yaml(text)


def import_yaml(text: str) -> Imported:
    """The scenario of a text in YAML.

    Raises
    ------
    ScenarioError : as `import_work`
    """
    if len(text) > MOST_BYTES or not text.strip():
        return Imported(parse_scenario(text), None)  # which says what is wrong
    read = read_yaml(text.removeprefix("\ufeff"))
    return _imported(read.values, read.positions)


def _imported(values: Any, places: dict[Place, tuple[int, int]] | None = None) -> Imported:
    rest, rows = split_own_rows(values, places)
    return Imported(build_scenario(rest, places), rows)


def import_json(text: str) -> Imported:
    """The scenario of a text in JSON, or of an evaluation with its scenario.

    Raises
    ------
    ScenarioError : as `import_work`
    """
    if len(text) > MOST_BYTES or not text.strip():
        return Imported(parse_scenario(text, format="json"), None)  # which says what is wrong
    values = read_json(text.removeprefix("\ufeff"))
    inside = isinstance(values, dict) and values.keys() >= OF_AN_EVALUATION
    if inside and "scenario" not in values:
        raise _refuse(
            "This is an evaluation without the scenario that it was made from.",
            "Export it again, which adds the scenario, or import the scenario itself.",
        )
    if inside:
        rows = {OWN_ROWS: values[OWN_ROWS]} if OWN_ROWS in values else {}
        beside = values["scenario"]
        values = {**beside, **rows} if isinstance(beside, dict) else beside
    try:
        return _imported(values)
    except ScenarioError:
        # JSON is read without places in the text: only to name them is it read again, as the YAML it also is.
        return _imported(*_with_places(text, values, inside=inside))


def _with_places(text: str, values: Any, *, inside: bool) -> tuple[Any, dict[Place, tuple[int, int]]]:
    try:
        places = read_yaml(text).positions
    except ScenarioError:  # JSON that YAML does not take, such as with tabs before a key
        places = {}
    if not inside:
        return values, places
    below = {place[1:]: at for place, at in places.items() if place[:1] == ("scenario",)}
    rows = {place: at for place, at in places.items() if place[:1] == (OWN_ROWS,)}
    return values, {**below, **rows}


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
