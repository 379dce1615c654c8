"""An electrical chain where it is not drawn: plain values, unknown as None."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from app.engine.facility.electrical.redundancy import SchemeLoads
from app.engine.problems import Problem
from app.engine.trace import first_of
from app.views.facility.electrical import ElectricalAnswer, StageLoss, Standby


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockLine:
    """One kind of block. Units, loads and ratings of a rack feed or shelf are those of one rack."""

    kind: str
    title: str
    places: float | None  # racks that have it; 1 for all else
    units: float | None
    idle_units: float | None
    rating_w: float | None
    derated_w: float | None  # what a unit may carry at this site in its hottest hour
    load_w: float | None
    normal_load: float | None  # of a unit at work, over what it may carry
    current_a: float | None
    breaker_a: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LostLine:
    """Effect of losing one block at rated power."""

    kind: str
    title: str
    load_moved_w: float | None
    load_before: float | None
    load_after: float | None  # of the busiest that takes over; None: nobody does, or unknown
    it_served_w: float | None
    overloaded: bool
    ride_through_s: float | None
    carried_by: str  # rest, catcher, generators, nobody or unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class ElectricalReport:
    """The electrical chain of a design in its hottest hour."""

    redundancy: str
    distribution: str
    ups: str
    sized_on: str
    standard: str
    it_power_w: float | None
    site_power_w: float | None
    cooling_and_house_w: float | None
    blocks: tuple[BlockLine, ...]
    lost: tuple[LostLine, ...]
    allowed_it_power_w: float | None
    narrowest: str
    schemes: tuple[SchemeLoads, ...]
    losses: tuple[StageLoss, ...]
    standby: Standby
    problems: tuple[Problem, ...]


def block_lines(answer: ElectricalAnswer) -> tuple[BlockLine, ...]:
    """Every kind of block that the chain has, from the utility to the rack."""
    s = answer.sizing
    columns: list[Iterable[Any]] = [
        s.kinds,
        (answer.chain.title(kind) for kind in s.kinds),
        *(
            map(_known, values.tolist())
            for values in (
                s.places,
                s.sharing + s.idle,
                s.idle,
                s.rating_w,
                s.capacity_w,
                s.load_w,
                s.normal_load,
                s.current_a,
                s.breaker_a,
            )
        ),
    ]
    return tuple(BlockLine(**line) for line in _lines(BlockLine, columns))


def lost_lines(answer: ElectricalAnswer) -> tuple[LostLine, ...]:
    """Every kind of block, one of it lost."""
    lost = answer.lost
    columns: list[Iterable[Any]] = [
        lost.kinds,
        (answer.chain.title(kind) for kind in lost.kinds),
        *(
            map(_known, values.tolist())
            for values in (lost.load_moved_w, lost.load_before, lost.load_after, lost.it_served_w)
        ),
        lost.overloaded,
        map(_known, lost.ride_through_s.tolist()),
        lost.carried_by,
    ]
    return tuple(LostLine(**line) for line in _lines(LostLine, columns))


def electrical_report(answer: ElectricalAnswer) -> ElectricalReport:
    """The answer as lines."""
    return ElectricalReport(
        redundancy=answer.chain.redundancy,
        distribution=answer.chain.distribution,
        ups=answer.chain.ups,
        sized_on=answer.options.sized_on,
        standard=answer.options.standard,
        it_power_w=_known(first_of(answer.loads.it_w)),
        site_power_w=_known(first_of(answer.loads.site_w)),
        cooling_and_house_w=_known(first_of(answer.loads.cooling_and_house_w)),
        blocks=block_lines(answer),
        lost=lost_lines(answer),
        allowed_it_power_w=_known(answer.allowed_it_w),
        narrowest=answer.narrowest,
        schemes=answer.schemes,
        losses=answer.losses,
        standby=answer.standby,
        problems=answer.problems,
    )


def _lines(kind: Any, columns: list[Iterable[Any]]) -> list[dict[str, Any]]:
    names = [field.name for field in dataclasses.fields(kind)]
    return [dict(zip(names, line, strict=True)) for line in zip(*columns, strict=True)]


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
