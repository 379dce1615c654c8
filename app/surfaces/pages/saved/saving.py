"""Saving what is open in the studio: as a new revision, or as a scenario of its own."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, TypeGuard, get_args

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse

from app.saved.diff import label_of_path, leaves_of, same_value
from app.saved.errors import MergeConflictError, NotSavedError
from app.saved.merge import Conflict, Side
from app.saved.merging import merge_result
from app.saved.records import Saved
from app.saved.store import SavedWork
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.load import build_scenario
from app.scenarios.reading.json_text import read_json
from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.saved.forms import FormDep, asked_again, done, tags_of
from app.surfaces.pages.saved.opened import expanded_values, opened_values
from app.surfaces.pages.saved.rights import ReadDep, SavedKey, WriteDep, may_keep, saved_key
from app.surfaces.pages.saved.words import NOT_STATED, Difference, in_words, words_of
from app.surfaces.pages.studio.fields import fields_by_path
from app.surfaces.pages.studio.form import Choices, stated_values
from app.surfaces.pages.templating import Templates, TemplatesDep, script_json

router = APIRouter(prefix="/designs/{key}", include_in_schema=False, default_response_class=HTMLResponse)

DELETED = (
    "This scenario was deleted meanwhile. Save yours under a name, or restore it from the deleted ones first."
)


@router.get("/save")
def save_form(
    key: str, work: ReadDep, source: DesignsDep, page: TemplatesDep, s: str = "", new: bool = False
) -> HTMLResponse:
    """Asks for a note, and for a name where a scenario begins; `s` is the scenario to be saved."""
    values = opened_values(source, key, s)
    origin = saved_key(key)
    may_write = origin is not None and "write" in work.rights("scenario", origin.id)
    if not may_write and not may_keep():
        return page.page("saved/no_save.html", back=f"/designs/{key}", looking=origin is not None)
    target = origin if may_write and not new else None
    saved = work.get("scenario", target.id) if target else None
    name = f"{values.get('name', '')}{' (copy)' if saved_key(key) else ''}"
    return page.page(
        "saved/save.html", **_form(key, saved, values, {}, name=name, note="", tags="", faults=())
    )


@router.post("/save")
def save(
    key: str, request: Request, form: FormDep, work: WriteDep, source: DesignsDep, page: TemplatesDep
) -> Response:
    """A revision of the scenario `key`, or a new scenario where the form says so or `key` is an example."""
    origin = saved_key(key)
    target = None if form.get("new") or origin is None else origin
    typed = {"name": form.get("name", ""), "note": form.get("note", ""), "tags": form.get("tags", "")}
    values: Any = {}
    try:
        values = read_json(form.get("scenario", ""))
        if not isinstance(values, dict):
            raise HTTPException(400, "The scenario is not an object.")
        saved = _merged(work, target, values, form) if target else _created(work, origin, values, form)
    except ScenarioError as error:
        kept = work.get("scenario", target.id) if target else None
        return asked_again(
            request, page, "saved/save.html", **_form(key, kept, values, form, faults=error.errors, **typed)
        )
    except NotSavedError:
        gone = InputError(path="", value=None, rule="deleted", message=DELETED)
        return asked_again(
            request, page, "saved/save.html", **_form(key, None, values, form, faults=(gone,), **typed)
        )
    except MergeConflictError as error:
        return _choices(
            request, page, clash(work, error, _base(form), source.choices(), form), values, **typed
        )
    if target is None:
        return done(request, f"/designs/{saved.id}", said=f"Saved as {saved.name}", saved=_told(saved))
    return _saved(request, work, saved, values, _base(form))


@router.post("/revisions/{number}/restore")
def restore(
    key: str,
    number: int,
    request: Request,
    form: FormDep,
    work: WriteDep,
    page: TemplatesDep,
    source: DesignsDep,
) -> Response:
    """An old revision saved again as the newest, with what others saved since the page was loaded."""
    note = f"Restored from revision {number}"
    again = _again(request, work, page, source.choices(), form, SavedKey(key, number), _base(form), note)
    return again or done(request, f"/designs/{key}/history", said=f"Revision {number} is restored")


@router.post("/revisions/{number}/undo")
def undo(
    key: str,
    number: int,
    request: Request,
    form: FormDep,
    work: WriteDep,
    page: TemplatesDep,
    source: DesignsDep,
) -> Response:
    """The fields that a save changed as they were before it; what was saved after it stays. Undone itself, it is
    done again."""
    before = SavedKey(key, number - 1)
    again = _again(request, work, page, source.choices(), form, before, number, f"Undid revision {number}")
    return again or done(request, f"/designs/{key}/history", said=f"Revision {number} is undone")


def _again(
    request: Request,
    work: SavedWork,
    page: Templates,
    choices: Choices,
    form: dict[str, str],
    wanted: SavedKey,
    base_revision: int,
    note: str,
) -> Response | None:
    """Save a revision again as if it had been made from another; what is to be chosen, else None."""
    document = work.revision("scenario", wanted.id, wanted.revision).document
    try:
        work.merge("scenario", wanted.id, document, base_revision=base_revision, note=note)
    except MergeConflictError as error:
        found = clash(work, error, base_revision, choices, form)
        return _choices(request, page, found, document, note=note)
    except ScenarioError as error:
        raise HTTPException(422, f"Revision {wanted.revision} cannot be saved again: {error}") from None
    return None


def _merged(work: SavedWork, target: SavedKey, values: dict[str, Any], form: dict[str, str]) -> Saved:
    """A save over whatever others saved since the revision that the form was made from."""
    prefix = len(CHOICE)
    return work.merge(
        "scenario",
        target.id,
        values,
        base_revision=_base(form),
        note=form.get("note", "").strip(),
        choices={
            name[prefix:]: side for name, side in form.items() if name.startswith(CHOICE) and _is_side(side)
        },
        seen_revision=_number(form.get("seen", "")),
    )


def _saved(
    request: Request, work: SavedWork, saved: Saved, values: dict[str, Any], base_revision: int
) -> Response:
    """Outcome of a save: where it was merged the page takes over what is new to it."""
    merged = merge_result(work, saved, values, base_revision)
    if not merged.from_theirs:
        said = f"Saved as revision {saved.revision}"
        return done(request, f"/designs/{saved.id}", said=said, saved=_told(saved))
    author = " and ".join(merged.authors)
    count = len(merged.from_theirs)
    said = (
        f"Merged with revision {merged.theirs}{f' by {author}' if author else ''}: "
        f"{count} field{'s' if count > 1 else ''} of theirs taken"
    )
    values_now = {**_told(saved), "values": stated_values(build_scenario(saved.document))}
    return done(request, f"/designs/{saved.id}/history", said=said, saved=values_now)


def _told(saved: Saved) -> dict[str, Any]:
    return {
        "id": saved.id,
        "revision": saved.revision,
        "version": saved.version,
        "is_new": saved.revision == 1,
    }


def _created(work: SavedWork, origin: SavedKey | None, values: dict[str, Any], form: dict[str, str]) -> Saved:
    parent = _parent(work, origin)
    if parent is not None and parent.workspace_id != work.workspace_id:
        values = expanded_values(values, work, parent)  # its designs are those of the other workspace
    return work.create(
        "scenario",
        {**values, "name": form.get("name", "").strip()},
        note=form.get("note", "").strip(),
        tags=tags_of(form.get("tags", "")),
        forked_from_id=parent.id if parent else None,
    )


def _parent(work: SavedWork, origin: SavedKey | None) -> Saved | None:
    """What a new scenario is made from, where all of that may be seen."""
    try:
        return work.get("scenario", origin.id) if origin else None
    except NotSavedError:
        return None


def _choices(
    request: Request, page: Templates, found: Clash, values: dict[str, Any], *, name: str = "", note: str = "",
    tags: str = "",
) -> Response:  # fmt: skip
    """What can be done where someone saved meanwhile; what was typed goes on."""
    context = {"clash": found, "key": found.current.id, "scenario": script_json(values)}
    return asked_again(
        request, page, "saved/conflict.html", status=409, name=name, note=note, tags=tags, **context
    )


def _form(key: str, saved: Saved | None, values: Any, form: dict[str, str], **typed: Any) -> dict[str, Any]:
    """The form as it was sent, with the version that it was made from; a new one is made from what is saved."""
    return {
        "key": key,
        "saved": saved,
        "made_from": {name: form.get(name) or getattr(saved, name, "") for name in ("version", "revision")},
        "scenario": script_json(values),
        "back": f"/designs/{key}",
        "from_saved": saved_key(key) is not None,
        **typed,
    }


def _base(form: dict[str, str]) -> int:
    """A save names the revision it was made from, else it could write over someone's work unseen."""
    revision = _number(form.get("revision", ""))
    if not revision:
        raise HTTPException(400, "The form does not say which revision it was made from. Reload the page.")
    return revision


