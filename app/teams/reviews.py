"""Reviews of saved work: a revision is a draft, in review, or approved. An approved one is the locked
baseline.

A review is of one revision, and revisions never change: a change of an approved one makes a new draft, and
the baseline stays as it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from sqlmodel import Session, col, select

from app.db.tables import ReviewStepRow
from app.saved.access import Action, ForbiddenError
from app.saved.change_log import log_change
from app.saved.records import WORDS, Kind
from app.saved.rows import HeadRow
from app.saved.store import SavedWork
from app.saved.writing import LONGEST_NOTE, newest_revision
from app.scenarios.errors import refuse
from app.teams.asking import Asking
from app.teams.audit import audit
from app.teams.notifying.outbox import path_of, tell_people, tell_webhook
from app.teams.teams import owners

State = Literal["draft", "in_review", "approved"]
Move = Literal["send", "withdraw", "return", "approve"]
MOVES: tuple[Move, ...] = get_args(Move)
STATE_WORDS: dict[State, str] = {"draft": "Draft", "in_review": "In review", "approved": "Approved"}
AFTER: dict[Move, tuple[State, State, Action]] = {
    "send": ("draft", "in_review", "write"),
    "withdraw": ("in_review", "draft", "write"),
    "return": ("in_review", "draft", "manage"),
    "approve": ("in_review", "approved", "manage"),
}
"""State that a move starts from, the one that it leads to, and what someone must be allowed to do."""
DONE: dict[Move, str] = {
    "send": "sent for review", "withdraw": "withdrawn", "return": "returned", "approve": "approved",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Someone moved a revision to a state; `by` is what they were called then."""

    revision: int
    state: State
    by: str
    at: datetime
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """Where something saved stands.

    Parameters
    ----------
    state : of the newest revision
    step : what led to it; None of a draft that was never sent
    baseline : the newest revision that was approved; None where none was
    steps : all steps, the newest first
    moves : what the caller may do with the newest revision now
    waits_for : why the caller may not approve what is in review; "" where they may, or nothing is
    """

    revision: int
    version: int
    state: State
    step: Step | None
    baseline: Step | None
    steps: tuple[Step, ...]
    moves: tuple[Move, ...]
    waits_for: str

    @property
    def words(self) -> str:
        return STATE_WORDS[self.state]


