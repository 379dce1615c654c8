"""The page of a comparison, as far as there is something to compare."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from app.charts.workload_kind import is_serving
from app.saved.store import SavedWork
from app.surfaces.pages.designs import Designs
from app.surfaces.pages.saved.compare.charts import Pair, chart_pairs
from app.surfaces.pages.saved.compare.rows import ResultRow, RoomRows, input_rows, key_rows, room_rows
from app.surfaces.pages.saved.compare.sides import NoSideError, Option, Side, options, side
from app.surfaces.pages.saved.words import Difference
from app.surfaces.pages.studio.changes import effects, listed
from app.surfaces.pages.studio.state import decode_state


class Asked(NamedTuple):
    """References of both sides; `s` is an unsaved scenario made from B."""

    a: str = ""
    b: str = ""
    s: str = ""
    every: bool = False

    def address(self, **changes: Any) -> str:
        """The address that asks for this, or for something a little different."""
        wanted = self._replace(**changes)
        fields = {"a": wanted.a, "b": wanted.b, "s": wanted.s, "all": "1" if wanted.every else ""}
        return f"/compare?{urlencode({name: text for name, text in fields.items() if text}, safe='@')}"


class Comparison(NamedTuple):
    """`says` is the difference in one sentence."""

    says: str
    key_figures: tuple[ResultRow, ...]
    inputs: tuple[Difference, ...]
    rooms: tuple[RoomRows, ...]
    pairs: tuple[Pair, ...]
    alike: bool


class ComparePage(NamedTuple):
    asked: Asked
    a: Side | None
    b: Side | None
    faults: tuple[str, ...]
    options: tuple[tuple[str, tuple[Option, ...]], ...]
    comparison: Comparison | None


def compare_page(asked: Asked, designs: Designs, work: SavedWork) -> ComparePage:
    """Both sides, what differs, and what else could be chosen."""
    faults: list[str] = []
    state = decode_state(asked.s) if asked.s else None
    if asked.s and state is None:
        faults.append("The unsaved changes in this address cannot be read; B is shown as it was saved.")
        asked = asked._replace(s="")
    sides = [
        _side(ref, values, asked.s, designs, work, faults)
        for ref, values in ((asked.a, None), (asked.b, state))
    ]
    a, b = sides
    compared = _comparison(a, b, designs, every=asked.every) if a and b else None
    return ComparePage(asked, a, b, tuple(faults), options(designs, work), compared)


def _side(
    ref: str, values: dict[str, Any] | None, s: str, designs: Designs, work: SavedWork, faults: list[str]
) -> Side | None:
    if not ref:
        return None
    try:
        return side(ref, values, s, designs, work)
    except NoSideError as error:
        faults.append(str(error))
        return None


def _comparison(a: Side, b: Side, designs: Designs, *, every: bool) -> Comparison:
    inputs = input_rows(a.values, b.values, designs.of(b.ref).choices(), every=every)
    rooms = room_rows(a.evaluation, b.evaluation, every=every)
    alike = not any(each.before != each.after for each in inputs) and not any(
        row.differs for room in rooms for row in room.rows
    )
    return Comparison(
        says=_says(a, b, alike),
        key_figures=tuple(
            row for row in key_rows(a.evaluation, b.evaluation) if every or row.differs or row.sense == ""
        ),
        inputs=inputs,
        rooms=rooms,
        pairs=chart_pairs(a.evaluation, b.evaluation),
        alike=alike,
    )


def _says(a: Side, b: Side, alike: bool) -> str:
    if alike:
        return "No difference: A and B state the same inputs and come to the same figures."
    parts = effects(b.evaluation, a.evaluation)
    fits = {(True, False): " A fits, B does not.", (False, True): " B fits, A does not."}
    beside = fits.get((a.evaluation["feasible"], b.evaluation["feasible"]), "")
    same = "latency, tokens, cost or power" if is_serving(b.evaluation) else "time, cost or power"
    return f"B {listed(parts)}.{beside}" if parts else f"They differ, but not in {same}.{beside}"
