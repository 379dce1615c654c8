"""The claims as their sources print them, and the rules by which they are judged."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, cast

from app.catalog.seed_files import SeedRow, read_rows
from app.paths import seed_data

# When a figure of an article is right: rules that turn a computed value into a verdict.
#
# Each rule says itself in words, so that a page can show by what a claim was judged.

Verdict = Literal["wrong", "imprecise", "right", "unverifiable"]
VERDICTS: tuple[Verdict, ...] = ("wrong", "imprecise", "right", "unverifiable")
"""In the order in which pages list them: what has to be corrected comes first."""

NEAR = 0.05
PRINTED = 0.01
SAME = 1e-9
LARGEST_IMPRECISION = 2.0
HALF_A_DECADE = math.sqrt(10)
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """An article's figure as the span that its words allow.

    Inside the span, widened by `tolerance`, it is right; up to `imprecise` times outside it is imprecise,
    and wrong beyond that. `says` is what stands before the article's figure, as in "at least 5".
    """

    low: float
    high: float
    tolerance: float
    imprecise: float
    says: str
    means: str

    @property
    def theirs(self) -> float:
        """The figure that the article prints; of a range its lower end."""
        return self.low if math.isfinite(self.low) else self.high

    def ratio(self, ours: float) -> float:
        """Our figure over the article's: over the nearer end of its range, 1 inside of one."""
        printed = [end for end in (self.low, self.high) if math.isfinite(end)]
        if len(printed) == 2 and self.low < ours < self.high:
            return 1.0
        nearest = min(printed, key=lambda end: abs(ours - end))
        return ours / nearest if nearest else math.inf

    def verdict(self, ours: float) -> Verdict:
        """What the rule says of a computed value; nothing can be said of an unknown one."""
        if math.isnan(ours):
            return "unverifiable"
        if self._holds(ours, 1 + self.tolerance):
            return "right"
        return "imprecise" if self._holds(ours, self.imprecise) else "wrong"

    def _holds(self, ours: float, factor: float) -> bool:
        slack = factor * (1 + ROUNDING)
        return self.low / slack <= ours <= self.high * slack


def about(theirs: float) -> Rule:
    """A rounded figure."""
    return Rule(
        low=theirs, high=theirs, tolerance=NEAR, imprecise=LARGEST_IMPRECISION, says="",
        means="right within 5 %, imprecise within a factor of 2, wrong beyond",
    )  # fmt: skip


def printed(theirs: float) -> Rule:
    """A figure of a data sheet, given to its last digit."""
    return Rule(
        low=theirs, high=theirs, tolerance=PRINTED, imprecise=LARGEST_IMPRECISION, says="",
        means="a figure of a data sheet: right within 1 %, imprecise within a factor of 2, wrong beyond",
    )  # fmt: skip


def exactly(theirs: float) -> Rule:
    """A count or a number of dimensions: right or wrong, with nothing in between."""
    return Rule(
        low=theirs, high=theirs, tolerance=SAME, imprecise=1 + SAME, says="exactly",
        means="a count: right if it is the same, else wrong",
    )  # fmt: skip


def at_least(theirs: float) -> Rule:
    return Rule(
        low=theirs, high=math.inf, tolerance=0.0, imprecise=LARGEST_IMPRECISION, says="at least",
        means="a lower bound: right if it holds, imprecise if missed by less than a factor of 2",
    )  # fmt: skip


def at_most(theirs: float) -> Rule:
    return Rule(
        low=-math.inf, high=theirs, tolerance=0.0, imprecise=LARGEST_IMPRECISION, says="at most",
        means="an upper bound: right if it holds, imprecise if missed by less than a factor of 2",
    )  # fmt: skip


def between(low: float, high: float) -> Rule:
    return Rule(
        low=low, high=high, tolerance=0.0, imprecise=LARGEST_IMPRECISION, says="",
        means="a range: right inside, imprecise within a factor of 2 of its ends, wrong beyond",
    )  # fmt: skip


def order_of(theirs: float) -> Rule:
    """An order of magnitude."""
    return Rule(
        low=theirs, high=theirs, tolerance=HALF_A_DECADE - 1, imprecise=HALF_A_DECADE, says="of the order of",
        means="an order of magnitude: right within a factor of 3.2, else wrong",
    )  # fmt: skip


def joint_verdict(verdicts: Iterable[Verdict]) -> Verdict | None:
    """The verdict of a claim by those of its figures; None where nothing decides.

    A claim that holds for some of its figures and not for others is imprecise.

    >>> joint_verdict(["right", "wrong"]), joint_verdict(["wrong", "wrong"])
    ('imprecise', 'wrong')
    """
    found = set(verdicts)
    if not found:
        return None
    return found.pop() if len(found) == 1 else "imprecise"


