"""The ledger of claims: `seed_data/claims/`, read once a process.

`claims.csv` has a line for each quantitative claim of the articles, with a verdict and what is true instead;
`articles.csv` their titles; `published.csv` figures of other sources that calculations start from and the
catalog has no place for; `out_of_scope.csv` what the articles speak of and this program does not compute.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from app.catalog.seed_files import SeedRow, read_rows
from app.paths import seed_data
from app.validation.claims.rules import VERDICTS, Verdict

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
    try:
        value = float(row.cells["value"])
    except ValueError:
        raise row.error("value", f"{row.cells['value']!r} is not a number") from None
    return Published(**cells, value=value, url=row.cells["url"], date=row.cells["date"])


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
