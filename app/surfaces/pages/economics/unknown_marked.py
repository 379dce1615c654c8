"""How what is unknown stands in a table."""

from __future__ import annotations

from app.charts.format import Shown, show


def unknown_marked(shown: Shown) -> Shown:
    """What is shown, or that it is unknown.

    >>> unknown_marked(show(None)).value, unknown_marked(show(2.0, "s")).value
    ('unknown', '2.00')
    """
    return Shown("unknown") if shown == show(None) else shown
