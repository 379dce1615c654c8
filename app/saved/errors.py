"""Errors of saved work."""

from __future__ import annotations

from typing import Literal

from app.saved.merge import Conflict, Merge
from app.saved.records import WORDS, Kind, Saved

LONGEST_VALUE = 40  # of a field, in a message

StorageReason = Literal["read_only", "full", "busy", "damaged", "newer", "unreachable", "lost"]


class NotSavedError(LookupError):
    """There is no such scenario, design or revision, or it was deleted."""

    def __init__(self, kind: Kind, id: str, revision: int | None = None) -> None:
        self.kind = kind
        self.id = id
        self.revision = revision
        what = f"revision {revision} of the {WORDS[kind]}" if revision is not None else f"saved {WORDS[kind]}"
        super().__init__(f"There is no {what} {id[:40]!r}.")


class ChangedMeanwhileError(Exception):
    """Someone changed it since it was read; `current` is what it is now. Nothing was written."""

    def __init__(self, current: Saved) -> None:
        self.current = current
        super().__init__(
            f"The {WORDS[current.kind]} {current.name!r} was changed meanwhile: it is at version "
            f"{current.version} (revision {current.revision}). Read it again, or save yours under another name."
        )


class MergeConflictError(Exception):
    """Fields that both sides changed wait for a choice; `current` is what it is now. Nothing was written.

    `authors` are those who saved since, as far as that is known.
    """

    def __init__(self, current: Saved, merge: Merge, authors: tuple[str, ...] = ()) -> None:
        self.current = current
        self.merge = merge
        self.authors = authors
        fields = [_both_values(conflict) for conflict in merge.conflicts]
        more = f" and {len(fields) - 3} more" if len(fields) > 3 else ""
        who = f" by {' and '.join(authors)}" if authors else ""
        super().__init__(
            f"Revision {current.revision} of the {WORDS[current.kind]} {current.name!r} was saved meanwhile{who}, and "
            f"changes what you changed: {', '.join(fields[:3])}{more}. Choose mine or theirs for each."
        )


def _both_values(conflict: Conflict) -> str:
    """A field with the values of both sides, where they are short."""
    sides = (conflict.mine, conflict.theirs)
    if any(isinstance(value, dict | list | tuple) or len(str(value)) > LONGEST_VALUE for value in sides):
        return conflict.label
    mine, theirs = ("not stated" if value is None else str(value) for value in sides)
    return f"{conflict.label} (yours {mine}, theirs {theirs})"


class BadCursorError(ValueError):
    """The token of a page is not one that was given out for this list."""

    def __init__(self, token: str) -> None:
        self.token = token
        super().__init__("This page token does not belong to this list. Leave it out to start again.")


class StorageError(Exception):
    """The database could not do it. Nothing was written; the message says what to do."""

    def __init__(self, reason: StorageReason, message: str) -> None:
        self.reason = reason
        self.message = message
        super().__init__(message)

    @property
    def passes(self) -> bool:
        """Return whether it may be over in a moment, without anybody doing anything."""
        return self.reason in ("busy", "unreachable", "lost")


class KeyReusedError(Exception):
    """An idempotency key came with another request than the first time."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(
            f"The idempotency key {key[:60]!r} was used for another request. Use a new key for a new request."
        )


class KeyInFlightError(Exception):
    """The request that first brought this idempotency key is still being worked on."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(
            f"A request with the idempotency key {key[:60]!r} is still being worked on. Try again in a moment."
        )
