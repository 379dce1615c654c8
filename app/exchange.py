"""A currency other than the US dollar."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

DOLLAR = "USD"


class Rate(NamedTuple):
    """A currency, and its exchange rate to the US dollar."""

    currency: str
    name: str
    per_usd: float
    basis: str
    published: date
    source: str
    url: str

    @property
    def words(self) -> str:
        """The rate in words, such as "0.924 EUR per USD, average of 2023"."""
        return f"{self.per_usd:.4g} {self.currency} per USD, {self.basis}"
