"""The published runs as a table like those of the catalog: words to search, values to sort and filter by."""

from __future__ import annotations

from collections.abc import Sequence

from app.catalog.validated_runs import ValidatedRun
from app.charts.format import number, signed_percent
from app.surfaces.pages.catalog.kinds import KindView
from app.surfaces.pages.catalog.table import Cell, Row, Table, TableColumn
from app.surfaces.pages.catalog.values import Scale
from app.surfaces.pages.validation.words import Words
from app.validation.judged import GROUPINGS, Judged

SPEED = "tokens/s each"
COLUMNS = (
    TableColumn("accelerator_name", "Accelerator", "", False, None),
    TableColumn("accelerators", "Number", "", True, Scale(1.0, "")),
    TableColumn("parameters", "Parameters", "billion", True, Scale(1.0, "billion")),
    TableColumn("precision_name", "Precision", "", False, None),
    TableColumn("framework_name", "Framework", "", False, None),
    TableColumn("software_date", "Date", "", True, None),
    TableColumn("measured", "Measured", SPEED, True, Scale(1.0, SPEED)),
    TableColumn("predicted", "Predicted", SPEED, True, Scale(1.0, SPEED)),
    TableColumn("error", "Error", "", True, Scale(0.01, "%")),
    TableColumn("held", "In interval", "", False, None),
)
VIEW = KindView(
    kind="training",
    tab="Training runs",
    noun="runs",
    what="Published training runs, each beside what the engine says of it.",
    columns=tuple(column.name for column in COLUMNS),
    facets=tuple(GROUPINGS),
    row="Run",
)


def table_of(judged: Sequence[Judged[ValidatedRun]], words: Words) -> Table:
    """Every run with what it is searched, sorted and filtered by."""
    return Table(VIEW, COLUMNS, tuple(_row(one, words) for one in judged))


def _row(one: Judged[ValidatedRun], words: Words) -> Row:
    run = one.run
    facets = {name: grouping.group(run) for name, grouping in GROUPINGS.items()}
    named = {name: words.group(name, group) for name, group in facets.items()}
    said = [run.id, run.model, run.source, run.accelerator_key, words.generation(run), *named.values()]
    return Row(
        key=run.id,
        name=run.model,
        beside=run.id,
        words="\n".join(said).lower(),
        cells={
            "accelerator_name": _word(named["accelerator"]),
            "accelerators": Cell(number(run.accelerators), run.accelerators, run.accelerators),
            "parameters": _number(run.parameters),
            "precision_name": _word(named["precision"]),
            "framework_name": _word(named["framework"]),
            "software_date": _word(run.software_date),
            "measured": _number(run.measured_tokens_per_s),
            "predicted": _number(one.predicted),
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


def _word(text: str) -> Cell:
    return Cell(text, text.lower() or None)


def _number(value: float) -> Cell:
    return Cell(number(float(f"{value:.3g}")) if value < 1e4 else number(round(value)), value, value)
