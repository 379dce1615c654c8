"""The decision as lines of text."""

from __future__ import annotations

from app.views.economics.decision import Decision

QUESTIONS = (
    ("1. Compute", "compute"),
    ("2. Privacy", "privacy"),
    ("3. Utilisation", "use"),
    ("4. Cost of owning", "ownership"),
    ("5. Start in the cloud", "start"),
)


def decision_text(answer: Decision) -> str:
    """The summing-up first, then a block a question."""
    lines = [answer.name, "", answer.summing_up.answer, *answer.summing_up.said]
    if answer.missing:
        lines += ["", "Missing inputs:"]
        lines += [f"  {one.label}" + (f" (state {one.field})" if one.field else "") for one in answer.missing]
    if answer.summing_up.flips:
        lines += ["", "Break-even points:", *(f"  {flip.said}" for flip in answer.summing_up.flips)]
    for title, name in QUESTIONS:
        found = getattr(answer, name)
        lines += ["", f"{title}: {found.answer}", *(f"  {sentence}" for sentence in found.said)]
    return "\n".join([*lines, "", *answer.notes])
