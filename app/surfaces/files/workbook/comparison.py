"""The candidates of a study beside each other as a workbook: a sheet a room, costs and cash flow as
formulas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app import __version__
from app.engine.leaves import leaves
from app.engine.trace import Origin
from app.engine.units import unit_of
from app.scenarios.reading.yaml_text import write_yaml
from app.scenarios.study.scenarios import RENTED
from app.surfaces.files.redaction import Redaction
from app.surfaces.files.rows import input_label, room_rows
from app.surfaces.files.work import UNDATED
from app.surfaces.files.workbook.book import CONVENTIONS, ESTIMATES
from app.surfaces.files.workbook.compared import (
    Compared,
    Comparison,
    across_all,
    against_base,
    candidate_sheet,
    column_letter,
    same_label,
)
from app.surfaces.files.workbook.compared_money import cash_sheet, cost_sheet
from app.surfaces.files.workbook.sources_sheet import sources_sheet
from app.views.sheet import Book, Cell, Formula, Number, Sheet, Text, unit_cell
from app.views.study.columns import FIGURES, FigureColumn

ROOM_SHEETS: dict[str, tuple[str, ...]] = {
    "Time": ("performance",), "Power": ("power", "cooling"), "Fabric": ("fabric",), "Reliability": ("reliability",),
    "Carbon": ("carbon",),
}  # fmt: skip
SUMMARY = "Summary"
FORMULAS = (
    "Sheets Cost, Cash flow and the cost figures of the Summary are formulas: change a blue number, and what rests on it follows. "
    "Everything else was computed by Podwright and stays."
)

WITHOUT_PRICES = "Differences to the base are formulas. Everything else was computed by Podwright and stays."


def comparison_xlsx(comparison: Comparison) -> bytes:
    """The same study gives the same bytes: nothing in the file is taken from the clock."""
    redaction = comparison.redaction
    book = Book(
        title=comparison.document.name,
        subject="Comparison of a study by Podwright",
        created=UNDATED,
        shown=redaction.text,
    )
    _summary(book, comparison)
    for title, rooms in ROOM_SHEETS.items():
        _room(book, comparison, title, rooms)
        if title == "Time" and not redaction.prices:
            cost_sheet(book, comparison)
    if not redaction.prices:
        cash_sheet(book, comparison)
    _inputs(book, comparison)
    base = comparison.base
    if base is not None and base.found is not None:
        sources_sheet(book, redaction.evaluation(base.evaluation), comparison.citations)
    if not redaction.kinds:  # it states names, sites and prices, and could not be answered without them
        _study(book, comparison)
    _about(book, comparison)
    return book.content()


def _summary(book: Book, comparison: Comparison) -> None:
    sheet = candidate_sheet(book, comparison, SUMMARY)
    across = across_all(comparison)
    question = "" if "names" in comparison.redaction.kinds else comparison.document.question
    sheet.line(Text(question or comparison.document.name, "note"))
    if comparison.redaction.keeps(comparison.answer.verdict):
        sheet.line(Text(comparison.answer.verdict, "note"))
    sheet.heading("Choices", across=across)
    for place, title in enumerate(comparison.choices):
        sheet.line(title, None, *(one.choices[place] for one in comparison.columns))
    sheet.line(
        "Keeps all limits", None, *(Number(one.row.probability, look="share") for one in comparison.columns)
    )
    sheet.heading("Figures", across=across)
    lines: dict[str, tuple[FigureColumn, int]] = {}
    for figure in FIGURES:
        if not comparison.shows(figure.key, figure.unit):
            continue
        cells = [_figure(one, figure) for one in comparison.columns]
        if any(isinstance(cell, Number | Formula) and cell.value == cell.value for cell in cells):
            lines[figure.key] = figure, sheet.line(figure.title, unit_cell(figure.unit), *cells) + 1
    _per_token(sheet, comparison, lines)
    against_base(sheet, comparison, [(one.title, one.unit, row) for one, row in lines.values()])


def _value(one: Compared, key: str) -> float:
    found = one.row.figures.get(key)
    return found.value if found else float("nan")


def _figure(one: Compared, figure: FigureColumn) -> Cell:
    """A figure of the study: those of money by the cells of the cost."""
    value = _value(one, figure.key)
    formula = _money(one).get(figure.key, "")
    return Formula(formula, value, figure.unit) if formula else Number(value, figure.unit)


def _money(one: Compared) -> dict[str, str]:
    """Formulas of the amounts that a study ranks by; rented work costs the rent of as many runs as the pod
    would do."""
    if one.found is None:
        return {}
    run, tco, capex = (f"{name}_{one.letter}" for name in ("usd_per_run", "tco_usd", "capex_usd"))
    terms = RENTED.get(one.row.terms)
    if terms is None:
        return {"capex_usd": f"={capex}", "tco_usd": f"={tco}", "run_usd": f"={run}"}
    rent = f"usd_per_run_rented_{terms}_{one.letter}"
    return {"tco_usd": f"={tco}*{rent}/{run}", "run_usd": f"={rent}"}


def _per_token(sheet: Sheet, comparison: Comparison, lines: Mapping[str, tuple[FigureColumn, int]]) -> None:
    trained = comparison.document.workload.training
    if trained is None or "run_usd" not in lines:
        return
    tokens = float(trained.tokens)
    row = sheet.line(
        "Tokens trained", "tokens", *(Number(tokens, "tokens", look="input") for _ in comparison.columns)
    )
    run = lines["run_usd"][1]
    sheet.line(
        "Cost per million trained tokens", "USD",
        *(Formula(f"={column_letter(place)}{run}/{column_letter(place)}{row + 1}*1000000", _value(one, "run_usd") / tokens * 1e6, "USD")
          for place, one in enumerate(comparison.columns)),
    )  # fmt: skip


def _room(book: Book, comparison: Comparison, title: str, rooms: tuple[str, ...]) -> None:
    """Every number of a room that any candidate has."""
    sheet = candidate_sheet(book, comparison, title, 46)
    for room in rooms:
        if len(rooms) > 1:
            sheet.heading(room.capitalize(), across=across_all(comparison, 1))
        found = [
            {row.path: row for row in room_rows(one.evaluation, room)} if one.found else {}
            for one in comparison.columns
        ]
        for path in dict.fromkeys(path for rows in found for path in rows):
            if "[" in path:  # tables have as many rows as their candidate
                continue
            row = next(rows[path] for rows in found if path in rows)
            if not comparison.shows(path, row.unit):
                continue
            cells = [rows[path].value if path in rows else None for rows in found]
            if isinstance(row.value, str) and all(len(str(one or "")) > 60 for one in cells):
                continue
            sheet.line(
                row.label,
                unit_cell(row.unit),
                *(_cell(one, row.unit, comparison.redaction) for one in cells),
                Text(path, "muted"),
            )


def _cell(value: Any, unit: str, redaction: Redaction) -> Cell:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value if redaction.keeps(value) else Text("left out", "muted")
    return Number(value, unit)


def _inputs(book: Book, comparison: Comparison) -> None:
    """Every number that the evaluations started from; those in which candidates differ first."""
    sheet = candidate_sheet(book, comparison, "Inputs", 46, 60)
    found: list[dict[str, float | None]] = []
    origins: dict[str, Origin] = {}
    labels: dict[str, list[str]] = {}
    for one in comparison.columns:
        numbers = leaves(one.found.resolved.design) if one.found else ()
        here = {
            path.replace("assumptions.rooms.", "assumptions."): value
            for path, value in numbers
            if comparison.shows_input(path)
        }
        found.append({path: float(value[0]) for path, value in here.items() if value.size == 1})
        if one.found:
            origins = {**one.found.resolved.origins, **origins}
            for path in here:
                labels.setdefault(path, []).append(input_label(one.found.resolved.origins[path]))
    paths = list(dict.fromkeys(path for some in found for path in some))
    differ = {path for path in paths if len({repr(some.get(path)) for some in found}) > 1}
    for title, kept in (
        ("In which the candidates differ", [one for one in paths if one in differ]),
        ("The same for all", [one for one in paths if one not in differ]),
    ):
        sheet.heading(title, across=across_all(comparison, 2))
        for path in kept:
            origin, unit = origins[path], unit_of(path)
            cells = (Number(some[path], unit) if path in some else Text("–", "muted") for some in found)
            source = (
                comparison.citations.words(origin.source)
                if origin.source
                else "stated in the study"
                if origin.kind == "scenario"
                else ""
            )
            sheet.line(same_label(labels[path], path), unit_cell(unit), *cells, Text(path, "muted"), source)


def _study(book: Book, comparison: Comparison) -> None:
    sheet = book.sheet("Study", (120,))
    for line in write_yaml(comparison.document.as_dict()).splitlines():
        sheet.line(Text(line, "code"))


def _about(book: Book, comparison: Comparison) -> None:
    sheet = book.sheet("About", (26, 110))
    sheet.heading("About this file", "title")
    sheet.line("Study", comparison.document.name)
    sheet.line("Made with", f"Podwright {__version__}")
    sheet.line("Catalog revision", str(comparison.answer.provenance.get("catalog_revision") or "unknown"))
    sheet.line("Estimates", ESTIMATES)
    sheet.line("Units", CONVENTIONS)
    redaction = comparison.redaction
    sheet.line("Formulas", WITHOUT_PRICES if redaction.prices else FORMULAS)
    for words in redaction.said:
        sheet.line("Left out", words)
    if redaction.kinds:
        sheet.line("Study again", "The study itself is not in this file, as it states what was left out.")
    else:
        sheet.line(
            "Study again",
            "The sheet Study holds the study as YAML: Podwright answers it again by Import of its studies.",
        )
    for words in (
        *comparison.answer.notes,
        *(comparison.answer.timing.notes if comparison.answer.timing else ()),
    ):
        if redaction.keeps(words):
            sheet.line("Note", words)
