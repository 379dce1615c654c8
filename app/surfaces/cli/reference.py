"""Resolution of REF: a file, a saved scenario by id or name, or a worked example."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from app.likeness import nearest_names
from app.saved.errors import NotSavedError
from app.saved.imports import import_file
from app.saved.records import Saved
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError, refuse, shorten
from app.scenarios.examples import example, list_examples
from app.surfaces.files.work import Work, saved_work, work_of

ID = re.compile(r"[0-9a-f]{32}")
FILE_ENDINGS = (".yaml", ".yml", ".json", ".xlsx", ".csv")
MOST_COMPARED = 500


def referred(ref: str, saved: SavedWork, revision: int | None = None) -> Work:
    """The scenario that REF names: of a file first, then by id, by name, and of an example.

    Raises
    ------
    ScenarioError : nothing has that name, or several have; or what it names cannot be used
    NotSavedError : the scenario has no such revision
    """
    if Path(ref).exists():
        return _unsaved(work_of(import_file(ref), saved), ref, revision)
    if (id := _saved_id(ref, saved)) is not None:
        return saved_work(saved, id, revision)
    if ref in {known.key for known in list_examples()}:
        return _unsaved(work_of(example(ref).read(), saved), ref, revision)
    if os.sep in ref or ref.lower().endswith(FILE_ENDINGS):
        import_file(ref)  # says what is wrong with the path
    names = [known.key for known in list_examples()] + [known.name for known in _some(saved)]
    raise _fault(
        f"{shorten(ref)} is neither a file, nor a saved scenario, nor an example.",
        f"Nearest: {nearest_names(ref[:80], names)}.",
        ref,
    )


def _saved_id(ref: str, saved: SavedWork) -> str | None:
    if ID.fullmatch(ref):
        try:
            return saved.get("scenario", ref).id
        except NotSavedError:
            pass  # someone may have called a scenario so
    named = [found for found in _all_with_words_of(ref, saved) if found.name == ref]
    if len(named) > 1:
        ids = ", ".join(found.id for found in named[:5])
        raise _fault(
            f"{len(named)} saved scenarios are called {shorten(ref)}.", f"Name one by its id: {ids}.", ref
        )
    return named[0].id if named else None


def _all_with_words_of(name: str, saved: SavedWork) -> Iterator[Saved]:
    after = None
    while True:
        page = saved.listed("scenario", search=name, limit=MOST_COMPARED, after=after)
        yield from page.items
        after = page.next
        if after is None:
            return


def _some(saved: SavedWork) -> tuple[Saved, ...]:
    return saved.listed("scenario", limit=MOST_COMPARED).items


def _unsaved(work: Work, ref: str, revision: int | None) -> Work:
    if revision is not None:
        raise _fault(f"{shorten(ref)} has no revisions.", "Only saved scenarios have them.", ref)
    return work


def _fault(message: str, hint: str, ref: str) -> ScenarioError:
    return refuse(message, rule="reference", value=ref, hint=hint)
