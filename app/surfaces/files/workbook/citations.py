"""The sources of the inputs, numbered, so that a row can name several of them in one line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from app.catalog.provenance import SEPARATOR
from app.engine.trace import Origin

LONGEST = 56  # characters of the first source beside its number


class Cited(NamedTuple):
    """A source, and the inputs that come from it."""

    number: int
    text: str
    uses: list[str]


class Citations:
    """Sources in the order in which they are first named."""

    def __init__(self, origins: Iterable[Origin]) -> None:
        self._found: dict[str, Cited] = {}
        for origin in origins:
            for source in sources_in(origin.source):
                cited = self._found.setdefault(source, Cited(len(self._found) + 1, source, []))
                cited.uses.append(origin.label)

    def listed(self) -> tuple[Cited, ...]:
        """All of them, by number."""
        return tuple(self._found.values())

    def words(self, text: str) -> str:
        """A source text in one line: the first source in words, further ones by number."""
        first, *others = (self._found[source] for source in sources_in(text))
        words = first.text if len(first.text) <= LONGEST else first.text[: LONGEST - 1].rstrip() + "…"
        return ", ".join([f"[{first.number}] {words}", *(f"[{other.number}]" for other in others)])


def sources_in(text: str) -> list[str]:
    """The sources of one citation.

    >>> sources_in("data sheet | price list"), sources_in("")
    (['data sheet', 'price list'], [])
    """
    return [source.strip() for source in text.split(SEPARATOR) if source.strip()]
