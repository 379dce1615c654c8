"""Three versions of one document, field by field: what each side changed, and what both changed differently.

Fields are compared by what they mean, defaults counted as stated, and written as the side wrote them from
which they are taken. A list whose entries have names is merged entry by entry; other lists, and parts of another kind
on either side, are one field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from app.saved.diff import label_of_path
from app.saved.documents import canonical

Side = Literal["mine", "theirs"]

EXCLUSIVE = {"supernode": ("system", "custom", "design")}
"""Fields of which a part has one: they are taken together."""

WHOLE = ("workload.calibration",)
"""Parts whose fields come from one measurement: they are taken together."""

OPTIONAL = ("supernode.override", "supernode.override.accelerator")
"""Parts that may be left out and then state nothing. Other parts that are left out are something else."""

NAMES = ("name", "quantity", "between")
"""Fields by which an entry of a list is the same one in each version."""

Entries = dict[str, tuple[Any, Any]]
"""A list by the names of its entries, each as it was written and what it means."""


class Three(NamedTuple):
    """The same place in each version; None stands for "not stated"."""

    base: Any
    mine: Any
    theirs: Any

    @property
    def all_differ(self) -> bool:
        base, mine, theirs = self
        return not (_same(mine, base) or _same(theirs, base) or _same(mine, theirs))

    def at(self, name: str) -> Three:
        return Three(*(part.get(name) if isinstance(part, dict) else None for part in self))

    def only(self, names: Iterable[str]) -> Three:
        """Each with some of its fields."""
        stated = [part if isinstance(part, dict) else {} for part in self]
        return Three(*({name: part[name] for name in names if part.get(name) is not None} for part in stated))


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A field, or several that belong together, that both sides changed, each to another value.

    `path` is the key of a choice. `base`, `mine` and `theirs` are values as they were written, a default
    where none was; None stands for "not stated".
    """

    path: str
    label: str
    base: Any
    mine: Any
    theirs: Any


