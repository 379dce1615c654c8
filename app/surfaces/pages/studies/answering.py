"""The answer of a study while it is searched for: rows as they are found, and the board at the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from app.scenarios.errors import ScenarioError
from app.views.study.answer import StudyProgress
from app.views.study.report import StudyAnswer, StudyRow

MOST_ROWS = 40
"""Rows that are sent while the search goes on: the best of those found so far."""


def events_of(
    steps: Iterator[StudyProgress | StudyAnswer],
    rows_text: Callable[[tuple[StudyRow, ...]], str],
    answer_text: Callable[[StudyAnswer], str],
    remember: Callable[[StudyAnswer], None],
) -> Iterator[str]:
    """The steps of a search as events: `progress`, `rows`, and in the end `answer` or `refused`.

    Closing the connection ends the search. An answer is remembered, for reports of it.
    """
    shown: tuple[str, ...] = ()
    try:
        for step in steps:
            if isinstance(step, StudyAnswer):
                remember(step)
                yield event("answer", answer_text(step))
                return
            yield event("progress", json.dumps({"done": step.done, "total": step.total}))
            found = step.rows[:MOST_ROWS]
            keys = tuple(row.key for row in found)
            if keys and keys != shown:
                shown = keys
                yield event("rows", rows_text(found))
    except ScenarioError as error:
        yield event("refused", json.dumps([str(one) for one in error.errors]))


def event(name: str, text: str) -> str:
    """One event of a stream.

    >>> event("rows", "a\\nb")
    'event: rows\\ndata: a\\ndata: b\\n\\n'
    """
    return f"event: {name}\n" + "".join(f"data: {line}\n" for line in text.split("\n")) + "\n"
