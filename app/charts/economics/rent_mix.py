"""Total cost against the share of the pod that is owned."""

from __future__ import annotations

from collections.abc import Sequence

from app.charts import forms
from app.charts.figure import Column, Figure, Row, unknown_figure
from app.charts.format import WIDE_SPACE, number, share_text
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
        "the owned share cannot do is rented by the utilised hour. Storage and set-up are paid in full once anything is "
        "rented, which the last share shows as a step."
    )
    known = [(at, value) for at, value in zip(share, total_usd, strict=True) if value is not None]
    if len(known) < len(share) or best is None or best_usd is None or served is None:
        return unknown_figure(NAME, EYEBROW, caption, "The cost of owning or renting is unknown.")
    dearest = max(value for _, value in known)
    scale = money_scale(dearest)
    least, height = scale.text(best_usd), best_usd / scale.divisor
    label = forms.note(
        100 * best, height, f"<b>{share_text(best)}, {least}</b>", "text", shift=(0, -10),
        anchor="right top" if best > 0.5 else "left top",
    )  # fmt: skip
    total = forms.line(
        [100 * at for at, _ in known], scale.of(value for _, value in known), "c3",
        said=[scale.words(value) for _, value in known],
        hover=f"%{{x:.0f}} % owned<br>%{{customdata}}{WIDE_SPACE}{scale.unit}",
    )  # fmt: skip
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(best, served, words),
        caption=caption,
        columns=(Column.words("Owned share"), Column("Total", scale.unit)),
        rows=(
            *(Row((share_text(at), scale.words(value))) for at, value in known[::5]),
            Row((f"{share_text(best)}, least", scale.words(best_usd)), total=True),
        ),
        plot=forms.plot(
            [total, forms.ring(100 * best, height, hover=f"{share_text(best)} owned<br>{least}")],
            HEIGHT,
            x=forms.along(range(0, 101, 20), number, [0, 102], unit="%", title="Owned share of the pod"),
            y=forms.from_zero(1.08 * dearest / scale.divisor, scale.unit, wanted=4),
            notes=[label],
            right=24,
        ),
        narrow={"xaxis.nticks": 3},
    )


def _takeaway(best: float, served: float, words: str) -> str:
    if best >= 1:
        return "Owning all of the pod costs least."
    if best <= 0:
        return f"Owning nothing and {words} for all of the work costs least."
    return f"Owning {share_text(best)} of the pod, for {share_text(served)} of the work, costs least."
