"""Answers of the catalog by question, as compressed text that is addressed by what it holds."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import orjson

from app.catalog.assumptions import AssumptionRow
from app.catalog.climate import KeptYear
from app.catalog.values import Fact, Part, Price, Rental

FORMAT = 1
LEVEL = 6


class SnapshotError(ValueError):
    """A stored snapshot cannot be read."""


def _part(values: dict[str, Any]) -> Part:
    facts = {name: Fact(**fact) for name, fact in values["facts"].items()}
    return Part(**{**values, "facts": facts, "stated": tuple(values.get("stated", ()))})


# How the answer to each kind of question is made from plain values again.
READERS: dict[str, Callable[[Any], Any]] = {
    "keys": tuple,
    "part": _part,
    "price": lambda values: Price(**values) if values else None,
    "price_absence": str,
    "price_estimate": lambda values: Price(**values) if values else None,
    "price_item": lambda values: Price(**values),
    "rental": lambda values: Rental(**values) if values else None,
    "climate": lambda kept: KeptYear(**kept) if isinstance(kept, dict) else str(kept),
    "assumption": lambda rows: [AssumptionRow(**row) for row in rows],
    "assumption_names": tuple,
}


class Snapshot:
    """Questions, each its kind and what it is about, with their answers."""

    def __init__(self, stored: dict[str, dict[str, Any]] | None = None) -> None:
        self._stored = stored or {}  # as plain values: most of a snapshot is never asked for
        self._answers: dict[tuple[str, str], Any] = {}

    def has(self, kind: str, about: str) -> bool:
        """Return whether this was asked, even if the answer was None."""
        return (kind, about) in self._answers or about in self._stored.get(kind, {})

    def keep(self, kind: str, about: str, answer: Any) -> None:
        self._answers[kind, about] = answer

    def keep_all(self, other: Snapshot) -> None:
        """Keep what another snapshot has as well, and what was asked here as it is."""
        self._answers = {**other._answers, **self._answers}

    def answer(self, kind: str, about: str) -> Any:
        """
        Raises
        ------
        KeyError : it was not asked
        """
        if (kind, about) not in self._answers:
            self._answers[kind, about] = READERS[kind](self._stored[kind][about])
        return self._answers[kind, about]

    def answers(self) -> Iterator[tuple[str, str, Any]]:
        """Every question, its kind and what it is about, with its answer."""
        stored = [(kind, about) for kind, kept in self._stored.items() for about in kept]
        for kind, about in {**dict.fromkeys(stored), **self._answers}:
            yield kind, about, self.answer(kind, about)

    def packed(self) -> tuple[str, Callable[[], bytes]]:
        """A hash of what it holds, and what gives the compressed JSON: one that is kept already need not be
        compressed again."""
        grouped: dict[str, dict[str, Any]] = {}
        for kind, about, answer in self.answers():
            grouped.setdefault(kind, {})[about] = answer
        text = orjson.dumps({"format": FORMAT, "answers": grouped}, option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(text).hexdigest(), lambda: zlib.compress(text, LEVEL)

    @staticmethod
    def hash_of(content: bytes) -> str:
        """The hash that compressed JSON should be kept under.

        Raises
        ------
        SnapshotError : it is damaged
        """
        try:
            return hashlib.sha256(zlib.decompress(content)).hexdigest()
        except zlib.error as error:
            raise SnapshotError(f"the kept catalog values cannot be read: {error}") from None

    @classmethod
    def unpacked(cls, content: bytes) -> Snapshot:
        """
        Raises
        ------
        SnapshotError : it is damaged, or of a format that a newer version writes
        """
        try:
            values = orjson.loads(zlib.decompress(content))
            format, answers = values["format"], values["answers"]
        except (zlib.error, ValueError, TypeError, KeyError) as error:
            raise SnapshotError(f"the kept catalog values cannot be read: {error}") from None
        if format != FORMAT:
            raise SnapshotError(f"the kept catalog values have format {format}, not {FORMAT}")
        return cls(answers)
