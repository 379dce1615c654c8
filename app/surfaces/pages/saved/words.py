"""Fields that differ, in the words of the form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from markupsafe import Markup

from app.charts.format import show
from app.saved.diff import input_changes
from app.saved.records import Change
from app.scenarios.document.ranges import ranged_field
from app.surfaces.pages.studio.changes import field_words
from app.surfaces.pages.studio.choices import DESIGN
from app.surfaces.pages.studio.fields import fields_by_path
from app.surfaces.pages.studio.form import Choices

LONGEST = 120
FIRST = 3
NOT_STATED = "not stated"


class Difference(NamedTuple):
    """One field on both sides, in words."""

    path: str
    label: str
    before: str
    after: str

    @property
    def brief(self) -> str:
        if self.after == NOT_STATED:
            return f"{self.label} {self.before} taken out"
        if self.before == NOT_STATED:
            return f"{self.label} set to {self.after}"
        return f"{self.label} {self.before} to {self.after}"


def differences(before: dict[str, Any], after: dict[str, Any], choices: Choices) -> tuple[Difference, ...]:
    """The fields in which two scenarios differ; a default that one states is no difference."""
    return in_words(input_changes(before, after), choices)


def in_words(changes: Iterable[Change], choices: Choices) -> tuple[Difference, ...]:
    """Fields that differ, as people read them."""
    return tuple(
        Difference(
            change.path,
            label_of(change),
            words_of(change.path, change.before, choices, change.unit),
            words_of(change.path, change.after, choices, change.unit),
        )
        for change in changes
    )


def in_brief(found: Sequence[Difference]) -> str:
    """Number of differing fields, and the first: "SuperNodes 1,920 to 2,048 and 2 more"."""
    if not found:
        return "nothing that the scenario states"
    more = f" and {len(found) - FIRST} more" if len(found) > FIRST else ""
    return ", ".join(each.brief for each in found[:FIRST]) + more


def label_of(change: Change) -> str:
    """What the form calls a field, else what the difference does."""
    ranged, part = ranged_field(change.path)
    field = fields_by_path().get(ranged or change.path)
    if field is None:
        return change.label
    return f"{field.label}, {part} of its range" if ranged else field.label


def words_of(path: str, value: Any, choices: Choices, unit: str = "") -> str:
    """A value of a scenario as people read it."""
    ranged, _ = ranged_field(path)
    field = fields_by_path().get(ranged or path)
    if value is None:
        return NOT_STATED
    if path == "supernode.design":
        field, value = fields_by_path()["supernode.system"], f"{DESIGN}{value}"
    if field is not None:
        return _shortened(field_words(field, value, choices))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return show(value, unit or "1").text
    if isinstance(value, dict | list | tuple):
        name = value.get("name") if isinstance(value, dict) else None
        return _shortened(str(name)) if name else "written out"
    return _shortened(str(value))


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "\u2026"


def ago(moment: datetime, now: datetime | None = None) -> str:
    """How long ago, up to a day; then the date.

    >>> ago(datetime(2026, 11, 14, 14, 2, tzinfo=UTC), datetime(2026, 11, 14, 14, 5, tzinfo=UTC))
    '3 minutes ago'
    >>> ago(datetime(2026, 11, 14, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC))
    '14 Nov 2026'
    """
    seconds = ((now or datetime.now(UTC)) - moment).total_seconds()
    if seconds < 60:
        return "just now"
    for most, size, name in ((3600, 60, "minute"), (86_400, 3600, "hour")):
        if seconds < most:
            count = int(seconds // size)
            return f"{count} {name}{'' if count == 1 else 's'} ago"
    return f"{moment.day} {moment:%b %Y}"


def when(moment: datetime) -> Markup:
    """A moment as an element of a page."""
    return Markup('<time datetime="{}" title="{} UTC" data-ago>{}</time>').format(
        moment.isoformat(), f"{moment.day} {moment:%b %Y, %H:%M}", ago(moment)
    )


def clock(moment: datetime) -> Markup:
    """The time of day of a moment, and its date where that is another."""
    return Markup('<time datetime="{}" title="{} UTC" data-clock>{:%H:%M} UTC</time>').format(
        moment.isoformat(), f"{moment.day} {moment:%b %Y, %H:%M}", moment
    )
