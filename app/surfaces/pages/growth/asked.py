"""What the reader of the growth page asked for: a trend, and two devices. What cannot be used is said and kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from app.catalog.lookup import Catalog
from app.views.growth.answer import UnknownTrendError, trend_answer
from app.views.growth.gap import FIRST, LAST, DeviceOrderError, UnknownDeviceError, ends, gap_answer
from app.views.growth.series import SERIES

TREND, FROM, TO = "trend", "from", "to"
DEFAULTS = {TREND: "frontier_compute", FROM: FIRST, TO: LAST}
GROUPS = {"models": "Training runs", "clusters": "Clusters", "devices": "Devices"}
LONGEST = 80


class Option(NamedTuple):
    """A choice of a select."""

    value: str
    label: str
    chosen: bool


class Choices(NamedTuple):
    """Choices under a heading."""

    label: str
    options: tuple[Option, ...]


class Asked(NamedTuple):
    """A request read: `trend` and `gap` are None where what was asked cannot be used; `faults` say why."""

    raw: dict[str, str]
    trend: dict[str, Any] | None
    gap: dict[str, Any] | None
    faults: dict[str, str]

    def kept(self, *names: str) -> tuple[tuple[str, str], ...]:
        """Parameters that a form sends on unseen, where they are not as usual."""
        return tuple((name, self.raw[name]) for name in names if self.raw[name] != DEFAULTS[name])


def asked_of(catalog: Catalog, query: Mapping[str, str]) -> Asked:
    """The page of an address."""
    raw = {name: query.get(name, "").strip()[:LONGEST] or usual for name, usual in DEFAULTS.items()}
    faults: dict[str, str] = {}
    trend = gap = None
    try:
        trend = trend_answer(catalog, raw[TREND])
    except UnknownTrendError as error:
        faults[TREND] = str(error)
    try:
        gap = gap_answer(catalog, raw[FROM], raw[TO])
    except (UnknownDeviceError, DeviceOrderError) as error:
        faults[error.name] = f"{error.said} {error.hint}"
    return Asked(raw, trend, gap, faults)


def trend_choices(asked: Asked) -> tuple[Choices, ...]:
    """Every trend by its group, those with a limit first, and what was asked for even where it is unknown."""
    groups = []
    for group, label in GROUPS.items():
        series = sorted(
            (one for one in SERIES.values() if one.group == group), key=lambda one: not one.measure
        )
        options = [
            Option(
                one.key, f"{one.name}, with a limit" if one.measure else one.name, one.key == asked.raw[TREND]
            )
            for one in series
        ]
        groups.append(Choices(label, tuple(options)))
    if asked.raw[TREND] not in SERIES:
        groups.append(Choices("Unknown", (Option(asked.raw[TREND], asked.raw[TREND], True),)))
    return tuple(groups)


def end_choices(catalog: Catalog, asked: Asked, name: str) -> tuple[Option, ...]:
    """Every dated device, the oldest first."""
    chosen = asked.raw[name]
    found = [Option(one.key, f"{one.year} {one.name}", one.key == chosen) for one in ends(catalog)]
    if not any(option.chosen for option in found):
        found.append(Option(chosen, f"{chosen} (unknown)", True))
    return tuple(found)
