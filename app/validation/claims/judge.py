"""The verdict on every claim, its words, its values, and which of them were asked for."""

from __future__ import annotations

import dataclasses
import math
import re
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import quote

import numpy as np

from app.catalog.lookup import Catalog
from app.charts.format import NOT_PUBLISHED, THIN_SPACE, TIMES, WIDE_SPACE, Shown, number, percent, show
from app.charts.unit_choice import in_units
from app.likeness import nearest_names
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import shorten
from app.validation.claims.inputs import Calculation, Compared, Inputs, Topic
from app.validation.claims.ledger import (
    KINDS,
    TOPICS,
    VERDICTS,
    Article,
    Claim,
    Verdict,
    joint_verdict,
    ledger,
)
from app.validation.claims.topics import (
    cost,
    network,
    parallelism,
    power,
    scaling,
    storage,
    systems,
    training_time,
)

# Every claim with what the engine computes for it, and whether the verdict follows.

CALCULATED: tuple[Topic, ...] = (
    scaling.CLAIMS,
    training_time.CLAIMS,
    parallelism.CLAIMS,
    network.CLAIMS,
    systems.CLAIMS,
    storage.CLAIMS,
    power.CLAIMS,
    cost.CLAIMS,
)
PLACE_OF_A_FIGURE = re.compile(r"\{([^}]+)\}")
CALCULATIONS: dict[str, Calculation] = {key: found for topic in CALCULATED for key, found in topic.items()}
"""Claim id -> what computes it. The rest are judged by what their sources say."""


@dataclass(frozen=True)
class Judged:
    """A claim of the ledger beside what was computed for it just now."""

    claim: Claim
    article: Article
    figures: tuple[Compared, ...]
    example: str  # key of the worked example that was evaluated
    scenario: ScenarioDocument | None  # what was evaluated
    catalog_rows: tuple[str, ...]  # kind/key of what the figures come from, without those of whole designs

    @cached_property
    def computed_verdict(self) -> Verdict | None:
        """By the figures that decide; None where none does."""
        return joint_verdict(
            figure.verdict for figure in self.figures if figure.decides and figure.verdict is not None
        )


