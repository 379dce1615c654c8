"""What must hold between a stated row and the rest of the catalog: the rules of the seed files, row by row."""

from __future__ import annotations

from collections.abc import Iterable

from app.catalog.checks import check_parameters, check_totals
from app.catalog.errors import SeedError
from app.catalog.kinds import KINDS
from app.catalog.kinds.aliases import CATALOG_KIND, Alias
from app.catalog.kinds.prices import PriceItem
from app.catalog.kinds.systems import System
from app.catalog.own.entries import FaultError
from app.catalog.own.known import Known
from app.catalog.own.parsing import Stated, as_fault, part_record
from app.catalog.ranges import physical_range
from app.catalog.values import Part

SHAPE_OF_A_SYSTEM = frozenset({"accelerators", "accelerator_key", "accelerator_mix"})
UNIT_STAYS = ("prices", "assumptions")


def check(stated: Stated, known: Known) -> None:
    """Every rule that a row must keep.

    Raises
    ------
    FaultError : the first that it does not
    """
    builtin = known.builtin(stated.kind, stated.key)
    _check_key(stated, known)
    _check_names(stated, known)
    if builtin is not None and stated.kind in UNIT_STAYS:
        _check_unit(stated, builtin)
    if stated.kind == "assumptions":
        if builtin is None:
            _check_assumption(stated, known)
        _check_physical_range(stated)
    try:
        if stated.kind == "models":
            check_parameters(stated.record)
        elif stated.kind == "systems":
            _check_totals(stated, known, is_override=builtin is not None)
    except SeedError as error:
        raise as_fault(error, stated.record.row.cells) from None


def _check_key(stated: Stated, known: Known) -> None:
    """Keys of hardware are unique across kinds, since a price names nothing else."""
    if len(stated.key) > 200:
        raise FaultError("The key is too long.", rule="too_long", column="key", value=stated.key[:60])
    if not KINDS[stated.kind].hardware:
        return
    there = known.kind_of_hardware(stated.key)
    if there and there != stated.kind:
        raise FaultError(
            f"The key {stated.key} is already that of a row of {there}.",
            rule="unique",
            column="key",
            value=stated.key,
            hint="Choose another key, such as one with your team's name in front.",
        )


def _check_names(stated: Stated, known: Known) -> None:
    """Every key that the row names exists."""
    spec = stated.record.spec
    for field, kinds in KINDS[stated.kind].foreign_keys.items():
        _must_exist(known, field, str(getattr(spec, field)), kinds)
    if isinstance(spec, PriceItem):
        _must_exist(known, "part_key", spec.part_key, hardware_kinds())
    if isinstance(spec, System):
        for key, _ in spec.chips():
            _must_exist(known, "accelerator_mix", key, ("accelerators",))
    if isinstance(spec, Alias) and spec.of in CATALOG_KIND:
        _must_exist(known, "key", spec.target, (CATALOG_KIND[spec.of],))


def hardware_kinds() -> tuple[str, ...]:
    """Kinds whose rows have prices."""
    return tuple(kind for kind, spec in KINDS.items() if spec.hardware)


def _must_exist(known: Known, column: str, key: str, kinds: Iterable[str]) -> None:
    kinds = tuple(kinds)
    if not key or any(known.has(kind, key) for kind in kinds):
        return
    near = known.nearest(kinds, key)
    raise FaultError(
        f"{column}: no row has the key {key!r}.",
        rule="unknown_key",
        column=column,
        value=key[:60],
        hint=f"The nearest are {', '.join(near)}." if near else "",
    )


def _check_unit(stated: Stated, builtin: Part) -> None:
    """The engine reads a built-in figure in its unit, so a figure in its place has the same."""
    unit = builtin.facts["value"].printed_unit
    given = str(getattr(stated.record.spec, "unit", ""))
    if given != unit:
        raise FaultError(
            f"unit is {given!r} where the built-in row has {unit!r}.",
            rule="same_unit",
            column="unit",
            value=given[:60],
            hint=f"State the figure in {unit}, or give it a key of its own.",
        )


def _check_assumption(stated: Stated, known: Known) -> None:
    """An assumption that nothing asks for would change nothing, and no one would notice."""
    spec = stated.record.spec
    room, name = str(getattr(spec, "room", "")), str(getattr(spec, "name", ""))
    same = known.catalog.builtin.assumption_rows(room, name)
    if not same:
        near = known.catalog.builtin.nearest("assumptions", stated.key)
        raise FaultError(
            f"No computation asks for an assumption {room}.{name}.",
            rule="unknown_key",
            column="name",
            value=name[:60],
            hint=f"The nearest are {', '.join(near)}." if near else "",
        )
    given = str(getattr(spec, "unit", ""))
    if given != same[0].unit:
        raise FaultError(
            f"unit is {given!r} where {room}.{name} is in {same[0].unit!r}.",
            rule="same_unit",
            column="unit",
            value=given[:60],
            hint=f"State it in {same[0].unit}.",
        )


def _check_physical_range(stated: Stated) -> None:
    possible = physical_range(stated.key.partition("[")[0])
    for fact in stated.record.facts.values():
        for column in ("value", "low", "high"):
            number = getattr(fact, column)
            if number is not None and number not in possible:
                raise FaultError(
                    f"{column} must be {possible.words}; {number:g} is no possible value.",
                    rule="physical_range",
                    column=column,
                    value=f"{number:g}",
                    hint=f"State {possible.words}.",
                )


def _check_totals(stated: Stated, known: Known, *, is_override: bool) -> None:
    """Totals follow from the chips. What an override does not say is no fault of it."""
    spec = stated.record.spec
    assert isinstance(spec, System)
    chips = [known.part("accelerators", key) for key, _ in spec.chips()]
    records = {chip.key: part_record(chip) for chip in chips if chip is not None}
    try:
        check_totals(stated.record, records)
    except SeedError as error:
        said = {*stated.texts, *stated.facts}
        columns = {name for fact in stated.facts.values() for name in fact.printed_column.split(";")}
        if is_override and error.column not in columns and not said & SHAPE_OF_A_SYSTEM:
            return
        raise
