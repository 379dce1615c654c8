"""Simulated requests: the time that each share of them stays within, and how it went minute by minute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row
from app.charts.format import THIN_SPACE, WIDE_SPACE, counted, number, one_prefix, show

HEIGHT = 320


@dataclass(frozen=True, slots=True, kw_only=True)
class SharesWithin:
    """`shares` rise; `formula` are shares and times that the formulas give."""

    name: str
    title: str
    shares: Sequence[float]
    simulated_s: Sequence[float]
    formula: Sequence[tuple[float, float]]
    promised_s: float | None
    takeaway: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Minutes:
    """Series by minute; None in a minute without requests."""

    minutes: Sequence[int]
    first_s: Sequence[float | None]
    running: Sequence[float]
    takeaway: str


def shares_figure(curve: SharesWithin) -> Figure:
    """Requests within a time, of all; the formula's percentiles are marks on it, the promise a dashed line."""
    promised = [] if curve.promised_s is None else [curve.promised_s]
    ends = [*curve.simulated_s, *(time for _, time in curve.formula), *promised]
    scale, unit = one_prefix(ends, "s")
    within = f"%{{y:.4~g}}{THIN_SPACE}% within %{{x:,.3~g}}{THIN_SPACE}{unit}"
    simulated = forms.line(
        [time / scale for time in curve.simulated_s],
        [100 * share for share in curve.shares],
        name="Simulated",
        hover=within,
    )
    formulas = forms.dots(
        [time / scale for _, time in curve.formula], [100 * share for share, _ in curve.formula], "c2", 9, symbol="diamond",
        name="Formulas", hover=f"Formulas: {within}",
    )  # fmt: skip
    look = forms.look(width=2, at=0.04, anchor="right bottom", shift=(-6, 0))
    return Figure(
        name=curve.name,
        eyebrow=f"{curve.title}, of all requests",
        takeaway=curve.takeaway,
        caption="Share of the simulated requests that stay within a time; marks are percentiles by the formulas.",
        columns=(Column("Share of requests"), Column("Within")),
        rows=tuple(
            Row((f"{100 * share:.4g}{THIN_SPACE}%", show(time, "s").text))
            for share, time in zip(curve.shares, curve.simulated_s, strict=True)
        ),
        legend=(Mark("c1", "Simulated"), *([Mark("c2", "Formulas")] if curve.formula else [])),
        plot=forms.plot(
            [simulated, formulas],
            HEIGHT,
            x=forms.from_zero(max(ends) / scale * 1.05, unit, words=forms.plain, tickangle=0),
            y=forms.values(range(0, 101, 25), number, [0, 103], unit="%"),
            limits=[
                forms.limit(f"SLO{WIDE_SPACE}{show(time, 's').text}", x=time / scale, **look)
                for time in promised
            ],
            top=16,
            right=24,
        ),
        narrow={"xaxis.nticks": 3},
    )


def minutes_figure(minutes: Minutes) -> Figure:
    """p95 of the time to first token of the requests of each minute, and the sequences they found running."""
    known = [time for time in minutes.first_s if time is not None]
    scale, unit = one_prefix(known or [1.0], "s")
    last = max(minutes.minutes)
    whole = [tick for tick in forms.round_ticks(float(last)) if tick == int(tick)] or [0.0]
    p95 = forms.columns(
        minutes.minutes, [None if time is None else time / scale for time in minutes.first_s], name="First token, p95",
        said=[counted(running) for running in minutes.running],
        hover=f"Minute %{{x}}<br>p95 %{{y:,.3~g}}{THIN_SPACE}{unit}<br>%{{customdata}} running",
    )  # fmt: skip
    return Figure(
        name="simulated_minutes",
        eyebrow="Minute by minute, one replica",
        takeaway=minutes.takeaway,
        caption="p95 of the time to first token of the requests that came in a minute.",
        columns=(Column("Minute"), Column("First token, p95"), Column("Running")),
        rows=tuple(
            Row((str(minute), "none came" if time is None else show(time, "s").text, counted(running)))
            for minute, time, running in zip(minutes.minutes, minutes.first_s, minutes.running, strict=True)
        ),
        legend=(Mark("c1", "First token, p95"),),
        plot=forms.plot(
            [p95],
            HEIGHT,
            x=forms.values(whole, forms.plain, [0.4, last + 0.6], unit="min", tickangle=0),
            y=forms.from_zero(max(known, default=1.0) / scale * 1.1, unit, words=forms.plain),
            right=24,
            bargap=0.25,
        ),
    )
