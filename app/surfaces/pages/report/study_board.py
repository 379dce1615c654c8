"""The version of two pages of a study: the question, the options beside each other, and what decides."""

from __future__ import annotations

import math

from app.charts.format import percent, show
from app.surfaces.pages.report.blocks import Block, Board, Grid, Picture, Words
from app.surfaces.pages.report.board import brief
from app.surfaces.pages.report.study_chapters import (
    StudyShown,
    amount,
    assumption_lines,
    candidate_name,
    decision_lines,
)
from app.views.study.columns import FIGURE, StudyFigure
from app.views.study.report import StudyRow

KEY_FIGURES = (
    "time_s",
    "tco_usd",
    "run_usd",
    "capex_usd",
    "meter_power_w",
    "carbon_kg",
    "pue",
    "mfu",
    "tpot_s",
    "ttft_s",
)
OPTION_FIGURES = ("tco_usd", "capex_usd", "time_s", "meter_power_w", "carbon_kg")
COST_FIGURES, CHARTED = ("tco_usd", "capex_usd", "run_usd"), ("tco_usd", "capex_usd")
MOST_OPTIONS, MOST_ASSUMPTIONS, MOST_FLIPS, MOST_EVENTS, MOST_RISKS = 6, 4, 3, 6, 4
CHART_HEIGHT = 170.0
LONGEST_QUESTION, LONGEST_DECISION = 420, 600
UNKNOWN = StudyFigure(value=math.nan, low=math.nan, high=math.nan)


def board_of_study(shown: StudyShown, review: tuple[str, ...]) -> Board:
    """The findings of a study on two pages."""
    return Board(
        question=question(shown),
        answer=shown.kept((shown.answer.verdict,)) or (_first(shown),),
        fits=shown.answer.answered,
        options=_options(shown),
        cost=_cost(shown),
        cost_chart=_charts(shown, CHARTED),
        time=_time(shown),
        risk=_risk(shown),
        assumptions=_assumptions(shown),
        decision=_decision(shown, review),
        is_wide=True,
    )


def question(shown: StudyShown) -> str:
    """The question as it was put, else what the workload asks."""
    stated = shown.document.question.strip()
    if stated and "names" not in shown.redaction.kinds:
        return (
            stated if len(stated) <= LONGEST_QUESTION else f"{stated[:LONGEST_QUESTION].rpartition(' ')[0]}…"
        )
    trains = shown.document.workload.training
    return f"Which pod {'trains' if trains else 'serves'} the model within the limits, where, and on which terms?"


def _first(shown: StudyShown) -> str:
    found = next((row for row in shown.answer.rows if row.is_answer), None)
    return f"Best: {shown.name(found.key)}." if found else "No candidate keeps every limit."


def _options(shown: StudyShown) -> tuple[Block, ...]:
    columns = shown.board.columns[:MOST_OPTIONS]
    kept = [
        key for key in OPTION_FIGURES if shown.shows(key) and any(_is_known(one.row, key) for one in columns)
    ]
    rows = tuple(
        (f"{one.letter}: {candidate_name(shown, one.row, one.name)}{' (base)' if one.is_base else ''}",
         *(amount(_figure(one.row, key).value, FIGURE[key].unit) for key in kept), one.probability)
        for one in columns
    )  # fmt: skip
    if not rows:
        return (Words(("No candidate can be built.",)),)
    more = len(shown.answer.rows) - len(rows)
    said = f"{more:,} further candidates are in the full report." if more > 0 else ""
    heads = ("Candidate", *(FIGURE[key].title for key in kept), "Keeps all limits")
    return (Grid("", heads, rows), *((Words((said,)),) if said else ()))


def _cost(shown: StudyShown) -> tuple[Block, ...]:
    if shown.redaction.prices:
        return (Words(("Left out of this report: amounts of money.",)),)
    found = shown.answer.timing
    if found is None or not math.isfinite(found.present_value_usd):
        return ()
    paid = sum(one.total_usd for one in found.years)
    said = (
        f"By the build-out at today's prices {shown.name(found.key)} costs {amount(-paid, 'USD')} in {len(found.years)} years "
        f"after the order, less what is sold in the end; {amount(-found.present_value_usd, 'USD')} as present value."
    )
    return (Words((said,)),)


