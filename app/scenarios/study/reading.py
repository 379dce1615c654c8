"""A study from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.scenarios.errors import refuse
from app.scenarios.load import build_document, decoded, file_content
from app.scenarios.reading.json_text import read_json
from app.scenarios.reading.yaml_text import read_yaml
from app.scenarios.study.document import StudyDocument


def read_study(path: str | Path) -> StudyDocument:
    """The study of a file: JSON when its name ends in .json, else YAML.

    Raises
    ------
    ScenarioError : the file cannot be read or is not a study; one message a fault
    """
    text = decoded(file_content(path)).removeprefix("\ufeff")
    if not text.strip():
        raise refuse("The text is empty.", rule="empty", hint="A study needs a workload.")
    if str(path).lower().endswith(".json"):
        return build_document(StudyDocument, read_json(text))
    read = read_yaml(text)
    return build_document(StudyDocument, read.values, read.positions)


def is_study(path: str | Path) -> bool:
    """Return whether a file is meant as a study: it has candidates, or says what is trained or served and no
    SuperNode."""
    if not str(path).lower().endswith((".yaml", ".yml", ".json")):
        return False
    text = decoded(file_content(path)).removeprefix("\ufeff")
    values: Any = read_json(text) if str(path).lower().endswith(".json") else read_yaml(text).values
    if not isinstance(values, dict):
        return False
    workload = values.get("workload")
    asks = isinstance(workload, dict) and bool({"training", "serving"} & workload.keys())
    return "candidates" in values or (asks and "supernode" not in values)
