"""What a scenario text may hold at most, checked before anything is built from it."""

from __future__ import annotations

from app.scenarios.errors import ScenarioError, refuse

MOST_BYTES = 1_000_000
DEEPEST = 64
MOST_VALUES = 20_000  # keys, values and what aliases expand to; a long scenario has a few hundred
MOST_FAULTS = 100  # put into words; finding the nearest name of each takes time
LONGEST_NUMBER = 400  # characters; 1e308 written out has 309


class NotFinite(float):
    """A number too large to hold, NaN or infinity, with the text it was written as."""

    written: str

    def __new__(cls, written: str) -> NotFinite:
        number = super().__new__(cls, "nan")
        number.written = written if len(written) <= 40 else written[:37] + "..."
        return number

    def __str__(self) -> str:
        return self.written


def whole_number(text: str, base: int = 10) -> int | NotFinite:
    """An integer, unless it is one that no field could ever hold."""
    return NotFinite(text) if len(text) > LONGEST_NUMBER else int(text, base)


def number(text: str) -> float:
    """A float, or what stands for one that overflows."""
    value = float(text)
    return value if abs(value) <= 1.7976931348623157e308 else NotFinite(text)


def too_deep(line: int | None = None, column: int | None = None) -> ScenarioError:
    """The fault of a text nested too deeply."""
    message = f"The text is nested deeper than {DEEPEST} levels."
    return refuse(message, rule="depth", hint="A scenario needs six.", line=line, column=column)


def too_many(line: int | None = None, column: int | None = None, most: int = MOST_VALUES) -> ScenarioError:
    """The fault of a text with too many values, written out or by alias."""
    message = f"The text holds more than {most:,} values, aliases counted as what they stand for."
    hint = "Write out what is needed, without aliases."
    return refuse(message, rule="size", hint=hint, line=line, column=column)
