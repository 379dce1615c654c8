"""Claims in words: figures with their units, what they are held against, and how many are right."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from app.charts.format import NOT_PUBLISHED, THIN_SPACE, TIMES, WIDE_SPACE, Shown, number, percent, show
from app.validation.claims.compare import Compared
from app.validation.claims.judge import Judged
from app.validation.claims.ledger import ledger
from app.validation.claims.rules import VERDICTS

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
    """Ours over theirs as people write it; "" where theirs is nought or not there."""
    ratio = ratio_of(figure)
    return "" if ratio is None else f"{number(ratio)}{TIMES}"


def ratio_of(figure: Compared) -> float | None:
    """Ours over theirs; None where there is no figure of theirs, or it is nought."""
    ratio = figure.rule.ratio(figure.value) if figure.rule else math.nan
    return ratio if math.isfinite(ratio) else None


def plain_text(text: str) -> str:
    """A text with ordinary spaces, for files and terminals."""
    return text.replace(THIN_SPACE, " ").replace(WIDE_SPACE, " ")


def counts(claims: Sequence[Judged]) -> dict[str, int]:
    """How many claims have each verdict, every verdict named."""
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
