"""The record as a file, the texts beside it, and what differs between two of them."""

from __future__ import annotations

import csv
import difflib
import gzip
import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.golden.canonical import short_hash

Key = tuple[str, str, str]
"""Surface, view, design."""
COLUMNS = ("surface", "view", "design", "hash")
MOST_LINES = 60
"""Of one difference; the file with all of them has the rest."""


def read_record(path: Path) -> dict[Key, str]:
    """Hashes by entry; none where there is no file."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {(row["surface"], row["view"], row["design"]): row["hash"] for row in csv.DictReader(file)}


def write_record(path: Path, hashes: dict[Key, str]) -> None:
    """One line an entry, sorted, so that merging two branches is merging lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([*key, hashes[key]] for key in sorted(hashes))


@dataclass(frozen=True)
class Texts:
    """Canonical texts in a folder, packed."""

    folder: Path

    def write(self, key: Key, text: str) -> None:
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text.encode(), compresslevel=1, mtime=0))

    def read(self, key: Key) -> str | None:
        """The text of an entry; None where it is not here."""
        path = self._path(key)
        return gzip.decompress(path.read_bytes()).decode() if path.exists() else None

    def _path(self, key: Key) -> Path:
        surface, view, design = key
        words = re.sub(r"[^\w.=-]+", "_", f"{view} {design}").strip("_")[:120]
        return self.folder / surface / f"{words}.{hashlib.sha256(repr(key).encode()).hexdigest()[:6]}.txt.gz"


@dataclass(frozen=True)
class Changes:
    """What differs between two records."""

    changed: tuple[Key, ...]
    added: tuple[Key, ...]
    removed: tuple[Key, ...]

    def __bool__(self) -> bool:
        return bool(self.changed or self.added or self.removed)


def changes_of(before: dict[Key, str], now: dict[Key, str]) -> Changes:
    """The entries with another hash, and those that only one record has."""
    both = before.keys() & now.keys()
    return Changes(
        changed=tuple(sorted(key for key in both if before[key] != now[key])),
        added=tuple(sorted(now.keys() - both)),
        removed=tuple(sorted(before.keys() - both)),
    )


def described(changes: Changes, recorded: dict[Key, str], before: Texts, now: Texts) -> Iterator[str]:
    """Every difference in lines: what came and went, then what changed, the same change of many entries once."""
    for title, keys in (("No longer recorded", changes.removed), ("New", changes.added)):
        yield from _listed(title, keys)
    groups: dict[tuple[str, ...], list[Key]] = {}
    without_text: list[Key] = []
    for key in changes.changed:
        old, new = before.read(key), now.read(key)
        if old is None or new is None or short_hash(old) != recorded[key]:
            without_text.append(key)
            continue
        lines = tuple(difflib.unified_diff(old.splitlines(), new.splitlines(), "recorded", "now", "", "", 1))[
            2:
        ]
        groups.setdefault(tuple(line for line in lines if line[0] in "+-"), [])
        groups[tuple(line for line in lines if line[0] in "+-")].append(key)
    for lines, keys in sorted(groups.items(), key=lambda group: (-len(group[1]), group[1])):
        yield ""
        yield f"=== {named(keys[0])}"
        if len(keys) > 1:
            yield f"    and the same in {len(keys) - 1} more: {_some(keys[1:])}"
        yield from (f"    {line}" for line in lines)
    if without_text:
        yield ""
        yield from _listed(
            "Changed, and the recorded text is not here (make golden-texts REF=…)", without_text
        )


def brief(lines: Iterable[str]) -> Iterator[str]:
    """The same with each difference cut to `MOST_LINES`."""
    count = 0
    for line in lines:
        count = count + 1 if line.startswith("    ") else 0
        if count <= MOST_LINES:
            yield line
        elif count == MOST_LINES + 1:
            yield "    …"


def named(key: Key) -> str:
    """An entry as people read it."""
    surface, view, design = key
    return f"{surface} | {view} | {design}" if design else f"{surface} | {view}"


def _listed(title: str, keys: Iterable[Key]) -> Iterator[str]:
    """Entries by surface and view, with their designs."""
    views: dict[tuple[str, str], list[str]] = {}
    for surface, view, design in keys:
        views.setdefault((surface, view), []).append(design)
    if not views:
        return
    yield f"{title}: {sum(len(found) for found in views.values())}"
    for (surface, view), found in views.items():
        yield (
            f"    {surface} | {view} | {len(found)} designs"
            if len(found) > 3
            else f"    {surface} | {view} | {', '.join(found)}"
        )


def _some(keys: list[Key]) -> str:
    shown = "; ".join(named(key) for key in keys[:3])
    return shown if len(keys) <= 3 else f"{shown}; …"
