"""Who has something open, and which field they are at. A row a page, kept fresh by the process that serves it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Engine
from sqlmodel import Session

from app.db.session import write_session
from app.db.tables import PresenceRow, table_of
from app.db.tables.base import now
from app.saved.access import Actor

REFRESHED_EVERY_S = 15.0
GONE_AFTER = timedelta(seconds=45)
MOST_TOLD = 20  # people that one page is told of by name
AT_ONCE = 400  # values in one statement
LOCAL_ID = "local"
"""Stands for the local user: all their pages are one person's."""

PRESENCE = table_of(PresenceRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """An open page."""

    id: str
    saved_id: str
    account_id: str | None
    name: str
    place: str = ""


def here_of(id: str, saved_id: str, actor: Actor) -> Here:
    """The open page of an actor. Anyone who came by a link has no account, and is a guest each time."""
    account_id = LOCAL_ID if actor.is_local else actor.account_id
    return Here(id=id, saved_id=saved_id, account_id=account_id, name=actor.name or "Guest")


def told_to(me: Here, here: Sequence[Here]) -> dict[str, Any]:
    """Who else is there, as one page is told; further pages of the same person are only counted.

    >>> ada, bob = (Here(id=name, saved_id="s", account_id=name, name=name) for name in ("ada", "bob"))
    >>> told_to(ada, [ada, bob])
    {'people': [{'name': 'bob', 'place': ''}], 'more': 0, 'tabs': 0}
    """
    own, people = 0, dict[str, dict[str, str]]()
    for one in here:
        if one.id == me.id:
            continue
        if one.account_id is not None and one.account_id == me.account_id:
            own += 1
            continue
        told = people.setdefault(one.account_id or one.id, {"name": one.name, "place": one.place})
        told["place"] = told["place"] or one.place
    shown = list(people.values())[:MOST_TOLD]
    return {"people": shown, "more": len(people) - len(shown), "tabs": own}


def present(session: Session, saved_ids: Collection[str]) -> dict[str, tuple[Here, ...]]:
    """Pages of these things that are open now, in any process: who came first stands first."""
    found: dict[str, list[Here]] = {}
    moment = now()
    columns = [PRESENCE.c[name] for name in ("id", "saved_id", "account_id", "name", "place")]
    for part in _parts(sorted(saved_ids)):
        query = (
            sa.select(*columns)
            .where(PRESENCE.c.saved_id.in_(part), PRESENCE.c.last_seen_at > moment - GONE_AFTER)
            .where(
                PRESENCE.c.last_seen_at < moment + GONE_AFTER
            )  # else the clock was put back, and no one is there
            .order_by(PRESENCE.c.since, PRESENCE.c.id)
        )
        for row in session.execute(query):
            found.setdefault(row.saved_id, []).append(Here(**row._mapping))
    return {saved_id: tuple(here) for saved_id, here in found.items()}


def write_presence(engine: Engine, came: Collection[Here], left: Collection[str]) -> None:
    """Pages that were opened, and those that were closed, in one transaction."""
    with write_session(engine) as session:
        _insert(session, [one for one in came if one.id not in left])
        for part in _parts(sorted(left)):
            session.execute(PRESENCE.delete().where(PRESENCE.c.id.in_(part)))


def refresh(engine: Engine, here: Mapping[str, Here]) -> None:
    """These pages are still open, by id; what has not been seen for long is cleared."""
    moment = now()
    with write_session(engine) as session:
        for part in _parts(sorted(here)):
            session.execute(PRESENCE.update().where(PRESENCE.c.id.in_(part)).values(last_seen_at=moment))
            known = set(session.scalars(sa.select(PRESENCE.c.id).where(PRESENCE.c.id.in_(part))))
            # another process may have cleared them, as after this one was suspended
            _insert(session, [here[id] for id in part if id not in known])
        stale = PRESENCE.c.last_seen_at < moment - 2 * GONE_AFTER
        session.execute(PRESENCE.delete().where(stale | (PRESENCE.c.last_seen_at > moment + 2 * GONE_AFTER)))


def move(session: Session, id: str, saved_id: str, account_id: str | None, place: str) -> bool:
    """Someone is at another field of what they have open; whether their page is known."""
    mine = sa.and_(
        PRESENCE.c.id == id, PRESENCE.c.saved_id == saved_id, PRESENCE.c.account_id.is_not_distinct_from(account_id)
    )  # fmt: skip
    moved: Any = session.execute(PRESENCE.update().where(mine).values(place=place))
    return bool(moved.rowcount)


def _insert(session: Session, here: Iterable[Here]) -> None:
    moment = now()
    rows = [
        {
            **{name: getattr(one, name) for name in ("id", "saved_id", "account_id", "name", "place")},
            "since": moment,
            "last_seen_at": moment,
        }
        for one in here
    ]
    if rows:
        session.execute(PRESENCE.insert(), rows)


def _parts(values: Sequence[str]) -> Iterable[Sequence[str]]:
    return (values[start : start + AT_ONCE] for start in range(0, len(values), AT_ONCE))
