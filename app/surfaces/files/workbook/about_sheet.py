"""The scenario itself, so that the workbook can be imported, and what the workbook was made with."""

from __future__ import annotations

from app.saved.imports import SHEET_OF_SCENARIO
from app.scenarios.reading.write_yaml import write_yaml
from app.surfaces.files.work import Work
from app.views.sheet import Book, Text

CONVENTIONS = (
    "Figures are in SI units and US dollars unless the unit beside them says otherwise. FLOP/s are dense; "
    "bandwidths go one way and are per accelerator; GB is decimal. What is unknown says so: it is never taken "
    "for nothing."
)
ESTIMATES = (
    "Planning estimates, not guarantees: these are figures for planning, not quotations or guarantees. Each input says "
    "where it comes from; one of kind assumption was chosen, not published."
)
FORMULAS = (
    "The cost build-up and the prices in the bill of materials are formulas: change a blue number, and the cost "
    "follows, here and on the sheets Summary and Cost. Everything else was computed by Podwright and stays."
)


def scenario_sheet(book: Book, work: Work) -> None:
    """The scenario as YAML, a line a cell, with the own rows that it rests on."""
    sheet = book.sheet(SHEET_OF_SCENARIO, (120,))
    for line in write_yaml(work.values).splitlines():
        sheet.line(Text(line, "code"))


def about_sheet(book: Book, work: Work) -> None:
    """Versions, and how to read the file."""
    sheet = book.sheet("About", (26, 110))
    evaluation = work.evaluated.as_json
    provenance = evaluation["provenance"]
    sheet.heading("About this file", "title")
    sheet.line("Scenario", evaluation["name"])
    if work.document.description:
        sheet.line("Description", work.document.description)
    if work.revision is not None:
        note = f": {work.note}" if work.note else ""
        sheet.line("Revision", f"{work.revision}, saved {work.dated:%Y-%m-%d %H:%M} UTC{note}")
    sheet.line("Made with", f"Podwright {provenance['engine_version']}")
    sheet.line("Catalog revision", provenance["catalog_revision"])
    sheet.line("Inputs hash", provenance["inputs_hash"])
    sheet.gap()
    sheet.line("Estimates", ESTIMATES)
    sheet.line("Units", CONVENTIONS)
    sheet.line("Formulas", FORMULAS)
    sheet.line(
        "Importing", "Podwright reads this file as a scenario: its sheet Scenario holds all that is needed."
    )
    sheet.line(
        "Sources",
        "The sheet Sources has the licence of each and the credit it asks for; pass them on with it.",
    )
