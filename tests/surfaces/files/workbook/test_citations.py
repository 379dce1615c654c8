"""Sources by number: each once, in the order they are named."""

from __future__ import annotations

from app.engine.trace import Origin
from app.surfaces.files.workbook.sources_sheet import LONGEST, Citations


def origin(label: str, source: str) -> Origin:
    return Origin(kind="vendor", label=label, source=source)


CITATIONS = Citations(
    [origin("memory", "data sheet | price list"), origin("none", ""), origin("price", "price list"),
     origin("power", "x" * 90)]
)  # fmt: skip


def test_each_source_is_listed_once_with_its_uses():
    assert [(one.number, one.text, one.uses) for one in CITATIONS.listed()] == [
        (1, "data sheet", ["memory"]),
        (2, "price list", ["memory", "price"]),
        (3, "x" * 90, ["power"]),
    ]


def test_several_sources_are_named_in_one_line():
    assert CITATIONS.words("data sheet | price list") == "[1] data sheet, [2]"
    assert CITATIONS.words("price list") == "[2] price list"
    assert len(CITATIONS.words("x" * 90)) <= LONGEST + len("[3] ")