@dataclass(kw_only=True)
class Walk:
    """One way through the three versions; `conflicts` grow on it.

    Parameters
    ----------
    tied : parts that go together, as they do not fit one another otherwise
    choices : the side that is taken, by the path of a conflict
    otherwise : the side that is taken of conflicts without a choice, to go on
    """

    tied: frozenset[str] = frozenset()
    choices: Mapping[str, Side] = field(default_factory=dict)
    otherwise: Side = "mine"
    conflicts: list[Conflict] = field(default_factory=list)

    def document(self, base: dict[str, Any], mine: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
        """Both sides' changes in one document."""
        stated = Three(base, mine, theirs)
        merged = self._parts("", stated, Three(*map(canonical, stated)))
        if self.tied:
            self._tied_conflict(stated)
        return merged

    @property
    def open(self) -> tuple[Conflict, ...]:
        """Conflicts without a choice."""
        return tuple(conflict for conflict in self.conflicts if conflict.path not in self.choices)

    def _parts(self, path: str, stated: Three, meant: Three) -> dict[str, Any]:
        """A part field by field, in the order of theirs, then of mine."""
        merged: dict[str, Any] = {}
        names = dict.fromkeys([*(stated.theirs or {}), *(stated.mine or {})])
        exclusive = EXCLUSIVE.get(_rule(path), ())
        if exclusive and not _all_same(map(frozenset, meant.only(exclusive))):
            chosen = self._value(path, stated.only(exclusive), meant.only(exclusive))
            merged = {name: chosen[name] for name in names if name in chosen}
            names = dict.fromkeys(name for name in names if name not in exclusive)
        for name in names:
            inner = f"{path}.{name}".lstrip(".")
            value = self._field(inner, stated.at(name), meant.at(name))
            if value is not None:
                merged[name] = value
        return merged

    def _field(self, path: str, stated: Three, meant: Three) -> Any:
        if path in self.tied:
            return getattr(stated, self.choices.get(self._tied_path, self.otherwise))
        if stated.all_differ and _is_part(path, stated, meant):
            return self._parts(path, stated, meant) or None  # what states nothing any more is left out
        if stated.all_differ and (named := _named_entries(stated, meant)):
            return self._entries(path, *named)
        return self._value(path, stated, meant)

    def _entries(self, path: str, base: Entries, mine: Entries, theirs: Entries) -> list[Any]:
        """A list entry by entry: those of the base in its order, then what was added."""
        own, other = ([name for name in side if name not in base] for side in (mine, theirs))
        added = sorted({*own, *other}) if own and other else own or other
        found = []
        for name in (*base, *added):
            three = [side.get(name, (None, None)) for side in (base, mine, theirs)]
            stated, meant = (Three(*part) for part in zip(*three, strict=True))
            found.append(self._field(f"{path}[{name}]", stated, meant))
        return [value for value in found if value is not None]

    def _value(self, path: str, stated: Three, meant: Three) -> Any:
        """One of the two: what only one side changed, or the same in both, else what is chosen."""
        if _same(stated.mine, stated.theirs):
            return stated.mine
        if _same(stated.mine, stated.base):
            return stated.theirs
        if _same(stated.theirs, stated.base):
            return stated.mine
        if _same(meant.mine, meant.theirs):
            return stated.mine if stated.theirs is None else stated.theirs
        if _same(meant.mine, meant.base):
            return stated.theirs
        if _same(meant.theirs, meant.base):
            return stated.mine
        shown = (said if said is not None else means for said, means in zip(stated, meant, strict=True))
        self._conflict(path, _label(path), *shown)
        return getattr(stated, self.choices.get(path, self.otherwise))

    def _conflict(self, path: str, label: str, base: Any, mine: Any, theirs: Any) -> None:
        found = Conflict(path=path, label=label, base=base, mine=mine, theirs=theirs)
        self.conflicts.append(found)

    @property
    def _tied_path(self) -> str:
        return ",".join(sorted(self.tied))

    def _tied_conflict(self, stated: Three) -> None:
        paths = sorted(self.tied)
        values = [{path: _at(version, path) for path in paths} for version in stated]
        if len(paths) == 1:
            values = [value[paths[0]] for value in values]
        labels = " and ".join(label_of_path(path) for path in paths)
        self._conflict(self._tied_path, labels, *values)


def _is_part(path: str, stated: Three, meant: Three) -> bool:
    """Return whether a place is merged field by field: a part, of the same kind in all three."""
    rule = _rule(path)
    if rule in WHOLE:
        return False
    for said, means in zip(stated, meant, strict=True):
        if said is None and rule in OPTIONAL:
            continue
        if not isinstance(means, dict) or not isinstance(said, dict | None):
            return False
    kinds = {"workload": lambda part: part.get("kind"), "pod": lambda part: "design" in part}
    return rule not in kinds or _all_same(map(kinds[rule], meant))


def _named_entries(stated: Three, meant: Three) -> tuple[Entries, Entries, Entries] | None:
    """The list of each version by names, where every entry has one and neither side moved those of the base."""
    base, mine, theirs = (_by_name(said, means) for said, means in zip(stated, meant, strict=True))
    if base is None or mine is None or theirs is None:
        return None
    for side in (mine, theirs):
        if [name for name in side if name in base] != [name for name in base if name in side]:
            return None
    return base, mine, theirs


def _by_name(said: Any, means: Any) -> Entries | None:
    if said is None and not means:
        return {}
    if not (isinstance(said, list | tuple) and isinstance(means, list | tuple) and len(said) == len(means)):
        return None
    names = [_name_of(entry) for entry in means]
    if None in names or len(set(names)) < len(names):
        return None
    return dict(zip(map(str, names), zip(said, means, strict=True), strict=True))


def _name_of(entry: Any) -> str | None:
    for field_name in NAMES if isinstance(entry, dict) else ():
        match entry.get(field_name):
            case str(name):
                return name
            case [str(), str()] as pair:
                return " and ".join(sorted(pair))
    return None


def _label(path: str) -> str:
    """
    >>> _label("workload.demand.regions[Europe].round_trip_s"), _label("sharing.others[Chat]"), _label("pod.also")
    ('Europe, round trip', 'Chat', 'Also')
    """
    entry = re.fullmatch(r".*\[(.+)\](?:\.([\w.]+))?", path)
    if not entry:
        return label_of_path(path)
    name, field_path = entry.groups()
    label = label_of_path(field_path) if field_path else ""
    return f"{name}, {label[:1].lower()}{label[1:]}" if label else name


def _rule(path: str) -> str:
    """The path as rules name it: a projection holds a whole scenario, and a further workload is a workload."""
    return re.sub(r"^(scenario\.)?(sharing\.others\[.*?\]\.)?", "", path)


def _at(version: Any, path: str) -> Any:
    for name in path.split("."):
        version = version.get(name) if isinstance(version, dict) else None
    return version


def _all_same(values: Iterable[Any]) -> bool:
    first, *others = values
    return all(other == first for other in others)


def _same(one: Any, other: Any) -> bool:
    # as text: True equals 1 in Python, and is another value here
    return one is other or json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