class Reviews:
    """Reviews of saved work as the caller may see and make them."""

    def __init__(self, work: SavedWork, asking: Asking) -> None:
        self._work = work
        self._asking = asking

    def of(self, kind: Kind, id: str) -> Review:
        """The review of the newest revision, and of those before it."""
        with self._work.sessions.reading() as session:
            head = self._work.sessions.head(session, kind, id)
            return self._review(session, kind, head)

    def move(self, kind: Kind, id: str, move: Move, *, version: int | None, note: str = "") -> Review:
        """Send the newest revision for review, take it back, return it with a note, or approve it.

        Raises
        ------
        ChangedMeanwhileError : it has another version by now
        ForbiddenError : the caller may not do this
        ScenarioError : the revision is in another state, or the note cannot be used
        """
        before, after, action = AFTER[move]
        words = " ".join(note.split())
        if len(words) > LONGEST_NOTE:
            raise refuse(f"A note has at most {LONGEST_NOTE} characters.", rule="at_most", path="note")
        with self._work.sessions.changing(kind, id, version, action=action) as (session, head):
            last = _last(session, head.id, head.revision)
            state: State = _step(last).state if last else "draft"
            if state != before:
                raise refuse(
                    f"Revision {head.revision} is {STATE_WORDS[state].lower()}, not {STATE_WORDS[before].lower()}.",
                    rule="state",
                    path="move",
                    value=move,
                    hint="Save a change, which is a new draft."
                    if state == "approved"
                    else "Reload to see it.",
                )
            if move == "return" and not words:
                raise refuse(
                    "A note is needed.", rule="required", path="note", hint="Say what should change."
                )
            if move == "approve" and (why := self._why_not(session, kind, head)):
                raise ForbiddenError(why)
            actor = self._asking.actor
            session.add(
                ReviewStepRow(
                    workspace_id=head.workspace_id,
                    kind=kind,
                    saved_id=head.id,
                    revision=head.revision,
                    state=after,
                    note=words,
                    account_id=actor.account_id,
                    actor=actor.name,
                )
            )
            head.version += 1
            session.flush()
            self._note(session, kind, head, move, after, words)
            return self._review(session, kind, head)

    def _review(self, session: Session, kind: Kind, head: HeadRow) -> Review:
        query = select(ReviewStepRow).where(col(ReviewStepRow.saved_id) == head.id)
        steps = tuple(map(_step, session.exec(query.order_by(col(ReviewStepRow.id).desc()))))
        step = next((one for one in steps if one.revision == head.revision), None)
        state: State = step.state if step else "draft"
        rights = self._work.sessions.rights(session, kind, head.id)
        why = ""
        if state == "in_review":
            why = (
                self._why_not(session, kind, head)
                if "manage" in rights
                else "An owner of the workspace approves it."
            )
        moves = [move for move in MOVES if AFTER[move][0] == state and AFTER[move][2] in rights]
        return Review(
            revision=head.revision,
            version=head.version,
            state=state,
            step=step,
            baseline=next((one for one in steps if one.state == "approved"), None),
            steps=steps,
            moves=tuple(move for move in moves if move != "approve" or not why),
            waits_for=why,
        )

    def _why_not(self, session: Session, kind: Kind, head: HeadRow) -> str:
        """Why the caller, an owner, may not approve: what one wrote or sent, another owner approves, where
        there is one."""
        account = self._asking.actor.account_id
        if account is None or set(owners(session, head.workspace_id)) <= {account}:
            return ""
        sent = _last(session, head.id, head.revision)
        wrote = newest_revision(session, kind, head).created_by
        if account == wrote or (sent is not None and account == sent.account_id):
            return "You wrote or sent this revision: another owner of the workspace approves it."
        return ""

    def _note(self, session: Session, kind: Kind, head: HeadRow, move: Move, state: State, note: str) -> None:
        """In the log of who did what, in that which open pages follow, and to whom it concerns."""
        actor = self._asking.actor
        log_change(
            session, actor, "reviewed", kind=kind, saved_id=head.id, workspace_id=head.workspace_id,
            revision=head.revision, version=head.version, detail={"state": state},
        )  # fmt: skip
        audit(
            session, self._asking, f"review.{DONE[move].replace(' ', '_')}", kind=kind, resource_id=head.id,
            workspace_id=head.workspace_id, revision=head.revision, **({"note": note} if note else {}),
        )  # fmt: skip
        content = {
            "kind": kind,
            "id": head.id,
            "path": path_of(kind, head.id),
            "name": head.name,
            "revision": head.revision,
            "state": state,
            "by": actor.name,
            "text": note,
            "says": f"{actor.name} has {DONE[move]} revision {head.revision} of the {WORDS[kind]} {head.name}.",
        }
        tell_webhook(session, self._work.channels, head, "reviewed", content)
        concerned = (
            owners(session, head.workspace_id) if state == "in_review" else self._senders(session, kind, head)
        )
        people = {one for one in concerned if one != actor.account_id}
        tell_people(session, self._work.channels, head, "reviewed", content, people)

    def _senders(self, session: Session, kind: Kind, head: HeadRow) -> set[str]:
        """Who wrote the newest revision, and who sent it."""
        rows = session.exec(
            select(ReviewStepRow.account_id).where(
                col(ReviewStepRow.saved_id) == head.id,
                col(ReviewStepRow.revision) == head.revision,
                col(ReviewStepRow.state) == "in_review",
            )
        )
        return {one for one in (*rows, newest_revision(session, kind, head).created_by) if one}


def _last(session: Session, id: str, revision: int) -> ReviewStepRow | None:
    query = select(ReviewStepRow).where(
        col(ReviewStepRow.saved_id) == id, col(ReviewStepRow.revision) == revision
    )
    return session.exec(query.order_by(col(ReviewStepRow.id).desc()).limit(1)).first()


def _step(row: ReviewStepRow) -> Step:
    return Step(
        revision=row.revision,
        state=row.state,  # type: ignore[arg-type]
        by=row.actor,
        at=row.at,
        note=row.note,
    )
