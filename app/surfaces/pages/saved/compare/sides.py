"""What is compared: an example, a saved scenario, one of its revisions, or what is unsaved of it."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from app.charts.figure import get_path
from app.charts.format import number
from app.saved.errors import NotSavedError
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.surfaces.pages.design_name import outdated, size_words
from app.surfaces.pages.designs import Designs, is_new
from app.surfaces.pages.saved.rights import SavedKey, saved_key
from app.surfaces.pages.studio.form import Values, stated_values

MOST = 200  # saved scenarios that the select offers


class Side(NamedTuple):
    """`explain` is what stands before and after the path of a figure in the address of its explanation."""

    ref: str
    name: str
    meta: tuple[str, ...]
    address: str
    values: Values
    evaluation: dict[str, Any]
    explain: tuple[str, str]

    @property
    def outdated(self) -> str:
        """The size of the design where its name has another."""
        return outdated(self.evaluation)


class NoSideError(Exception):
    """There is nothing of that name, or it cannot be evaluated."""


class Option(NamedTuple):
    """Something that can be chosen to compare with."""

    ref: str
    name: str


def side(ref: str, state: Values | None, encoded: str, designs: Designs, work: SavedWork) -> Side:
    """The side that `ref` names; `state` is an unsaved scenario that was made from it.

    Raises
    ------
    NoSideError : its message is shown on the page
    """
    named = saved_key(ref)
    try:
        if state is not None:
            return _unsaved(ref, state, encoded, designs)
        if named is not None and named.revision:
            return _revision(named, work)
        return _current(ref, named, designs, work)
    except (KeyError, NotSavedError):
        raise NoSideError(
            f"There is no design {ref[:60]}. It may have been deleted; choose another."
        ) from None
    except ScenarioError as error:
        raise NoSideError(f"It cannot be evaluated: {error}") from None


def options(designs: Designs, work: SavedWork) -> tuple[tuple[str, tuple[Option, ...]], ...]:
    """What can be chosen, in groups."""
    saved = work.listed("scenario", limit=MOST).items if work.has_lists else ()
    shared = work.shared("scenario", limit=MOST).items
    return (
        ("Your designs", tuple(Option(each.id, each.name) for each in saved)),
        ("Shared with you", tuple(Option(each.id, each.name) for each in shared)),
        (
            "Worked examples",
            tuple(Option(key, str(designs.evaluated(key).as_json["name"])) for key in designs.listed()),
        ),
    )


def _current(ref: str, named: SavedKey | None, designs: Designs, work: SavedWork) -> Side:
    found = designs.evaluated(ref)
    words = ["New design" if is_new(ref) else "Worked example"]
    if named is not None:
        words = [f"Revision {work.get('scenario', named.id).revision}, with today's catalog"]
    return Side(
        ref=ref,
        name=found.document.name,
        meta=(*_size(found.as_json), *words),
        address=f"/designs/{ref}",
        values=stated_values(found.document),
        evaluation=found.as_json,
        explain=(f"/designs/{ref}/explain/", ""),
    )


def _revision(named: SavedKey, work: SavedWork) -> Side:
    revision = work.revision("scenario", named.id, named.revision)
    results = work.results(named.id, named.revision)
    return Side(
        ref=str(named),
        name=str(revision.document.get("name", "")),
        meta=(*_size(results), f"Revision {named.revision}, figures as they were saved"),
        address=f"/designs/{named.id}?revision={named.revision}",
        values=revision.document,
        evaluation=results,
        explain=(f"/designs/{named.id}/explain/", f"?revision={named.revision}"),
    )


def _unsaved(ref: str, state: Values, encoded: str, designs: Designs) -> Side:
    document = build_scenario(state)
    found = designs.evaluate(ref, document)
    query = f"?{urlencode({'s': encoded})}"
    return Side(
        ref=ref,
        name=document.name,
        meta=(*_size(found.as_json), "Unsaved changes"),
        address=f"/designs/{ref}{query}",
        values=stated_values(document),
        evaluation=found.as_json,
        explain=(f"/designs/{ref}/explain/", query),
    )


def _size(evaluation: dict[str, Any]) -> tuple[str, ...]:
    count = get_path(evaluation, "inputs.pod.accelerators_used")
    words = (size_words(evaluation), "" if count is None else f"{number(count)} accelerators")
    return tuple(word for word in words if word)
