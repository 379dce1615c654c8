"""A row that asks for a figure, and the figure that the engine gives."""

from __future__ import annotations

from dataclasses import dataclass

from app.catalog.lookup import Catalog
from app.validation.power.places import Place
from app.validation.power.statement import Statement


@dataclass(frozen=True)
class Asked:
    """A row with the other rows of its submission, which may name the hardware for it."""

    statement: Statement
    neighbours: tuple[Statement, ...]
    catalog: Catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted:
    """A figure of the engine in a base unit, what was taken for granted, and where it was computed for."""

    value: float
    low: float | None = None
    high: float | None = None
    assumed: tuple[str, ...] = ()
    place: Place | None = None
    provider: str = ""
    hardware: str = ""  # what a power is of
