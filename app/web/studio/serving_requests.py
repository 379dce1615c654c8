"""Requests of a served model in the form: all of one kind, or of several classes."""

from __future__ import annotations

from typing import Any

from app.web.studio.field import Field, field_info
from app.web.studio.values import MISSING, value_at, with_value

REQUESTS = "workload.requests"
PLAIN, CLASSES = "plain", "classes"
WORDS = ((PLAIN, "One kind"), (CLASSES, "Classes"))
OF_ALL = ("cache_tier",)
"""Fields that requests have whatever they are."""
LENGTHS = ("input_tokens", "output_tokens", "input_variation", "output_variation", "cached_share", "shared_prefix_tokens")  # fmt: skip
MEANS = ("input_tokens", "output_tokens")
USUAL_TOKENS = 1024


def requests_field() -> Field:
    """The choice of what requests are; classes are written as YAML."""
    return Field(
        path=REQUESTS, label="Requests", control="segments", words=WORDS,
        description=field_info(REQUESTS).description or "",
    )  # fmt: skip


def requests_word(requests: Any) -> str:
    """What requests are.

    >>> requests_word({"classes": []}), requests_word({"input_tokens": 8}), requests_word(None)
    ('classes', 'plain', 'plain')
    """
    return CLASSES if isinstance(requests, dict) and CLASSES in requests else PLAIN


def is_of_requests(path: str, values: dict[str, Any]) -> bool:
    """Whether requests as they are stated have this field."""
    inside = path.removeprefix(f"{REQUESTS}.")
    return inside in OF_ALL or requests_word(value_at(values, REQUESTS)) == PLAIN


def with_requests(values: dict[str, Any], word: str) -> dict[str, Any]:
    """The scenario with requests of another kind, that begin like those it has."""
    if word == requests_word(value_at(values, REQUESTS)) or word not in dict(WORDS):
        return values
    begun = other_requests(values).get(word)
    return with_value(values, REQUESTS, begun or MISSING)


def other_requests(values: dict[str, Any]) -> dict[str, Any]:
    """Requests as each kind would state them, by the word of the kind."""
    found = value_at(values, REQUESTS)
    now: dict[str, Any] = found if isinstance(found, dict) else {}
    kept = {name: now[name] for name in OF_ALL if name in now}
    if requests_word(now) == CLASSES:
        return {PLAIN: _means(now.get(CLASSES)) | kept, CLASSES: now}
    own = {name: now[name] for name in LENGTHS if name in now}
    half = [{"name": f"Class {place}", "share": 0.5, **own} for place in (1, 2)]
    return {PLAIN: now, CLASSES: {CLASSES: half, **kept}}


def _means(classes: Any) -> dict[str, Any]:
    """Mean lengths of classes, as far as these are numbers."""
    rows = [one for one in classes if isinstance(one, dict)] if isinstance(classes, list | tuple) else []
    shares = [one.get("share") for one in rows]
    if not rows or not all(isinstance(share, int | float) for share in shares):
        return {}
    found = {}
    for name in MEANS:
        tokens = [one.get(name, USUAL_TOKENS) for one in rows]
        if all(isinstance(one, int | float) for one in tokens):
            mean = sum(share * one for share, one in zip(shares, tokens, strict=True))
            found[name] = float(f"{mean:.6g}")
    return found
