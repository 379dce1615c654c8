"""What of a workspace's own rows is worth another look, most of all after the built-in catalog was upgraded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from app.catalog.kinds import KINDS
from app.catalog.lookup import Catalog
from app.catalog.own.known import Known
from app.catalog.own.planning import figure_text
from app.catalog.own.removing import references
from app.catalog.store import WITHDRAWN
from app.catalog.values import Part

Why = Literal["equal", "older", "withdrawn", "dangling"]
WORDS: dict[Why, str] = {
    "equal": "The built-in catalog says the same now; the own value can go.",
    "older": "The built-in catalog has a newer value.",
    "withdrawn": "The built-in row has left the catalog; only the workspace keeps it.",
    "dangling": "It names a row that is no longer there.",
}


class Finding(NamedTuple):
    """One value of an own row, or the row as a whole where `field` is ""."""

    kind: str
    key: str
    name: str
    field: str
    why: Why
    own: str
    own_date: str
    builtin: str
    builtin_date: str

    @property
    def words(self) -> str:
        return WORDS[self.why]


def review(catalog: Catalog) -> tuple[Finding, ...]:
    """Overrides that the built-in catalog has caught up with, and rows that have lost what they were about."""
    return tuple(finding for part in catalog.own_parts() for finding in _findings(part, Known(catalog)))


def _findings(part: Part, known: Known) -> Iterator[Finding]:
    builtin = known.builtin(part.kind, part.key)
    if builtin is not None and builtin.status == WITHDRAWN:
        yield _of_row(part, "withdrawn")
    for key, kinds in references(part):
        if not any(known.has(kind, key) for kind in kinds):
            yield _of_row(part, "dangling", key)
    if builtin is not None:
        for field in ("value",) if KINDS[part.kind].table == "price" else part.stated:
            yield from _of_value(part, builtin, field)
    elif part.kind == "prices":
        yield from _of_price(part, known)


def _of_value(part: Part, builtin: Part, field: str) -> Iterator[Finding]:
    own, theirs = part.facts.get(field), builtin.facts.get(field)
    if own is None or theirs is None:
        words = (str(part.attributes.get(field, "")), str(builtin.attributes.get(field, "")))
        if field in part.attributes and words[0] == words[1]:
            yield Finding(part.kind, part.key, part.name, field, "equal", words[0], "", words[1], "")
        return
    why: Why
    if (own.value, own.low, own.high) == (theirs.value, theirs.low, theirs.high):
        why = "equal"
    elif is_newer(theirs.date, own.date):
        why = "older"
    else:
        return
    yield Finding(
        part.kind, part.key, part.name, field, why,
        figure_text(own), own.date, figure_text(theirs), theirs.date,
    )  # fmt: skip


def _of_price(part: Part, known: Known) -> Iterator[Finding]:
    """An own price under a key of its own, where the built-in catalog has a newer one of the same part."""
    own = part.facts["value"]
    theirs = known.catalog.builtin.price(str(part.attributes.get("part_key", "")))
    if theirs is not None and is_newer(theirs.as_of, own.date):
        yield Finding(
            part.kind, part.key, part.name, "value", "older",
            figure_text(own), own.date, f"{theirs.value:,.6g}", theirs.as_of,
        )  # fmt: skip


def _of_row(part: Part, why: Why, key: str = "") -> Finding:
    return Finding(part.kind, part.key, part.name, "", why, key, "", "", "")


def is_newer(date: str, than: str) -> bool:
    """Return whether a date, as exactly as it is known, lies behind another.

    >>> is_newer("2026-05", "2026-04-30"), is_newer("2026", "2026-04"), is_newer("2026", "2025-12")
    (True, False, True)
    """
    shortest = min(len(date), len(than))
    return bool(date and than) and date[:shortest] > than[:shortest]