def _is_side(text: str) -> TypeGuard[Side]:
    return text in get_args(Side)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


CHOICE = "choice:"
"""What the name of a form's field begins with that chooses a side; the path of the conflict follows."""

MOST_WORDS = 4


class Open(NamedTuple):
    """A field that both changed; `chosen` is "" where nothing is yet."""

    field: str  # of the form
    label: str
    base: str
    mine: str
    theirs: str
    chosen: str


class Clash(NamedTuple):
    """`revision` is the one that mine was changed from; `mine` and `theirs` merge by themselves.

    `again` where someone saved once more after the choices were shown.
    """

    current: Saved
    saved_at: datetime
    saved_by: str
    revision: int
    again: bool
    open: tuple[Open, ...]
    mine: tuple[Difference, ...]
    theirs: tuple[Difference, ...]


def clash(
    work: SavedWork, error: MergeConflictError, revision: int, choices: Choices, form: Mapping[str, str]
) -> Clash:
    """Mine beside theirs; what was chosen in `form` stays chosen, unless theirs is newer than what was seen."""
    again = form.get("seen") not in (None, str(error.current.revision))
    newest = work.revision(error.current.kind, error.current.id, error.current.revision)
    return Clash(
        current=error.current,
        saved_at=newest.created_at,
        saved_by=newest.author,
        revision=revision,
        again=again,
        open=tuple(in_form(each, choices, {} if again else form) for each in error.merge.conflicts),
        mine=in_words(error.merge.from_mine, choices),
        theirs=in_words(error.merge.from_theirs, choices),
    )


