"""Writing what is exported: into a file, or to whatever the output goes to."""

from __future__ import annotations

import sys
from pathlib import Path

from app.scenarios.errors import refuse, shorten
from app.surfaces.files.formats import Format


def write_file(path: Path, content: bytes) -> None:
    """Write a file whole.

    Raises
    ------
    ScenarioError : it cannot be written; the message says why
    """
    try:
        path.write_bytes(content)
    except OSError as error:
        raise refuse(
            f"{shorten(str(path))} cannot be written: {error.strerror or error}.",
            rule="file",
            value=str(path),
            hint="Choose another place with --output.",
        ) from None


def write_output(content: bytes, format: Format) -> None:
    """Write to standard output, unless it is a screen that could not show it.

    Raises
    ------
    ScenarioError : a workbook would be shown on a screen
    """
    if format.name == "xlsx" and is_screen():
        message = "A workbook cannot be shown here."
        raise refuse(message, rule="output", hint="Name a file with --output, or send it on with >.")
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def is_screen() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout.isatty()
