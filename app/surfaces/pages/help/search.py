"""Search over headings and text of the documents: every word must be found, headings weigh most."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import NamedTuple

from markupsafe import Markup
from rapidfuzz import fuzz, process

from app.surfaces.pages.help.documents import DECISIONS, Section, chapters, documents, plain, sections

MOST_HITS = 30
NEAR, LIKE = 3, 70
AROUND = 90
"""Characters of text shown on each side of the first word that is found."""

WEIGHTS = {"quantities": 0.15, "api": 0.3, "commands": 0.5, "data_licences": 0.15}
"""Of documents that are lists: prose comes before them."""
OF_DECISIONS = 0.5
FENCE = re.compile(r"^```\w*$|^[|: -]+$", re.MULTILINE)
"""Lines that are marks alone: ends of code blocks, and rules of tables."""


class Hit(NamedTuple):
    """A section that a search finds."""

    document: str
    heading: str
    address: str
    excerpt: Markup


class Found(NamedTuple):
    """`total` counts hits beyond those listed; `near` are headings most like a search that finds nothing."""

    search: str
    hits: tuple[Hit, ...]
    total: int
    near: tuple[Hit, ...]


class Indexed(NamedTuple):
    title: str
    heading: str
    text: str
    address: str
    weight: float
    heading_words: str
    all_words: str


def search(text: str, most: int = MOST_HITS) -> Found:
    """Sections that hold every word of a search, best first."""
    words = [word for word in text.lower().split() if word]
    if not words:
        return Found(text, (), 0, ())
    ranked = sorted(
        ((_score(one, words), place) for place, one in enumerate(index()) if _holds(one, words)),
        key=lambda pair: (-pair[0], pair[1]),
    )
    hits = tuple(_hit(index()[place], words) for _, place in ranked[:most])
    return Found(text, hits, len(ranked), () if hits else _near(text))


@cache
def index() -> tuple[Indexed, ...]:
    """Every section of every document, in lower case beside its text; made once a process."""
    return tuple(_indexed(key, section) for key in documents() for section in sections(key))


def _indexed(key: str, section: Section) -> Indexed:
    document = documents()[key]
    text = re.sub(r"\s+", " ", plain(FENCE.sub("", section.text)))
    weight = WEIGHTS.get(key, OF_DECISIONS if key.startswith(f"{DECISIONS}/") else 1.0)
    address = document.address_of(section, chapters(key)[section.anchor])
    heading = section.heading.lower()
    title = document.title.lower()
    return Indexed(
        document.title, section.heading, text, address, weight, heading, f"{title} {heading} {text.lower()}"
    )


def _holds(one: Indexed, words: list[str]) -> bool:
    return all(word in one.all_words for word in words)


def _score(one: Indexed, words: list[str]) -> float:
    score = 20.0 if one.heading_words == " ".join(words) else 0.0
    for word in words:
        whole = re.search(rf"\b{re.escape(word)}", one.heading_words) is not None
        score += 8.0 if whole else 4.0 if word in one.heading_words else 0.0
        score += 4.0 if word in one.title.lower() else 0.0
        score += math.log1p(one.all_words.count(word))
    return score * one.weight


def _hit(one: Indexed, words: list[str]) -> Hit:
    lower = one.text.lower()
    first = min((place for word in words if (place := lower.find(word)) >= 0), default=0)
    begin = max(0, first - AROUND)
    begin = one.text.find(" ", begin) + 1 if begin else 0
    piece = one.text[begin : first + 2 * AROUND].strip()
    marks = re.compile(
        "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)), re.IGNORECASE
    )
    shown, last = Markup(""), 0
    for match in marks.finditer(piece):
        shown += piece[last : match.start()] + Markup("<mark>{}</mark>").format(match[0])
        last = match.end()
    shown += piece[last:]
    before = "…" if begin else ""
    after = "…" if first + 2 * AROUND < len(one.text) else ""
    return Hit(one.title, one.heading, one.address, Markup("{}{}{}").format(before, shown, after))


def _near(text: str) -> tuple[Hit, ...]:
    names = {place: one.heading for place, one in enumerate(index()) if one.weight >= OF_DECISIONS}
    like = process.extract(
        text, names, scorer=fuzz.WRatio, processor=str.lower, limit=NEAR, score_cutoff=LIKE
    )
    return tuple(_hit(index()[place], [text.lower()]) for _, _, place in like)
