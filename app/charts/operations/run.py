"""Simulated runs: times of completion, and one run failure by failure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, table
from app.charts.format import number, share_text, show

HEIGHT = 340
ALIKE = 20.0
UNITS = (("h", 3600.0), ("min", 60.0), ("s", 1.0))
FINISH_CAPTION = "Share of the simulated runs that are done by a day."
TIMELINE_CAPTION = (
    "One run, at the rate of the evaluation: each mark is a failure, as high as the time that it takes, with the work that "
    "is done again, the wait for a unit and the restart."
)


class Done(NamedTuple):
    """Share of the runs that are done by a day."""

    days: float
    probability: float


class Hit(NamedTuple):
    """A failure: when, of what, and the time that it takes."""

    day: float
    component: str
    from_memory: bool
    lost_s: float
    waiting_s: float
    restart_s: float

    @property
    def taken_s(self) -> float:
        return self.lost_s + self.waiting_s + self.restart_s


def finish_figure(
    points: Sequence[Done], *, low: float, middle: float, high: float, deadline: float, on_time: float, formula: float,
    deadline_words: str
) -> Figure:  # fmt: skip
    """Probability of being done by a day; the deadline and the time of the formula are lines."""
    x, y = [point.days for point in points], [100 * point.probability for point in points]
    first, last = min(x[0], deadline, formula), max(x[-1] if x[-1] < 3 * middle else 3 * middle, deadline)
    room = 0.04 * (last - first) or 0.02 * last
    limits = [forms.limit(deadline_words, x=deadline, slot="bad", at=0.02, anchor="left bottom")]
    plot = forms.plot(
        [
            forms.line(x, y, shape="hv", hover="by day %{x:.1f}<br>%{y:.0f} % of the runs"),
            forms.ring(deadline, 100 * on_time, "c1", f"by day {deadline:.1f}<br>{share_text(on_time)}"),
        ],
        HEIGHT,
        x=forms.values(
            forms.even_ticks(first - room, last + room, 5), number, [first - room, last + room], unit="days", base=True,
            grid=False, title="Elapsed time",
        ),
        y=forms.values([0, 25, 50, 75, 100], number, [0, 104], unit="%"),
        limits=limits,
        top=16,
        right=36,
    )  # fmt: skip
    return Figure(
        name="finish",
        eyebrow="Probability of completion vs elapsed days",
        takeaway=f"Half of the runs are done by day {middle:.1f}, 80 % between {low:.1f} and {high:.1f}; by day "
        f"{deadline:.1f} it is {share_text(on_time)}.",
        caption=FINISH_CAPTION,
        columns=(Column("Day"), Column("Done", "%")),
        rows=tuple(
            Row((f"{point.days:.2f}", f"{100 * point.probability:.0f}"))
            for point in points[:: max(1, len(points) // 12)]
        ),
        plot=plot,
        narrow=forms.few_ticks(plot),
    )


def timeline_figure(hits: Sequence[Hit], *, days: float, failures: int) -> Figure:
    """A mark a failure, by where its state came back from."""
    name, eyebrow = "run_timeline", "One simulated run: time lost to each failure by day"
    if not hits:
        return Figure(
            name=name, eyebrow=eyebrow, takeaway=f"Nothing fails in the {days:.1f} days of this run.",
            caption=TIMELINE_CAPTION, columns=(), rows=(), plot=None,
        )  # fmt: skip
    kinds = (("A snapshot in memory", "c1", True), ("A copy on shared storage", "c4", False))
    data = []
    for label, slot, memory in kinds:
        some = [hit for hit in hits if hit.from_memory == memory]
        data.append(
            forms.dots(
                [hit.day for hit in some], [max(hit.taken_s, 1.0) for hit in some], slot, 6, name=label,
                symbol=forms.SYMBOLS[slot],
                said=[
                    [
                        hit.component.replace("_", " "), show(hit.lost_s, "s").text, show(hit.waiting_s, "s").text,
                        show(hit.restart_s, "s").text,
                    ]
                    for hit in some
                ],
                hover="day %{x:.2f}, %{customdata[0]}<br>work lost %{customdata[1]}<br>waiting %{customdata[2]}"
                "<br>restart %{customdata[3]}",
            )
        )  # fmt: skip
    taken = [max(hit.taken_s, 1.0) for hit in hits]
    worst = max(hits, key=lambda hit: hit.taken_s)
    upto = hits[-1].day if len(hits) < failures else days
    plot = forms.plot(
        data,
        HEIGHT,
        x=forms.values(
            forms.even_ticks(0, upto, 6), number, [-0.01 * upto, 1.02 * upto], unit="days", base=True, grid=False,
            title="Elapsed time",
        ),
        y=_times(taken),
        top=16,
        right=36,
    )  # fmt: skip
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=f"{failures:,} failures in {days:.1f} days take {show(sum(taken) / len(taken), 's').text} on average; the "
        f"worst, of {worst.component.replace('_', ' ')} on day {worst.day:.1f}, takes {show(worst.taken_s, 's').text}.",
        caption=TIMELINE_CAPTION
        + (f" The first {len(hits):,} failures are drawn." if len(hits) < failures else ""),
        **table(
            sorted(hits, key=lambda hit: -hit.taken_s)[:12],
            (Column("Day"), lambda hit: f"{hit.day:.2f}"),
            (Column.words("Component"), lambda hit: hit.component.replace("_", " ")),
            (Column("Lost work"), lambda hit: show(hit.lost_s, "s").text),
            (Column("Waiting"), lambda hit: show(hit.waiting_s, "s").text),
            (Column("Restart"), lambda hit: show(hit.restart_s, "s").text),
        ),
        plot=plot,
        legend=tuple(Mark(slot, f"State from {label[0].lower()}{label[1:]}") for label, slot, _ in kinds),
        narrow=forms.few_ticks(plot),
    )


def _times(taken: Sequence[float]) -> dict[str, Any]:
    """An axis of times: from zero while they are alike, else logarithmic."""
    if max(taken) > ALIKE * min(taken):
        return forms.log(taken, "s", "", most=6)
    unit, scale = next(((unit, scale) for unit, scale in UNITS if max(taken) >= 2 * scale), UNITS[-1])
    ticks = forms.round_ticks(max(taken) / scale, 5)
    return forms.values(
        [tick * scale for tick in ticks], [number(tick) for tick in ticks], [0, 1.05 * max(taken)], unit=unit
    )
