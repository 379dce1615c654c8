"""When a link ends, as the form asks for it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from app.db.tables.base import now
from app.scenarios.errors import refuse, shorten

ENDS = (
    ("1", "in 1 day"),
    ("7", "in 7 days"),
    ("30", "in 30 days"),
    ("never", "never"),
    ("date", "on a date"),
)
USUAL = "30"


def end_of(chosen: str, date: str) -> datetime | None:
    """The moment at which a link ends, None for never. A date counts to its end, in UTC.

    Raises
    ------
    ScenarioError : no end was chosen, or the date is none
    """
    if chosen == "never":
        return None
    if chosen in ("1", "7", "30"):
        return now() + timedelta(days=int(chosen))
    if chosen != "date":
        raise refuse(f"{shorten(chosen)} is no end of a link.", rule="one_of", path="end", value=chosen)
    try:
        day = datetime.strptime(date.strip(), "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        hint = "Write it as 2027-03-31."
        raise refuse(
            f"{shorten(date)} is not a date.", rule="date", path="date", value=date, hint=hint
        ) from None
    return day + timedelta(days=1)
