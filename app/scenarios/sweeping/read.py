"""Reading a sweep from a file, as a scenario is read."""

from __future__ import annotations

from pathlib import Path

from app.scenarios.errors import refuse
from app.scenarios.load import build_document, decoded, file_content
from app.scenarios.reading.json_text import read_json
from app.scenarios.reading.yaml_text import read_yaml
from app.scenarios.sweeping.document import SweepDocument


def read_sweep(path: str | Path) -> SweepDocument:
    """The sweep of a file: JSON when its name ends in .json, else YAML.

    Raises
    ------
    ScenarioError : the file cannot be read or is not a sweep; one message a fault
    """
    text = decoded(file_content(path)).removeprefix("\ufeff")
    if not text.strip():
        hint = "A sweep needs a scenario and axes."
        raise refuse("The text is empty.", rule="empty", hint=hint)
    if str(path).lower().endswith(".json"):
        return build_document(SweepDocument, read_json(text))
    read = read_yaml(text)
    return build_document(SweepDocument, read.values, read.positions)
