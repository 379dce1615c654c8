"""What published measurements have in common: groups that errors are shown by, and that one filters by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple

from app.catalog.validated_collectives import ValidatedCollective
from app.catalog.validated_runs import ValidatedRun
from app.validation.published.basis import Judged, One

NOT_STATED = "not stated"

SIZES = ((3.0, "under 3 B"), (20.0, "3 to 20 B"), (100.0, "20 to 100 B"), (float("inf"), "100 B and more"))
"""Bands of all parameters in billions, each up to its first number."""
SCALES = (
    (9.0, "1 to 8"), (65.0, "9 to 64"), (257.0, "65 to 256"), (1025.0, "257 to 1,024"),
    (float("inf"), "over 1,024"),
)  # fmt: skip
"""Bands of accelerators, each up to its first number."""
KIB, MIB = 1024.0, 1024.0**2
MESSAGES = (
    (16 * KIB, "under 16 KiB"), (MIB, "16 KiB to 1 MiB"), (64 * MIB, "1 to 64 MiB"),
    (float("inf"), "64 MiB and more"),
)  # fmt: skip
"""Bands of message sizes in bytes, each up to its first number."""
TOKENS = ((129, "up to 128 tokens a rank"), (float("inf"), "over 128 tokens a rank"))
"""Bands of tokens that a rank sends to experts, each up to its first number."""


class Grouping(NamedTuple, Generic[One]):
    """A way to part measurements. `order` names the groups that have one; others stand by their number of runs."""

    name: str
    title: str
    group: Callable[[One], str]
    order: tuple[str, ...] = ()


class Group(NamedTuple, Generic[One]):
    name: str
    members: tuple[Judged[One], ...]


def band(value: float, bands: tuple[tuple[float, str], ...]) -> str:
    """The name of the first band that a value lies below the limit of."""
    return next(name for limit, name in bands if value < limit)


_TRAINING: tuple[Grouping[ValidatedRun], ...] = (
    Grouping("accelerator", "Accelerator", lambda run: run.accelerator_key),
    Grouping("architecture", "Architecture", lambda run: run.architecture),
    Grouping("precision", "Precision", lambda run: run.precision),
    Grouping("framework", "Framework", lambda run: run.framework),
    Grouping("size", "Size", lambda run: band(run.parameters, SIZES), tuple(name for _, name in SIZES)),
    Grouping("scale", "Scale", lambda run: band(run.accelerators, SCALES), tuple(name for _, name in SCALES)),
    Grouping("year", "Date", lambda run: run.software_date[:4] or NOT_STATED),
)
GROUPINGS = {grouping.name: grouping for grouping in _TRAINING}


def message_band(one: ValidatedCollective) -> str:
    """How large the message of a collective is, or how many tokens go to experts."""
    if one.message_bytes is not None:
        return band(one.message_bytes, MESSAGES)
    assert one.tokens is not None  # one of the two is always there
    return band(one.tokens, TOKENS)


_BANDS = tuple(name for _, name in (*MESSAGES, *TOKENS))
_COLLECTIVES: tuple[Grouping[ValidatedCollective], ...] = (
    Grouping("system", "System", lambda one: one.system),
    Grouping("collective", "Collective", lambda one: one.collective),
    Grouping("message", "Message size", message_band, _BANDS),
    Grouping("level", "Level", lambda one: one.level),
)
COLLECTIVE_GROUPINGS = {grouping.name: grouping for grouping in _COLLECTIVES}


def groups(judged: Sequence[Judged[One]], grouping: Grouping[One]) -> tuple[Group[One], ...]:
    """Measurements by group: bands and years in their order, others from the one with most runs on."""
    found: dict[str, list[Judged[One]]] = defaultdict(list)
    for one in judged:
        found[grouping.group(one.run)].append(one)
    names = sorted(found, key=lambda name: -len(found[name]))
    if grouping.order:
        names = [name for name in grouping.order if name in found]
    elif grouping.name == "year":
        names = sorted(found)  # figures come before words
    return tuple(Group(name, tuple(found[name])) for name in names)
