"""Owning less renting by utilisation and months: where either is cheaper, and the line between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Row, unknown_figure
from app.charts.format import MINUS, THIN_SPACE, number, share_text

NAME = "rent_map"
HEIGHT = 360
MOST = 0.6  # share from which a cell is drawn in full colour
STEPS = (-0.6, -0.3, 0.0, 0.3, 0.6)
CAPTION = (
    "What owning costs less or more, over the dearer of both, for pods that are kept as long as stated and then sold; "
    "white is even. Every cell has its own duration and use, on the same price path."
)


def rent_map_figure(
    *,
    words: str,
    utilisation: Sequence[float],
    months: Sequence[float],
    share: Sequence[Sequence[float | None]],
    even: Sequence[float | None],
    here: tuple[float, float],
) -> Figure:
    """`even` is the break-even utilisation of each duration, None where there is none; `here` months and use."""
    eyebrow = f"Owning against {words}, by use and months"
    cells = [cell for row in share for cell in row]
    if any(cell is None for cell in cells):
        return unknown_figure(NAME, eyebrow, CAPTION, "The cost of owning or renting is unknown.")
    return Figure(
        name=NAME,
        eyebrow=eyebrow,
        takeaway=_takeaway(words, months, even),
        caption=CAPTION,
        columns=(Column.words("Use"), *(Column(f"{month:.0f} months", "%") for month in months)),
        rows=tuple(
            Row((share_text(use), *(_signed(cell or 0.0) for cell in row)))
            for use, row in zip(reversed(utilisation), reversed(share), strict=True)
        ),
        plot=_plot(words, utilisation, months, share, even, here),
        narrow={"xaxis.nticks": 4},
    )


def _takeaway(words: str, months: Sequence[float], even: Sequence[float | None]) -> str:
    met = [(month, use) for month, use in zip(months, even, strict=True) if use is not None and use <= 1]
    if not met:
        return f"Owning is not cheaper than {words} at any use within {months[-1]:.0f} months."
    (first, _), (last, least) = met[0], met[-1]
    if least <= 0:
        return f"Owning for {last:.0f} months is cheaper than {words} at every use."
    kept = f"Kept {last:.0f} months, owning is cheaper than {words} from {share_text(least)} use"
    return f"{kept}; kept less than {first:.0f}, it is not cheaper." if first > months[0] else f"{kept}."


def _plot(
    words: str,
    utilisation: Sequence[float],
    months: Sequence[float],
    share: Sequence[Sequence[float | None]],
    even: Sequence[float | None],
    here: tuple[float, float],
) -> dict[str, Any]:
    heat = forms.heat_map(
        months, [100 * use for use in utilisation], [[max(-MOST, min(MOST, cell or 0.0)) for cell in row] for row in share],
        [-MOST, MOST], palette="div", text=[[_hover(cell or 0.0, words) for cell in row] for row in share],
        scale=(STEPS, [f"60{THIN_SPACE}% less", "30", "even", "30", f"60{THIN_SPACE}% more"]),
        hover="%{y:.0f} % use, %{x:.0f} months<br>%{text}",
    )  # fmt: skip
    line = [
        (month, 100 * use) for month, use in zip(months, even, strict=True) if use is not None and use <= 1
    ]
    data, notes = [heat], []
    if line:
        hover = "Both cost the same at %{y:.0f} % use<br>kept %{x:.0f} months"
        data.append(
            forms.line(
                [at for at, _ in line], [use for _, use in line], "text", 2, shape="spline", hover=hover
            )
        )
        middle = line[len(line) // 2]
        notes.append(forms.note(*middle, "<b>same cost</b>", "text", shift=(8, 14), ground="bg", borderpad=2))
    use = share_text(here[1])
    data.append(forms.ring(here[0], 100 * here[1], hover=f"This design<br>{use} use, {here[0]:.0f} months"))
    pitch, rise = months[0], 100 * utilisation[0]
    step = 12 if months[-1] <= 72 else 24 if months[-1] <= 144 else 120
    ticks = range(step, int(months[-1]) + 1, step)
    extent = [months[0] - pitch / 2, months[-1] + pitch / 2]
    return forms.plot(
        data,
        HEIGHT,
        x=forms.values(ticks, number, extent, grid=False, title="Months in service"),
        y=forms.values(
            range(20, 101, 20), number, [100 * utilisation[0] - rise / 2, 100 + rise / 2], unit="%",
            grid=False,
        ),
        notes=notes,
        top=12,
    )  # fmt: skip


def _hover(share: float, words: str) -> str:
    side = "less" if share < 0 else "more"
    return f"Owning costs {share_text(abs(share))} {side} than {words}"


def _signed(share: float) -> str:
    text = f"{abs(100 * share):.0f}"
    return "0" if text == "0" else f"{'+' if share > 0 else MINUS}{text}"
