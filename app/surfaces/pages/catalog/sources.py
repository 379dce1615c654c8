"""Sources of a catalog row: each once, numbered, with its addresses as text and as links."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from app.catalog.provenance import SEPARATOR

LONGEST_TITLE = 48
_ADDRESS = re.compile(r"https?://[^\s;,)\"'|]+")

SHIP = {
    "yes": "may be passed on",
    "facts_only": "single facts may be passed on, with the source named",
    "check": "terms need a check before it is passed on",
    "no": "may not be passed on",
}


class Source(NamedTuple):
    """A citation as printed, and how a row of a table refers to it."""

    number: int
    title: str  # short, without addresses
    text: str  # as printed
    links: tuple[str, ...]
    licence: str
    terms: str
    credit: str


class Sources:
    """Numbers sources in the order they are first cited."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Source] = {}

    def cite(self, *, text: str, url: str, licence: str, ship: str = "", credit: str = "") -> Source:
        found = self._found.get((text, url))
        if found is None:
            links = tuple(dict.fromkeys([*([url] if is_web_address(url) else []), *_addresses(text)]))
            found = Source(
                number=len(self._found) + 1,
                title=short_title(text, links),
                text=text,
                links=links,
                licence=licence,
                terms=SHIP.get(ship, ""),
                credit="" if credit in ("none", "shown as an assumption") else credit,
            )
            self._found[text, url] = found
        return found

    def listed(self) -> tuple[Source, ...]:
        return tuple(self._found.values())


def is_web_address(text: str) -> bool:
    """Return whether a link may lead there: http or https with a host, nothing else.

    >>> is_web_address("https://example.org/a"), is_web_address("javascript:alert(1)")
    (True, False)
    """
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)


def short_title(text: str, links: tuple[str, ...] = ()) -> str:
    """The first source of a citation in a few words; the host of its address where it has no words.

    >>> short_title("NVIDIA H100 data sheet https://example.org/h100 ; another")
    'NVIDIA H100 data sheet'
    """
    first = text.split(SEPARATOR, maxsplit=1)[0]
    words = " ".join(_ADDRESS.sub(" ", first).split()).strip(" ;,:()|")
    words = re.sub(r"\s+([;,)])", r"\1", words).partition(" ; ")[0].partition("; ")[0]
    if first.startswith(("http://", "https://")) and links:
        words = (urlsplit(links[0]).hostname or words).removeprefix("www.")
    if words.count("(") > words.count(")"):
        words = words[: words.rindex("(")].rstrip(" ,;:")
    if len(words) > LONGEST_TITLE:
        words = words[:LONGEST_TITLE].rsplit(" ", 1)[0].rstrip(" ,;:(+&") + "…"
    return words or (urlsplit(links[0]).hostname if links else None) or "not stated"


def _addresses(text: str) -> list[str]:
    return [address for found in _ADDRESS.findall(text) if is_web_address(address := found.rstrip("."))]
