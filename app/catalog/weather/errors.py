"""Why a weather file cannot be used."""

from __future__ import annotations


class WeatherError(ValueError):
    """`line` counts from 1, 0 for the file as a whole; `hint` is the way out."""

    def __init__(self, message: str, *, rule: str, hint: str, line: int = 0, column: str = "") -> None:
        self.message, self.rule, self.hint, self.line, self.column = message, rule, hint, line, column
        super().__init__(f"{f'Line {line}: ' if line else ''}{message} {hint}")
