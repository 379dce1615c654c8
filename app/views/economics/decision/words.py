"""Words that the answers share."""

from __future__ import annotations


def in_months(months: float) -> str:
    """A number of months in a sentence.

    >>> in_months(1.0), in_months(60.0)
    ('1 month', '60 months')
    """
    return f"{months:.0f} month" if round(months) == 1 else f"{months:.0f} months"
