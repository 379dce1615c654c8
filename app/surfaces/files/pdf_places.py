"""Pages of the places that links of a printed PDF lead to, for a table of contents with page numbers.

Chromium writes objects as plain text and keeps the places under `/Dests` of the catalog, by the id that a
link names; only pages, fonts and pictures are compressed, and none of these is looked into. Of any other PDF
nothing is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

OBJECT = re.compile(rb"(?:^|[\r\n])(\d+) 0 obj\s*(.*?)\s*(?:stream\r?\n|endobj)", re.DOTALL)
PLACE = re.compile(rb"/([^\s\[\]/<>()]+)\s*\[(\d+) 0 R")
ESCAPED = re.compile(r"#([0-9A-Fa-f]{2})")
REFERENCE = re.compile(rb"(\d+) 0 R")
DEEPEST = 20
"""Levels of a tree of pages; no report has more."""


def pages_of_places(content: bytes) -> dict[str, int]:
    """Numbers of pages, from 1, by the id of what links lead to."""
    objects = {int(found[1]): found[2] for found in OBJECT.finditer(content)}
    catalog = next((one for one in objects.values() if b"/Type /Catalog" in one), b"")
    root, places = _reference(catalog, b"/Pages"), _reference(catalog, b"/Dests")
    if root is None or places is None:
        return {}
    numbers = {page: place + 1 for place, page in enumerate(_pages(objects, root, DEEPEST))}
    return {
        ESCAPED.sub(lambda code: chr(int(code[1], 16)), name.decode("latin-1")): numbers[int(page)]
        for name, page in PLACE.findall(objects.get(places, b""))
        if int(page) in numbers
    }


def _reference(text: bytes, name: bytes) -> int | None:
    found = re.search(rb"%s (\d+) 0 R" % re.escape(name), text)
    return int(found[1]) if found else None


def _pages(objects: dict[int, bytes], number: int, levels: int) -> Iterator[int]:
    """Pages below a node of the tree, in their order."""
    kids = re.search(rb"/Kids\s*\[(.*?)\]", objects.get(number, b""), re.DOTALL)
    if kids is None:
        yield number
    elif levels:
        for one in REFERENCE.findall(kids[1]):
            yield from _pages(objects, int(one), levels - 1)
