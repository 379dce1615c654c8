"""What a comment is about: something saved as a whole, one of its fields, or one of its results."""

from __future__ import annotations

import functools
import re
from typing import Any, Literal, NamedTuple, get_args

from app.saved.documents import MODELS
from app.saved.records import Kind
from app.scenarios.errors import refuse
from app.scenarios.reading.messages import all_paths

AnchorKind = Literal["whole", "field", "result"]
ANCHOR_KINDS: tuple[AnchorKind, ...] = get_args(AnchorKind)
LONGEST = 200
STEPS = re.compile(r"([^.\[\]]+)|\[(\d{1,9})\]")


class Anchor(NamedTuple):
    """`path` is that of the field or the result, "" for the whole."""

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
    word = {"whole": "a path where it is about the whole", "field": "a field", "result": "a result"}[
        anchor.kind
    ]
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
