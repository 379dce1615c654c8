"""Fleets side by side: figures of one policy of each, and the inputs in which they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.scenarios.errors import refuse
from app.views.fleet.answer import FIGURES, FleetAnswer, FleetFigure, FleetPolicy

FEWEST, MOST = 2, 6
LONGEST = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedFleet:
    """One of those that are compared. `figures` are in the order of the first's."""

    key: str
    name: str
    policy: str
    supernodes: int
    accelerators: int
    figures: tuple[FleetFigure, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferingInput:
    """A field of the documents that is not the same in all; "" where it is left out."""

    path: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetComparison:
    """Two to six fleets."""

    fleets: tuple[ComparedFleet, ...]
    differing: tuple[DifferingInput, ...]


def compared_fleets(
    found: Sequence[tuple[str, str, dict[str, Any], FleetAnswer]], policy: str = ""
) -> FleetComparison:
    """Fleets by their key and name, with documents and answers, each under `policy` or its last.

    Raises
    ------
    ScenarioError : they are too few or too many, or one has no answer
    """
    if not FEWEST <= len(found) <= MOST:
        raise refuse(
            f"{len(found)} fleets cannot be compared.", rule="count", path="fleet",
            hint=f"Name {FEWEST} to {MOST}.",
        )  # fmt: skip
    fleets = tuple(_compared(key, name, answer, policy) for key, name, _, answer in found)
    flat = [dict(_flat(document)) for _, _, document, _ in found]
    paths = dict.fromkeys(path for one in flat for path in one)
    return FleetComparison(
        fleets=fleets,
        differing=tuple(
            DifferingInput(path=path, values=values)
            for path in paths
            if len(set(values := tuple(one.get(path, "") for one in flat))) > 1 and path not in ("name", "description")
        ),
    )  # fmt: skip


def _compared(key: str, name: str, answer: FleetAnswer, policy: str) -> ComparedFleet:
    if not answer.policies:
        raise refuse(
            f"{name} has no answer.",
            rule="no_answer",
            path="fleet",
            value=key,
            hint="Run it first, and keep the run.",
        )
    chosen: FleetPolicy = next((one for one in answer.policies if one.key == policy), answer.policies[-1])
    by_name = {one.name: one for one in chosen.figures}
    nothing = float("nan")
    return ComparedFleet(
        key=key,
        name=name,
        policy=chosen.name,
        supernodes=answer.supernodes,
        accelerators=answer.accelerators,
        figures=tuple(
            by_name.get(figure)
            or FleetFigure(name=figure, label=label, unit=unit, mean=nothing, low=nothing, high=nothing)
            for figure, label, unit in FIGURES
        ),
    )


def _flat(value: Any, path: str = "") -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [
            one for name, part in value.items() for one in _flat(part, f"{path}.{name}" if path else name)
        ]
    if isinstance(value, list | tuple) and any(isinstance(one, dict) for one in value):
        return [one for place, part in enumerate(value) for one in _flat(part, f"{path}[{place}]")]
    text = ", ".join(str(one) for one in value) if isinstance(value, list | tuple) else str(value)
    return [(path, text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")]
