"""How what is unknown stands in a table."""

from __future__ import annotations

from app.charts.format import Shown, show


def known(shown: Shown) -> Shown:
    """What is shown, or that it is unknown.

    >>> known(show(None)).value, known(show(2.0, "s")).value
    ('unknown', '2.00')
    """
    return Shown("unknown") if shown == show(None) else shown
