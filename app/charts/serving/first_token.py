"""What the mean time to the first token is made of, a bar a part."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Row, get_path, unknown_figure
from app.charts.format import THIN_SPACE, one_prefix, percent, show
from app.engine.quantities import short_label_at

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
    parts, whole = get_path(evaluation, PATH), get_path(evaluation, WHOLE)
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
        columns=(Column.words("Part"), Column("Time", "s"), Column("Share", "%")),
        rows=(
            *(
                Row((_label(name), f"{seconds:.4g}", f"{100 * seconds / whole:.1f}"), path=f"{PATH}.{name}")
                for name, seconds in parts.items()
            ),
            Row(("First token", f"{whole:.4g}", "100.0"), path=WHOLE, total=True),
        ),
        plot=plot,
        narrow=forms.few_ticks(plot),
    )


def _label(part: str) -> str:
    return short_label_at(f"{PATH}.{part}")


def _plot(parts: dict[str, float], whole: float) -> dict[str, Any]:
    names = ["<br>".join(wrap(_label(name), LINE)) for name in parts]
    scale, unit = one_prefix([whole], "s")
    shown = [seconds / scale for seconds in parts.values()]
    end = max(shown) * 1.15
    labels = forms.inside_or_beside([f"{value:.3g}{THIN_SPACE}{unit}" for value in shown], "on-c1", "text")
    bars = forms.bars(names, shown, width=0.6, hover=f"%{{y}}<br>%{{x:,.3~g}}{THIN_SPACE}{unit}", **labels)
    extent = [min(0.0, *shown), end]
    return forms.plot(
        [bars],
        AROUND + BAR * len(names),
        x=forms.values(forms.round_ticks(end), forms.plain, extent, unit=unit, tickangle=0),
        y=forms.names(names),
        right=24,
    )