# The ledger of claims: `seed_data/claims/`, read once a process.
#
# `claims.csv` has a line for each quantitative claim of the articles, with a verdict and what is true instead;
# `articles.csv` their titles; `published.csv` figures of other sources that calculations start from and the
# catalog has no place for; `out_of_scope.csv` what the articles speak of and this program does not compute.

CLAIMS_FILE, ARTICLES_FILE, PUBLISHED_FILE, SCOPE_FILE = (
    f"claims/{name}.csv" for name in ("claims", "articles", "published", "out_of_scope")
)

TOPICS = {
    "scaling": "Scaling laws",
    "growth": "Growth",
    "training_time": "Training time",
    "parallelism": "Parallelism",
    "network": "Network",
    "hardware": "Hardware",
    "systems": "Systems",
    "storage": "Storage",
    "reliability": "Reliability",
    "power": "Power and cooling",
    "cost": "Cost",
    "utilisation": "Utilisation",
    "software": "Software and services",
}

KINDS = {
    "arithmetic": "Arithmetic",
    "catalog": "Catalog",
    "engine": "Engine",
    "qualitative": "Qualitative",
    "out_of_scope": "Out of scope",
}
"""By what a claim is judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One of the articles; `key` begins the ids of its claims."""

    key: str
    title: str
    short: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim of an article, in short, with its verdict and what is true."""

    id: str
    article: str
    claim: str
    verdict: Verdict
    correction: str
    reason: str
    source: str
    url: str
    topic: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A figure of a source that is neither an article nor a part of the catalog."""

    key: str
    label: str
    value: float
    unit: str
    kind: str
    date: str
    source: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfScope:
    """What an article speaks of and this program leaves alone, and why."""

    article: str
    subject: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    articles: dict[str, Article]
    claims: dict[str, Claim]
    published: dict[str, Published]
    out_of_scope: tuple[OutOfScope, ...]


@cache
def ledger() -> Ledger:
    """The shipped ledger.

    Raises
    ------
    SeedError : a cell cannot be used; the message says which
    """
    return read_ledger(seed_data())


def read_ledger(seed_dir: Path) -> Ledger:
    """The ledger of a folder of seed data, claims in the order of the file.

    Raises
    ------
    SeedError : a cell cannot be used; the message says which
    """
    articles = {
        row.cells["key"]: Article(**_filled(row, ("key", "title", "short")))
        for row in read_rows(seed_dir, ARTICLES_FILE, _names(Article))
    }
    claims: dict[str, Claim] = {}
    for row in read_rows(seed_dir, CLAIMS_FILE, _names(Claim)):
        claim = _claim(row, articles)
        if claim.id in claims:
            raise row.error("id", f"{claim.id} stands here twice")
        claims[claim.id] = claim
    published = [_published(row) for row in read_rows(seed_dir, PUBLISHED_FILE, _names(Published))]
    scope = []
    for row in read_rows(seed_dir, SCOPE_FILE, _names(OutOfScope)):
        _known(row, "article", articles)
        scope.append(OutOfScope(**_filled(row, _names(OutOfScope))))
    return Ledger(
        articles=articles,
        claims=claims,
        published={figure.key: figure for figure in published},
        out_of_scope=tuple(scope),
    )


def _claim(row: SeedRow, articles: dict[str, Article]) -> Claim:
    _known(row, "article", articles)
    _known(row, "topic", TOPICS)
    _known(row, "kind", KINDS)
    _known(row, "verdict", VERDICTS)
    cells = _filled(row, [name for name in _names(Claim) if name != "url"])
    verdict = cast(Verdict, cells.pop("verdict"))
    return Claim(**cells, verdict=verdict, url=row.cells["url"])


def _published(row: SeedRow) -> Published:
    cells = _filled(row, [name for name in _names(Published) if name not in ("value", "url", "date")])
    return Published(**cells, value=row.needed("value"), url=row.cells["url"], date=row.cells["date"])


def _names(record: type[Article | Claim | Published | OutOfScope]) -> list[str]:
    return [field.name for field in dataclasses.fields(record)]


def _filled(row: SeedRow, columns: Collection[str]) -> dict[str, str]:
    """Cells that may not be empty."""
    for column in columns:
        if not row.cells[column].strip():
            raise row.error(column, "is empty")
    return {column: row.cells[column] for column in columns}


def _known(row: SeedRow, column: str, words: Collection[str]) -> None:
    if row.cells[column] not in words:
        raise row.error(column, f"{row.cells[column]!r} is none of {', '.join(words)}")
