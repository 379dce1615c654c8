"""Reading a scenario: from a file, from text, or from plain values such as a request body."""

from __future__ import annotations

import dataclasses
import math
import re
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import ValidationError

from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import InputError, ScenarioError, path_text, refuse, shorten
from app.scenarios.fields import Part
from app.scenarios.reading.json_text import (
    DEEPEST,
    MOST_BYTES,
    MOST_FAULTS,
    MOST_VALUES,
    NotFinite,
    read_json,
    too_deep,
    too_many,
)
from app.scenarios.reading.messages import input_errors, sentence
from app.scenarios.reading.yaml_text import Place, read_yaml

Document = TypeVar("Document", bound=Part)

UTF_16 = (b"\xff\xfe", b"\xfe\xff")
SURROGATES = re.compile("[\ud800-\udfff]")


def read_scenario(path: str | Path) -> ScenarioDocument:
    """The scenario of a file: JSON when its name ends in .json, else YAML.

    Raises
    ------
    ScenarioError : the file cannot be read or is not a scenario; one message a fault
    """
    text = decoded(file_content(path))
    return parse_scenario(text, format="json" if str(path).lower().endswith(".json") else "yaml")


def file_content(path: str | Path, most_bytes: int = MOST_BYTES) -> bytes:
    """Contents of a file, up to a little more than it may have.

    Raises
    ------
    ScenarioError : it cannot be read
    """
    name = str(path)
    try:
        # A bounded read, so that a device or a pipe without an end is a large file and no more.
        with Path(path).open("rb") as file:
            return file.read(most_bytes + 1)
    except FileNotFoundError:
        raise _file_fault(name, "does not exist", "check the path") from None
    except IsADirectoryError:
        raise _file_fault(name, "is a directory", "name a .yaml or .json file in it") from None
    except PermissionError:
        raise _file_fault(name, "may not be read", "check its permissions") from None
    except (OSError, ValueError) as error:
        raise _file_fault(name, f"cannot be read ({error})") from None


def parse_scenario(text: str, format: Literal["yaml", "json"] = "yaml") -> ScenarioDocument:
    """The scenario of a text.

    Raises
    ------
    ScenarioError : the text is not a scenario; one message a fault
    """
    if len(text) > MOST_BYTES:
        raise _text_fault(f"is larger than {MOST_BYTES:,} bytes", "a scenario has a few thousand", "size")
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise _text_fault("is empty", "a scenario needs a workload and a supernode", "empty")
    if format == "json":
        return build_scenario(read_json(text))
    read = read_yaml(text)
    return build_scenario(read.values, read.positions)


def build_scenario(values: Any, positions: dict[Place, tuple[int, int]] | None = None) -> ScenarioDocument:
    """The scenario of plain values: mappings, lists, text, numbers, true and false, null.

    Raises
    ------
    ScenarioError : the values are not a scenario; one message a fault
    """
    return build_document(ScenarioDocument, values, positions)


def build_document(
    kind: type[Document], values: Any, positions: dict[Place, tuple[int, int]] | None = None
) -> Document:
    """A document of any kind, such as a saved design, from plain values.

    Raises
    ------
    ScenarioError : the values are not such a document; one message a fault
    """
    if not isinstance(values, dict):
        raise _text_fault(
            "is not a mapping of fields", "it begins with a line such as name: My pod", "mapping"
        )
    errors = _plain_value_errors(values)
    if not errors:
        try:
            return kind.model_validate(values)
        except ValidationError as error:
            errors = input_errors(error.errors(include_url=False)[:MOST_FAULTS], kind)
    lines = {path_text(place): position for place, position in (positions or {}).items()}
    raise ScenarioError(_at_line(error, lines) for error in errors)


def _plain_value_errors(values: Any) -> list[InputError]:
    """Numbers that are not finite, and text that no file could hold. Needs no stack, however deep."""
    errors: list[InputError] = []
    pending: list[tuple[Place, Any]] = [((), values)]
    seen = 0
    while pending:
        place, value = pending.pop()
        seen += 1
        if seen > MOST_VALUES:
            raise too_many()
        if len(place) > DEEPEST:
            raise too_deep()
        if value is None or value is True or value is False or type(value) is int:
            continue
        if isinstance(value, dict):
            if not all(isinstance(key, str) and not _has_surrogates(key) for key in value):
                errors.append(_said(place, "has a key that is not text", "text"))
            pending.extend(((*place, key), item) for key, item in value.items() if isinstance(key, str))
        elif isinstance(value, list | tuple):
            pending.extend(((*place, index), item) for index, item in enumerate(value))
        elif isinstance(value, float) and not math.isfinite(value):
            written = value.written if isinstance(value, NotFinite) else str(value)
            message = f"{written} is not a finite number below 1.8e308"
            errors.append(_said(place, message, "finite", "write a number, or leave it out"))
        elif isinstance(value, str) and _has_surrogates(value):
            errors.append(_said(place, "is not readable text", "text"))
    return sorted(errors, key=lambda error: error.path)


def _said(place: Place, words: str, rule: str, hint: str = "") -> InputError:
    return InputError(
        path=path_text(place), value=None, rule=rule, message=f"{words}.", hint=sentence(hint), stated=True
    )


def _has_surrogates(text: str) -> bool:
    return not text.isascii() and SURROGATES.search(text) is not None


def _at_line(error: InputError, lines: dict[str, tuple[int, int]]) -> InputError:
    # A field that is missing stands nowhere: the part that lacks it does.
    path = error.path
    while path and path not in lines:
        path = path.rpartition(".")[0]
    if not path:
        return error
    return dataclasses.replace(error, line=lines[path][0])


def decoded(content: bytes) -> str:
    """The text of a file.

    Raises
    ------
    ScenarioError : it is too large, or not UTF-8 text
    """
    if len(content) > MOST_BYTES:
        raise _text_fault(f"is larger than {MOST_BYTES:,} bytes", "a scenario has a few thousand", "size")
    if content.startswith(UTF_16):
        raise _text_fault("is UTF-16", "save it as UTF-8", "encoding")
    if b"\0" in content:
        raise _text_fault("is a binary file", "a scenario is YAML or JSON text", "encoding")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message, hint = "The text is not UTF-8.", "Save it as UTF-8."
        raise refuse(message, rule="encoding", hint=hint, line=line) from None


def _file_fault(name: str, words: str, hint: str = "") -> ScenarioError:
    return refuse(f"{shorten(Path(name))} {words}.", rule="file", value=name, hint=sentence(hint))


def _text_fault(words: str, hint: str, rule: str) -> ScenarioError:
    return refuse(f"The text {words}.", rule=rule, hint=sentence(hint), stated=True)
