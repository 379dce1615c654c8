"""Common properties of every kind of catalog row.

One pydantic class a kind gives validation, units, form and columns. Numeric fields are in SI with the
unit last; `number(...)` says which printed column fills them (see `app/catalog/columns.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, StringConstraints, model_validator

from app.catalog.columns import text

Key = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(_[a-z0-9]+)*$", max_length=200)]
Number = float | None
Count = int | None

Table = Literal["part", "price", "climate_year"]


class RowFault(NamedTuple):
    """One reason why the values of a row do not fit together; `field` is the one to change."""

    field: str
    rule: str
    message: str
    hint: str = ""


class RowFaultsError(ValueError):
    """Values of a row that do not fit together."""

    def __init__(self, faults: list[RowFault]) -> None:
        self.faults = faults
        super().__init__("; ".join(fault.message for fault in faults))


class CatalogKind(BaseModel):
    """A row of one kind, in SI, unknown fields None."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    kind: ClassVar[str]
    file: ClassVar[str]
    title: ClassVar[str]
    table: ClassVar[Table] = "part"
    hardware: ClassVar[bool] = False  # keys of hardware are unique across kinds: a price names one
    name_field: ClassVar[str] = "name"
    vendor_field: ClassVar[str] = "vendor"
    foreign_keys: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # field -> kinds it may name
    date_columns: ClassVar[tuple[str, ...]] = ()  # of the row, newest meaning first
    value_field: ClassVar[str] = ""  # field that the column of the same name and `unit` speak for
    measurable: ClassVar[frozenset[str] | None] = None
    """Fields that someone can measure; the others are rated, whatever their source measures.

    None: any can be.
    """
    earlier_columns: ClassVar[Mapping[str, str]] = {}  # spelling of earlier versions -> column

    key: Key

    @classmethod
    def faults_of(cls, values: Mapping[str, Any]) -> list[RowFault]:
        """Reasons why values, by field, do not fit together; none for most kinds."""
        return []

    @model_validator(mode="after")
    def _values_fit(self) -> Self:
        faults = self.faults_of(self.__dict__)
        if faults:
            raise RowFaultsError(faults)
        return self


class SourcedKind(CatalogKind):
    """A kind whose rows name their sources."""

    source: str = text()


class HardwareKind(SourcedKind):
    """Something one can buy or rent."""

    hardware: ClassVar[bool] = True

    confidence: str = text()
    memory_only_fields: str = text()
    notes: str = text()
