"""Requests of a served model in the form: all of one kind, of several classes, or turns of sessions."""

from __future__ import annotations

from typing import Any

from app.surfaces.pages.studio.field import Field, control, number
from app.surfaces.pages.studio.values import MISSING, value_at, with_value

REQUESTS = "workload.requests"
PLAIN, CLASSES, SESSIONS = "plain", "classes", "sessions"
WORDS = ((PLAIN, "One kind"), (CLASSES, "Classes"), (SESSIONS, "Sessions"))
OF_ALL = ("cache_tier",)
"""Fields that requests have whatever they are."""
LENGTHS = ("input_tokens", "output_tokens", "input_variation", "output_variation", "cached_share", "shared_prefix_tokens")  # fmt: skip
FIRST_SESSION = {"turns": 4, "gap_s": 60}
"""Of a session to begin with, beside tokens like those of the requests at hand."""
MEANS = ("input_tokens", "output_tokens")
USUAL_TOKENS = 1024


def requests_field() -> Field:
    """The choice of what requests are; classes are written as YAML."""
    return control(REQUESTS, "segments", words=WORDS)


def session_fields() -> tuple[Field, ...]:
    """Turns, tokens and gaps of sessions."""
    return _of_sessions("turns", "system_tokens", "added_tokens", "answer_tokens", "gap_s")


def session_details() -> tuple[Field, ...]:
    """How sessions differ."""
    return _of_sessions("turns_variation", "variation", "gap_variation")


def _of_sessions(*names: str) -> tuple[Field, ...]:
    paths = (f"{REQUESTS}.{SESSIONS}.{name}" for name in names)
    return tuple(number(path, used=path) for path in paths)


def requests_word(requests: Any) -> str:
    """What requests are.

    >>> requests_word({"classes": []}), requests_word({"input_tokens": 8}), requests_word(None)
    ('classes', 'plain', 'plain')
    """
    if not isinstance(requests, dict):
        return PLAIN
    return next((word for word in (CLASSES, SESSIONS) if word in requests), PLAIN)


def is_of_requests(path: str, values: dict[str, Any]) -> bool:
    """Return whether requests as they are stated have this field."""
    inside = path.removeprefix(f"{REQUESTS}.")
    word = requests_word(value_at(values, REQUESTS))
    return inside in OF_ALL or word == (SESSIONS if inside.startswith(f"{SESSIONS}.") else PLAIN)


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
    word, own = requests_word(now), {name: now[name] for name in LENGTHS if name in now}
    if word == CLASSES:
        own = _means(now.get(CLASSES))
    if word == SESSIONS:
        own = _turn(now.get(SESSIONS))
    half = [{"name": f"Class {place}", "share": 0.5, **own} for place in (1, 2)]
    session = FIRST_SESSION | {
        "system_tokens": own.get("shared_prefix_tokens", 0),
        "added_tokens": own.get("input_tokens", USUAL_TOKENS),
        "answer_tokens": own.get("output_tokens", USUAL_TOKENS),
    }
    begun = {PLAIN: own, CLASSES: {CLASSES: half}, SESSIONS: {SESSIONS: session}}
    return {kind: now if kind == word else {**requests, **kept} for kind, requests in begun.items()}


def _turn(session: Any) -> dict[str, Any]:
    """A turn of a session by itself, as far as its tokens are stated."""
    stated = session if isinstance(session, dict) else {}
    named = {"input_tokens": "added_tokens", "output_tokens": "answer_tokens"}
    return {name: stated[field] for name, field in named.items() if field in stated}


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
