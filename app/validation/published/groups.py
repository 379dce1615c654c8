"""What published runs have in common: the groups that errors are shown by, and runs are filtered by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from app.catalog.validated_runs import ValidatedRun
from app.validation.published.basis import Judged

NOT_STATED = "not stated"

SIZES = ((3.0, "under 3 B"), (20.0, "3 to 20 B"), (100.0, "20 to 100 B"), (float("inf"), "100 B and more"))
"""Bands of all parameters in billions, each up to its first number."""
SCALES = (
    (9.0, "1 to 8"), (65.0, "9 to 64"), (257.0, "65 to 256"), (1025.0, "257 to 1,024"),
    (float("inf"), "over 1,024"),
)  # fmt: skip
"""Bands of accelerators, each up to its first number."""


class Grouping(NamedTuple):
    """A way to part the runs. `order` names the groups that have one; others stand by their number of runs."""

    name: str
    title: str
    group: Callable[[ValidatedRun], str]
    order: tuple[str, ...] = ()


class Group(NamedTuple):
    name: str
    members: tuple[Judged, ...]


def _band(value: float, bands: tuple[tuple[float, str], ...]) -> str:
    return next(name for limit, name in bands if value < limit)


GROUPINGS = {
    grouping.name: grouping
    for grouping in (
        Grouping("accelerator", "Accelerator", lambda run: run.accelerator_key),
        Grouping("architecture", "Architecture", lambda run: run.architecture),
        Grouping("precision", "Precision", lambda run: run.precision),
        Grouping("framework", "Framework", lambda run: run.framework),
        Grouping("size", "Size", lambda run: _band(run.parameters, SIZES), tuple(name for _, name in SIZES)),
        Grouping(
            "scale", "Scale", lambda run: _band(run.accelerators, SCALES), tuple(name for _, name in SCALES)
        ),
        Grouping("year", "Date", lambda run: run.software_date[:4] or NOT_STATED),
    )
}


def groups(judged: Sequence[Judged], grouping: Grouping) -> tuple[Group, ...]:
    """The runs by group: bands and years in their order, others from the one with most runs on."""
    found: dict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        found[grouping.group(one.run)].append(one)
    names = sorted(found, key=lambda name: -len(found[name]))
    if grouping.order:
        names = [name for name in grouping.order if name in found]
    elif grouping.name == "year":
        names = sorted(found)  # figures come before words
    return tuple(Group(name, tuple(found[name])) for name in names)
