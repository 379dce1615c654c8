"""A figure with every combination of changes from one scenario to another made, and what each change brings."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from app.catalog.view import CatalogView
from app.engine.design import at_same_speed, at_site, evaluate_sections
from app.engine.economics.difference.shapley import order_range, shapley_values
from app.engine.evaluation import Sections
from app.engine.explore.limits import FABRIC, broken_limits
from app.engine.specs import Design
from app.engine.trace import Array
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
from app.views.economics.difference.figures import GROUPS, SPEED, differing, mixed
from app.views.table import Column, amount, percent, text_line, text_rows

Changes = frozenset[str]
Bundle = tuple[str, ...]
"""Groups of fields that change together."""
MOST_BUNDLES = 7
CANNOT_RUN = (*FABRIC, "layout", "memory", "cooling plant")
"""Limits that a design must keep to stand between two others; others only make it a bad design."""
TOGETHER = (
    ("hardware", "layout"), ("hardware", "fabric"), ("workload", "layout"), ("workload", "hardware"),
    ("hardware", "prices"), ("hardware", "site"), ("prices", "terms"), ("site", "prices"),
)  # fmt: skip
"""Which groups are taken together first where some cannot be combined."""


@dataclass(frozen=True, slots=True)
class Causes:
    """`brought`, `least` and `most` are by bundle; `refusals` say which were taken together, one after another, and why."""

    bundles: tuple[Bundle, ...]
    brought: Array
    least: Array
    most: Array
    refusals: tuple[tuple[Bundle, str], ...]
    evaluations: int


class Between:
    """Designs between two scenarios; those that share their speed are searched for a layout once."""

    def __init__(self, first: EvaluatedScenario, second: EvaluatedScenario, catalog: CatalogView) -> None:
        self._values = (first.document.as_dict(), second.document.as_dict())
        self._catalog = catalog
        self.groups = differing(*self._values)
        self.evaluations = 0
        self.refused: dict[Changes, str] = {}
        self._speeds: dict[Changes, Sections] = {}
        self._running: dict[Changes, Sections] = {}
        whole = frozenset(self.groups)
        self._found: dict[Changes, tuple[Design, Sections] | None] = {
            frozenset(): (first.resolved.design, first.evaluation.sections),
            whole: (second.resolved.design, second.evaluation.sections),
        }
        ends = ((one.resolved.design, one.evaluation.sections) for one in (first, second))
        self._broken = {name for design, sections in ends for name in _limits(design, sections)}

    def figure(self, changes: Changes, value: Callable[[Sections], float]) -> float:
        """A figure with some changes made; NaN where these cannot be combined, and `refused` says why."""
        if changes not in self._found:
            self._found[changes] = self._evaluated(changes)
        found = self._found[changes]
        if found is None:
            return math.nan
        with np.errstate(invalid="ignore", divide="ignore"):
            figure = value(found[1])
        if not math.isfinite(figure):
            self.refused[changes] = "the figure is not known"
        return figure

    def _evaluated(self, changes: Changes) -> tuple[Design, Sections] | None:
        self.evaluations += 1
        try:
            design = resolve(build_scenario(mixed(*self._values, changes)), self._catalog).design
        except ScenarioError as error:
            self.refused[changes] = error.errors[0].words
            return None
        with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
            sections = self._sections(design, changes)
            broken = [name for name in _limits(design, sections) if name not in self._broken]
        if broken:
            self.refused[changes] = f"the design would break a limit: {broken[0].replace('_', ' ')}"
            return None
        return design, sections

    def _sections(self, design: Design, changes: Changes) -> Sections:
        """Only what the changes can have moved is computed: speed, then failures, then the rest."""
        speed, running = changes & SPEED, changes & (SPEED | {"operations"})
        if running in self._running:
            return at_site(design, self._running[running], design.facility)
        if speed in self._speeds:
            sections = at_same_speed(design, self._speeds[speed])
        else:
            sections = self._speeds[speed] = evaluate_sections(design)
        self._running[running] = sections
        return sections


def causes(
    first: EvaluatedScenario,
    second: EvaluatedScenario,
    catalog: CatalogView,
    value: Callable[[Sections], float],
) -> Causes:
    """Contribution of each change to a figure: its mean over all orders in which the changes could be made."""
    between = Between(first, second, catalog)
    bundles: list[Bundle] = [(group,) for group in between.groups]
    while len(bundles) > MOST_BUNDLES:
        bundles = _joined(bundles, _first_pair(bundles, [frozenset()]))
    reasons: list[tuple[Bundle, str]] = []
    while True:
        figures = np.array([between.figure(made, value) for made in _combinations(bundles)])
        failing = [
            made
            for made, figure in zip(_combinations(bundles), figures, strict=True)
            if not math.isfinite(figure)
        ]
        if not failing or len(bundles) <= 1:
            break
        pair = _first_pair(bundles, failing)
        split = next((made for made in failing if _splits(pair, made)), failing[0])
        bundles = _joined(bundles, pair)
        reasons.append((_ordered(pair[0] + pair[1]), between.refused.get(split, "")))
    if not bundles:
        nothing = np.zeros(0)
        return Causes((), nothing, nothing, nothing, (), 0)
    least, most = order_range(figures)
    return Causes(
        bundles=tuple(bundles),
        brought=shapley_values(figures),
        least=least,
        most=most,
        refusals=tuple(reasons),
        evaluations=between.evaluations,
    )


def _combinations(bundles: list[Bundle]) -> list[Changes]:
    """All combinations of changes, in the order that their bits count."""
    return [
        frozenset(group for place, bundle in enumerate(bundles) if bits >> place & 1 for group in bundle)
        for bits in range(1 << len(bundles))
    ]


def _first_pair(bundles: list[Bundle], failing: list[Changes]) -> tuple[Bundle, Bundle]:
    """The two bundles that leave fewest failing combinations when they are made one; then those named first."""

    def left(pair: tuple[Bundle, Bundle]) -> tuple[int, int]:
        remaining = sum(not _splits(pair, made) for made in failing)
        named = [
            place
            for place, (one, other) in enumerate(TOGETHER)
            if (one in pair[0] and other in pair[1]) or (other in pair[0] and one in pair[1])
        ]
        return remaining, named[0] if named else len(TOGETHER)

    return min(combinations(bundles, 2), key=left)


def _splits(pair: tuple[Bundle, Bundle], made: Changes) -> bool:
    return (pair[0][0] in made) != (pair[1][0] in made)


def _joined(bundles: list[Bundle], pair: tuple[Bundle, Bundle]) -> list[Bundle]:
    both = _ordered(pair[0] + pair[1])
    return [both if bundle == pair[0] else bundle for bundle in bundles if bundle != pair[1]]


def _ordered(bundle: Bundle) -> Bundle:
    return tuple(group.key for group in GROUPS if group.key in bundle)


def _limits(design: Design, sections: Sections) -> list[str]:
    broken = broken_limits(design, sections)
    return [name for name in CANNOT_RUN if name in broken and np.any(broken[name])]


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceLine:
    """Contribution of one part to the difference; all lines of a view add up to it."""

    key: str
    title: str
    said: str
    amount: float
    share: float  # of the difference; below 0 where it works against it
    first: float | None  # what stands on either side, where the part has a figure of its own
    second: float | None
    least: float | None  # what it brings in the orders of change where it brings least and most
    most: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceReport:
    """A figure of two designs, and what explains the difference: second less first."""

    first_name: str
    second_name: str
    figure: str
    title: str
    unit: str
    first: float
    second: float
    difference: float
    ratio: float
    by_category: tuple[DifferenceLine, ...]
    by_cause: tuple[DifferenceLine, ...]
    by_factor: tuple[DifferenceLine, ...]
    said: tuple[str, ...]  # what explains most, in words
    notes: tuple[str, ...]  # what was taken together, and what could not be told
    evaluations: int  # of designs between the two


VIEWS = (("by_cause", "By cause"), ("by_category", "By category"), ("by_factor", "By factor"))


def difference_text(report: DifferenceReport) -> str:
    """Both figures, the difference, and every view of it."""

    def shown(value: float) -> str:
        return amount(value, report.unit)

    columns = (
        Column("", "title", width=-40),
        Column("", "amount", shown, 18),
        Column("", "share", lambda share: "" if math.isnan(share) else percent(share), 9),
    )
    lines = [
        report.title,
        f"First           {shown(report.first)}  {report.first_name}",
        f"Second          {shown(report.second)}  {report.second_name}",
        f"Difference      {shown(report.difference)}",
        "",
        *report.said,
    ]
    for name, title in VIEWS:
        view: Sequence[DifferenceLine] = getattr(report, name)
        if view:
            together = shown(sum(line.amount for line in view))
            lines += ["", title, *text_rows(columns, view, indent="  ")]
            lines.append(text_line(["All", together, "100.0%"], columns, indent="  "))
    return "\n".join([*lines, "", *(f"- {note}" for note in report.notes)])


NAMED = 3
TELLING = 0.005  # of the difference: less is not worth a word


def findings(report: DifferenceReport) -> tuple[str, ...]:
    """The difference, and the three that explain most of it in each view."""
    if not math.isfinite(report.difference):
        return ()
    if is_same(report):
        return (f"{report.title} is the same in both.",)
    lines = [f"The second is {report.ratio:.3g} times the first." if report.first else "The first is zero."]
    for view, words in (
        (report.by_cause, "By cause"),
        (report.by_category, "By category"),
        (report.by_factor, "By factor"),
    ):
        if view:
            lines.append(f"{words}: {most_of(view)}.")
    return tuple(lines)


def is_same(report: DifferenceReport) -> bool:
    """Return whether both sides come to the same but for rounding."""
    return math.isclose(report.first, report.second, rel_tol=1e-12)


def most_of(lines: Sequence[DifferenceLine]) -> str:
    """The lines that explain most, with their shares."""
    ranked = sorted(lines, key=lambda line: -abs(line.share))[:NAMED]
    told = [line for line in ranked if abs(line.share) >= TELLING] or ranked[:1]
    return ", ".join(f"{_inside(line.title)} {_percent(line.share)}" for line in told)


def _inside(title: str) -> str:
    """A title inside a sentence.

    >>> _inside("Capital cost"), _inside("USD for an hour")
    ('capital cost', 'USD for an hour')
    """
    return title if title[:2].isupper() else f"{title[:1].lower()}{title[1:]}"


def _percent(share: float) -> str:
    return f"{'−' if share < 0 else ''}{abs(100 * share):.0f} %"
