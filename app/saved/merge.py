"""Merging what two people made of one document, so that neither's work is lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from app.saved.diff import input_changes
from app.saved.documents import build_saved
from app.saved.records import Change, Kind
from app.saved.three_way import Conflict, Side, Walk
from app.scenarios.errors import InputError, ScenarioError

__all__ = ["Conflict", "Merge", "Side", "collision", "merged_document"]

Check = Callable[[dict[str, Any]], Any]
"""Raises ScenarioError for a document that cannot be saved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """What came of it.

    `from_mine` are fields in which it differs from theirs, `from_theirs` those in which it differs from mine.
    As long as a conflict waits for a choice `document` is None, `conflicts` are all conflicts, also those
    already chosen, and the fields are those that need no choice.
    """

    document: dict[str, Any] | None
    from_mine: tuple[Change, ...]
    from_theirs: tuple[Change, ...]
    conflicts: tuple[Conflict, ...]


def merged_document(
    kind: Kind,
    base: dict[str, Any],
    mine: dict[str, Any],
    theirs: dict[str, Any],
    *,
    choices: Mapping[str, Side] | None = None,
    check: Check | None = None,
) -> Merge:
    """Both sides' changes of `base` in one document.

    Where both changed a field, each to another value, one is chosen by the path of the conflict. Changes that
    do not fit one another, such as a model whose heads no longer divide, are a conflict of the smallest part
    that holds them.

    Raises
    ------
    ScenarioError : the side that was chosen cannot be saved by itself
    """
    versions, chosen = (base, mine, theirs), choices or {}
    check = check or (lambda document: build_saved(kind, document))
    tied = _tied(versions, check)
    walk = Walk(tied=tied, choices=chosen)
    document = walk.document(*versions)
    if not walk.open and _faults(check, document):
        # Each choice fits by itself, and they do not fit one another: all of it from one side.
        walk = Walk(tied=_changed_parts(versions), choices=chosen)
        document = walk.document(*versions)
        if not walk.open:
            check(document)
    if not walk.open:
        return Merge(
            document=document,
            from_mine=input_changes(theirs, document),
            from_theirs=input_changes(mine, document),
            conflicts=(),
        )
    with_mine, with_theirs = (
        Walk(tied=walk.tied, otherwise=side).document(*versions) for side in get_args(Side)
    )
    return Merge(
        document=None,
        from_mine=input_changes(theirs, with_theirs),
        from_theirs=input_changes(mine, with_mine),
        conflicts=tuple(walk.conflicts),
    )


def collision(
    kind: Kind,
    base: dict[str, Any],
    mine: dict[str, Any],
    theirs: dict[str, Any],
    choices: Mapping[str, Side],
) -> Merge | None:
    """What waits for a choice, where both changed one field; found without evaluating anything."""
    walk = Walk(tied=frozenset(), choices=choices)
    walk.document(base, mine, theirs)
    return merged_document(kind, base, mine, theirs, choices=choices) if walk.open else None


def _tied(versions: tuple[dict[str, Any], ...], check: Check) -> frozenset[str]:
    """Parts that have to come from one side together; none for most merges."""
    tied: frozenset[str] = frozenset()
    faults = _faults_of_both(versions, tied, check)
    while faults:
        for part in _parts_above(faults[0].path):
            left = _faults_of_both(versions, tied | {part}, check)
            if faults[0] not in left:
                tied, faults = tied | {part}, left
                break
        else:
            return _tied_over_parts(versions, check)
    return frozenset(part for part in tied if not any(_is_in(part, other) for other in tied - {part}))


def _tied_over_parts(versions: tuple[dict[str, Any], ...], check: Check) -> frozenset[str]:
    """Where changes of different parts do not fit one another, such as of the pod and of the layout."""
    tied = _changed_parts(versions)
    for part in sorted(tied):
        if len(tied) > 1 and not _faults_of_both(versions, tied - {part}, check):
            tied -= {part}
    return tied


def _faults_of_both(
    versions: tuple[dict[str, Any], ...], tied: frozenset[str], check: Check
) -> list[InputError]:
    """Faults of the document, whichever side is taken where both changed a field."""
    walks = [Walk(tied=tied, otherwise="mine"), Walk(tied=tied, otherwise="theirs")]
    documents = [walk.document(*versions) for walk in walks]
    faults = _faults(check, documents[0])
    if walks[0].conflicts:
        faults += _faults(check, documents[1])
    return faults


def _faults(check: Check, document: dict[str, Any]) -> list[InputError]:
    try:
        check(document)
    except ScenarioError as error:
        return list(error.errors)
    return []


def _changed_parts(versions: tuple[dict[str, Any], ...]) -> frozenset[str]:
    """Parts of the document, such as workload and pod, that either side changed."""
    base, mine, theirs = versions
    names = dict.fromkeys([*base, *mine, *theirs])
    return frozenset(name for name in names if not mine.get(name) == base.get(name) == theirs.get(name))


def _parts_above(path: str) -> Iterator[str]:
    """
    >>> list(_parts_above("pod.also[0].supernodes"))
    ['pod.also[0].supernodes', 'pod.also[0]', 'pod.also', 'pod']
    """
    while path:
        yield path
        path = re.sub(r"(^|\.)[^.\[]*$|\[\d+\]$", "", path)


def _is_in(path: str, part: str) -> bool:
    return path == part or path.startswith((f"{part}.", f"{part}["))
