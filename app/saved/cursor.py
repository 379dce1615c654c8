"""Tokens of pages: where a list goes on, told by the last item before it rather than by its number."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

from app.saved.errors import BadCursorError

LONGEST = 2_000


def token(list_name: str, *place: Any) -> str:
    """The token of what comes after `place` in a list."""
    text = json.dumps([list_name, *place], separators=(",", ":"), ensure_ascii=False)
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def place_of(given: str, list_name: str, *kinds: type) -> tuple[Any, ...]:
    """Contents of a token of this list.

    Raises
    ------
    BadCursorError : it is no token of this list
    """
    if len(given) > LONGEST or not given.isascii():
        raise BadCursorError(given)
    try:
        padding = "=" * (-len(given) % 4)
        values = json.loads(base64.b64decode(given + padding, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError):
        raise BadCursorError(given) from None
    if not isinstance(values, list) or len(values) != len(kinds) + 1 or values[0] != list_name:
        raise BadCursorError(given)
    place = tuple(values[1:])
    if not all(type(value) is kind for value, kind in zip(place, kinds, strict=True)):
        raise BadCursorError(given)
    return place
