"""The version of two pages of a design: what the board has to know, and what it decides."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from app.charts import FIGURES
from app.charts.figure import get_path
from app.charts.format import number, show, show_at
from app.charts.workload_kind import is_generic, is_serving
from app.surfaces.files.redaction import Redaction
from app.surfaces.pages.intervals import shown_interval
from app.surfaces.pages.labels import fact
from app.surfaces.pages.notes import Notes
from app.surfaces.pages.report.blocks import Block, Board, Grid, Picture, Words, wholes
from app.surfaces.pages.verdict import verdict
from app.views.economics.decision.report import Decision

MOST_OPTIONS, MOST_RISKS, MOST_ASSUMPTIONS, MOST_FLIPS = 4, 3, 5, 3
BOARD_HEIGHT, STEP_HEIGHT = 196.0, 84.0
"""Pixels of its charts."""
LONGEST = 150
"""Letters of a line: what follows is in the full version."""
LEFT_OUT = Words(("Left out of this report: amounts of money.",))
COST_ROWS = (
    "cost.capex_usd", "cost.tco_usd", "cost.annual_cost_usd_per_year", "cost.usd_per_accelerator_hour",
    "cost.usd_per_run", "cost.usd_per_million_tokens",
)  # fmt: skip
TIME_ROWS = (
    "performance.elapsed_time_s", "performance.step_time_s", "performance.mfu", "performance.ttft_s", "performance.tpot_s",
    "performance.tokens_per_s",
)  # fmt: skip
RISK_ROWS = ("reliability.ettr", "reliability.mtbf_s", "reliability.spare_supernodes")


def board_of(
    evaluation: dict[str, Any], found: Notes, decision: Decision | None, redaction: Redaction
) -> Board:
    """The findings of an evaluated design on two pages."""
    seen = redaction.evaluation(evaluation)
    return Board(
        question=_question(evaluation),
        answer=_answer(seen, redaction),
        fits=evaluation["feasible"],
        options=_options(decision, redaction),
        cost=_cost(seen, redaction),
        cost_chart=() if redaction.prices else wholes((FIGURES["tco"](seen),), BOARD_HEIGHT),
        time=_time(seen),
        risk=_risk(seen, found, redaction),
        assumptions=_assumptions(evaluation, decision, redaction),
        decision=_decision(decision, redaction),
    )


def answer_lines(evaluation: dict[str, Any], redaction: Redaction) -> tuple[str, ...]:
    """The verdict; of a redacted evaluation without what it costs."""
    return _answer(redaction.evaluation(evaluation), redaction)


def _question(evaluation: dict[str, Any]) -> str:
    count = get_path(evaluation, "inputs.pod.accelerators_used")
    pod = (
        f"{number(count)} {get_path(evaluation, 'inputs.accelerator.name') or 'accelerators'}"
        if count
        else "this design"
    )
    if is_serving(evaluation):
        model = get_path(evaluation, "inputs.workload.model") or "the model"
        return f"How fast and at what cost do {pod} serve {_model(model)}?"
    if is_generic(evaluation):
        return f"How long and at what cost do {pod} run {get_path(evaluation, 'inputs.workload.name') or 'the job'}?"
    tokens = get_path(evaluation, "inputs.workload.tokens")
    what = f" on {show(tokens, 'tokens').text}" if tokens else ""
    return f"How long and at what cost do {pod} train {_model(get_path(evaluation, 'inputs.workload.model') or 'the model')}{what}?"


def _model(key: str) -> str:
    return key.replace("_", " ") if key.islower() else key


def _answer(evaluation: dict[str, Any], redaction: Redaction) -> tuple[str, ...]:
    found = verdict(evaluation)
    first = found.answer.replace("; its cost is unknown", "") if redaction.prices else found.answer
    return tuple(line for line in (first, found.loss, found.rent) if line)


def _options(decision: Decision | None, redaction: Redaction) -> tuple[Block, ...]:
    if redaction.prices:
        return (LEFT_OUT,)
    if decision is None:
        return (Words(("Own or rent cannot be compared for this design.",)),)
    summing = decision.summing_up
    rows = tuple(
        (one.words.capitalize(), show(one.usd, "USD").text if math.isfinite(one.usd) else "unknown")
        for one in [one for one in summing.totals if one.allowed][:MOST_OPTIONS]
    )
    title = f"Total over {number(decision.months_of_work)} months"
    table = (Grid(title, ("Option", "Total"), rows),) if rows else ()
    return (Words((summing.answer,)), *table)


def _cost(evaluation: dict[str, Any], redaction: Redaction) -> tuple[Block, ...]:
    if redaction.prices:
        return (LEFT_OUT,)
    return (_facts("Cost", evaluation, COST_ROWS),)


def _time(evaluation: dict[str, Any]) -> tuple[Block, ...]:
    figure = FIGURES["step_time"](evaluation)
    drawn = (
        (Picture(figure, half=True, height=STEP_HEIGHT),)
        if figure.plot is not None
        else (Words((figure.takeaway,)),)
    )
    likeness = get_path(evaluation, "intervals.likeness")
    return (
        *drawn,
        _facts("Speed", evaluation, TIME_ROWS, half=True),
        *((Words((brief(likeness),)),) if likeness else ()),
    )


def _facts(title: str, evaluation: dict[str, Any], paths: Iterable[str], *, half: bool = False) -> Grid:
    rows = []
    for path in paths:
        if get_path(evaluation, path) is None:
            continue
        between = shown_interval(evaluation, path)
        rows.append(
            (
                fact(evaluation, path).label,
                show_at(path, get_path(evaluation, path)).text,
                between.ends if between else "",
            )
        )
    heads = (title, "Value", "80 % range") if any(row[2] for row in rows) else (title, "Value")
    return Grid("", heads, tuple(row[: len(heads)] for row in rows), half=half)


def _risk(evaluation: dict[str, Any], found: Notes, redaction: Redaction) -> tuple[Block, ...]:
    notes = [*found.infeasible, *found.warnings]
    said = [brief(one.message) for one in notes if redaction.keeps(one.message)]
    if found.missing:
        names = ", ".join(one.label for one in found.missing[:4])
        said.append(
            f"{found.unknown_figures} figures are unknown, as these inputs are not published: {names}."
        )
    shown = said[:MOST_RISKS]
    if len(said) > MOST_RISKS:
        shown.append(f"{len(said) - MOST_RISKS} further warnings are in the full report.")
    words = (
        Words(tuple(shown), is_list=True)
        if shown
        else Words(("No limit is exceeded, and there is no warning.",))
    )
    return (words, _facts("Reliability", evaluation, RISK_ROWS))


def _assumptions(
    evaluation: dict[str, Any], decision: Decision | None, redaction: Redaction
) -> tuple[Block, ...]:
    said = [
        f"{label_of_estimate(one)}: {show(one['value'], one['unit']).text} (estimated: {one['rule']})."
        for one in evaluation["estimates"]
    ]
    said += [one["message"] for one in evaluation["decisions"]]
    if decision is not None and not redaction.prices:
        use = show(decision.utilisation * 100, "1").text
        said.insert(0, f"Work for {number(decision.months_of_work)} months at {use} % utilisation.")
        said += decision.notes[:2]
    kept = [brief(one) for one in said if redaction.keeps(one)]
    shown = kept[:MOST_ASSUMPTIONS]
    if len(kept) > MOST_ASSUMPTIONS:
        shown.append(f"{len(kept) - MOST_ASSUMPTIONS} further ones are in the full report.")
    return (Words(tuple(shown), is_list=True) if shown else Words(("Every input is stated or published.",)),)


def brief(words: str) -> str:
    """The first sentence, and no more of it than a line or two."""
    first = words.partition(". ")[0].rstrip(".")
    if len(first) <= LONGEST:
        return f"{first}."
    return f"{first[:LONGEST].rpartition(' ')[0]}…"


def label_of_estimate(one: dict[str, Any]) -> str:
    """The name of an accepted estimate at the head of a sentence."""
    label = str(one["label"])
    return label[:1].upper() + label[1:]


def _decision(decision: Decision | None, redaction: Redaction) -> tuple[Block, ...]:
    if decision is None or redaction.prices:
        return (Words(("To be decided: whether to build this design as it is described here.",)),)
    flips = tuple(one.said for one in decision.summing_up.flips[:MOST_FLIPS])
    lead = Words((decision.summing_up.answer,))
    return (lead, Words(flips, title="It turns where", is_list=True)) if flips else (lead,)
