"""Options of a report."""

from __future__ import annotations

import base64
import struct
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from app.scenarios.errors import refuse
from app.scenarios.fields import Part
from app.scenarios.load import build_document
from app.surfaces.files.redaction import read_kinds

MOST_LOGO_BYTES = 300_000
MOST_LOGO_SIDE = 4000
PNG, JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
LOGO_HINT = (
    f"A logo is a PNG or JPEG of at most {MOST_LOGO_BYTES // 1000} kB and {MOST_LOGO_SIDE:,} pixels a side."
)
MOST_CHAPTERS = 40


class ReportOptions(Part):
    """Version, words and choices of a report."""

    version: Literal["board", "full"] = Field(
        default="board", description="board: two pages to decide on; full: every room with its sources."
    )
    title: str = Field(default="", max_length=200, description="Title; that of the design when left out.")
    notes: str = Field(default="", max_length=4000, description="Own words, shown in front of the findings.")
    sections: Annotated[tuple[str, ...], Field(strict=False, max_length=MOST_CHAPTERS)] = Field(
        default=(), description="Chapters of the full version by key; all when left out."
    )
    paper: Literal["a4", "letter"] = Field(default="a4", description="Size of the sheets.")
    without: Annotated[tuple[Literal["prices", "names", "sites"], ...], Field(strict=False, max_length=3)] = (
        Field(default=(), description="Kinds of content to leave out; the report lists them.")
    )


def report_options(
    given: Mapping[str, str], *, lists: Mapping[str, Sequence[str]] | None = None
) -> ReportOptions:
    """The options of a form or an address; several values of a name in `lists`.

    Raises
    ------
    ScenarioError : one cannot be used
    """
    several = lists or {}
    values: dict[str, object] = {
        name: given[name].strip()
        for name in ("version", "title", "notes", "paper")
        if given.get(name, "").strip()
    }
    sections = several.get("sections") or [one for one in given.get("sections", "").split(",") if one.strip()]
    without = several.get("without") or given.get("without", "").split(",")
    values["sections"] = [one.strip() for one in sections]
    values["without"] = list(read_kinds(without))
    return build_document(ReportOptions, values)


def logo_address(content: bytes) -> str:
    """A logo as an address that holds it; "" without one. It is kept nowhere but in the report.

    Raises
    ------
    ScenarioError : it is not a picture of a known kind, or too large
    """
    if not content:
        return ""
    if len(content) > MOST_LOGO_BYTES:
        raise _refused(f"The logo has {len(content):,} bytes or more.")
    kind = "png" if content.startswith(PNG) else "jpeg" if content.startswith(JPEG) else ""
    sides = _png_sides(content) if kind == "png" else _jpeg_sides(content) if kind == "jpeg" else None
    if sides is None:
        raise _refused("The logo cannot be read as a PNG or JPEG.")
    if not (0 < sides[0] <= MOST_LOGO_SIDE and 0 < sides[1] <= MOST_LOGO_SIDE):
        raise _refused(f"The logo has {sides[0]:,} by {sides[1]:,} pixels.")
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def _refused(message: str) -> Exception:
    return refuse(message, rule="logo", path="logo", hint=LOGO_HINT)


def _png_sides(content: bytes) -> tuple[int, int] | None:
    if len(content) < 33 or content[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", content[16:24])
    return int(width), int(height)


def _jpeg_sides(content: bytes) -> tuple[int, int] | None:
    """Of the first frame header."""
    at = 2
    while at + 9 < len(content):
        if content[at] != 0xFF:
            return None
        marker = content[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return int(width), int(height)
        at += 2 + int(struct.unpack(">H", content[at + 2 : at + 4])[0])
    return None
