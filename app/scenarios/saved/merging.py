"""A save over what somebody else saved meanwhile: what is written, and what is told of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.scenarios.saved.diff import input_changes
from app.scenarios.saved.errors import MergeConflictError
from app.scenarios.saved.merge import Side, merged_document
from app.scenarios.saved.prepared import Prepared
from app.scenarios.saved.reading import SavedReading
from app.scenarios.saved.records import Change, Saved
from app.scenarios.saved.writing import LONGEST_NOTE

Prepare = Callable[[dict[str, Any]], Prepared]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedSave:
    """A save, and what it was merged with.

    Parameters
    ----------
    saved : as it is now
    theirs : the revision that it was merged with, None where there was none
    kept : the revision that holds mine as it was typed, None where the newest one does
    from_mine : fields that are others than in theirs
    from_theirs : fields that are others than in mine
    """

    saved: Saved
    theirs: int | None = None
    kept: int | None = None
    from_mine: tuple[Change, ...] = ()
    from_theirs: tuple[Change, ...] = ()


def saves_of(
    base: dict[str, Any],
    mine: dict[str, Any],
    theirs: Saved,
    *,
    note: str,
    choices: Mapping[str, Side],
    prepare: Prepare,
) -> tuple[tuple[Prepared, str], ...]:
    """The revisions that keep both versions, oldest first, each with its note.

    Two where both sides have something of their own: mine as it was typed, then both. One where mine
    holds all of theirs, or nothing of its own.

    Raises
    ------
    ScenarioError : mine cannot be saved
    MergeConflictError : fields wait for a choice
    """
    own = prepare(mine)
    found = merged_document(theirs.kind, base, own.document, theirs.document, choices=choices, check=prepare)
    if found.document is None:
        raise MergeConflictError(theirs, found)
    if not found.from_theirs:
        return ((own, note),)
    if not input_changes(base, own.document):  # mine is in the history already
        return ((prepare(found.document), note),)
    words = merged_with(theirs.revision)
    return (
        (own, note or f"Kept before it was {words[:1].lower()}{words[1:]}"),
        (prepare(found.document), f"{words}: {note}"[:LONGEST_NOTE] if note else words),
    )


def merged_with(revision: int) -> str:
    """How the note of a merge begins.

    >>> merged_with(7)
    'Merged with revision 7'
    """
    return f"Merged with revision {revision}"


def told(work: SavedReading, saved: Saved, mine: dict[str, Any], base_revision: int) -> MergedSave:
    """What came of a save that was made from `base_revision`, told from what is saved.

    So whoever asks a second time is told the same.
    """
    if saved.revision == base_revision + 1:
        return MergedSave(saved=saved)
    found = re.match(r"Merged with revision (\d+)", saved.note)
    both = found is not None and int(found[1]) == saved.revision - 2
    theirs = saved.revision - (2 if both else 1)
    other = work.revision(saved.kind, saved.id, theirs).document
    return MergedSave(
        saved=saved,
        theirs=theirs,
        kept=saved.revision - 1 if both else None,
        from_mine=input_changes(other, saved.document),
        from_theirs=input_changes(mine, saved.document),
    )


def once_each(prepare: Prepare) -> Prepare:
    """Prepares each document once: merging asks several times whether one can be saved."""
    known: dict[str, Prepared] = {}

    def prepared(document: dict[str, Any]) -> Prepared:
        text = json.dumps(document, sort_keys=True)
        if text not in known:
            known[text] = prepare(document)
        return known[text]

    return prepared
