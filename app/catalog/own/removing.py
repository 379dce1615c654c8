"""What hinders an own row from going: others of the workspace that name it."""

from __future__ import annotations

from collections.abc import Iterator

from app.catalog.kinds import KINDS
from app.catalog.kinds.aliases import CATALOG_KIND
from app.catalog.lookup import Catalog
from app.catalog.own.checking import hardware_kinds
from app.catalog.own.entries import FaultError
from app.catalog.own.known import Known
from app.catalog.own.planning import Plan, Write
from app.catalog.values import Part

SHOWN = 5


def removal(catalog: Catalog, kind: str, key: str) -> Plan:
    """The own row of a key goes; where a built-in one lies beneath, that one counts again.

    Raises
    ------
    FaultError : other own rows name it, and nothing of its key would be left
    """
    if Known(catalog).builtin(kind, key) is None:
        named_by = [
            f"{part.kind}/{part.key}"
            for part in catalog.own_parts()
            if any(kind in kinds and key == other for other, kinds in references(part))
        ]
        if named_by:
            more = f" and {len(named_by) - SHOWN} more" if len(named_by) > SHOWN else ""
            raise FaultError(
                f"{', '.join(named_by[:SHOWN])}{more} name it.",
                rule="named",
                column="key",
                value=key,
                hint="Remove these first, or have them name another row.",
            )
    return Plan(revision=catalog.revision, lines=(), writes=(Write(kind=kind, key=key, stated=None),))


def references(part: Part) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The keys that a row names, each with the kinds that it may be of."""
    return tuple((key, kinds) for key, kinds in _references(part) if key)


def _references(part: Part) -> Iterator[tuple[str, tuple[str, ...]]]:
    words = part.attributes
    for field, kinds in KINDS[part.kind].foreign_keys.items():
        yield str(words.get(field, "")), kinds
    if part.kind == "prices":
        yield str(words.get("part_key", "")), hardware_kinds()
    if part.kind == "systems":
        mixed = str(words.get("accelerator_mix", ""))
        yield from ((pair.partition(":")[0], ("accelerators",)) for pair in mixed.split(";"))
    if part.kind == "aliases" and words.get("of") in CATALOG_KIND:
        yield str(words.get("target", "")), (CATALOG_KIND[str(words["of"])],)
