"""A total of stated parts, and a part as what the others leave of a stated total."""

from __future__ import annotations

import re

from app.validation.cost.stated import PLAIN, quantities_in
from app.validation.cost.statement import Computed, Statement

TOTAL = r"\b(total|all|sum|together)\b"


def summed(stated: Statement) -> Computed | None:
    """The sum of parts, or what they leave of a total; None where the inputs are no list of parts."""
    return _left(stated) or _sum(stated)


def _sum(stated: Statement) -> Computed | None:
    """Parts with a name each, joined by plus signs or commas."""
    dimension, factor = stated.unit
    first = stated.row.text("inputs").split(";")[0]
    own = [one for one in quantities_in(first) if one.dimension == dimension]
    added = "+" in first
    plain = [
        one for one in quantities_in(first) if one.dimension == PLAIN and (added or one.before or one.after)
    ]
    parts = [one.value for one in own] if len(own) > 1 else [one.value * factor for one in plain]
    joined = added or re.search(r"\bsum\b", stated.row.text("check_formula"), re.IGNORECASE)
    if len(parts) < 2 or not joined:
        return None
    return Computed(
        value=sum(parts), arithmetic=" + ".join(f"{part / factor:,.6g}" for part in parts) + " as stated"
    )


def _left(stated: Statement) -> Computed | None:
    """What the other parts leave of a total: each part is a name and a number, as in `8B 1.46M, total 39.3M`."""
    if re.search(TOTAL, stated.row.text("subject"), re.IGNORECASE):
        return None
    factor = stated.unit[1]
    pieces = stated.row.text("inputs").split(";")[0].split(",")
    numbers = [(piece, [one for one in quantities_in(piece) if one.dimension in (PLAIN, stated.unit[0])])
               for piece in pieces]  # fmt: skip
    whole = [found[-1].value for piece, found in numbers if re.search(TOTAL, piece) and found]
    others = [found[-1].value for piece, found in numbers if not re.search(TOTAL, piece) and found]
    if len(whole) != 1 or not others:
        return None
    words = " \N{MINUS SIGN} ".join(f"{one:,.6g}" for one in (whole[0], *others))
    return Computed(
        value=(whole[0] - sum(others)) * factor, arithmetic=f"{words}: the total without the others"
    )
