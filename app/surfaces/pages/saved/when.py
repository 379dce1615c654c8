"""Moments in words. static/js/saved/when.js says them again as time goes by, in the reader's time zone."""

from __future__ import annotations

from datetime import UTC, datetime

from markupsafe import Markup


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
