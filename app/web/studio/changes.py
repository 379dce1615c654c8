"""What differs between two scenarios, and what the difference does to the key figures."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.figures.figure import at
from app.figures.format import MINUS, WIDE_SPACE, Shown, number, show
from app.scenarios.document import ScenarioDocument
from app.web.labels import in_words
from app.web.studio.choices import Choice
from app.web.studio.field import Field
from app.web.studio.fields import fields_by_path
from app.web.studio.form import Choices, Values
from app.web.studio.numbers import number_text, scale_of
from app.web.studio.values import MISSING, value_at

BETTER_DOWN = frozenset(
    {"performance.elapsed_time_s", "cost.usd_per_run", "power.utility_peak_w", "cooling.pue"}
)
SAID = (
    ("performance.elapsed_time_s", "finishes {} sooner", "finishes {} later"),
    ("cost.usd_per_run", "costs {} less", "costs {} more"),
    ("power.utility_peak_w", "draws {} less at the peak", "draws {} more at the peak"),
)


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
    if value_at(values, "supernode.custom") != value_at(base, "supernode.custom"):
        paths.append("supernode.system")
    for path in ("workload.model", "facility.site", "operations.storage", "assumptions", "published",
                 "description", "illustrative"):  # fmt: skip
        if value_at(values, path) != value_at(base, path):
            paths.append(path)
    return list(dict.fromkeys(paths))


def canonical(document: ScenarioDocument) -> Values:
    """Every field with its default, as plain values."""
    values: Values = document.model_dump(mode="json")
    return values


def delta(path: str, now: float | None, before: float | None) -> Delta | None:
    """The change of a figure as the strip says it; None where either is unknown."""
    if now is None or before is None:
        return None
    change = now - before
    size = _size(path, change)
    if abs(change) <= 1e-9 * max(abs(now), abs(before)) or not size.value.strip("0."):
        return Delta("no change", "same")
    sense = "better" if (change < 0) == (path in BETTER_DOWN) else "worse"
    unit = size.unit.replace("USD", "").replace("days", "d").strip(f" {WIDE_SPACE}")
    short = Shown(size.value, unit)
    return Delta(f"{MINUS if change < 0 else '+'}{short.text}", sense)


def last_change(now: dict[str, Any], before: dict[str, Any], words: str) -> str:
    """What was changed, and what it does to time, cost and power."""
    parts = []
    for path, less, more in SAID:
        one, other = at(now, path), at(before, path)
        if one is None or other is None or abs(one - other) <= 5e-4 * max(abs(one), abs(other)):
            continue
        parts.append((less if one < other else more).format(_size(path, one - other).text))
    if now["feasible"] != before["feasible"]:
        parts.append("now fits" if now["feasible"] else "no longer fits")
    effect = f" It {_listed(parts)}." if parts else " Time, cost and power stay as they were."
    return f"Last change: {words}.{effect}"


def change_words(values: Values, before: Values, choices: Choices) -> str:
    """The changed fields in words: "SuperNodes 1,920 to 2,048"."""
    paths = changed_paths(values, before)
    said = [_said(path, values, before, choices) for path in paths[:2]]
    more = f" and {len(paths) - 2} more" if len(paths) > 2 else ""
    return (", ".join(said) + more) or "nothing that the figures depend on"


def _said(path: str, values: Values, before: Values, choices: Choices) -> str:
    field = fields_by_path().get(path)
    if field is None or path == "parallelism":
        return f"{'Layout' if path == 'parallelism' else in_words(path.rsplit('.', 1)[-1])} changed"
    old, new = (_words(field, value_at(side, path), choices) for side in (before, values))
    return f"{field.label} {old} to {new}"


def _words(field: Field, value: Any, choices: Choices) -> str:
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


def _size(path: str, change: float) -> Shown:
    size = abs(change)
    if path == "performance.mfu":
        return Shown(number(float(f"{100 * size:.2g}")), "pt")
    if path in ("cooling.pue", "reliability.ettr"):
        return Shown(f"{size:.3f}")
    units = {"performance.elapsed_time_s": "s", "cost.usd_per_run": "USD", "power.utility_peak_w": "W"}
    return show(size, units[path])


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
