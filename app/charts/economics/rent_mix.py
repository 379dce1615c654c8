"""Total cost against the share of the pod that is owned."""

from __future__ import annotations

from collections.abc import Sequence

from app.charts.economics.rent_parts import axis_title, marked, whole_percent
from app.charts.figure import (
    Column,
    Figure,
    Row,
    layout,
    round_ticks,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import THIN_SPACE, WIDE_SPACE, number
from app.charts.tco import money_scale

NAME = "rent_mix"
EYEBROW = "Own the base, rent the peak"
HEIGHT = 320


def rent_mix_figure(
    share: Sequence[float],
    total_usd: Sequence[float | None],
    *,
    best: float | None,
    best_usd: float | None,
    served: float | None,
    peak_over_mean: float,
    words: str,
) -> Figure:
    """`best` is the share that costs least and `served` what it does of the work."""
    caption = (
        f"Demand peaks at {number(round(peak_over_mean, 3))} times its mean and falls along a load-duration curve; what "
        "the owned share cannot do is rented by the used hour. Storage and set-up are paid in full once anything is "
        "rented, which the last share shows as a step."
    )
    known = [(at, value) for at, value in zip(share, total_usd, strict=True) if value is not None]
    if len(known) < len(share) or best is None or best_usd is None or served is None:
        return unknown_figure(NAME, EYEBROW, caption, "What owning or renting costs is unknown.")
    scale = money_scale(max(value for _, value in known))
    top = 1.08 * max(value for _, value in known) / scale.divisor
    ticks = round_ticks(top, wanted=4)
    labels = [number(tick) for tick in ticks]
    labels[-1] += f"{WIDE_SPACE}{scale.unit}"
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(best, served, words),
        caption=caption,
        height=HEIGHT,
        columns=(Column(name="Owned share", numeric=False), Column(name="Total", unit=scale.unit)),
        rows=(
            *(Row(cells=(whole_percent(at), scale.words(value))) for at, value in known[::5]),
            Row(cells=(f"{whole_percent(best)}, least", scale.words(best_usd)), total=True),
        ),
        plot={
            "data": [
                {
                    "type": "scatter",
                    "mode": "lines",
                    "x": [100 * at for at, _ in known],
                    "y": [value / scale.divisor for _, value in known],
                    "customdata": [scale.words(value) for _, value in known],
                    "line": {"color": token("c3"), "width": 2.5},
                    "hovertemplate": f"%{{x:.0f}} % owned<br>%{{customdata}}{WIDE_SPACE}{scale.unit}<extra></extra>",
                },
                marked(
                    100 * best,
                    best_usd / scale.divisor,
                    f"{whole_percent(best)} owned<br>{scale.words(best_usd)}{WIDE_SPACE}{scale.unit}",
                ),
            ],
            "layout": layout(
                HEIGHT,
                margin={"l": 8, "r": 24, "t": 8, "b": 8},
                xaxis=value_axis(
                    [0, 20, 40, 60, 80, 100],
                    ["0", "20", "40", "60", "80", f"100{THIN_SPACE}%"],
                    [0, 102],
                    showgrid=False,
                    showline=True,
                    linecolor=token("axis"),
                    title=axis_title("Share of the pod that is owned"),
                ),
                yaxis=value_axis(ticks, labels, [0, top]),
                annotations=[
                    {"x": 100 * best, "y": best_usd / scale.divisor, "yanchor": "top", "yshift": -10,
                     "xanchor": "right" if best > 0.5 else "left", "showarrow": False,
                     "text": f"<b>{whole_percent(best)}, {scale.words(best_usd)}{WIDE_SPACE}{scale.unit}</b>",
                     "font": {"size": 12, "color": token("text")}},
                ],
            ),
        },
        narrow={"xaxis.nticks": 3},
    )  # fmt: skip


def _takeaway(best: float, served: float, words: str) -> str:
    if best >= 1:
        return "Owning all of the pod costs least."
    if best <= 0:
        return f"Owning nothing and {words} for all of the work costs least."
    return f"Owning {whole_percent(best)} of the pod, for {whole_percent(served)} of the work, costs least."
