"""The workbook of an evaluation: which sheets it has, and in what order."""

from __future__ import annotations

from app.surfaces.files.rows import ROOMS
from app.surfaces.files.work import Work
from app.surfaces.files.workbook.about_sheet import about_sheet, scenario_sheet
from app.surfaces.files.workbook.bill_sheet import TOTAL_NAME, bill_sheet
from app.surfaces.files.workbook.citations import Citations
from app.surfaces.files.workbook.cost_model import cost_model
from app.surfaces.files.workbook.cost_sheet import cost_sheet
from app.surfaces.files.workbook.inputs_sheet import inputs_sheet
from app.surfaces.files.workbook.problems_sheet import problems_sheet
from app.surfaces.files.workbook.room_sheet import room_sheet
from app.surfaces.files.workbook.sources_sheet import sources_sheet
from app.surfaces.files.workbook.summary_sheet import summary_sheet
from app.views.sheet import Book


def evaluation_xlsx(work: Work) -> bytes:
    """Every figure with its unit and source; the cost as formulas that can be followed and changed.

    The same work gives the same bytes: nothing in the file is taken from the clock.
    """
    evaluated = work.evaluated
    evaluation = evaluated.as_json
    book = Book(title=evaluation["name"], subject="Evaluation by Podwright", created=work.dated)
    linked = {"fabric.network_price_usd": TOTAL_NAME} if evaluation["fabric"]["bill"] else {}
    model = cost_model(evaluated.figures, linked)
    citations = Citations(evaluated.resolved.origins.values())
    summary_sheet(book, evaluation, model)
    inputs_sheet(book, evaluated.resolved, citations)
    for room in ROOMS:
        if room == "workloads" and not evaluation[room]:  # one workload has the pod to itself
            continue
        room_sheet(book, evaluation, room, model)
    bill_sheet(book, evaluation, model)
    cost_sheet(book, model, citations)
    problems_sheet(book, evaluation["problems"])
    sources_sheet(book, evaluation, citations)
    scenario_sheet(book, work)
    about_sheet(book, work)
    return book.content()
