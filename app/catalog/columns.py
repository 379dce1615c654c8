"""The conversion table: vendors' conventions in, base SI out, in this one place.

A kind (`app/catalog/kinds/`) says which column of its file fills which field and in what unit the
column is printed; here is what a printed unit is worth. The name of a unit holds its convention:
"GB/s both ways" is the sum of two directions, so half of it goes one way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import Field

if TYPE_CHECKING:
    from app.catalog.kinds.base import CatalogKind


@dataclass(frozen=True, slots=True)
class PrintedUnit:
    """What one printed unit is in SI."""

    unit: str
    factor: float


PRINTED_UNITS: dict[str, PrintedUnit] = {
    "": PrintedUnit("1", 1.0),
    "%": PrintedUnit("1", 0.01),
    "fraction": PrintedUnit("1", 1.0),
    "thousand million": PrintedUnit("1", 1e9),
    "million/s": PrintedUnit("1/s", 1e6),
    "tokens": PrintedUnit("tokens", 1.0),
    "million million tokens": PrintedUnit("tokens", 1e12),
    "nm": PrintedUnit("nm", 1.0),
    "m": PrintedUnit("m", 1.0),
    "km": PrintedUnit("m", 1e3),
    "kg": PrintedUnit("kg", 1.0),
    "h": PrintedUnit("h", 1.0),
    "years": PrintedUnit("years", 1.0),
    "1/year": PrintedUnit("1/year", 1.0),
    "deg": PrintedUnit("deg", 1.0),
    "degC": PrintedUnit("degC", 1.0),
    "K": PrintedUnit("K", 1.0),
    "kPa": PrintedUnit("Pa", 1e3),
    "L/min": PrintedUnit("L/min", 1.0),
    "A": PrintedUnit("A", 1.0),
    "1": PrintedUnit("1", 1.0),
    "TFLOP/s": PrintedUnit("FLOP/s", 1e12),
    "TOP/s": PrintedUnit("FLOP/s", 1e12),  # an integer operation counts as a floating-point one
    "PFLOP/s": PrintedUnit("FLOP/s", 1e15),
    "B": PrintedUnit("B", 1.0),
    "GB": PrintedUnit("B", 1e9),
    "TB": PrintedUnit("B", 1e12),
    "GB/s": PrintedUnit("B/s", 1e9),
    "TB/s": PrintedUnit("B/s", 1e12),
    "Gbit/s": PrintedUnit("B/s", 1e9 / 8),
    "Tbit/s": PrintedUnit("B/s", 1e12 / 8),
    "GB/s both ways": PrintedUnit("B/s", 1e9 / 2),
    "TB/s both ways": PrintedUnit("B/s", 1e12 / 2),
    "ns": PrintedUnit("s", 1e-9),
    "us": PrintedUnit("s", 1e-6),
    "ns/m": PrintedUnit("s/m", 1e-9),
    "W": PrintedUnit("W", 1.0),
    "kW": PrintedUnit("W", 1e3),
    "g/kWh": PrintedUnit("kg/kWh", 1e-3),
    "L/kWh": PrintedUnit("L/kWh", 1.0),
    "USD": PrintedUnit("USD", 1.0),
    "USD/h": PrintedUnit("USD/h", 1.0),
    "USD/kWh": PrintedUnit("USD/kWh", 1.0),
    "USD/m3": PrintedUnit("USD/m3", 1.0),
}

PRICE_UNITS: dict[str, PrintedUnit] = {
    "USD/unit": PrintedUnit("USD", 1.0),
    "USD/rack": PrintedUnit("USD", 1.0),
    "USD/system": PrintedUnit("USD", 1.0),
    "USD/GPU": PrintedUnit("USD", 1.0),
    "USD/GPU-hr": PrintedUnit("USD/h", 1.0),
    "USD/GPU-yr": PrintedUnit("USD/year", 1.0),
    "USD/yr": PrintedUnit("USD/year", 1.0),
    "USD/MW": PrintedUnit("USD/MW", 1.0),
    "USD/MW-yr": PrintedUnit("USD/(MW year)", 1.0),
    "USD/kW IT": PrintedUnit("USD/kW", 1.0),
    "USD/kVA": PrintedUnit("USD/kVA", 1.0),
    "USD/kW-month": PrintedUnit("USD/(kW month)", 1.0),
    "USD/kWh": PrintedUnit("USD/kWh", 1.0),
    "USD/TB": PrintedUnit("USD/TB", 1.0),
    "USD/m3": PrintedUnit("USD/m3", 1.0),
    "USD/acre": PrintedUnit("USD/acre", 1.0),
    "USD/Mbps-month": PrintedUnit("USD/(Mbit/s month)", 1.0),
    "L/kWh IT": PrintedUnit("L/kWh", 1.0),
    "FTE/MW": PrintedUnit("FTE/MW", 1.0),
    "OOM/yr": PrintedUnit("1/year", 1.0),
    "fraction": PrintedUnit("1", 1.0),
    "ratio": PrintedUnit("1", 1.0),
    "fraction/yr": PrintedUnit("1/year", 1.0),
    "fraction of facility capex / yr": PrintedUnit("1/year", 1.0),
    "fraction of IT capex / yr": PrintedUnit("1/year", 1.0),
    "fraction of replacement value / yr": PrintedUnit("1/year", 1.0),
    "years": PrintedUnit("years", 1.0),
}
"""Units of prices.csv. Rates keep the printed denominators, which is how people quote them."""


STATED_UNITS = {unit.unit: PrintedUnit(unit.unit, 1.0) for unit in PRINTED_UNITS.values()} | PRINTED_UNITS
"""Units that people may state a figure in: any printed one, and the SI units themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """Which printed column, or columns, a numeric field comes from."""

    field: str
    column: str  # "" when only a range is printed
    low: str
    high: str
    printed_unit: str
    basis: str
    derived: bool  # computed by us from other columns, whatever the row's source says
    group: str  # word by which a row's source names the source of these fields, as in "carbon: ..."

    @property
    def unit(self) -> str:
        return STATED_UNITS[self.printed_unit].unit

    @property
    def factor(self) -> float:
        return STATED_UNITS[self.printed_unit].factor

    @property
    def printed(self) -> tuple[str, ...]:
        """The columns of the file that this field reads."""
        return tuple(name for name in (self.column, self.low, self.high) if name)


