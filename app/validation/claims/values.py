"""Claims as plain values, the same over REST and on the command line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from app.validation.claims.compare import Compared
from app.validation.claims.judge import Judged
from app.validation.claims.words import counts, plain_text, ratio_of, shown_figure, theirs_text

PAGE = "/claims"
OF_THE_LEDGER = (
    "id", "article", "claim", "verdict", "correction", "reason", "source", "url", "topic", "kind",
)  # fmt: skip
COMPUTED = ("value", "unit", "text")


def claims_values(claims: Sequence[Judged], everything: Sequence[Judged]) -> dict[str, Any]:
    """Claims, and how many of all have each verdict."""
    return {"items": [claim_values(one) for one in claims], "counts": counts(everything)}


def claim_values(one: Judged) -> dict[str, Any]:
    """A claim with its figures; `computed` is the first of them."""
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
    links = [{"title": "How it was computed", "href": f"{PAGE}/{one.claim.id}"}]
    if one.example:
        links.append({"title": "The design it was computed on", "href": f"/designs/{one.example}"})
    for row in one.catalog_rows:
        kind, _, key = row.partition("/")
        links.append({"title": row, "href": f"/catalog/{kind}/{quote(key, safe='')}"})
    return links
