"""What the mean time to the first token is made of, a bar a part."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from app.charts.figure import (
    Column,
    Figure,
    Row,
    at,
    layout,
    name_axis,
    round_ticks,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import THIN_SPACE, one_prefix, percent, show
from app.charts.serving.few_ticks import few_ticks
from app.engine.performance.serving.words import FLOOR_WORDS

NAME = "first_token"
EYEBROW = "Time to first token, mean over requests"
CAPTION = "From the arrival of a request to its first token; the parts add up."
PATH = "performance.ttft_breakdown_s"
WHOLE = "performance.ttft_s"
BAR = 34
AROUND = 50
LINE = 22  # characters of a name in a line, for a narrow window
SMALLEST_SHARE = 5e-4  # of the whole; what is smaller stands in the table only


def first_token_figure(evaluation: dict[str, Any]) -> Figure:
    """Bars from the top, in the order in which a request meets them."""
    parts, whole = at(evaluation, PATH), at(evaluation, WHOLE)
    if not whole or not parts or None in parts.values():
        return unknown_figure(NAME, EYEBROW, CAPTION, "The time to the first token is unknown.")
    drawn = {name: seconds for name, seconds in parts.items() if abs(seconds) >= SMALLEST_SHARE * whole}
    longest = max(drawn, key=lambda name: drawn[name])
    plot = _plot(drawn, whole)
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=f"{_label(longest)}: {percent(drawn[longest] / whole).text} of {show(whole, 's').text}.",
        caption=CAPTION,
        height=AROUND + BAR * len(drawn),
        columns=(
            Column(name="Part", numeric=False),
            Column(name="Time", unit="s"),
            Column(name="Share", unit="%"),
        ),
        rows=(
            *(
                Row(
                    cells=(_label(name), f"{seconds:.4g}", f"{100 * seconds / whole:.1f}"),
                    path=f"{PATH}.{name}",
                )
                for name, seconds in parts.items()
            ),
            Row(cells=("First token", f"{whole:.4g}", "100.0"), path=WHOLE, total=True),
        ),
        plot=plot,
        narrow=few_ticks(plot),
    )


def _label(part: str) -> str:
    words = FLOOR_WORDS.get(part, part)
    return f"{words[:1].upper()}{words[1:]}"


def _plot(parts: dict[str, float], whole: float) -> dict[str, Any]:
    names = ["<br>".join(wrap(_label(name), LINE)) for name in parts]
    scale, unit = one_prefix([whole], "s")
    shown = [seconds / scale for seconds in parts.values()]
    least, end = min(0.0, *shown), max(shown) * 1.15
    ticks = round_ticks(end)
    labels = [f"{tick:g}" for tick in ticks]
    labels[-1] += f"{THIN_SPACE}{unit}"
    height = AROUND + BAR * len(names)
    return {
        "data": [
            {
                "type": "bar",
                "orientation": "h",
                "y": names,
                "x": shown,
                "width": 0.6,
                "marker": {"color": token("c1")},
                "text": [f"{value:.3g}{THIN_SPACE}{unit}" for value in shown],
                "textposition": "auto",
                "textfont": {"size": 12},
                "outsidetextfont": {"color": token("text")},
                "insidetextfont": {"color": token("on-c1")},
                "cliponaxis": False,
                "hovertemplate": f"%{{y}}<br>%{{x:,.3~g}}{THIN_SPACE}{unit}<extra></extra>",
            }
        ],
        "layout": layout(
            height,
            margin={"l": 8, "r": 24, "t": 8, "b": 8},
            xaxis=value_axis(ticks, labels, [least, end], tickangle=0),
            yaxis=name_axis(names),
        ),
    }