def in_form(conflict: Conflict, choices: Choices, form: Mapping[str, str]) -> Open:
    """A conflict as a field of the form."""
    field = f"{CHOICE}{conflict.path}"
    base, mine, theirs = _in_words(conflict, choices)
    return Open(field, _label(conflict), base, mine, theirs, form.get(field, ""))


def _label(conflict: Conflict) -> str:
    if conflict.path == "supernode":  # system, custom or design: what it is
        return fields_by_path()["supernode.system"].label
    known = [fields_by_path().get(path) for path in conflict.path.split(",")]
    return " and ".join(field.label for field in known if field) if all(known) else conflict.label


def _in_words(conflict: Conflict, choices: Choices) -> list[str]:
    """What base, mine and theirs state; of a part only what differs."""
    parts = [leaves_of(_placed(conflict, value)) for value in (conflict.base, conflict.mine, conflict.theirs)]
    paths = [
        path
        for path in dict.fromkeys(path for part in parts for path in part)
        if not all(same_value(part.get(path), parts[0].get(path)) for part in parts)
    ]
    return [
        _listed({path: part[path] for path in paths if path in part}, conflict, choices) for part in parts
    ]


def _placed(conflict: Conflict, value: Any) -> dict[str, Any]:
    """A value under its path; of several parts that belong together each has its own."""
    return value if "," in conflict.path else {conflict.path: value}


def _listed(leaves: dict[str, Any], conflict: Conflict, choices: Choices) -> str:
    if not leaves:
        return NOT_STATED
    if list(leaves) == [conflict.path]:
        return words_of(conflict.path, leaves[conflict.path], choices)
    words = [f"{_label_at(path)} {words_of(path, value, choices)}" for path, value in leaves.items()]
    more = f" and {len(words) - MOST_WORDS} more" if len(words) > MOST_WORDS else ""
    return ", ".join(words[:MOST_WORDS]) + more


def _label_at(path: str) -> str:
    field = fields_by_path().get(path)
    return field.label if field else label_of_path(path)
