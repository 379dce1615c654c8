"""Where a value comes from: source families, licences, dates and words of confidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

CONFIDENCE = {
    "verified": "confirmed", "A": "confirmed", "high": "confirmed",
    "medium": "secondary", "B": "secondary",
    "low": "weak", "C": "weak", "low-medium": "weak",
    "memory": "recalled", "M": "recalled",
    "": "",
}  # fmt: skip
"""What the files print, in one vocabulary."""

MEMORY_WORDS = frozenset({"memory", "M", "low"})
"""Confidence words that make a value an assumption."""

STRICTNESS = ("yes", "facts_only", "check", "no")
"""`ship`, from free to forbidden: yes, facts with a link only, ask before a release, no."""

NEEDING_CHECK = frozenset({"check", "no"})

SEPARATOR = " | "
"""Between the sources of one citation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFamily:
    """A row of sources.csv: sources that share terms."""

    key: str
    name: str
    kind: str
    match: tuple[str, ...]
    licence: str
    licence_basis: str  # stated | recalled | none
    ship: str
    credit: str
    notes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A source text as printed, with what it implies."""

    text: str
    url: str
    families: tuple[str, ...]
    kind: str
    licence: str
    licence_basis: str
    ship: str
    credit: str
    as_of: str


class SourceFamilies:
    """The families in file order: the first that matches a source text is its family."""

    def __init__(self, families: Iterable[SourceFamily]) -> None:
        self._families = tuple(families)
        self._by_key = {family.key: family for family in self._families}
        # many rows share their sources
        self._found: dict[str, SourceFamily] = {}
        self._cited: dict[tuple[str, ...], Citation] = {}

    def __iter__(self) -> Iterator[SourceFamily]:
        return iter(self._families)

    def get(self, key: str) -> SourceFamily | None:
        return self._by_key.get(key)

    def matches(self, source: str) -> bool:
        """Return whether a family other than `press` knows the source."""
        return self.family_of(source).key != "press"

    def family_of(self, source: str) -> SourceFamily:
        """The family of one source; an address no one knows is `press`."""
        if source not in self._found:
            matching = (family for family in self._families if any(word in source for word in family.match))
            self._found[source] = next(matching, self._by_key["press"])
        return self._found[source]

    def cite(self, text: str, *, url: str = "", date: str = "", family: str = "") -> Citation:
        """A source text read: kind of its first source, strictest licence, date in the text or `date`.

        `family` overrides matching where a file names the family itself.
        """
        asked = (text, url, date, family)
        if asked not in self._cited:
            self._cited[asked] = self._cite(*asked)
        return self._cited[asked]

    def _cite(self, text: str, url: str, date: str, family: str) -> Citation:
        parts = [part for part in text.split(SEPARATOR) if part.strip()] or [text]
        given = self._by_key.get(family)
        found = [given] if given else [self.family_of(part) for part in parts]
        strictest = max(found, key=lambda item: STRICTNESS.index(item.ship))
        unique = list(dict.fromkeys(found))
        return Citation(
            text=text,
            url=url or first_address(text),
            families=tuple(item.key for item in unique),
            kind=found[0].kind,
            licence=strictest.licence,
            licence_basis=strictest.licence_basis,
            ship=strictest.ship,
            credit="; ".join(item.credit for item in unique if item.credit != "none"),
            as_of=date_in(parts) or date,
        )


_ADDRESS = re.compile(r"https?://[^\s;,)\"']+")
_DAY_OR_MONTH = re.compile(
    r"(?<![\d.])((?:19|20)\d\d)[-/](0[1-9]|1[0-2])(?:[-/](0[1-9]|[12]\d|3[01]))?(?![\d-])"
)
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_NAMED_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})[a-z]*\.? ((?:19|20)\d\d)\b")
_YEAR = re.compile(r"(?<![\w./-])(20[0-2]\d)(?![\w./-]|\d)")


def first_address(text: str) -> str:
    """The first web address in a text.

    >>> first_address("data sheet https://example.org/a; and more")
    'https://example.org/a'
    """
    found = _ADDRESS.search(text)
    return found.group().rstrip(".") if found else ""


def date_in(parts: Iterable[str]) -> str:
    """The date that a source text gives itself, as YYYY, YYYY-MM or YYYY-MM-DD.

    >>> date_in(["network chapters (commit 744d01e; 2026-08-22)"]), date_in(["arXiv 2506.12708"])
    ('2026-08-22', '')
    """
    for part in parts:
        exact = _DAY_OR_MONTH.search(part)
        if exact:
            return "-".join(group for group in exact.groups() if group)
        words = _ADDRESS.sub(" ", part)
        month = _NAMED_MONTH.search(words)
        if month:
            return f"{month[2]}-{_MONTHS.index(month[1][:3]) + 1:02d}"
        year = _YEAR.search(words)
        if year:
            return year[1]
    return ""


def in_group(text: str, group: str) -> str:
    """The part of a source text that is about one group of fields, as in "electricity: x; carbon: y".

    >>> in_group("electricity: memory; carbon: measured 2024", "carbon")
    'measured 2024'
    """
    found = re.search(rf"(?:^|; ){group}: (.*?)(?=; [a-z]+: |; range from |$)", text)
    return found[1] if found else ""


@cache
def has_groups(text: str) -> bool:
    """Return whether a source text names sources by group of fields.

    >>> has_groups("electricity: memory; carbon: measured 2024"), has_groups("https://example.org")
    (True, False)
    """
    return re.match(r"[a-z]+: \S", text) is not None and "; " in text


def confidence_word(printed: str, group: str) -> str:
    """The word of a printed confidence that holds for a group: "low (electricity ...)" is about electricity.

    >>> confidence_word("low (electricity recalled)", "electricity"), confidence_word("verified", "")
    ('low', 'verified')
    """
    word, _, scope = printed.partition(" (")
    if scope and group and not scope.startswith(group):
        return ""
    return word
