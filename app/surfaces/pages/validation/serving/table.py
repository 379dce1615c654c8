"""The measured latencies as a table: words to search, values to sort and filter by."""

from __future__ import annotations

from collections.abc import Sequence

from app.charts.format import number, signed_percent
from app.surfaces.pages.catalog.kinds import KindView
from app.surfaces.pages.catalog.table import Cell, Row, Table, TableColumn
from app.surfaces.pages.catalog.values import Scale
from app.surfaces.pages.validation.serving.words import ServingWords, milliseconds
from app.validation.judged import Judged
from app.validation.serving.published import SERVING_GROUPINGS, ServedMeasurement

MILLISECONDS = "ms"
COLUMNS = (
    TableColumn("system_name", "System", "", False, None),
    TableColumn("accelerators", "Accelerators", "", True, Scale(1.0, "")),
    TableColumn("engine_name", "Engine", "", False, None),
    TableColumn("precision_name", "Precision", "", False, None),
    TableColumn("input_tokens", "Tokens in", "", True, Scale(1.0, "")),
    TableColumn("output_tokens", "Tokens out", "", True, Scale(1.0, "")),
    TableColumn("concurrency", "In flight", "", True, Scale(1.0, "")),
    TableColumn("measured", "Measured", MILLISECONDS, True, Scale(1.0, MILLISECONDS)),
    TableColumn("predicted", "Predicted", MILLISECONDS, True, Scale(1.0, MILLISECONDS)),
    TableColumn("error", "Error", "", True, Scale(0.01, "%")),
    TableColumn("held", "In interval", "", False, None),
)
VIEW = KindView(
    kind="serving",
    tab="Serving",
    noun="measurements",
    what="Measured latencies of served models, each beside what the engine says of it.",
    columns=tuple(column.name for column in COLUMNS),
    facets=tuple(SERVING_GROUPINGS),
    row="Model",
)


def table_of(judged: Sequence[Judged[ServedMeasurement]], words: ServingWords) -> Table:
    """Every measurement with what it is searched, sorted and filtered by."""
    return Table(VIEW, COLUMNS, tuple(_row(one, words) for one in judged))


def _row(one: Judged[ServedMeasurement], words: ServingWords) -> Row:
    run = one.run
    facets = {name: grouping.group(run) for name, grouping in SERVING_GROUPINGS.items()}
    named = {name: words.group(name, group) for name, group in facets.items()}
    said = [
        run.id,
        run.model_key,
        run.accelerator_key,
        run.layout,
        run.era,
        *facets.values(),
        *named.values(),
    ]
    return Row(
        key=run.id,
        name=named["model"],
        beside=run.layout,
        words="\n".join(said).lower(),
        cells={
            "system_name": _word(named["system"]),
            "accelerators": _whole(run.accelerators),
            "engine_name": _word(named["engine"]),
            "precision_name": _word(named["precision"]),
            "input_tokens": _whole(run.input_tokens),
            "output_tokens": _whole(run.output_tokens),
            "concurrency": Cell(number(run.concurrency), run.concurrency, run.concurrency),
            "measured": Cell(milliseconds(run.measured_ms), run.measured_ms, run.measured_ms),
            "predicted": Cell(milliseconds(one.predicted), one.predicted, one.predicted),
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


def _whole(value: int) -> Cell:
    return Cell(f"{value:,}", float(value), float(value))
