"""The columns of a cost tree: one table for the workbook and the CSV file."""

from __future__ import annotations

from typing import NamedTuple


class Column(NamedTuple):
    """`field` is that of a part; `unit` None is text, `is_summed` what branches and the whole have too."""

    field: str
    title: str
    unit: str | None
    width: float
    is_summed: bool = False


COLUMNS = (
    Column("branch", "Branch", None, 20),
    Column("title", "Part", None, 22),
    Column("kind", "Kind", None, 10),
    Column("price_usd", "Price, USD", "USD", 16, is_summed=True),
    Column("usd_per_year", "A year, USD", "USD/year", 16, is_summed=True),
    Column("tco_usd", "Over the life, USD", "USD", 18, is_summed=True),
    Column("usd_per_accelerator_hour", "Used accelerator-hour, USD", "USD/h", 18, is_summed=True),
    Column("share", "Share of TCO", "1", 12, is_summed=True),
    Column("basis", "Basis", None, 14),
    Column("source", "Source", None, 60),
    Column("as_of", "As of", None, 10),
)
