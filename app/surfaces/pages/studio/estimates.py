"""Estimates of missing inputs in the studio: suggested, accepted, changed and removed again.

Each of these is a change of `estimates` of the scenario, by place in the design; None takes one out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from app.charts.format import show, span
from app.engine.quantities import label_at
from app.engine.units import unit_of
from app.scenarios.evaluation.service import accept_suggestions
from app.scenarios.load import build_scenario
from app.surfaces.pages.designs import Designs, Evaluated
from app.surfaces.pages.studio.form import Values
from app.surfaces.pages.studio.numbers import Scale, number_of, number_text
from app.surfaces.pages.studio.state import MISSING, value_at, with_value

Changes = Mapping[str, dict[str, Any] | None]
MOST_NAMED = 4
SMALL = 1e-3
SET_BY_HAND = "set by hand; suggested was: "


class ShownEstimate(NamedTuple):
    """An estimate in words. `changes` accept it where it is suggested, and remove it where it is accepted."""

    place: str
    label: str
    value: str
    between: str
    rule: str
    affects: str
    changes: Changes
    written: str = ""  # the number as its box holds it, in `unit`
    unit: str = ""


def suggested(evaluated: Evaluated) -> dict[str, ShownEstimate]:
    """What could be accepted, by place in the design."""
    affects = {one["constraint"]: one["affects"] for one in evaluated.as_json["problems"]}
    return {
        place: _shown(place, one.of, one.model_dump(), affects.get(place, ()), {place: one.model_dump()})
        for place, one in evaluated.suggested.items()
    }


def accepted(evaluated: Evaluated) -> tuple[ShownEstimate, ...]:
    """What is accepted and used."""
    return tuple(
        _shown(one["place"], one["label"], one, one["affects"], {one["place"]: None})._replace(
            written=_written(one["value"]), unit=_unit(one["unit"])
        )
        for one in evaluated.as_json.get("estimates", ())
    )


def with_estimates(values: Values, changes: Changes) -> Values:
    """The scenario with estimates accepted, changed or removed."""
    stated = value_at(values, "estimates")
    kept = {**(stated if isinstance(stated, dict) else {}), **changes}
    left = {place: one for place, one in kept.items() if one is not None}
    return with_value(values, "estimates", left or MISSING)


def all_accepted(source: Designs, key: str, values: Values) -> Values:
    """The scenario with every suggestion accepted, in one go.

    Raises
    ------
    ScenarioError : the scenario cannot be evaluated
    """
    done = accept_suggestions(source.of(key).scenario(build_scenario(values)))
    return with_estimates(values, {place: one.model_dump() for place, one in done.document.estimates.items()})


def restated(values: Values, place: str, text: str) -> Values:
    """The scenario with the value of an accepted estimate set; what is no number changes nothing.

    Its range is widened to hold the value, and its rule says that someone set it.
    """
    stated = value_at(values, "estimates")
    one = stated.get(place) if isinstance(stated, dict) else None
    number = number_of(text, Scale(1.0, ""))
    if not isinstance(one, dict) or isinstance(number, str):
        return values
    ends = [end for end in (one.get("low"), one.get("high")) if isinstance(end, int | float)]
    rule = f"{SET_BY_HAND}{str(one.get('rule', '')).removeprefix(SET_BY_HAND)}"
    changed = {"value": number, "low": min([*ends, number]), "high": max([*ends, number]), "rule": rule}
    return with_estimates(values, {place: {**one, **changed}})


def _shown(
    place: str, label: str, one: dict[str, Any], affects: tuple[str, ...] | list[str], changes: Changes
) -> ShownEstimate:
    unit = unit_of(place)
    low, value, high = (show(one[name], unit) for name in ("low", "value", "high"))
    names = list(dict.fromkeys(label_at(path) for path in affects))
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ShownEstimate(
        place=place,
        label=label[:1].upper() + label[1:],
        value=value.text,
        between=span(low, high),
        rule=one["rule"],
        affects=", ".join(names[:MOST_NAMED]) + more,
        changes=changes,
    )


def _written(value: float) -> str:
    """A number as its box holds it; a small one by its exponent."""
    return f"{value:g}" if 0 < abs(value) < SMALL else number_text(value, Scale(1.0, ""))


def _unit(unit: str) -> str:
    return "" if unit == "1" else unit
