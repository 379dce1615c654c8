"""Stated values of catalog rows, before they are checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.catalog.provenance import Citation

FAMILY = "own"
"""Family of the sources that a workspace names itself."""

VALUE_KINDS = ("vendor", "measured", "third_party", "derived", "assumption")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSource:
    """Where the values of a line come from; `as_of` is when they were true."""

    citation: str = ""
    url: str = ""
    licence: str = ""
    as_of: str = ""
    value_kind: str = ""
    confidence: str = ""

    def cited(self) -> Citation:
        """The same as sources of the seed files are kept."""
        return Citation(
            text=self.citation,
            url=self.url,
            families=(FAMILY,),
            kind=self.value_kind or "assumption",
            licence=self.licence or "not stated",
            licence_basis="stated" if self.licence else "none",
            ship="check",
            credit="",
            as_of=self.as_of,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a line stands; 0 is a form."""

    line: int = 0
    sheet: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line. `cells` hold only what is filled in, by column; `units` those figures that are stated in another
    unit than their column, by field."""

    kind: str
    key: str
    cells: Mapping[str, str]
    source: OwnSource
    units: Mapping[str, str] = field(default_factory=dict)
    place: Place = field(default_factory=Place)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why a line cannot be used, and a way out. `rule` is a short stable word for programs."""

    column: str
    value: str
    rule: str
    message: str
    hint: str = ""


class FaultError(ValueError):
    """A line cannot be used; `faults` has every reason that was found, the first as `fault`."""

    def __init__(self, message: str, *, rule: str, column: str = "", value: str = "", hint: str = "") -> None:
        self.faults: tuple[Fault, ...] = (
            Fault(column=column, value=value, rule=rule, message=message, hint=hint),
        )
        super().__init__(message)

    @property
    def fault(self) -> Fault:
        return self.faults[0]

    @classmethod
    def of(cls, errors: Sequence[FaultError]) -> FaultError:
        """Several reasons as one error."""
        first = errors[0]
        first.faults = tuple(fault for error in errors for fault in error.faults)
        return first