def _charts(shown: StudyShown, keys: tuple[str, ...]) -> tuple[Block, ...]:
    wanted = {f"study_{key}" for key in keys if shown.shows(key)}
    found = [one for one in shown.board.multiples if one.name in wanted and one.plot is not None]
    return tuple(Picture(one, half=True, height=CHART_HEIGHT) for one in found)


def _time(shown: StudyShown) -> tuple[Block, ...]:
    found = shown.answer.timing
    events = () if found is None else tuple(
        (one.name, f"{one.month:,.1f}", f"{one.low:,.1f} to {one.high:,.1f}" if one.low < one.high else "")
        for one in found.events[:MOST_EVENTS]
    )  # fmt: skip
    table = (Grid("", ("Months after the order", "Month", "Between"), events, half=True),) if events else ()
    return (*_charts(shown, ("time_s",)), *table) or (Words(("No time is known of any candidate.",)),)


def _risk(shown: StudyShown) -> tuple[Block, ...]:
    columns = shown.board.columns
    said: list[str] = []
    if columns:
        first = columns[0]
        said += [
            f"{first.letter}: {one.title.lower()} within its limit with {percent(one.probability).text}"
            f"{', which binds' if one.binds else ''}."
            for one in first.row.limits if math.isfinite(one.probability) and not (shown.redaction.prices and one.unit == "USD")
        ]  # fmt: skip
    firm = shown.answer.decision
    if firm is not None and firm.regrets and not shown.redaction.prices:
        least = next((one for one in firm.regrets if one.key == firm.winner), firm.regrets[0])
        said.append(
            f"Choosing {shown.name(least.key)} costs {amount(least.expected_usd, 'USD')} more than the best on average, at worst "
            f"{amount(least.most_usd, 'USD')}."
        )
    kept = shown.kept(said)[: MOST_RISKS + 1]
    return (Words(kept, is_list=True) if kept else Words(("The study states no limit that is a number.",)),)


def _assumptions(shown: StudyShown) -> tuple[Block, ...]:
    every = [brief(one) for one in shown.kept(assumption_lines(shown))]
    kept = every[:MOST_ASSUMPTIONS]
    if len(every) > MOST_ASSUMPTIONS:
        kept.append(f"{len(every) - MOST_ASSUMPTIONS} further ones are in the full report.")
    return (Words(tuple(kept), is_list=True) if kept else Words(("Every input is stated or published.",)),)


def _decision(shown: StudyShown, review: tuple[str, ...]) -> tuple[Block, ...]:
    found: list[Block] = []
    made = () if "names" in shown.redaction.kinds else shown.kept(decision_lines(shown))
    text = " ".join(made)
    if text:
        found.append(
            Words(
                (text if len(text) <= LONGEST_DECISION else f"{text[:LONGEST_DECISION].rpartition(' ')[0]}…",)
            )
        )
    else:
        found.append(
            Words(
                (f"To be decided: whether to go on with {_first(shown).removeprefix('Best: ').rstrip('.')}.",)
            )
        )
    if review:
        found.append(Words(review, title="Review"))
    firm = shown.answer.decision
    flips = [] if firm is None else [one for one in firm.flips if math.isfinite(one.at)]
    said = shown.kept([
        f"{one.label} of {show(one.at, one.unit).text} in place of {show(one.now, one.unit).text}: {shown.name(one.winner_then)} is best."
        for one in flips
    ])[:MOST_FLIPS]  # fmt: skip
    if said:
        found.append(Words(said, title="It turns where", is_list=True))
    return tuple(found)


def _figure(row: StudyRow, key: str) -> StudyFigure:
    return row.figures.get(key) or UNKNOWN


def _is_known(row: StudyRow, key: str) -> bool:
    return math.isfinite(_figure(row, key).value)
