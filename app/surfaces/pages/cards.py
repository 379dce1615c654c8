"""An evaluated design as a card of the home page."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.figure import get_path
from app.charts.format import Shown, percent, show_at
from app.charts.pod_glyph import PodGlyph, pod_glyph
from app.charts.step_parts import card_groups, complete_breakdown, group_seconds, predicted_step_s
from app.charts.workload_kind import is_serving, kind_words
from app.surfaces.pages.designs import Evaluated
from app.surfaces.pages.labels import headline

FIGURES = ("performance.elapsed_time_s", "cost.usd_per_run", "power.utility_peak_w")
SERVING_FIGURES = ("performance.tokens_per_s", "cost.usd_per_million_tokens", "power.utility_peak_w")


class Segment(NamedTuple):
    """A part of the time bar, in percent of its width."""

    label: str
    slot: str
    x: float
    width: float


class Card(NamedTuple):
    key: str
    title: str
    kind: str
    feasible: bool
    illustrative: bool
    bar: tuple[Segment, ...]
    bar_text: str
    figures: tuple[tuple[str, Shown], ...]
    glyph: PodGlyph | None = None
    pending: bool = False  # its figures are being computed


def pending_card(key: str, title: str) -> Card:
    """The card of a design that is not evaluated yet."""
    return Card(key, title, "", True, False, (), "", (), pending=True)


def card(evaluated: Evaluated) -> Card:
    """What the home page says of a design."""
    evaluation = evaluated.as_json
    bar = time_bar(evaluation)
    site = get_path(evaluation, "inputs.site.name")
    return Card(
        key=evaluated.key,
        title=evaluation["name"],
        kind=f"{kind_words(evaluation)}, {site}" if site else kind_words(evaluation),
        feasible=evaluation["feasible"],
        illustrative=evaluated.illustrative,
        bar=bar,
        bar_text=", ".join(f"{part.label.lower()} {percent(part.width / 100).text}" for part in bar),
        figures=tuple(
            (label, show_at(path, get_path(evaluation, path)))
            for label, path in (
                headline(evaluation, path)
                for path in (SERVING_FIGURES if is_serving(evaluation) else FIGURES)
            )
        ),
        glyph=pod_glyph(evaluation),
    )


def time_bar(evaluation: dict[str, Any]) -> tuple[Segment, ...]:
    """Where the time of a step goes, in five parts. Empty when it is unknown."""
    breakdown = complete_breakdown(get_path(evaluation, "performance.time_breakdown_s"))
    total = predicted_step_s(breakdown) if breakdown else 0.0
    if not breakdown or total <= 0:
        return ()
    segments, x = [], 0.0
    for group in card_groups(breakdown):
        width = 100 * (group_seconds(breakdown, group) or 0.0) / total
        if width > 0:
            segments.append(Segment(group.label, group.slot, round(x, 3), round(width, 3)))
        x += width
    return tuple(segments)
