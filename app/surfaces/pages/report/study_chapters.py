"""The answer of a study as chapters: what its page shows, each once, with tables that fit on a sheet."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from app.charts.figure import Figure
from app.charts.format import number, percent, show, show_computed
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.study.document import StudyDocument
from app.surfaces.files.redaction import Redaction
from app.surfaces.files.workbook.sources_sheet import Citations
from app.surfaces.pages.report.blocks import Block, Grid, Words, pairs, wholes
from app.surfaces.pages.studies.asking import TERMS
from app.surfaces.pages.studies.board import Board, BoardColumn, Line, name_of
from app.surfaces.pages.studies.differing import SAME_WORDS
from app.views.study.columns import FIGURE, StudyFigure
from app.views.study.report import StudyAnswer, StudyRow
from app.views.study.text import searched_lines

COLUMNS_A_TABLE = 5
"""Most candidates side by side on a sheet."""
LEAST_WORTH_USD = 1.0
"""Below this the value of knowing an input is rounding of the samples."""
MOST_LISTED, MOST_SOURCES, MOST_EXPLAINED = 40, 28, 4
MONEY = "money"
"""Of chapters that are left out with prices."""
LISTED = ("tco_usd", "time_s", "capex_usd", "meter_power_w", "carbon_kg")


class StudyShown(NamedTuple):
    """An answered study, and what a chapter of it is made from."""

    document: StudyDocument
    answer: StudyAnswer
    board: Board
    redaction: Redaction
    evaluated: Callable[[str], EvaluatedScenario]

    def shows(self, key: str) -> bool:
        """Return whether redaction leaves a figure in."""
        return not (self.redaction.prices and FIGURE[key].unit == "USD")

    def name(self, key: str) -> str:
        """A candidate in words, by its key; with the letter of its column."""
        column = next((one for one in self.board.columns if one.row.key == key), None)
        if column is not None:
            return f"{column.letter}: {column.name}"
        row = next((one for one in self.answer.rows if one.key == key), None)
        return key if row is None else f"{name_of(row, self.document)}, {row.site_name or row.site}"

    def kept(self, lines: Sequence[str]) -> tuple[str, ...]:
        """Sentences that redaction leaves in."""
        return tuple(one for one in lines if one and self.redaction.keeps(one))


class StudyChapter(NamedTuple):
    title: str
    basis: str
    kind: str
    make: Callable[[StudyShown], tuple[Block, ...]]


def figure_words(found: StudyFigure, unit: str) -> tuple[str, str]:
    """A figure with its range; "" where no range is known."""
    return amount(found.value, unit), between(found, unit)


def amount(value: float, unit: str) -> str:
    """A figure in words."""
    if not math.isfinite(value):
        return "unknown"
    return f"{value:,.1f} months" if unit == "months" else show_computed(value, unit).text


def bound_words(value: float, unit: str) -> str:
    """A limit as it was stated: 21 days, not the 20.9 that three digits of its seconds are."""
    return f"{value:,.1f} months" if unit == "months" else show(value, unit).text


def between(found: StudyFigure, unit: str) -> str:
    """The range of a figure in words."""
    if not (math.isfinite(found.low) and math.isfinite(found.high) and found.low < found.high):
        return ""
    return f"{amount(found.low, unit)} to {amount(found.high, unit)}"


def terms_words(row: StudyRow) -> str:
    """The financial terms in words."""
    return TERMS.get(row.terms, row.terms)  # type: ignore[call-overload, no-any-return]


def tables(columns: Sequence[BoardColumn]) -> Iterator[tuple[int, Sequence[BoardColumn]]]:
    """Columns that go side by side, evenly over as few tables as hold them; with the place of the first."""
    count = max(math.ceil(len(columns) / COLUMNS_A_TABLE), 1)
    each = math.ceil(len(columns) / count)
    for start in range(0, len(columns), each or 1):
        yield start, columns[start : start + each]


def candidate_name(shown: StudyShown, row: StudyRow, name: str) -> str:
    """A candidate with its site and terms, and its network where candidates differ in it."""
    differ = len({one.network for one in shown.answer.rows}) > 1
    words = (name, *((row.network,) if differ else ()), row.site_name or row.site, terms_words(row).lower())
    return ", ".join(word for word in words if word)


def column_grid(shown: StudyShown) -> Grid:
    """The letters of all columns and what they are."""
    rows = tuple(
        (f"{column.letter}: {column.name}{' (base)' if column.is_base else ''}", column.row.site_name or column.row.site,
         column.row.network, terms_words(column.row), column.probability)
        for column in shown.board.columns
    )  # fmt: skip
    heads = ("Candidate", "Site", "Network", "Financial terms", "Keeps all limits")
    return Grid("", heads, rows, words=(0, 1, 2, 3))


def summary(shown: StudyShown) -> tuple[Block, ...]:
    answer = shown.answer
    refused = shown.kept(answer.refusals)
    return (
        Words(shown.kept((answer.verdict,)) or ("The verdict is about money and is left out.",)),
        *((column_grid(shown),) if shown.board.columns else ()),
        Words(shown.kept(searched_lines(answer)), title="Search", is_list=True),
        *((Words(refused, title="Not evaluated", is_list=True),) if refused else ()),
    )


def board(shown: StudyShown) -> tuple[Block, ...]:
    """Every figure of every column, a few columns at a time."""
    found = []
    figures = tuple(line for line in shown.board.figures if shown.shows(line.key))
    lines = (*(one for one in shown.board.choices if not one.alike), *figures)
    for start, columns in tables(shown.board.columns):
        rows = tuple((line.title, *_cells(line, start, len(columns))) for line in lines)
        heads = ("", *(f"{column.letter}{' (base)' if column.is_base else ''}" for column in columns))
        found.append(Grid("", heads, rows))
    return tuple(found)


def _cells(line: Line, start: int, count: int) -> Iterator[str]:
    for cell in line.cells[start : start + count]:
        yield f"{cell.shown.text} ({cell.change})" if cell.change else cell.shown.text


def charts(shown: StudyShown) -> tuple[Block, ...]:
    kept = [one for one in shown.board.multiples if shown.shows(one.name.removeprefix("study_"))]
    trade = () if shown.redaction.prices else wholes((shown.board.trade_off,))
    return (*pairs(kept), *trade)


def candidates(shown: StudyShown) -> tuple[Block, ...]:
    kept = tuple(key for key in LISTED if shown.shows(key))
    rows = tuple(
        (f"{f'{row.rank}. ' if row.rank else ''}{candidate_name(shown, row, name_of(row, shown.document))}",
         *(_figure(row, key) for key in kept), _chance(row.probability))
        for row in shown.answer.rows[:MOST_LISTED]
    )  # fmt: skip
    more = len(shown.answer.rows) - MOST_LISTED
    said = (Words((f"{more:,} further candidates are in the CSV of the study.",)),) if more > 0 else ()
    heads = ("Rank and candidate", *(FIGURE[key].title for key in kept), "Keeps all limits")
    return (Grid("", heads, rows), *said) if rows else ()


def _figure(row: StudyRow, key: str) -> str:
    found = row.figures.get(key)
    return amount(found.value, FIGURE[key].unit) if found else "unknown"


def _chance(value: float) -> str:
    return percent(value).text if math.isfinite(value) else "unknown"


def limits(shown: StudyShown) -> tuple[Block, ...]:
    """The probability with which each column keeps each limit, and what would make it keep one that it
    misses."""
    columns = shown.board.columns
    names = {
        one.limit: (one.title, one.unit, one.bound, one.asked)
        for column in columns
        for one in column.row.limits
    }
    names = {key: one for key, one in names.items() if not (shown.redaction.prices and one[1] == "USD")}
    if not names:
        return (Words(("The study states no limit that is a number.",)),)
    found: list[Block] = []
    for _, some in tables(columns):
        rows = tuple(
            (
                title,
                bound_words(bound, unit),
                percent(asked).text,
                *(_limit(column, key, unit) for column in some),
            )
            for key, (title, unit, bound, asked) in names.items()
        )
        heads = ("Limit", "At most or least", "Asked for", *(column.letter for column in some))
        found.append(Grid("", heads, rows))
    changes = tuple(
        f"{column.letter}: {one.title.lower()} would be kept by {one.change}."
        for column in columns for one in column.row.limits if one.change and not one.kept
    )  # fmt: skip
    kept = shown.kept(changes)
    return (*found, *((Words(kept, title="Nearest changes", is_list=True),) if kept else ()))


def _limit(column: BoardColumn, key: str, unit: str) -> str:
    one = next((one for one in column.row.limits if one.limit == key), None)
    if one is None:
        return "does not apply"
    words = f"{_chance(one.probability)}, {amount(one.value, unit)}"
    return f"{words}, binds" if one.binds else words if one.kept else f"{words}, missed"


def differences(shown: StudyShown) -> tuple[Block, ...]:
    found: list[Block] = []
    base = shown.board.base
    for one in shown.board.differences[:MOST_EXPLAINED]:
        kept = [
            figure for figure in one.figures if figure.takeaway != SAME_WORDS and _may_show(shown, figure)
        ]
        if kept and base is not None:
            title = f"{one.column.letter}, {one.column.name}, against {base.letter}, {base.name}"
            found += [Words((), title=title), *pairs(kept)]
    return tuple(found)


def _may_show(shown: StudyShown, figure: Figure) -> bool:
    return not (
        shown.redaction.prices and ("usd" in figure.name or not shown.redaction.keeps(figure.takeaway))
    )


def firmness(shown: StudyShown) -> tuple[Block, ...]:
    """What would change the winner, what a wrong choice costs, and the value of information."""
    firm = shown.answer.decision
    if firm is None:
        return ()
    prices = not shown.redaction.prices
    said = []
    if math.isfinite(firm.margin):
        said.append(f"The second is {percent(firm.margin).text} behind the first.")
    if prices and math.isfinite(firm.perfect_information_usd):
        said.append(f"To know every input would be worth {amount(firm.perfect_information_usd, 'USD')}.")
    said += [f"Judged on {firm.samples:,} samples that all candidates share."] if firm.samples else []
    found: list[Block] = [Words(shown.kept((*said, firm.note)))]
    flips = tuple(
        (one.label, show(one.now, one.unit).text, f"{show(one.low, one.unit).text} to {show(one.high, one.unit).text}",
         show(one.at, one.unit).text if math.isfinite(one.at) else "nowhere in its range",
         shown.name(one.winner_then) if one.winner_then else "")
        for one in firm.flips if prices or "usd" not in one.input
    )  # fmt: skip
    if flips:
        heads = ("Input", "Now", "Range", "Changes the winner at", "Winner then")
        found.append(Grid("Inputs that could change the winner", heads, flips, words=(0, 4)))
    if prices:
        found += _regrets(shown)
    return tuple(found)


def _regrets(shown: StudyShown) -> Iterator[Block]:
    firm = shown.answer.decision
    assert firm is not None
    least = (("least expected", firm.least_expected_regret), ("least at worst", firm.minimax_regret))
    rows = tuple(
        (shown.name(one.key), amount(one.expected_usd, "USD"), amount(one.most_usd, "USD"),
         percent(one.best_share).text, ", ".join(words for words, key in least if key == one.key))
        for one in firm.regrets
    )  # fmt: skip
    if rows:
        heads = ("Choice", "Expected", "Largest", "Best in", "")
        yield Grid("Regret: cost above the best choice of each sample", heads, rows, words=(0, 4))
    worth = tuple(
        (one.label, amount(one.usd, "USD")) for one in firm.worth_knowing if one.usd >= LEAST_WORTH_USD
    )
    if worth:
        yield Grid("Value of knowing one input before the decision", ("Input", "Worth"), worth)


def sizes(shown: StudyShown) -> tuple[Block, ...]:
    if not shown.board.sizes:
        return ()
    drawn = () if shown.redaction.prices else wholes(shown.board.sizes)
    said = shown.kept(shown.board.sizes_found)
    return (*drawn, *((Words(said, is_list=True),) if said else ()))


def timing(shown: StudyShown) -> tuple[Block, ...]:
    """From the order to the end of life: events, and cash by year."""
    found = shown.answer.timing
    if found is None:
        return ()
    events = tuple(
        (one.name, f"{one.month:,.1f}", f"{one.low:,.1f} to {one.high:,.1f}" if one.low < one.high else "")
        for one in found.events
    )
    blocks: list[Block] = [
        Words((shown.name(found.key),)),
        Grid("Months after the order", ("Event", "Month", "Between"), events),
    ]
    if not shown.redaction.prices:
        years = tuple(
            (number(one.year), *(amount(usd, "USD") for usd in (one.capital_usd, one.running_usd, one.rent_usd, one.residual_usd, one.total_usd)),
             percent(one.trained_share).text)
            for one in found.years
        )  # fmt: skip
        heads = ("Year", "Capital", "Running", "Rent", "Residual value", "Sum", "Trained")
        blocks += [
            Grid("Cash flow by year after the order", heads, years),
            Words((f"Present value: {amount(found.present_value_usd, 'USD')}.",)),
        ]
    return (*blocks, Words(shown.kept(found.notes), is_list=True))


def decision(shown: StudyShown) -> tuple[Block, ...]:
    said = () if "names" in shown.redaction.kinds else shown.kept(decision_lines(shown))
    return (Words(said or ("Nothing was decided yet.",)),)


def decision_lines(shown: StudyShown) -> tuple[str, ...]:
    """What was decided, and for which column."""
    made = shown.document.decision
    chosen = next((one for one in shown.board.columns if one.is_chosen), None)
    first = (
        f"Chosen: {chosen.letter}, {chosen.name}."
        if chosen
        else f"Chosen: {made.chosen}."
        if made.chosen
        else ""
    )
    return tuple(line for line in (first, *made.text.splitlines()) if line.strip())


def assumptions(shown: StudyShown) -> tuple[Block, ...]:
    said = shown.kept(assumption_lines(shown))
    return (Words(said, is_list=True),) if said else (Words(("Every input is stated or published.",)),)


def assumption_lines(shown: StudyShown) -> list[str]:
    """Assumptions of the study, then choices made for its columns, each once."""
    chosen: dict[str, list[str]] = {}
    for column in shown.board.columns:
        try:
            evaluation = shown.evaluated(column.row.key).as_json
        except (ScenarioError, KeyError):
            continue
        for one in evaluation["decisions"]:
            chosen.setdefault(one["message"], []).append(column.letter)
    return [*shown.answer.notes, *(f"{', '.join(letters)}: {words}" for words, letters in chosen.items())]


def sources(shown: StudyShown) -> tuple[Block, ...]:
    """Sources of the inputs of all columns, by how often they are used."""
    origins = []
    for column in shown.board.columns:
        try:
            found = shown.evaluated(column.row.key).resolved.origins
        except (ScenarioError, KeyError):
            continue
        origins += [
            one
            for path, one in found.items()
            if not (shown.redaction.sites and path.startswith("facility.site."))
        ]
    listed = sorted(Citations(origins).listed(), key=lambda one: -len(one.uses))
    rows = tuple((one.text, str(len(one.uses))) for one in listed[:MOST_SOURCES])
    more = len(listed) - MOST_SOURCES
    said = (
        (Words((f"{more} further sources, used less often, are in the workbook of this study.",)),)
        if more > 0
        else ()
    )
    return (Grid("", ("Source", "Inputs"), rows), *said) if rows else ()


CHAPTERS: dict[str, StudyChapter] = {
    "summary": StudyChapter("Summary", "", "", summary),
    "board": StudyChapter("Candidates side by side", "changes are against the base", "", board),
    "charts": StudyChapter("Figures and trade-offs", "", "", charts),
    "candidates": StudyChapter("All candidates", "answers by rank, then the nearest misses", "", candidates),
    "limits": StudyChapter("Probability of each limit", "", "", limits),
    "differences": StudyChapter(
        "What explains the differences",
        "each choice at its mean effect; they add up exactly",
        "",
        differences,
    ),
    "firmness": StudyChapter("What would change the winner", "", "", firmness),
    "sizes": StudyChapter("SuperNode size", "", "", sizes),
    "timing": StudyChapter("Delivery and cash", "from the order to the end of life", "", timing),
    "decision": StudyChapter("Team decision", "", "", decision),
    "assumptions": StudyChapter("Assumptions", "inputs that were chosen, not published", "", assumptions),
    "sources": StudyChapter(
        "Sources", "of the inputs of the candidates above, by how often they are used", "", sources
    ),
}
"""In their order."""
