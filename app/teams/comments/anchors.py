"""What a comment is about: something saved as a whole, one of its fields or results, or a cell of a study's
board."""

from __future__ import annotations

import functools
import re
from typing import Any, Literal, NamedTuple, get_args

from app.saved.documents import MODELS
from app.saved.records import Kind
from app.scenarios.errors import refuse
from app.scenarios.reading.messages import all_paths
from app.views.study.columns import CHOICES, FIGURES

AnchorKind = Literal["whole", "field", "result", "cell"]
ANCHOR_KINDS: tuple[AnchorKind, ...] = get_args(AnchorKind)
LONGEST = 200
BOARD_ROWS = {one.key: one.title for one in CHOICES} | {one.key: one.title for one in FIGURES}
"""Titles of the rows of a study's board by their keys."""
STEPS = re.compile(r"([^.\[\]]+)|\[(\d{1,9})\]")


class Anchor(NamedTuple):
    """`path` is that of the field or the result, "" for the whole; of a cell its column and row:
    `KEY/tco_usd`."""

    kind: AnchorKind = "whole"
    path: str = ""


WHOLE = Anchor()


def is_field(kind: Kind, path: str) -> bool:
    """Return whether documents of a kind have such a field; which entry of a list it is of does not matter.

    >>> is_field("scenario", "pod.fabric.switch"), is_field("scenario", "pod.fabric.swich")
    (True, False)
    """
    return len(path) <= LONGEST and re.sub(r"\[\d{1,9}\]", "", path) in _fields(kind)


def has_place(values: Any, path: str) -> bool:
    """Return whether plain values have something at a path, be it unknown.

    >>> has_place({"tiers": [{"links": None}]}, "tiers[0].links"), has_place({"tiers": []}, "tiers[0].links")
    (True, False)
    """
    if not path or len(path) > LONGEST or _text(steps := STEPS.findall(path)) != path:
        return False
    for name, index in steps:
        if index:
            if not isinstance(values, list) or int(index) >= len(values):
                return False
            values = values[int(index)]
        elif not isinstance(values, dict) or name not in values:
            return False
        else:
            values = values[name]
    return True


def is_cell(path: str) -> bool:
    """Return whether a board could have such a cell: a candidate or chosen column, and a choice or figure of
    it.

    >>> is_cell("Small/tco_usd"), is_cell("Small/colour"), is_cell("tco_usd")
    (True, False, False)
    """
    column, _, row = path.rpartition("/")
    return bool(column.strip()) and len(path) <= LONGEST and row in BOARD_ROWS


def check_anchor(anchor: Anchor, kind: Kind, results: Any) -> None:
    """Nothing, where there is such a place; `results` are those of the newest revision, None where it has none.

    Raises
    ------
    ScenarioError : there is no such field or result
    """
    if anchor.kind == "whole" and not anchor.path:
        return
    if anchor.kind == "field" and is_field(kind, anchor.path):
        return
    if anchor.kind == "result" and anchor.path and has_place(results, anchor.path):
        return
    if anchor.kind == "cell" and kind == "study" and is_cell(anchor.path):
        return
    word = {
        "whole": "a path where it is about the whole",
        "field": "a field",
        "result": "a result",
        "cell": "a cell of the board",
    }[anchor.kind]
    raise refuse(
        f"{anchor.path[:80]!r} is not {word} of this." if anchor.kind != "whole" else f"It names {word}.",
        rule="anchor",
        path="anchor.path",
        value=anchor.path,
        hint="Such as pod.supernodes for a field, performance.mfu for a result; leave it out for the whole.",
    )


@functools.cache
def _fields(kind: Kind) -> frozenset[str]:
    return frozenset(all_paths(MODELS[kind]))


def _text(steps: list[tuple[str, str]]) -> str:
    text = ""
    for name, index in steps:
        text += f"[{index}]" if index else f".{name}" if text else name
    return text