class Claims:
    """All claims of one catalog, each computed when it is first asked for."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._judged: dict[str, Judged] = {}
        self._lock = threading.RLock()

    def all(self) -> tuple[Judged, ...]:
        """Every claim, what is wrong first, else in the order of the ledger."""
        found = [self.one(key) for key in ledger().claims]
        return tuple(sorted(found, key=lambda one: VERDICTS.index(one.claim.verdict)))

    def one(self, key: str) -> Judged:
        """A claim by its id.

        Raises
        ------
        KeyError : there is no such claim
        """
        claim = ledger().claims[key]
        with self._lock:
            if key not in self._judged:
                with in_units():  # kept for everybody, in the units of the published figure
                    self._judged[key] = judged(claim, self._catalog)
            return self._judged[key]


def judged(claim: Claim, catalog: Catalog) -> Judged:
    """A claim, computed."""
    article = ledger().articles[claim.article]
    inputs = Inputs(catalog, article)
    calculate = CALCULATIONS.get(claim.id)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        figures = tuple(calculate(inputs)) if calculate else ()
    claim = dataclasses.replace(
        claim, correction=_filled(claim.correction, figures), reason=_filled(claim.reason, figures)
    )
    scenario = inputs.design.document if inputs.design else None
    rows = () if scenario else _catalog_rows(figures, catalog)
    return Judged(claim, article, figures, inputs.example, scenario, rows)


def _filled(text: str, figures: Sequence[Compared]) -> str:
    """A text of the ledger with the figures that it names by their labels in braces.

    Raises
    ------
    KeyError : a label that the claim does not compute
    """
    shown = {figure.label: plain_text(shown_figure(figure).text) for figure in figures}
    return PLACE_OF_A_FIGURE.sub(lambda found: shown[found[1]], text)


def _catalog_rows(figures: Sequence[Compared], catalog: Catalog) -> tuple[str, ...]:
    """Rows of the catalog that figures come from, those that have a page."""
    named = (
        node.origin.catalog
        for figure in figures
        for node in figure.node.walk()
        if node.origin and node.origin.catalog
    )
    return tuple(row for row in dict.fromkeys(named) if _is_there(row, catalog))


def _is_there(row: str, catalog: Catalog) -> bool:
    kind, _, key = row.partition("/")
    return kind in catalog.kinds() and key in catalog.keys(kind)


_kept: dict[str, Claims] = {}


def claims_of(catalog: Catalog) -> Claims:
    """The claims computed with a catalog; those of its revision are kept, others are computed again."""
    if catalog.revision not in _kept:
        _kept.clear()
        _kept[catalog.revision] = Claims(catalog)
    return _kept[catalog.revision]


# Claims in words: figures with their units, what they are held against, and how many are right.

MOST_PREFIXED_FLOP = 1e21
"""Beyond it the largest prefix leaves a long number; powers of ten are how compute of runs is written."""


def shown_figure(figure: Compared) -> Shown:
    """Our figure in the unit it is shown in."""
    return _shown(figure, figure.value)


def theirs_text(figure: Compared) -> str:
    """What the article says of it, as in "at least 100 PFLOP/s"; "" where it says nothing."""
    rule = figure.rule
    if rule is None:
        return ""
    ends = [end for end in (rule.low, rule.high) if math.isfinite(end)]
    texts = [_shown(figure, end).text for end in dict.fromkeys(ends)]
    return f"{rule.says} {' to '.join(texts)}".strip()


def ratio_text(figure: Compared) -> str:
    """Computed / published as people write it; "" where theirs is zero or not there."""
    ratio = ratio_of(figure)
    return "" if ratio is None else f"{number(ratio)}{TIMES}"


def ratio_of(figure: Compared) -> float | None:
    """Computed / published; None where there is no figure of theirs, or it is zero."""
    ratio = figure.rule.ratio(figure.value) if figure.rule else math.nan
    return ratio if math.isfinite(ratio) else None


def plain_text(text: str) -> str:
    """A text with ordinary spaces, for files and terminals."""
    return text.replace(THIN_SPACE, " ").replace(WIDE_SPACE, " ")


def counts(claims: Sequence[Judged]) -> dict[str, int]:
    """Number of claims by verdict."""
    found = Counter(one.claim.verdict for one in claims)
    return {verdict: found[verdict] for verdict in VERDICTS}


def summary(claims: Sequence[Judged]) -> str:
    """All claims in a sentence."""
    found = counts(claims)
    computed = sum(bool(one.figures) for one in claims)
    return (
        f"{len(claims):,} claims of {len(ledger().articles)} articles: {found['right']} right, "
        f"{found['imprecise']} imprecise, {found['wrong']} wrong, {found['unverifiable']} that cannot be "
        f"verified. {computed} have figures of ours beside theirs, computed from the catalog as it is now."
    )


def claims_text(claims: Sequence[Judged], everything: Sequence[Judged]) -> str:
    """Claims as lines of text."""
    lines = [summary(everything)]
    if len(claims) != len(everything):
        lines.append(f"{len(claims)} of them are asked for.")
    for one in claims:
        lines += ["", f"{one.claim.id}  {one.claim.verdict.upper()}  {one.claim.claim}"]
        lines += [f"    {_figure_line(figure)}" for figure in one.figures]
        lines += [f"    {one.claim.correction}", f"    Source: {source_text(one)}"]
    return plain_text("\n".join(lines))


def source_text(one: Judged) -> str:
    """Title and address of the source of a claim."""
    return " ".join(text for text in (one.claim.source, one.claim.url) if text)


def _figure_line(figure: Compared) -> str:
    theirs = theirs_text(figure)
    against = f" (article: {theirs})" if theirs else ""
    return f"{figure.label}: {shown_figure(figure).text}{against}"


def _shown(figure: Compared, value: float) -> Shown:
    unit = figure.unit or figure.own_unit
    if math.isnan(value):
        return Shown(NOT_PUBLISHED)
    if unit == "%":
        return percent(value)
    if unit == "FLOP" and abs(value) >= MOST_PREFIXED_FLOP:
        return Shown(number(value), unit)
    if unit == "FLOP/J":  # prefixed like the FLOP that it counts
        flop = show(value, "FLOP")
        return Shown(flop.value, f"{flop.unit}/J")
    return show(value, unit)


# Claims as plain values, the same over REST and on the command line.

PAGE = "/claims"
OF_THE_LEDGER = (
    "id", "article", "claim", "verdict", "correction", "reason", "source", "url", "topic", "kind",
)  # fmt: skip
COMPUTED = ("value", "unit", "text")


def claims_values(claims: Sequence[Judged], everything: Sequence[Judged]) -> dict[str, Any]:
    """Claims, and how many of all have each verdict."""
    return {"items": [claim_values(one) for one in claims], "counts": counts(everything)}


def claim_values(one: Judged) -> dict[str, Any]:
    """A claim with its figures; `computed` is the first."""
    figures = [_figure(figure) for figure in one.figures]
    return {
        **{name: getattr(one.claim, name) for name in OF_THE_LEDGER},
        "article_title": one.article.title,
        "computed": {name: figures[0][name] for name in COMPUTED} if figures else None,
        "computed_verdict": one.computed_verdict,
        "figures": figures,
        "links": _links(one),
    }


def _figure(figure: Compared) -> dict[str, Any]:
    value = figure.value
    return {
        "value": value if math.isfinite(value) else None,
        "unit": figure.own_unit,
        "text": plain_text(shown_figure(figure).text),
        "label": figure.label,
        "theirs": plain_text(theirs_text(figure)),
        "ratio": ratio_of(figure),
        "verdict": figure.verdict,
        "rule": figure.rule.means if figure.rule else "",
        "decides": figure.decides and figure.rule is not None,
    }


def _links(one: Judged) -> list[dict[str, str]]:
    links = [{"title": "Computation", "href": f"{PAGE}/{one.claim.id}"}]
    if one.example:
        links.append({"title": "The design it was computed on", "href": f"/designs/{one.example}"})
    for row in one.catalog_rows:
        kind, _, key = row.partition("/")
        links.append({"title": row, "href": f"/catalog/{kind}/{quote(key, safe='')}"})
    return links


# Which claims are asked for: by verdict, article, topic, kind, and words.

SEARCH = "q"
LONGEST_SEARCH = 200


def facets() -> dict[str, dict[str, str]]:
    """What claims can be chosen by: parameter -> its words, each with its label."""
    return {
        "verdict": {verdict: verdict.capitalize() for verdict in VERDICTS},
        "article": {key: article.short for key, article in ledger().articles.items()},
        "topic": TOPICS,
        "kind": KINDS,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A parameter that cannot be used, and a way out."""

    name: str
    message: str
    hint: str

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".rstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request read. What could not be used is in `faults` and narrows nothing."""

    words: tuple[str, ...] = ()
    chosen: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()

    @property
    def narrows(self) -> bool:
        return bool(self.words or self.chosen)

    def holds(self, one: Judged) -> bool:
        """Return whether a claim is asked for."""
        if any(getattr(one.claim, name) != word for name, word in self.chosen.items()):
            return False
        said = searched_text(one)
        return all(word in said for word in self.words)


def read_asked(given: Mapping[str, str]) -> Asked:
    """What is asked for, by parameter; empty ones ask for nothing."""
    chosen: dict[str, str] = {}
    faults: list[Fault] = []
    for name, labels in facets().items():
        text = given.get(name, "")
        if text in labels:
            chosen[name] = text
        elif text:
            near = nearest_names(text[:80], labels, count=1)
            hint = f"Nearest: {near}. Known: {', '.join(labels)}."
            faults.append(Fault(name=name, message=f"{name} cannot be {shorten(text)}.", hint=hint))
    search = given.get(SEARCH, "")
    if len(search) > LONGEST_SEARCH:
        message = f"A search may have {LONGEST_SEARCH} characters; this one has {len(search):,}."
        faults.append(Fault(name=SEARCH, message=message, hint="Shorten it."))
        search = ""
    return Asked(words=tuple(search.casefold().split()), chosen=chosen, faults=tuple(faults))


def searched_text(one: Judged) -> str:
    """All that is said about a claim."""
    claim = one.claim
    said = (claim.id, claim.claim, claim.correction, claim.reason, claim.source, one.article.title)
    return "\n".join((*said, TOPICS[claim.topic], KINDS[claim.kind])).casefold()
