"""What the validation pages call collectives, their sizes and what they ran on."""

from __future__ import annotations

from app.catalog.lookup import Catalog
from app.catalog.validated_collectives import ValidatedCollective
from app.charts.format import THIN_SPACE, number

COLLECTIVES = {
    "all_reduce": "All-reduce",
    "all_gather": "All-gather",
    "reduce_scatter": "Reduce-scatter",
    "all_to_all": "All-to-all",
    "broadcast": "Broadcast",
    "send_receive": "Send and receive",
    "moe_dispatch": "Expert dispatch",
    "moe_combine": "Expert combine",
}
STEP = 1024
UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


class CollectiveWords:
    """Names of groups; those of accelerators are the catalog's, without what stands in brackets."""

    def __init__(self, catalog: Catalog) -> None:
        self._names = {part.key: part.name.partition(" (")[0] for part in catalog.parts("accelerators")}

    def group(self, grouping: str, name: str) -> str:
        """What a group of a grouping is called; systems and bands are their own names."""
        return COLLECTIVES.get(name, name) if grouping == "collective" else name

    def accelerator(self, one: ValidatedCollective) -> str:
        return self._names.get(one.accelerator_key, one.accelerator_key)

    def title(self, one: ValidatedCollective) -> str:
        """A measurement in a few words: what was done, by whom, with how much."""
        name = self.group("collective", one.collective)
        return f"{name}, {number(one.ranks)} {self.accelerator(one)}, {size_text(one)}"

    def series(self, one: ValidatedCollective) -> str:
        return self.group("collective", one.collective)


def size_text(one: ValidatedCollective) -> str:
    """The size of a message, or the tokens that a rank sends to experts."""
    if one.message_bytes is None:
        return f"{one.tokens:,} tokens"
    return bytes_text(one.message_bytes)


def bytes_text(size: float) -> str:
    """Bytes as collective benchmarks count them, in powers of 1,024.

    >>> bytes_text(4 * 1024**2).replace(THIN_SPACE, " ")
    '4 MiB'
    """
    place = 0
    while size >= STEP and place < len(UNITS) - 1:
        size, place = size / STEP, place + 1
    return f"{float(f'{size:.3g}'):g}{THIN_SPACE}{UNITS[place]}"


def microseconds(value: float) -> str:
    """A time of a table, three digits of it.

    >>> microseconds(7.654), microseconds(12345.6)
    ('7.65', '12,300')
    """
    return number(float(f"{value:.3g}"))
