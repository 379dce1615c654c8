"""The axes of a sweep with their values, each tried in the scenario before anything runs."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.trace import Array
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.load import build_scenario
from app.scenarios.sweeping.document import DOUBLING, MOST_VALUES, AxisDocument
from app.scenarios.sweeping.fields import with_field

WHOLE = "whole_number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One field, and the values that it takes.

    `levels` are all values of a crossed axis, and of a sampled one that was given by values; a sampled range
    has none. `whole` says that the field takes whole numbers only.
    """

    field: str
    levels: tuple[Any, ...] = ()
    low: float = np.nan
    high: float = np.nan
    logarithmic: bool = False
    whole: bool = False

    @property
    def numeric(self) -> bool:
        """Return whether every value is a number, which true and false are not."""
        return all(isinstance(level, int | float) and not isinstance(level, bool) for level in self.levels)

    @property
    def ends(self) -> tuple[float, ...]:
        """The least and the greatest value, and zero where it is one: zero may mean "not stated"."""
        if not self.levels:
            return (self.low, self.high)
        return tuple(
            sorted({min(self.levels), max(self.levels), *(level for level in self.levels if level == 0)})
        )

    def at(self, share: Array) -> Array:
        """Numbers at shares of the range from 0 to 1, evenly on its scale."""
        if self.logarithmic:
            found: Array = np.exp(np.log(self.low) + share * (np.log(self.high) - np.log(self.low)))
        else:
            found = self.low + share * (self.high - self.low)
        inside: Array = np.clip(found, self.low, self.high)
        return np.round(inside) if self.whole else inside


def planned_axis(document: AxisDocument, scenario: dict[str, Any], place: int, *, sampled: bool) -> Axis:
    """An axis whose every value the scenario document takes.

    Raises
    ------
    ScenarioError : it does not take one; the message is that of the field
    """
    field, where = document.field, f"axes[{place}]"
    if document.values is not None:
        for level in document.values:
            _tried(scenario, field, level, f"{where}.values")
        return Axis(field=field, levels=document.values)
    assert document.first is not None  # the document makes sure of one of the two
    assert document.last is not None
    whole = _takes_whole_numbers_only(scenario, field)
    ends = Axis(
        field=field,
        low=np.ceil(document.first) if whole else document.first,
        high=np.floor(document.last) if whole else document.last,
        logarithmic=document.scale == "log",
        whole=whole,
    )
    _tried(scenario, field, ends.low, f"{where}.from")
    _tried(scenario, field, ends.high, f"{where}.to")
    if document.scale == DOUBLING:
        return Axis(field=field, levels=_doubled(ends), whole=whole)
    if sampled:
        return ends
    numbers = ends.at(np.linspace(0, 1, document.steps or 2)).tolist()
    # several steps of a fine range may fall on one whole number
    levels = tuple(dict.fromkeys(int(number) if whole else number for number in numbers))
    return Axis(field=field, levels=levels, whole=whole)


def _doubled(ends: Axis) -> tuple[Any, ...]:
    """The lowest value and its doubles up to the highest."""
    count = int(np.floor(np.log2(ends.high / ends.low) + 1e-9)) + 1
    numbers = (ends.low * 2.0 ** np.arange(min(count, MOST_VALUES))).tolist()
    return tuple(int(number) if ends.whole else number for number in numbers)


def scenario_with(scenario: dict[str, Any], fields: dict[str, Any]) -> ScenarioDocument:
    """The scenario with fields put otherwise.

    Raises
    ------
    ScenarioError : it is none any more
    """
    for field, value in fields.items():
        scenario = with_field(scenario, field, value)
    return build_scenario(scenario)


def _tried(scenario: dict[str, Any], field: str, value: Any, place: str) -> None:
    values = with_field(scenario, field, value, place.rpartition(".")[0] + ".field")
    try:
        build_scenario(values)
    except ScenarioError as error:
        # one message a value: the others follow from it
        raise ScenarioError([_moved(error.errors[0], field, place, value)]) from None


def _moved(fault: InputError, field: str, place: str, value: Any) -> InputError:
    """The fault of a value where the sweep names it."""
    message = fault.message if fault.path == field else f"{fault.path}: {fault.message}"
    return dataclasses.replace(fault, path=place, value=value, message=f"{field}: {message}")


def _takes_whole_numbers_only(scenario: dict[str, Any], field: str) -> bool:
    """Asked of the document itself: a fraction is refused for being one."""
    try:
        build_scenario(with_field(scenario, field, 1.5))
    except ScenarioError as error:
        return any(fault.rule == WHOLE for fault in error.errors)
    return False
