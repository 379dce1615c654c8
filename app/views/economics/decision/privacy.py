"""The second question: whether data may leave. Nobody but the reader knows; what it costs can be computed."""

from __future__ import annotations

import math

import numpy as np

from app.engine.economics.deciding import more_than_the_least_usd
from app.engine.trace import first_of
from app.views.economics.decision.compared import Compared
from app.views.economics.decision.report import PrivacyAnswer
from app.views.economics.decision.words import in_months
from app.views.economics.own_or_rent.words import choice_words, money

ASKED = "Whether data may leave the house is for you to say: no computation knows your law and contracts."
DEDICATED = (
    "A sovereign or dedicated cloud is a third way; no price of one is in the catalog. State it as the rental "
    "price of the scenario to have it compared."
)


def privacy_answer(found: Compared, data_must_stay: bool | None) -> PrivacyAnswer:
    """The constraint as it is stated, and what keeping data in costs."""
    more = math.nan
    if found.is_known and found.term is not None:
        more = first_of(
            more_than_the_least_usd(
                usd=np.array([found.report.own.total_usd]), least_usd=np.array([found.term.total_usd])
            )
        )
    return PrivacyAnswer(
        answer=_answer(data_must_stay),
        said=(_cost(found, more, data_must_stay), *((DEDICATED,) if data_must_stay is not False else ())),
        tab="rent",
        data_must_stay=data_must_stay,
        own_more_than_rent_usd=more,
    )


def _answer(data_must_stay: bool | None) -> str:
    if data_must_stay is None:
        return ASKED
    if data_must_stay:
        return "Data must stay, so renting in a shared cloud is out, whatever it costs."
    return "Data may leave, so cost decides."


def _cost(found: Compared, more: float, data_must_stay: bool | None) -> str:
    if math.isnan(more) or found.term is None:
        return "What keeping data in costs is unknown, as an input of it is."
    months = f"over {in_months(found.report.horizon_months)}"
    keeping = "Keeping them in costs" if data_must_stay else "Keeping them in would cost"
    than = choice_words(found.term.term)
    if more > 0:
        return f"{keeping} {money(more)} more than {than} {months}."
    return f"{keeping} nothing: owning is {money(-more)} cheaper than {than} {months} anyway."
