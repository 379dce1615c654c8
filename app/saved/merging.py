"""A save over another person's save: the merged document and the message about it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.saved.change_log import Event
from app.saved.diff import input_changes
from app.saved.documents import build_saved
from app.saved.errors import MergeConflictError
from app.saved.merge import Side, collision, merged_document
from app.saved.prepared import Prepared
from app.saved.reading import SavedReading
from app.saved.records import Change, Saved
from app.saved.writing import LONGEST_NOTE
from app.scenarios.errors import ScenarioError

Prepare = Callable[[dict[str, Any]], Prepared]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedSave:
    """A save, and what it was merged with.

    Parameters
    ----------
    saved : as it is now
    theirs : the revision that it was merged with, None where there was none
    authors : who saved after the base, up to theirs, as far as that is known
    kept : the revision that holds mine as it was typed, where a choice left something of it out
    from_mine : fields that are others than in theirs
    from_theirs : fields that are others than in mine
    """

    saved: Saved
    theirs: int | None = None
    authors: tuple[str, ...] = ()
    kept: int | None = None
    from_mine: tuple[Change, ...] = ()
    from_theirs: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Saves:
    """The revisions that a save writes, the oldest first, each with its note."""

    revisions: tuple[tuple[Prepared, str], ...]
    event: Event = "saved"


class _MineError(Exception):
    """The submitted document is invalid on its own, which is not a conflict."""

    def __init__(self, error: ScenarioError) -> None:
        self.error = error


def saves_of(
    base: dict[str, Any],
    mine: dict[str, Any],
    theirs: Saved,
    *,
    note: str,
    choices: Mapping[str, Side],
    prepare: Prepare,
) -> Saves:
    """What to write where others saved after the base.

    One revision, which holds the changes of both sides. Where a choice leaves something of mine out, mine as it was
    typed comes before it.

    Raises
    ------
    ScenarioError : mine cannot be saved
    MergeConflictError : fields wait for a choice
    """

    def own() -> Prepared:
        try:
            return prepare(mine)
        except ScenarioError as error:
            raise _MineError(error) from None

    def check(document: dict[str, Any]) -> Prepared:
        try:
            return prepare(document)
        except ScenarioError:
            own()  # evaluated only where something is wrong: most saves are evaluated once
            raise

    try:
        refuse_collision(base, mine, theirs, choices)
        found = merged_document(theirs.kind, base, mine, theirs.document, choices=choices, check=check)
        if found.document is None:
            raise MergeConflictError(theirs, found)
        both = prepare(found.document)
        if not found.from_theirs or not input_changes(base, mine):
            return Saves(revisions=((both, note),))  # mine holds all of theirs, or nothing of its own
        words = merged_with(theirs.revision)
        merged = (both, f"{words}: {note}"[:LONGEST_NOTE] if note else words)
        if not choices:
            return Saves(revisions=(merged,), event="merged")
        kept = (own(), note or f"Kept before it was {words[:1].lower()}{words[1:]}")
        return Saves(revisions=(kept, merged), event="merged")
    except _MineError as error:
        raise error.error from None


def refuse_collision(
    base: dict[str, Any], mine: dict[str, Any], theirs: Saved, choices: Mapping[str, Side]
) -> None:
    """Nothing, where no field waits for a choice; cheap, so that it can be asked before one's turn.

    Raises
    ------
    ScenarioError : mine is no document
    MergeConflictError : both changed the same field
    """
    build_saved(theirs.kind, mine)
    found = collision(theirs.kind, base, mine, theirs.document, choices)
    if found is not None:
        raise MergeConflictError(theirs, found)


def merged_with(revision: int) -> str:
    """How the note of a merge begins.

    >>> merged_with(7)
    'Merged with revision 7'
    """
    return f"Merged with revision {revision}"


def merge_result(work: SavedReading, saved: Saved, mine: dict[str, Any], base_revision: int) -> MergedSave:
    """Outcome of a save that was made from `base_revision`, told from what is saved.

    So the caller a second time is told the same.
    """
    if saved.revision == base_revision + 1:
        return MergedSave(saved=saved)
    found = re.match(r"Merged with revision (\d+)", saved.note)
    both = found is not None and int(found[1]) == saved.revision - 2
    theirs = saved.revision - (2 if both else 1)
    other, authors = work.others(saved.kind, saved.id, base_revision, theirs)
    return MergedSave(
        saved=saved,
        theirs=theirs,
        authors=authors,
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
