"""Errors of the catalog."""

from __future__ import annotations


class SeedError(ValueError):
    """A row of a seed file cannot be used. Loading stops and nothing is written."""

    def __init__(self, *, file: str, line: int, column: str, reason: str) -> None:
        self.file = file
        self.line = line
        self.column = column
        self.reason = reason
        place = f"{file}, line {line}" + (f", column {column}" if column else "")
        super().__init__(f"{place}: {reason}")


class CatalogLookupError(LookupError):
    """No such kind or key; the message names the nearest."""

    def __init__(self, message: str, nearest: tuple[str, ...] = ()) -> None:
        self.message = message
        self.nearest = nearest
        super().__init__(message)

    def __str__(self) -> str:
        return self.message
