"""What templates may ask of comments: only the pages that show them do."""

from __future__ import annotations

import logging

from fastapi import FastAPI

from app.catalog.ready import ready_engine
from app.saved.access import ForbiddenError
from app.saved.errors import NotSavedError, StorageError
from app.saved.records import Kind
from app.surfaces.pages.saved.ready import work_asked
from app.surfaces.pages.templating import Templates
from app.surfaces.pages.together.text import comment_text
from app.surfaces.pages.together.view import Shown, shown_thread
from app.teams.asking import asked
from app.teams.comments.mentions import Mentions
from app.teams.comments.store import Comments

logger = logging.getLogger(__name__)


def add_together(app: FastAPI) -> None:
    """Give the templates of an application their questions. Each answers for the caller."""

    def open_comments(kind: Kind, id: str) -> int:
        """Number of open threads; none where they cannot be read."""
        try:
            return sum(Comments(work_asked(app)).open_threads(kind, id).values())
        except (NotSavedError, ForbiddenError, StorageError):
            return 0

    def comments_then(kind: Kind, id: str, revision: int) -> tuple[Shown, ...]:
        """What had been said when a revision was the newest."""
        try:
            threads = Comments(work_asked(app)).listed(kind, id, revision=revision).items
        except (NotSavedError, ForbiddenError, StorageError):
            return ()
        return tuple(shown_thread(kind, thread) for thread in threads)

    def unread_mentions() -> int:
        """For the head of every page, error pages too: a database that cannot be read has none."""
        actor = asked().actor
        if not actor.account_id:
            return 0
        try:
            return Mentions(ready_engine(app.state.settings), actor).unread()
        except Exception as error:
            logger.warning("mentions cannot be counted", exc_info=error)
            return 0

    pages: Templates = app.state.templates
    pages.environment.globals |= {
        "open_comments": open_comments,
        "comments_then": comments_then,
        "unread_mentions": unread_mentions,
    }
    pages.environment.filters["comment_text"] = comment_text
