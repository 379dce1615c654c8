"""The answer to a question as lines of text."""

from __future__ import annotations

import math

from app.charts.format import show, show_at, span
from app.views.questions.question import AnswerFigure, QuestionAnswer


def question_text(answer: QuestionAnswer) -> str:
    """Verdict, figures with their intervals, the designs tried, and what is assumed."""
    lines = [answer.verdict, ""]
    width = max((len(figure.label) for figure in answer.figures), default=0)
    lines += [f"{figure.label:<{width}}  {figure.text}{_between(figure)}" for figure in answer.figures]
    for one in answer.candidates:
        figures = ", ".join(f"{figure.label} {figure.text}" for figure in one.figures)
        lines.append(f"{'* ' if one.chosen else '  '}{one.name}: {one.reason or figures}")
    if answer.chart is not None:
        lines += ["", f"{answer.chart.title}. {answer.chart.takeaway}."]
        for point in answer.chart.points:
            value = show(point.y, answer.chart.y_unit).text if math.isfinite(point.y) else "n/a"
            mark = "* " if point.chosen else "  "
            lines.append(f"{mark}{point.label:<36}{value:>16}  {point.note}".rstrip())
    lines += ["", *(f"Assumed: {words}" for words in answer.assumptions)]
    return "\n".join(lines).rstrip()


def _between(figure: AnswerFigure) -> str:
    if math.isnan(figure.low):
        return ""
    return f"  ({span(show_at(figure.path, figure.low), show_at(figure.path, figure.high))})"
