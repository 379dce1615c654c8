"""What must hold of a climate year that a workspace uploads, and how it is refused."""

from __future__ import annotations

from app.catalog.own.entries import Fault, FaultError, Place
from app.catalog.own.known import Known
from app.catalog.own.planning import Line
from app.catalog.weather.errors import WeatherError
from app.saved.team_catalog.errors import RefusedLinesError

MOST_OWN_YEARS = 200


def check_place_for_year(known: Known, key: str) -> None:
    """Nothing, where an own climate year may have this key.

    Raises
    ------
    FaultError : a built-in year has it, or there are too many own ones
    """
    if known.builtin("climate", key) is not None:
        raise FaultError(
            f"The key {key} is that of a built-in climate year.",
            rule="unique",
            column="key",
            value=key,
            hint="Choose another, such as one with the year in it.",
        )
    own = [part for part in known.catalog.own_parts() if part.kind == "climate" and part.key != key]
    if len(own) >= MOST_OWN_YEARS:
        raise FaultError(
            f"A workspace has at most {MOST_OWN_YEARS} climate years of its own.",
            rule="at_most",
            column="key",
            value=key,
            hint="Remove unused years.",
        )


def refused_file(key: str, error: WeatherError | FaultError) -> RefusedLinesError:
    if isinstance(error, WeatherError):
        fault = Fault(
            column=error.column or "file", value="", rule=error.rule, message=error.message, hint=error.hint
        )
        place = Place(line=error.line)
    else:
        fault, place = error.fault, Place()
    return RefusedLinesError([Line(place=place, kind="climate", key=key, outcome="refused", faults=(fault,))])
