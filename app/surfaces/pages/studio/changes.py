"""Differences between two scenarios and their effect on key figures."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.figure import get_path
from app.charts.format import CURRENCIES, MINUS, WIDE_SPACE, Shown, as_read, number, show, unit_at
from app.charts.workload_kind import is_serving, kind_of
from app.engine.quantities import quantity_at
from app.scenarios.document.ranges import range_at
from app.scenarios.document.scenario import ScenarioDocument
from app.surfaces.pages.labels import in_words
from app.surfaces.pages.studio.choices import Choice
from app.surfaces.pages.studio.field import Field
from app.surfaces.pages.studio.fields import fields_by_path
from app.surfaces.pages.studio.form import Choices, Values, field_text
from app.surfaces.pages.studio.numbers import number_text, range_box_text, scale_of
from app.surfaces.pages.studio.state import MISSING, value_at

MILLIONS = 999.5e3  # USD, from which sums are shown in them
SAID = (
    ("performance.elapsed_time_s", "finishes {} sooner", "finishes {} later"),
    ("cost.usd_per_run", "costs {} less", "costs {} more"),
    ("power.utility_peak_w", "draws {} less at the peak", "draws {} more at the peak"),
)
SAID_OF_SERVING = (
    ("performance.ttft_s", "answers first {} sooner", "answers first {} later"),
    ("performance.tpot_s", "takes {} less per token", "takes {} more per token"),
    ("performance.tokens_per_s", "answers with {} less", "answers with {} more"),
    ("cost.usd_per_million_tokens", "costs {} less per 1 M tokens", "costs {} more per 1 M tokens"),
    ("power.utility_peak_w", "draws {} less at the peak", "draws {} more at the peak"),
)
"""Of a served model, which has no run."""


SHORT_UNITS = (
    *((currency, "") for currency in CURRENCIES),
    ("days", "d"),
    ("tokens/s", "/s"),
    ("J/token", "J"),
)
"""Units as a change beside a figure is short of room for them."""


class Delta(NamedTuple):
    """The change of a key figure; `sense` is better, worse or same."""

    text: str
    sense: str


def changed_paths(values: Values, base: Values) -> list[str]:
    """Fields that differ, by path; a part without fields of its own counts once."""
    known = fields_by_path()
    paths = [path for path in known if value_at(values, path) != value_at(base, path)
             and not isinstance(value_at(values, path), dict) | isinstance(value_at(base, path), dict)]  # fmt: skip
    if isinstance(value_at(values, "parallelism"), dict) != isinstance(value_at(base, "parallelism"), dict):
        paths = ["parallelism", *[path for path in paths if not path.startswith("parallelism")]]
    for part in ("supernode", "pod"):
        designs = [value_at(side, f"{part}.design") for side in (values, base)]
        if designs[0] != designs[1]:  # the rest comes with it, and counts where it is stated alongside it
            paths = [path for path in paths if not path.startswith(f"{part}.") or path.endswith(".design")
                     or all(_stands_beside(path, side, part) for side in (values, base))]  # fmt: skip
    for written in ("supernode.custom", "supernode.design"):
        if value_at(values, written) != value_at(base, written):
            paths.append("supernode.system")
    for path in ("workload.model", "workload.kind", "workload.communication", "workload.requests.classes", "facility.site", "operations.storage", "assumptions", "published",
                 "description", "illustrative"):  # fmt: skip
        if value_at(values, path) != value_at(base, path):
            paths.append(path)
    return list(dict.fromkeys([*paths, *_doubt_paths(values, base), *_estimate_paths(values, base)]))


def _estimate_paths(values: Values, base: Values) -> list[str]:
    """Estimates that differ, one path each."""
    one, other = _estimates(values), _estimates(base)
    return [f"estimates.{place}" for place in {**one, **other} if one.get(place) != other.get(place)]


def _doubt_paths(values: Values, base: Values) -> list[str]:
    """Ranges that differ, by field; what else is asked of uncertainty counts once."""
    ranges = [value_at(side, "uncertainty.inputs") for side in (values, base)]
    one, other = (found if isinstance(found, dict) else {} for found in ranges)
    paths = [path for path in dict.fromkeys([*one, *other]) if one.get(path) != other.get(path)]
    rests = [value_at(side, "uncertainty") for side in (values, base)]
    asked = [
        {name: part for name, part in rest.items() if name != "inputs"} if isinstance(rest, dict) else {}
        for rest in rests
    ]
    return paths if asked[0] == asked[1] else [*paths, "uncertainty"]


def _estimates(values: Values) -> Values:
    found = value_at(values, "estimates")
    return found if isinstance(found, dict) else {}


def _stands_beside(path: str, side: Values, part: str) -> bool:
    """Return whether a field is stated, on the side that names a design at least."""
    return value_at(side, f"{part}.design") is MISSING or value_at(side, path) is not MISSING


def canonical(document: ScenarioDocument) -> Values:
    """Every field with its default, as plain values."""
    values: Values = document.model_dump(mode="json")
    return values


def delta(path: str, now: float | None, before: float | None) -> Delta | None:
    """The change of a figure as the strip says it; None where either is unknown."""
    if now is None or before is None:
        return None
    change = now - before
    size = (
        _in_millions(change) if path == "cost.usd_per_run" and abs(now) >= MILLIONS else _size(path, change)
    )
    if abs(change) <= 1e-9 * max(abs(now), abs(before)) or not size.value.strip("0."):
        return Delta("", "same")
    record = quantity_at(path)
    sense = "better" if (change < 0) == (record is not None and record.better == "less") else "worse"
    unit = size.unit
    for long, brief in SHORT_UNITS:
        unit = unit.replace(long, brief)
    unit = unit.strip(f" {WIDE_SPACE}")
    short = Shown(size.value, unit)
    return Delta(f"{MINUS if change < 0 else '+'}{short.text}", sense)


def last_change(now: dict[str, Any], before: dict[str, Any], words: str) -> str:
    """Return what was changed, and its effect on time, cost and power.

    Figures of different kinds of workload are not compared: a training step and a served request share no unit of work.
    """
    if kind_of(now) != kind_of(before):
        return (
            f"Last change: {words}. Figures of another kind of workload are not comparable with those before."
        )
    parts = effects(now, before)
    subjects = "Latency, tokens, cost and power" if is_serving(now) else "Time, cost and power"
    if now["feasible"] != before["feasible"]:
        parts.append("now fits" if now["feasible"] else "no longer fits")
    effect = f" It {listed(parts)}." if parts else f" {subjects} stay as they were."
    return f"Last change: {words}.{effect}"


def effects(now: dict[str, Any], before: dict[str, Any]) -> list[str]:
    """What a change does to time, cost and power: "finishes 4.6 days sooner"."""
    parts = []
    for path, less, more in SAID_OF_SERVING if is_serving(now) else SAID:
        one, other = get_path(now, path), get_path(before, path)
        if one is None or other is None or abs(one - other) <= 5e-4 * max(abs(one), abs(other)):
            continue
        parts.append((less if one < other else more).format(_size(path, one - other).text))
    return parts


def change_words(values: Values, before: Values, choices: Choices) -> str:
    """The changed fields in words: "SuperNodes 1,920 to 2,048"."""
    paths = changed_paths(values, before)
    if paths and all(path.startswith("estimates.") for path in paths):
        return _estimates_said(values, before, len(paths))
    said = [_said(path, values, before, choices) for path in paths[:2]]
    more = f" and {len(paths) - 2} more" if len(paths) > 2 else ""
    return (", ".join(said) + more) or "nothing that the figures depend on"


def _estimates_said(values: Values, before: Values, count: int) -> str:
    """Estimates alone are named by what became of them."""
    change = len(_estimates(values)) - len(_estimates(before))
    done = "accepted" if change > 0 else "removed" if change < 0 else "changed"
    return f"{count} estimate{'s' if count > 1 else ''} {done}"


def _said(path: str, values: Values, before: Values, choices: Choices) -> str:
    field = fields_by_path().get(path)
    if path.startswith("estimates."):
        return "estimates changed"
    if field is None or path == "parallelism":
        return f"{'Layout' if path == 'parallelism' else in_words(path.rsplit('.', 1)[-1])} changed"
    old, new = (
        range_words(field, side) or field_words(field, _stated(field, side), choices)
        for side in (before, values)
    )
    return f"{field.label} {old} to {new}"


def _stated(field: Field, values: Values) -> Any:
    """Stated value of a field; a saved design or a SuperNode written out stands for the system."""
    if field.path != "supernode.system":
        return value_at(values, field.path)
    custom = value_at(values, "supernode.custom")
    return field_text(field, values) or MISSING if custom is MISSING else custom


def range_words(field: Field, values: Values) -> str:
    """The range of a field, as a sentence says it; "" where it has none."""
    written, value = range_at(values, field.path), value_at(values, field.path)
    if not written or not isinstance(value, int | float):
        return ""
    scale = scale_of(field, value)
    return f"a range of {range_box_text(written, scale)} {scale.unit}".rstrip()


def field_words(field: Field, value: Any, choices: Choices) -> str:
    """Contents of a field, as a sentence says it."""
    if value is MISSING or value is None:
        return "the default"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        scale = scale_of(field, value) if field.control == "number" else None
        unit = f" {scale.unit}" if scale and scale.unit else ""
        return f"{number_text(value, scale)}{unit}" if scale else f"{value:g}"
    if isinstance(value, dict):
        return str(value.get("name", "one written out"))
    named: Choice | None = next((item for item in choices.get(field.catalog, ()) if item.key == value), None)
    return named.name if named else dict(field.words).get(str(value), str(value))


def _in_millions(change: float) -> Shown:
    """The change of a sum that is shown in millions."""
    amount, _ = as_read(abs(change), "USD")
    return Shown(number(float(f"{amount / 1e6:.2g}"), digits=2), "M")


def _size(path: str, change: float) -> Shown:
    size = abs(change)
    if path in ("performance.mfu", "performance.fraction_of_peak"):
        return Shown(number(float(f"{100 * size:.2g}"), digits=2), "pt")
    if path in ("cooling.pue", "reliability.ettr"):
        return Shown(f"{size:.3f}")
    return show(size, unit_at(path))


def listed(parts: list[str]) -> str:
    """Several things in one sentence."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
