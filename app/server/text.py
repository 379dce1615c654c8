"""Text that no database keeps: the character NUL and lone halves of surrogate pairs.

Addresses, forms and JSON bodies that hold one are refused before anything else reads them, with the name of the field.
Files are checked by the code that reads their format.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from email.message import Message as Header
from typing import Any, Final
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.refusals import Answering, Refusal, refuse

UNKEPT: Final = re.compile("[\0\ud800-\udfff]")
"""Characters that are refused."""
ESCAPED: Final = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
"""Of JSON: what may stand for one; whole surrogate pairs are common."""
HIDDEN: Final = ("password", "secret", "token")
"""Parts of the names of fields whose values are never sent back; but for the token of the form itself."""
MOST_FIELDS = 1_000

BODY: Final = "podwright.body"
"""Where the scope of a request keeps the message of its body, for the page that shows what was typed again.
"""
FORM: Final = "application/x-www-form-urlencoded"

Field = tuple[str, str]


class KeptText:
    """Inside of what has read the body whole."""

    def __init__(self, app: ASGIApp, answering: Answering) -> None:
        self.app = app
        self.answering = answering

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        first = scope[BODY] = await receive()
        refusal = _of_address(scope) or _of_body(Headers(scope=scope), first)
        if refusal is not None:
            await refuse(self.answering, refusal, scope, receive, send)
            return
        given = False

        async def again() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return first

        await self.app(scope, again, send)


def without(text: str) -> str:
    r"""A text without what is refused.

    >>> without("a\0b")
    'ab'
    """
    return UNKEPT.sub("", text)


def typed_fields(scope: Scope) -> tuple[Field, ...]:
    """The fields of the form that was sent, to be sent again; none of a form with files, which cannot be."""
    body = scope.get(BODY, {}).get("body", b"")
    if scope["method"] != "POST" or not Headers(scope=scope).get("content-type", "").startswith(FORM):
        return ()
    return _kept(_form(body))


def _of_address(scope: Scope) -> Refusal | None:
    if UNKEPT.search(scope["path"]):
        return _refusal("The address")
    query = scope.get("query_string", b"")
    if b"%00" in query or b"\0" in query:
        fields = parse_qsl(query.decode("latin-1"), keep_blank_values=True, max_num_fields=None)
        return _of_fields(fields, "The address", keep=False)
    return None


def _of_body(headers: Headers, message: Message) -> Refusal | None:
    body: bytes = message.get("body", b"")
    if not body:
        return None
    header = Header()
    header["content-type"] = headers.get("content-type", "")
    kind = header.get_content_type() if header["content-type"] else ""
    if kind == FORM:
        if b"%00" in body or b"\0" in body:
            return _of_fields(_form(body), "The form", keep=True)
    elif kind == "multipart/form-data":
        if b"\0" in body:
            return _of_fields(_parts(body, str(header.get_param("boundary", ""))), "The form", keep=True)
    elif kind.endswith("json") and ESCAPED.search(body.decode("latin-1")):
        return _of_json(body)
    return None


def _form(body: bytes) -> list[Field]:
    return parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)[:MOST_FIELDS]


def _parts(body: bytes, boundary: str) -> list[Field]:
    """Fields of a form with files; a file is its name."""
    found = []
    for part in body.split(b"--" + boundary.encode())[1 : MOST_FIELDS + 1] if boundary else ():
        head, _, content = part.partition(b"\r\n\r\n")
        header = Header()
        header["content-disposition"] = head.decode("utf-8", "replace").replace("\r", " ").replace("\n", " ")
        described = re.search(r'[ ;]name="([^"]*)"', str(header["content-disposition"]))
        name = described[1] if described else ""
        filed = re.search(r'filename="([^"]*)"', str(header["content-disposition"]))
        found.append((name, filed[1] if filed else content.removesuffix(b"\r\n").decode("utf-8", "replace")))
    return found


def _of_fields(fields: Sequence[Field], what: str, *, keep: bool) -> Refusal | None:
    for name, value in fields:
        if UNKEPT.search(name) or UNKEPT.search(value):
            named = without(name)[:80]
            return _refusal(what, path=named, kept=_kept(fields)) if keep else _refusal(what, parameter=named)
    return None


def _kept(fields: Sequence[Field]) -> tuple[Field, ...]:
    """Form fields as typed, without those that are refused and those that are secret."""
    return tuple(
        (without(name), without(value))
        for name, value in fields
        if name == "csrf" or not any(word in name.lower() for word in HIDDEN)
    )


def _of_json(body: bytes) -> Refusal | None:
    try:
        values = json.loads(body)
    except (ValueError, RecursionError):
        return None  # the code that reads it reports the error
    place = next(places_of_unkept(values), None)
    return None if place is None else _refusal("The body", path=place)


def places_of_unkept(values: Any) -> Iterator[str]:
    """Where a text that is refused stands; without recursion, as nesting is the caller's."""
    left: list[tuple[str, Any]] = [("", values)]
    while left:
        place, value = left.pop()
        if isinstance(value, str) and UNKEPT.search(value):
            yield place
        elif isinstance(value, dict):
            for key, inner in value.items():
                if UNKEPT.search(key):
                    yield f"{place}.{without(key)}".lstrip(".")
                left.append((f"{place}.{key}".lstrip("."), inner))
        elif isinstance(value, list):
            left.extend((f"{place}[{at}]", inner) for at, inner in enumerate(value))


def _refusal(what: str, *, parameter: str = "", path: str = "", kept: tuple[Field, ...] = ()) -> Refusal:
    named = parameter or path
    where = f"{named} in {what[:1].lower()}{what[1:]}" if named else what
    return Refusal(
        reason="unreadable-text",
        status=400,
        detail=f"{where} holds a character that is no text (NUL, or half of a surrogate pair). Leave it out.",
        parameter=parameter,
        path=path,
        kept=kept,
    )
