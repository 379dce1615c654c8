"""The measured collectives as a table: words to search, values to sort and filter by."""

from __future__ import annotations

from collections.abc import Sequence

from app.catalog.validated_collectives import ValidatedCollective
from app.charts.format import number, signed_percent
from app.surfaces.pages.catalog.kinds import KindView
from app.surfaces.pages.catalog.table import Cell, Row, Table, TableColumn
from app.surfaces.pages.catalog.values import Scale
from app.surfaces.pages.validation.collectives.words import CollectiveWords, microseconds, size_text
from app.validation.judged import COLLECTIVE_GROUPINGS, Judged

MICROSECONDS = "µs"
MEGABYTES = "MB"
COLUMNS = (
    TableColumn("system", "System", "", False, None),
    TableColumn("ranks", "Accelerators", "", True, Scale(1.0, "")),
    TableColumn("size", "Size", "", True, Scale(1e6, MEGABYTES)),
    TableColumn("level_name", "Level", "", False, None),
    TableColumn("measured", "Measured", MICROSECONDS, True, Scale(1.0, MICROSECONDS)),
    TableColumn("predicted", "Predicted", MICROSECONDS, True, Scale(1.0, MICROSECONDS)),
    TableColumn("error", "Error", "", True, Scale(0.01, "%")),
    TableColumn("held", "In interval", "", False, None),
)
VIEW = KindView(
    kind="collectives",
    tab="Collectives",
    noun="measurements",
    what="Measured collectives, each beside what the engine says of it.",
    columns=tuple(column.name for column in COLUMNS),
    facets=tuple(COLLECTIVE_GROUPINGS),
    row="Collective",
)


def table_of(judged: Sequence[Judged[ValidatedCollective]], words: CollectiveWords) -> Table:
    """Every measurement with what it is searched, sorted and filtered by."""
    return Table(VIEW, COLUMNS, tuple(_row(one, words) for one in judged))


def _row(one: Judged[ValidatedCollective], words: CollectiveWords) -> Row:
    run = one.run
    facets = {name: grouping.group(run) for name, grouping in COLLECTIVE_GROUPINGS.items()}
    name, accelerator = words.group("collective", run.collective), words.accelerator(run)
    said = [run.id, run.accelerator_key, accelerator, run.library, run.generation, name, *facets.values()]
    return Row(
        key=run.id,
        name=name,
        beside=accelerator,
        words="\n".join(said).lower(),
        cells={
            "system": _word(run.system),
            "ranks": Cell(number(run.ranks), run.ranks, run.ranks),
            "size": _size(run),
            "level_name": _word(run.level),
            "measured": Cell(microseconds(run.measured_us), run.measured_us, run.measured_us),
            "predicted": Cell(microseconds(one.predicted), one.predicted, one.predicted),
            "error": Cell(signed_percent(one.error), one.error, one.error),
            "held": _word("yes" if one.held else "no"),
        },
        facets=facets,
        year=None,
        marks={},
        recalled=0,
        date="",
        price_date=None,
    )


def _size(run: ValidatedCollective) -> Cell:
    """Bytes are ranked with bytes, tokens with tokens."""
    if run.message_bytes is not None:
        return Cell(size_text(run), ("bytes", run.message_bytes), run.message_bytes)
    assert run.tokens is not None  # one of the two is always there
    return Cell(size_text(run), ("tokens", float(run.tokens)))


def _word(text: str) -> Cell:
    return Cell(text, text.lower() or None)
