"""A list of saved work: what was asked of it, and the cards that answer."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

from app.saved.errors import BadCursorError
from app.saved.records import Kind
from app.saved.store import SavedWork, Sort
from app.surfaces.pages.saved.cards import SavedCard, saved_card

AT_ONCE = 12
SORTS: tuple[tuple[Sort, str], ...] = (("updated", "Last changed"), ("name", "Name"))


class Asked(NamedTuple):
    """What a list is narrowed to; `after` is where the next cards begin."""

    q: str = ""
    tag: str = ""
    sort: str = "updated"
    after: str = ""

    @property
    def narrows(self) -> bool:
        return bool(self.q or self.tag)

    def address(self, path: str) -> str:
        """The address that asks for this."""
        fields = {
            name: text
            for name, text in self._asdict().items()
            if text and (name, text) != ("sort", "updated")
        }
        return f"{path}{'&' if '?' in path else '?'}{urlencode(fields)}" if fields else path


class Shelf(NamedTuple):
    """`tags` are those in use with their counts; `more` is the address of the cards that follow."""

    path: str
    kind: Kind
    asked: Asked
    cards: tuple[SavedCard, ...]
    tags: tuple[tuple[str, int], ...]
    more: str
    fault: str = ""

    @property
    def is_empty(self) -> bool:
        """Nothing is saved at all."""
        return not self.cards and not self.asked.narrows and not self.asked.after


def shelf(work: SavedWork, kind: Kind, path: str, asked: Asked) -> Shelf:
    """The cards that were asked for; a token that leads nowhere begins anew and says so."""
    sort: Sort = "name" if asked.sort == "name" else "updated"
    asked = asked._replace(sort=sort, q=asked.q.strip())
    fault = ""
    try:
        page = work.listed(
            kind, limit=AT_ONCE, after=asked.after or None, search=asked.q, tag=asked.tag or None, sort=sort
        )
    except BadCursorError:
        fault = "This page of the list no longer exists; here is the first."
        asked = asked._replace(after="")
        page = work.listed(kind, limit=AT_ONCE, search=asked.q, tag=asked.tag or None, sort=sort)
    return Shelf(
        path=path,
        kind=kind,
        asked=asked,
        cards=tuple(saved_card(saved) for saved in page.items),
        tags=work.tags(kind),
        more=asked._replace(after=page.next).address(path) if page.next else "",
        fault=fault,
    )
