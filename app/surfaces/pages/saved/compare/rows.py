"""The lines of a comparison: inputs, key figures, and every other result."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.figure import estimated_words, get_path
from app.charts.format import (
    MINUS,
    NOT_APPLICABLE,
    THIN_SPACE,
    TIMES,
    Shown,
    is_percent,
    number,
    show,
    show_at,
    unit_at,
)
from app.engine.quantities import quantity_at, short_label_at
from app.saved.diff import result_changes
from app.saved.records import Change
from app.surfaces.pages.design_page import key_figure_paths
from app.surfaces.pages.saved.words import Difference, differences
from app.surfaces.pages.studio.form import Choices, Values

MORE_FIGURES = (
    "performance.step_time_s",
    "performance.tokens_per_s_per_accelerator",
    "cost.tco_usd",
    "cost.capex_usd",
    "fabric.switches_total",
)
WORDS = ("name", "description", "schema_version")  # which say nothing of the design
ROOMS = {
    "performance": "Performance", "fabric": "Fabric", "power": "Power", "cooling": "Cooling", "cost": "Cost",
    "reliability": "Reliability", "carbon": "Carbon", "bill": "Bill of materials",
}  # fmt: skip


class ResultRow(NamedTuple):
    """A figure on both sides; `sense` is better, worse, same or empty where neither is meant."""

    path: str
    label: str
    a: Shown
    b: Shown
    difference: str
    ratio: str
    sense: str
    estimated: tuple[str, str] = ("", "")  # the accepted estimates that it rests on, of either side

    @property
    def differs(self) -> bool:
        return self.sense != "same"


class RoomRows(NamedTuple):
    title: str
    rows: tuple[ResultRow, ...]


def key_rows(a: dict[str, Any], b: dict[str, Any]) -> tuple[ResultRow, ...]:
    """The figures that people ask for first, alike or not."""
    return tuple(
        result_row(Change(path=path, label=label, before=get_path(a, path), after=get_path(b, path)), (a, b))
        for label, path in _key_paths(a, b)
    )


def _key_paths(a: dict[str, Any], b: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Those of either side, and not what neither has."""
    paths = dict.fromkeys(
        (*key_figure_paths(a), *key_figure_paths(b), *((short_label_at(path), path) for path in MORE_FIGURES))
    )
    both = frozenset(a.get("not_applicable", ())) & frozenset(b.get("not_applicable", ()))
    return tuple((label, path) for label, path in paths if path not in both)


def input_rows(a: Values, b: Values, choices: Choices, *, every: bool) -> tuple[Difference, ...]:
    """Inputs that differ, or all that are stated on either side."""
    found = tuple(each for each in differences(a, b, choices) if each.path not in WORDS)
    if not every:
        return found
    told = {each.path: each for each in found}
    stated = {each.path: each for values in (a, b) for each in differences({}, values, choices)
              if each.path not in WORDS}  # fmt: skip
    return tuple(told.get(path, each._replace(before=each.after)) for path, each in stated.items())


def room_rows(a: dict[str, Any], b: dict[str, Any], *, every: bool) -> tuple[RoomRows, ...]:
    """Every figure that differs, or all of them, by room."""
    changes = {each.path: each for each in result_changes(a, b)}
    if every:
        known = {each.path: each for side in (a, b) for each in result_changes({}, side)}
        alike = {path: Change(path=path, label=each.label, before=each.after, after=each.after, unit=each.unit)
                 for path, each in known.items()}  # fmt: skip
        changes = {path: changes.get(path, each) for path, each in alike.items()}
    by_room: dict[str, list[ResultRow]] = {}
    for change in changes.values():
        if change.path != "feasible":
            by_room.setdefault(change.path.split(".")[0], []).append(result_row(change, (a, b)))
    order = [room for room in ROOMS if room in by_room] + [room for room in by_room if room not in ROOMS]
    return tuple(RoomRows(ROOMS.get(room, room.capitalize()), tuple(by_room[room])) for room in order)


def result_row(change: Change, sides: tuple[dict[str, Any], dict[str, Any]]) -> ResultRow:
    """One figure of two evaluations with its difference and ratio; neither where it is unknown or a side has none."""
    path, a, b = change.path, change.before, change.after
    difference, ratio, sense = "", "", ""
    if _is_number(a) and _is_number(b):
        sense = _sense(path, a, b)
        difference = "none" if sense == "same" else _signed(path, b - a)
        ratio = "" if sense == "same" or a == 0 or (a < 0) != (b < 0) else _times(b / a)
    elif a == b:
        sense = "same"
    return ResultRow(
        path,
        change.label,
        _shown(path, a, sides[0]),
        _shown(path, b, sides[1]),
        difference,
        ratio,
        sense,
        (estimated_words(sides[0], path), estimated_words(sides[1], path)),
    )


def _times(ratio: float) -> str:
    """Three digits, and more where they would say "the same".

    >>> _times(0.944), _times(1.00087)
    ('0.944×', '1.0009×')
    """
    rounded = float(f"{ratio:.3g}")
    text = number(rounded) if rounded != 1 else f"{1 + float(f'{ratio - 1:.1g}'):.12g}"
    return f"{text}{TIMES}"


def _sense(path: str, a: float, b: float) -> str:
    if abs(b - a) <= 1e-9 * max(abs(a), abs(b)):
        return "same"
    record = quantity_at(path)
    if record is None or not record.better:
        return ""
    return "better" if (b < a) == (record.better == "less") else "worse"


def _signed(path: str, change: float) -> str:
    """A difference as the figure is read: percentages differ by points."""
    size = abs(change)
    if is_percent(path):
        text = f"{number(float(f'{100 * size:.2g}'))}{THIN_SPACE}pt"
    else:
        text = show(size, unit_at(path)).text
    return f"{MINUS if change < 0 else '+'}{text}"


def _applies(evaluation: dict[str, Any], path: str) -> bool:
    """Return whether a side has the figure at all, known or not.

    >>> _applies({"cost": {"tco_usd": None}}, "cost.tco_usd"), _applies({"cost": {}}, "cost.tco_usd")
    (True, False)
    """
    missing = frozenset(evaluation.get("not_applicable", ()))
    names = path.split(".")
    if any(".".join(names[:count]) in missing for count in range(1, len(names) + 1)):
        return False
    found: Any = evaluation
    for name in names:
        if not isinstance(found, dict):
            return True  # a part of a figure that is unknown as a whole, or of a list
        key = name.partition("[")[0]
        if key not in found:
            return False
        found = found[key]
    return True


def _shown(path: str, value: Any, evaluation: dict[str, Any]) -> Shown:
    if value is None and not _applies(evaluation, path):
        return NOT_APPLICABLE
    if isinstance(value, bool):
        return Shown("yes" if value else "no")
    if isinstance(value, str):
        return Shown(value)
    return show_at(path, value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
