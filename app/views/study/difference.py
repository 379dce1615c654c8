"""Explanation of the difference of a figure between a candidate and the base: the Shapley value of each group
of choices.

Every mixture of the choices of the two is evaluated, so that nothing is approximated and nothing is left
over; the values of all groups add up to the whole difference.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from app.engine.economics.difference.shapley import shapley_values
from app.scenarios.errors import ScenarioError
from app.scenarios.study.candidates import CandidateDocument
from app.scenarios.study.scenarios import candidate_key
from app.views.study.columns import CHOICES, FIGURES
from app.views.study.evaluating import Candidates
from app.views.study.report import DifferencePart, StudyDifference

MOST_GROUPS = 6
"""Of choices that differ: 64 mixtures, each an evaluation."""


def differences(
    candidates: Candidates, base: CandidateDocument, other: CandidateDocument
) -> tuple[StudyDifference, ...]:
    """Explanation of the differences in time, cost, power and carbon to the base.

    Raises
    ------
    ScenarioError : one of the two cannot be evaluated
    """
    base, other = _named(candidates, base), _named(candidates, other)
    differ = {column.key for column in CHOICES if getattr(base, column.key) != getattr(other, column.key)}
    differ.discard("supernodes")
    if candidates.accelerators(base) != candidates.accelerators(other):
        differ.add("supernodes")
    groups = [column for column in CHOICES if column.key in differ]
    ends = candidates.figures(base), candidates.figures(other)
    mixtures = list(_mixtures(candidates, base, other, [column.key for column in groups]))
    found = []
    for column in FIGURES:
        if not column.explained:
            continue
        before, after = (end[column.key] for end in ends)
        values = np.array([mixture.get(column.key, math.nan) for mixture in mixtures])
        parts: tuple[DifferencePart, ...] = ()
        note = ""
        if groups and np.isfinite(values).all():
            parts = tuple(
                DifferencePart(
                    group=group.key,
                    title=group.title,
                    from_words=_shown(candidates, base, group.key),
                    to_words=_shown(candidates, other, group.key),
                    value=float(value),
                )
                for group, value in zip(groups, shapley_values(values), strict=True)
            )
        elif groups:
            note = (
                f"{len(groups)} choices differ, more than {MOST_GROUPS} that are taken apart."
                if len(groups) > MOST_GROUPS
                else "Not taken apart: a mixture of the choices of both cannot be built, or its figure is unknown."
            )
        found.append(
            StudyDifference(
                key=candidate_key(other),
                figure=column.key,
                title=column.title,
                unit=column.unit,
                base_value=before,
                value=after,
                parts=parts,
                note=note,
            )
        )
    return tuple(found)


def _named(candidates: Candidates, one: CandidateDocument) -> CandidateDocument:
    """The candidate with its network and format named, so that the same choice is written alike."""
    study = candidates.study
    training = study.workload.training
    return one.model_copy(
        update={
            "network": one.network or study.candidates.networks[0].name,
            "number_format": one.number_format or (training.precision if training else None),
        }
    )


def _mixtures(
    candidates: Candidates, base: CandidateDocument, other: CandidateDocument, groups: list[str]
) -> Iterator[dict[str, float]]:
    """Figures with the choices that the bits of a place name taken from the other: as `shapley_values` reads
    them."""
    if len(groups) > MOST_GROUPS:
        yield {}
        return
    for place in range(1 << len(groups)):
        taken = {group for bit, group in enumerate(groups) if place >> bit & 1}
        changes = {group: getattr(other, group) for group in taken if group != "supernodes"}
        mixed = base.model_copy(update=changes)
        try:
            yield candidates.figures(_with_accelerators(candidates, mixed, base, other, taken, groups))
        except ScenarioError:
            yield {}


def _with_accelerators(
    candidates: Candidates,
    mixed: CandidateDocument,
    base: CandidateDocument,
    other: CandidateDocument,
    taken: set[str],
    groups: list[str],
) -> CandidateDocument:
    """A mixture with as many accelerators as the one of the two whose number it takes, in whole SuperNodes.

    Eight racks and 160 servers are near in accelerators, and 160 racks would explain nothing.
    """
    if len(taken) == len(groups):
        return other
    if not taken:
        return base
    wanted = candidates.accelerators(other if "supernodes" in taken else base)
    each = candidates.accelerators(mixed) / mixed.supernodes
    return mixed.model_copy(update={"supernodes": max(round(wanted / each), 1)})


def _shown(candidates: Candidates, one: CandidateDocument, group: str) -> str:
    if group == "supernodes":
        return f"{candidates.accelerators(one):,} accelerators"
    value = getattr(one, group)
    if value is None:
        return "as sold"
    if isinstance(value, int):
        return f"{value:,}"
    return str(value).replace("_", " ")
