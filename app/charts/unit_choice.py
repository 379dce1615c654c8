"""Units in which a person reads figures. Pages set them for a request; everything else is in base units.

Values stay in base units everywhere, and inputs in the unit that their label states: only
`app/charts/format.py` reads the choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, NamedTuple, get_args

from app.exchange import Rate

Bandwidth = Literal["bytes", "bits"]
Heat = Literal["kw", "tons"]
Temperature = Literal["celsius", "fahrenheit"]
Currency = Literal["USD", "EUR", "GBP", "CNY", "JPY", "NOK"]

BITS_PER_BYTE = 8.0
TON_OF_REFRIGERATION_W = 3516.853
"""12,000 Btu (IT) an hour: NIST SP 811, appendix B.8, "ton of refrigeration"."""


class Units(NamedTuple):
    """The choice of one person; the defaults are the units of REST, command line and files."""

    bandwidth: Bandwidth = "bytes"
    heat: Heat = "kw"
    temperature: Temperature = "celsius"
    currency: Currency = "USD"

    @property
    def text(self) -> str:
        """The choice in one word, as a cookie holds it.

        >>> Units(bandwidth="bits").text
        'bits.kw.celsius.USD'
        """
        return ".".join(self)


BASE = Units()
CHOICES = (get_args(Bandwidth), get_args(Heat), get_args(Temperature), get_args(Currency))

_chosen: ContextVar[Units] = ContextVar("units", default=BASE)
_rate: ContextVar[Rate | None] = ContextVar("rate", default=None)


def read_units(text: str) -> Units:
    """The choice in a text; base units where it cannot be read. Choices kept before there were currencies are
    in dollars.

    >>> read_units("bits.kw.celsius").bandwidth, read_units("bytes.kw.celsius.NOK").currency
    ('bits', 'NOK')
    >>> read_units("bits.kelvin") == BASE
    True
    """
    words = text.split(".")
    words += BASE[len(words) :] if len(words) == len(CHOICES) - 1 else ()
    if len(words) != len(CHOICES) or any(word not in of for word, of in zip(words, CHOICES, strict=True)):
        return BASE
    return Units(*words)  # type: ignore[arg-type]


def chosen_units() -> Units:
    """Units of the request that is being answered; base units outside of one."""
    return _chosen.get()


def chosen_rate() -> Rate | None:
    """The rate at which the request that is being answered reads amounts; None for dollars."""
    return _rate.get()


def choose_units(units: Units, rate: Rate | None = None) -> None:
    """Set the units for the rest of this request, and the rate of their currency where that is not the
    dollar."""
    _chosen.set(units)
    _rate.set(rate)


@contextmanager
def in_units(units: Units = BASE, rate: Rate | None = None) -> Iterator[None]:
    """Units for a while: base units for what is kept and shown to others as well."""
    before, rate_before = _chosen.set(units), _rate.set(rate)
    try:
        yield
    finally:
        _chosen.reset(before)
        _rate.reset(rate_before)