def number(
    column: str | None = None,
    printed_unit: str = "",
    basis: str = "",
    *,
    low: str = "",
    high: str = "",
    derived: bool = False,
    group: str = "",
    signed: bool = False,
    limit: float | None = None,
) -> Any:
    """A numeric field of a kind, unknown unless given; `column` defaults to the field's name."""
    return Field(
        default=None,
        ge=None if signed else 0,
        le=limit,
        json_schema_extra={
            "column": column,
            "printed_unit": printed_unit,
            "basis": basis,
            "low": low,
            "high": high,
            "derived": derived,
            "group": group,
        },
    )


def text(column: str | None = None, **constraints: Any) -> Any:
    """A field of words; `column` defaults to the field's name, "" is filled otherwise than from the file."""
    return Field(default="", json_schema_extra={"column": column}, **constraints)


@cache
def numeric_columns(kind: type[CatalogKind]) -> tuple[Column, ...]:
    """The numeric fields of a kind, in the order declared."""
    found = []
    for name, info in kind.model_fields.items():
        extra = info.json_schema_extra
        if isinstance(extra, dict) and "printed_unit" in extra:
            column = name if extra["column"] is None else str(extra["column"])
            found.append(
                Column(
                    field=name,
                    column=column,
                    low=str(extra["low"]),
                    high=str(extra["high"]),
                    printed_unit=str(extra["printed_unit"]),
                    basis=str(extra["basis"]),
                    derived=bool(extra["derived"]),
                    group=str(extra["group"]),
                )
            )
    return tuple(found)


@cache
def text_columns(kind: type[CatalogKind]) -> dict[str, str]:
    """Column -> field, for the fields that are not numbers."""
    numeric = {column.field for column in numeric_columns(kind)}
    found = {}
    for name, info in kind.model_fields.items():
        if name not in numeric:
            extra = info.json_schema_extra
            column = extra.get("column") if isinstance(extra, dict) else None
            if column != "":  # "": filled otherwise than from this file
                found[name if column is None else str(column)] = name
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """One line of the conversion table."""

    kind: str
    column: str
    field: str
    printed_unit: str
    factor: float
    unit: str
    basis: str


def conversion_table() -> list[Conversion]:
    """Every printed column of every kind with what becomes of it."""
    from app.catalog.kinds import KINDS

    return [
        Conversion(
            kind=kind.kind,
            column=printed,
            field=column.field,
            printed_unit=column.printed_unit,
            factor=column.factor,
            unit=column.unit,
            basis=column.basis,
        )
        for kind in KINDS.values()
        for column in numeric_columns(kind)
        for printed in column.printed
    ]
