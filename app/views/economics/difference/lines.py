"""The views of a difference as lines, each with its share of the whole."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from app.engine.economics.difference.categories import brought_by_category
from app.engine.economics.difference.factors import brought_by_factor
from app.engine.trace import first_of
from app.views.economics.difference.causes import Bundle, Causes
from app.views.economics.difference.groups import GROUPS
from app.views.economics.difference.report import DifferenceLine

BUNDLES = {group.key: group for group in GROUPS}


def by_category(
    parts: list[dict[str, float]], difference: float, titles: Mapping[str, str]
) -> tuple[DifferenceLine, ...]:
    """Contribution of each category; one that a side lacks is nothing there."""
    arrays = [{name: np.array([value]) for name, value in side.items()} for side in parts]
    return tuple(
        DifferenceLine(
            key=name,
            title=titles.get(name) or name.replace("_", " ").capitalize(),
            said="",
            amount=first_of(amount),
            share=_share(first_of(amount), difference),
            first=parts[0].get(name, 0.0),
            second=parts[1].get(name, 0.0),
            least=None,
            most=None,
        )
        for name, amount in brought_by_category(arrays[0], arrays[1]).items()
        if parts[0].get(name, 0.0) or parts[1].get(name, 0.0)
    )


def by_cause(found: Causes, difference: float) -> tuple[DifferenceLine, ...]:
    """Contribution of each change, with its least and greatest over all orders."""
    return tuple(
        DifferenceLine(
            key="+".join(bundle),
            title=bundle_title(bundle),
            said="; ".join(BUNDLES[group].said for group in bundle),
            amount=float(found.brought[place]),
            share=_share(float(found.brought[place]), difference),
            first=None,
            second=None,
            least=float(found.least[place]),
            most=float(found.most[place]),
        )
        for place, bundle in enumerate(found.bundles)
    )


def bundle_title(bundle: Bundle) -> str:
    """Title of groups that change together."""
    titles = [BUNDLES[group].title for group in bundle]
    rest = [title[0].lower() + title[1:] for title in titles[1:]]
    return f"{', '.join([titles[0], *rest[:-1]])} and {rest[-1]}" if rest else titles[0]


def by_factor(factors: list[dict[str, float]], values: list[float]) -> tuple[DifferenceLine, ...]:
    """Contribution of each factor; no lines where one is unknown or nought, as its logarithm is no number."""
    one, other = factors
    if not all(
        math.isfinite(value) and value > 0 for value in (*one.values(), *other.values(), *values)
    ) or list(one) != list(other):
        return ()
    difference = values[1] - values[0]
    amounts = {
        title: first_of(
            brought_by_factor(
                first_product=np.array([values[0]]),
                second_product=np.array([values[1]]),
                ratio=np.array([other[title] / one[title]]),
            )
        )
        for title in one
    }
    return tuple(
        DifferenceLine(
            key=title.lower().replace(" ", "_").replace(",", "").replace("'", ""),
            title=title,
            said=f"times {other[title] / one[title]:.4g}",
            amount=amount,
            share=_share(amount, difference),
            first=one[title],
            second=other[title],
            least=None,
            most=None,
        )
        for title, amount in amounts.items()
        if not math.isclose(one[title], other[title], rel_tol=1e-12)
    )


def _share(amount: float, difference: float) -> float:
    return amount / difference if difference else math.nan
