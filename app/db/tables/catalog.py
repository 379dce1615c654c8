"""The five catalog tables: source, part, fact, price, climate_year.

A part's kind decides what facts and attributes it has (`app/catalog/kinds/`), so a new kind needs
no migration.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column, Index, LargeBinary
from sqlmodel import Field

from app.db.tables.base import Owned, unique_per_workspace


class SourceRow(Owned, table=True):
    """A citation as printed beside a value, with the terms it may be used on."""

    __tablename__ = "source"
    __table_args__ = unique_per_workspace("source", "citation", "url")

    id: int | None = Field(default=None, primary_key=True)
    citation: str
    url: str = ""
    families: str  # keys of sources.csv, separated by ;
    kind: str = Field(max_length=16)
    licence: str
    licence_basis: str = Field(max_length=16)
    ship: str = Field(max_length=16)  # yes | facts_only | check | no, the strictest
    credit: str
    as_of: str = Field(default="", max_length=10)


class PartRow(Owned, table=True):
    """Anything with a key: hardware, models, sites, reference designs, assumptions, other names."""

    __tablename__ = "part"
    __table_args__ = unique_per_workspace("part", "kind", "key")

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(max_length=32, index=True)
    key: str = Field(max_length=200)
    name: str
    vendor: str = ""
    year: int | None = None
    status: str = ""
    revision: int = 1
    position: int = 0  # as listed in its file
    attributes: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    source_id: int | None = Field(default=None, foreign_key="source.id")


class FactRow(Owned, table=True):
    """One figure of a part, in SI, with what was printed alongside it."""

    __tablename__ = "fact"
    __table_args__ = (
        *unique_per_workspace("fact", "part_id", "field"),
        Index("ix_fact_part_id", "part_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    part_id: int = Field(foreign_key="part.id")
    field: str = Field(max_length=80)
    value: float
    low: float | None = None
    typical: float | None = None
    high: float | None = None
    unit: str = Field(max_length=32)
    printed_value: str
    printed_unit: str = Field(max_length=64)
    printed_column: str = Field(max_length=80)
    kind: str = Field(max_length=16)  # vendor | measured | third_party | derived | assumption
    confidence: str = Field(max_length=16)  # confirmed | secondary | weak | recalled | ""
    as_of: str = Field(default="", max_length=10)
    source_id: int = Field(foreign_key="source.id")


class PriceRow(Owned, table=True):
    """What something costs to buy (`prices`) or to rent (`rentals`), on what terms and when."""

    __tablename__ = "price"
    __table_args__ = unique_per_workspace("price", "kind", "key")

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(max_length=32, index=True)  # prices | rentals
    key: str = Field(max_length=200)
    part_id: int | None = Field(default=None, foreign_key="part.id", index=True)
    item: str
    condition: str = Field(default="", max_length=32)
    term: str = Field(default="", max_length=64)
    low: float | None = None
    typical: float | None = None
    high: float | None = None
    unit: str = Field(max_length=48)
    printed_unit: str = Field(max_length=64)
    value_kind: str = Field(max_length=16)
    confidence: str = Field(max_length=16)
    as_of: str = Field(default="", max_length=10)
    revision: int = 1
    position: int = 0
    attributes: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    source_id: int = Field(foreign_key="source.id")


class ClimateYearRow(Owned, table=True):
    """An hourly year: statistics to read, and the hours themselves as packed float32 columns."""

    __tablename__ = "climate_year"
    __table_args__ = unique_per_workspace("climate_year", "key")

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(max_length=64)
    name: str
    country: str = Field(default="", max_length=2)
    year_kind: str  # TMY3, TMYx, ...
    revision: int = 1
    position: int = 0
    attributes: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    statistics: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    hours: int
    digest: str = Field(default="", max_length=16)  # of what the row was made of
    columns: str  # names of the packed columns, separated by ,
    data: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    source_id: int = Field(foreign_key="source.id")
