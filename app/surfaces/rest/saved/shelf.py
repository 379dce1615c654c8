"""The things that are saved, and how their routes differ: scenarios, designs and projections."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from app.saved.errors import NotSavedError
from app.saved.records import Kind, Page, Saved
from app.scenarios.errors import ScenarioError
from app.surfaces.rest.bodies import BodyValues
from app.surfaces.rest.handlers import scenario_problem
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.problem_types import NOT_FOUND, ProblemType
from app.surfaces.rest.problems import ProblemError
from app.surfaces.rest.saved.answers import Item, saved_item, time_text
from app.surfaces.rest.services import Services

ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """Saved items below one address."""

    address: str
    one: str
    many: str
    kinds: tuple[Kind, ...]
    answer: type[Item]
    page: type[Any]
    invalid: ProblemType
    links: Mapping[str, str]  # name -> address, with {id} for that of an item
    filters: tuple[dict[str, Any], ...]
    making_body: dict[str, Any]
    """Declares the body of what is saved as a new one, with examples."""
    changing_body: dict[str, Any]
    """The same for what replaces what is there."""
    check: Callable[[BodyValues], Kind]
    """The kind of a document that can be saved. ScenarioError, with the places of its faults, of one that cannot."""
    listed: Callable[[Services, Mapping[str, str]], Page[Saved]]
    """A page of what the parameters of a request ask for."""

    def find(self, found: Services, id: str, *, deleted: bool = False, number: int | None = None) -> Saved:
        """Something saved by its id; `number` is a revision that is asked for, where it may be the only one.

        Raises
        ------
        ProblemError : there is no such thing; what was deleted can be brought back, and the answer says how
        """
        for kind in self.kinds if ID.fullmatch(id) else ():
            try:
                saved = self._saved(found, kind, id, number)
            except NotSavedError:
                continue
            if saved.deleted_at is None or deleted:
                return saved
            detail = (
                f"The {self.one} {saved.name!r} was deleted on {time_text(saved.deleted_at)}. "
                f"POST {self.address}/{id}/restore brings it back."
            )
            raise ProblemError(NOT_FOUND, detail)
        raise ProblemError(NOT_FOUND, f"There is no saved {self.one} {id[:40]!r}.")

    def _saved(self, found: Services, kind: Kind, id: str, number: int | None) -> Saved:
        try:
            return found.saved.get(kind, id, deleted=True)
        except NotSavedError:
            if number is None:
                raise
            return found.saved.shown(kind, id, number)

    def item_of(self, saved: Saved) -> dict[str, Any]:
        """Something saved, in short, as an answer."""
        return saved_item(saved, {name: link.format(id=saved.id) for name, link in self.links.items()})

    def answer_of(self, saved: Saved) -> dict[str, Any]:
        """Something saved, with its document, as an answer."""
        return {**self.item_of(saved), "document": saved.document}

    @contextmanager
    def faults(self, limits: Limits, above: str = "") -> Iterator[None]:
        """Faults of what is to be saved become a problem of its kind; `above` is where it stands in the body."""
        try:
            yield
        except ScenarioError as error:
            raise scenario_problem(error, limits, self.invalid, above) from None
