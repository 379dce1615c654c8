"""The page of something saved."""

from __future__ import annotations

from app.saved.records import Kind


def address_of(kind: Kind, id: str, revision: int | None = None) -> str:
    """Where something saved is looked at, or one revision of it.

    >>> address_of("scenario", "ab", 3), address_of("pod", "cd")
    ('/designs/ab?revision=3', '/saved/pod/cd')
    """
    place = {"scenario": f"/designs/{id}", "projection": f"/scaling/{id}"}.get(kind, f"/saved/{kind}/{id}")
    return f"{place}?revision={revision}" if revision else place
