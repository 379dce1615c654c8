"""The page of a comparison, as far as there is something to compare."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from app.charts.bandwidth import ladders_figure
from app.charts.figure import Figure, estimated_words, get_path
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
from app.charts.step_time import step_time_figure
from app.charts.tco import tco_figure
from app.charts.workload_kind import is_serving
from app.engine.quantities import quantity_at, short_label_at
from app.saved.diff import result_changes
from app.saved.records import Change
from app.saved.store import SavedWork
from app.surfaces.pages.design_page import key_figure_paths
from app.surfaces.pages.designs import Designs, DesignsDep
from app.surfaces.pages.saved.compare.asked import Compared
from app.surfaces.pages.saved.compare.sides import NoSideError, Option, Side, options, side
from app.surfaces.pages.saved.rights import ReadDep
from app.surfaces.pages.saved.words import Difference, differences
from app.surfaces.pages.studio.changes import effects, listed
from app.surfaces.pages.studio.form import Choices, Values
from app.surfaces.pages.studio.state import decode_state
from app.surfaces.pages.templating import TemplatesDep

PAIRS: tuple[Callable[[dict[str, Any]], Figure], ...] = (step_time_figure, tco_figure)


class Pair(NamedTuple):
    name: str
    a: Figure
    b: Figure


def chart_pairs(a: dict[str, Any], b: dict[str, Any]) -> tuple[Pair, ...]:
    """Step time and cost of both sides."""
    return tuple(_pair(draw(a), draw(b)) for draw in PAIRS)


def _pair(a: Figure, b: Figure) -> Pair:
    if a.plot is None or b.plot is None or _scale(a) != _scale(b):
        return Pair(a.name, a, b)
    longer = max((a.plot, b.plot), key=lambda plot: float(_axis(plot)["range"][1]))
    low = min(float(_axis(plot)["range"][0]) for plot in (a.plot, b.plot))
    axis = {**_axis(longer), "range": [low, _axis(longer)["range"][1]]}
    return Pair(a.name, _on(a, axis), _on(b, axis))


def _on(figure: Figure, axis: dict[str, Any]) -> Figure:
    plot = copy.deepcopy(figure.plot)
    assert plot is not None
    plot["layout"]["xaxis"] = axis
    return dataclasses.replace(figure, plot=plot)


def _axis(plot: dict[str, Any]) -> dict[str, Any]:
    axis: dict[str, Any] = plot["layout"]["xaxis"]
    return axis


def _scale(figure: Figure) -> tuple[str, str]:
    """What is drawn and in which unit: that stands above the chart, as k USD does, or on the last label of the axis."""
    assert figure.plot is not None
    return figure.eyebrow, str(_axis(figure.plot)["ticktext"][-1]).lstrip("-\u22120123456789.,")


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
    """Every figure that differs, or all, by room."""
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


class Comparison(NamedTuple):
    """`says` is the difference in one sentence."""

    says: str
    key_figures: tuple[ResultRow, ...]
    inputs: tuple[Difference, ...]
    rooms: tuple[RoomRows, ...]
    pairs: tuple[Pair, ...]
    ladder: Figure
    alike: bool


class ComparePage(NamedTuple):
    asked: Compared
    a: Side | None
    b: Side | None
    faults: tuple[str, ...]
    options: tuple[tuple[str, tuple[Option, ...]], ...]
    comparison: Comparison | None


def compare_page(asked: Compared, designs: Designs, work: SavedWork) -> ComparePage:
    """Both sides, what differs, and what else could be chosen."""
    faults: list[str] = []
    state = decode_state(asked.s) if asked.s else None
    if asked.s and state is None:
        faults.append("The unsaved changes in this address cannot be read; B is shown as it was saved.")
        asked = asked._replace(s="")
    first = decode_state(asked.t) if asked.t else None
    if asked.t and first is None:
        faults.append("The unsaved scenario of A in this address cannot be read; A is shown as it was saved.")
        asked = asked._replace(t="")
    sides = [
        _side(ref, values, encoded, designs, work, faults)
        for ref, values, encoded in ((asked.a, first, asked.t), (asked.b, state, asked.s))
    ]
    a, b = sides
    compared = _comparison(a, b, designs, every=asked.every) if a and b else None
    return ComparePage(asked, a, b, tuple(faults), options(designs, work), compared)


def _side(
    ref: str, values: dict[str, Any] | None, s: str, designs: Designs, work: SavedWork, faults: list[str]
) -> Side | None:
    if not ref:
        return None
    try:
        return side(ref, values, s, designs, work)
    except NoSideError as error:
        faults.append(str(error))
        return None


def _comparison(a: Side, b: Side, designs: Designs, *, every: bool) -> Comparison:
    inputs = input_rows(a.values, b.values, designs.of(b.ref).choices(), every=every)
    rooms = room_rows(a.evaluation, b.evaluation, every=every)
    alike = not any(each.before != each.after for each in inputs) and not any(
        row.differs for room in rooms for row in room.rows
    )
    return Comparison(
        says=_says(a, b, alike),
        key_figures=tuple(
            row for row in key_rows(a.evaluation, b.evaluation) if every or row.differs or row.sense == ""
        ),
        inputs=inputs,
        rooms=rooms,
        pairs=chart_pairs(a.evaluation, b.evaluation),
        ladder=ladders_figure(
            {f"{letter}, {one.name}": one.evaluation for letter, one in (("A", a), ("B", b))}
        ),
        alike=alike,
    )


def _says(a: Side, b: Side, alike: bool) -> str:
    if alike:
        return "No difference: A and B state the same inputs and come to the same figures."
    parts = effects(b.evaluation, a.evaluation)
    fits = {(True, False): " A fits, B does not.", (False, True): " B fits, A does not."}
    beside = fits.get((a.evaluation["feasible"], b.evaluation["feasible"]), "")
    same = "latency, tokens, cost or power" if is_serving(b.evaluation) else "time, cost or power"
    return f"B {listed(parts)}.{beside}" if parts else f"They differ, but not in {same}.{beside}"


router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/compare")
def compare(
    work: ReadDep,
    source: DesignsDep,
    page: TemplatesDep,
    a: str = "",
    b: str = "",
    s: str = "",
    of: str = "",
    t: str = "",
    of_a: str = "",
    every: Annotated[bool, Query(alias="all")] = False,
) -> HTMLResponse:
    """`of` is the design that the unsaved scenario in `s` was made from: another B leaves it behind. `of_a`
    and `t` are those of A.
    """
    kept = (s if of in ("", b) else "", t if of_a in ("", a) else "")
    found = compare_page(Compared(a, b, kept[0], every, kept[1]), source, work)
    return page.page("saved/compare.html", status=404 if found.faults else 200, page=found)
