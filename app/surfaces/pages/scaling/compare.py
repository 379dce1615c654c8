"""Two to four saved projections side by side, each with the figures that were saved with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from app.charts.format import brief, number, percent, show
from app.charts.scaling.words import (
    flop_text,
    loss_text,
    parameters_text,
    power_text,
    tokens_text,
)
from app.saved.errors import NotSavedError
from app.saved.store import SavedWork
from app.surfaces.pages.saved.compare.sides import Option
from app.surfaces.pages.saved.rights import saved_key
from app.surfaces.pages.scaling.answer import days_shown, wider
from app.surfaces.pages.scaling.form import FURTHER, KNOWN

FEWEST, MOST = 2, 4
MOST_LISTED = 200
NONE = "n/a"


class Side(NamedTuple):
    ref: str
    name: str
    revision: int
    address: str
    answer: dict[str, Any]


class Row(NamedTuple):
    """A line of the comparison: a cell for each side, and whether they differ."""

    label: str
    cells: tuple[str, ...]
    differs: bool


class ComparePage(NamedTuple):
    sides: tuple[Side, ...]
    asked: tuple[str, ...]
    faults: tuple[str, ...]
    options: tuple[Option, ...]
    rows: tuple[Row, ...]

    @property
    def places(self) -> tuple[str, ...]:
        """Contents of the four choices."""
        return (*self.asked, *("",) * (MOST - len(self.asked)))


def compare_page(work: SavedWork, refs: Sequence[str]) -> ComparePage:
    """`refs` are ids, or id@revision; blank ones are choices that were left open."""
    asked = tuple(ref for ref in refs if ref)[:MOST]
    faults = [f"At most {MOST} projections are compared; the first {MOST} are shown."] if len([ref for ref in refs if ref]) > MOST else []  # fmt: skip
    sides = []
    for ref in asked:
        try:
            sides.append(_side(work, ref))
        except NotSavedError:
            faults.append(
                f"There is no saved projection {ref[:60]}. It may have been deleted; choose another."
            )
    own = work.listed("projection", limit=MOST_LISTED).items if work.has_lists else ()
    listed = (*own, *work.shared("projection", limit=MOST_LISTED).items)
    return ComparePage(
        sides=tuple(sides),
        asked=asked,
        faults=tuple(faults),
        options=tuple(Option(saved.id, saved.name) for saved in listed),
        rows=tuple(_row(label, words, sides) for label, words in ROWS) if len(sides) >= FEWEST else (),
    )


def compare_address(*refs: str) -> str:
    return f"/scaling/compare?{urlencode([('p', ref) for ref in refs], safe='@')}"


def given_text(answer: dict[str, Any]) -> str:
    """What was asked, in words."""
    labels = {field.name: field.label for field in (*KNOWN, *FURTHER)}
    units = {field.name: field.unit for field in (*KNOWN, *FURTHER)}
    return ", ".join(
        f"{labels[name].partition(',')[0].lower()} {_amount(name, value)}{f' {units[name]}' if units[name] else ''}"
        for name, value in answer["given"].items()
    )


def _amount(name: str, value: float) -> str:
    if name == "parameters":
        return parameters_text(value)
    return brief(value) if value < 1e4 else power_text(value)


def _side(work: SavedWork, ref: str) -> Side:
    named = saved_key(ref)
    if named is None:
        raise NotSavedError("projection", ref)
    saved = work.get("projection", named.id)
    number = named.revision or saved.revision
    revision = work.revision("projection", saved.id, number)
    return Side(
        ref=ref,
        name=str(revision.document["name"]),
        revision=number,
        address=f"/scaling/{saved.id}" + (f"?revision={number}" if number != saved.revision else ""),
        answer=work.projection(saved.id, number),
    )


def _row(label: str, words: Callable[[dict[str, Any]], str], sides: Sequence[Side]) -> Row:
    cells = tuple(words(side.answer) for side in sides)
    return Row(label, cells, len(set(cells)) > 1)


def _of(part: str, name: str, words: Callable[[float], str]) -> Callable[[dict[str, Any]], str]:
    """A figure of a part of the answer; n/a where there is none."""

    def cell(answer: dict[str, Any]) -> str:
        value = (answer[part] or {}).get(name)
        return NONE if value is None else words(value)

    return cell


def _interval(name: str, words: Callable[[float], str], by: str = "") -> Callable[[dict[str, Any]], str]:
    """An interval by the `law` or the `speed` of the design, else the wider of both."""

    def cell(answer: dict[str, Any]) -> str:
        found = answer["intervals"]
        of = {each: (found[each] or {}).get(name) for each in ("law", "speed")}
        bounds = of[by] if by else wider(*of.values())
        return NONE if bounds is None else f"{words(bounds['low'])} to {words(bounds['high'])}"

    return cell


def _above(value: float) -> str:
    return f"{max(value, 0.0):.4f}"


def _share(value: float) -> str:
    return percent(max(round(value, 6), 0.0)).text


def _beyond(answer: dict[str, Any]) -> str:
    found = [f"{one['quantity']} {brief(one['factor'])}\u00d7" for one in answer["beyond_fit"]]
    return ", ".join(found) or "inside"


ROWS: tuple[tuple[str, Callable[[dict[str, Any]], str]], ...] = (
    ("Law", lambda answer: str(answer["law_name"])),
    ("Given", given_text),
    ("Parameters", _of("model", "parameters", parameters_text)),
    ("80 % of them, by the speed of the design", _interval("parameters", parameters_text, "speed")),
    ("Training tokens", _of("model", "tokens", tokens_text)),
    ("Compute", _of("model", "flops", flop_text)),
    ("Loss, nats per token", _of("model", "loss", loss_text)),
    ("80 % of the loss", _interval("loss", loss_text)),
    ("Tokens per parameter", _of("model", "tokens_per_parameter", brief)),
    ("Best size for the compute", _of("optimal", "parameters", parameters_text)),
    ("80 % of it, by the law", _interval("optimal_parameters", parameters_text, "law")),
    ("Loss above the best", _of("over_training", "loss_above_optimal", _above)),
    ("Compute above the minimum", _of("over_training", "extra_compute_share", _share)),
    ("Times beyond the fitted range", _beyond),
    ("Design", _of("design", "name", str)),
    ("Elapsed time", _of("design", "days", lambda days: days_shown(days).text)),
    ("Cost when owned", _of("design", "usd", lambda usd: show(usd, "USD").text)),
    ("SuperNodes for the deadline", _of("design", "supernodes_needed", number)),
    ("Their accelerators", _of("design", "accelerators_needed", number)),
)  # fmt: skip
