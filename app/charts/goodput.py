"""Goodput against the checkpoint interval."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.charts import forms
from app.charts.figure import Column, Figure, Row, get_path, unknown_figure
from app.charts.format import share_text, show
from app.charts.workload_kind import is_generic, is_serving
from app.engine.operations import checkpointing
from app.engine.operations import goodput as engine

EYEBROW = "Useful time vs checkpoint interval"
HEIGHT = 320
BREAKDOWN = "reliability.goodput_breakdown"
REACH = 24.0  # the curve runs from the best interval divided by this to it multiplied by this
POINTS = 121  # odd, so that the best interval itself is one
PARTS = {
    "productive": ("Training advances", "c1"),
    "checkpoint": ("Checkpoint stalls", "c6"),
    "lost_work": ("Recomputed work", "c4"),
    "restart": ("Restarts", "c2"),
    "waiting": ("Waiting for a spare", "c5"),
}
TICKS_S = (0.1, 0.3, 1, 3, 10, 30, 60, 120, 300, 600, 1800, 3600, 2 * 3600, 5 * 3600, 10 * 3600, 86400,
           2 * 86400, 5 * 86400, 10 * 86400, 30 * 86400)  # fmt: skip
Values = NDArray[np.float64]


class Run(NamedTuple):
    """What the share of useful time depends on, beside the interval."""

    mtbf_s: float
    stall_s: float
    restart_s: float
    waiting_s: float
    local_share: float
    drain_s: float
    in_memory: bool
    copies_apart_s: float = 0.0  # at least, of kept revisions that are older than the drain
    node_share: float = 0.0
    node_drain_s: float = 0.0
    corruption_share: float = 0.0
    validation_s: float = 0.0
    validation_interval_s: float = float("inf")


def goodput_figure(evaluation: dict[str, Any]) -> Figure:
    """The engine's own curve with the interval it chose."""
    run = _run(evaluation)
    best = get_path(evaluation, "reliability.checkpoint_interval_s")
    ettr = get_path(evaluation, "reliability.ettr")
    caption = _caption(evaluation)
    if is_serving(evaluation):
        return unknown_figure("goodput", EYEBROW, caption, "A pod that serves takes no checkpoints.")
    if run is None or not best or ettr is None:
        return unknown_figure("goodput", EYEBROW, caption, "The share of useful time is unknown.")
    intervals = best * np.geomspace(1 / REACH, REACH, POINTS)
    intervals[POINTS // 2] = best  # to the last bit
    step = get_path(evaluation, "performance.step_time_s") or 0.0
    intervals = intervals[(intervals >= step) | (intervals >= best)]
    useful = useful_share(run, intervals)
    few = _time_ticks(intervals, most=4)
    return Figure(
        name="goodput",
        eyebrow=EYEBROW,
        takeaway=_takeaway(run, best, ettr),
        caption=caption,
        columns=(Column.words("Checkpoint every"), Column("Useful time", "%")),
        rows=_rows(run, best, ettr),
        legend_columns=(Column.words("Elapsed time"), Column("Share")),
        legend_rows=_breakdown(evaluation),
        plot=_plot(intervals, useful, best, ettr),
        narrow={"xaxis.tickvals": few, "xaxis.ticktext": _time_labels(few)},
    )


def useful_share(run: Run, intervals_s: Values) -> Values:
    """Share of elapsed time in which training advances, at each interval."""
    mtbf = np.array([run.mtbf_s])
    stall = run.stall_s + checkpointing.validation_stall_s(
        validation_s=np.array([run.validation_s]),
        validation_interval_s=np.array([run.validation_interval_s]),
        checkpoint_interval_s=intervals_s,
    )
    drain = np.array([run.drain_s if run.in_memory else 0.0])
    persistent = np.maximum(
        checkpointing.persistent_interval_s(checkpoint_interval_s=intervals_s, stall_s=stall, drain_s=drain),
        run.copies_apart_s,
    )
    rollback = checkpointing.rollback_of(
        memory_share=np.array([run.local_share]),
        node_share=np.array([run.node_share]),
        corruption_share=np.array([run.corruption_share]),
        checkpoint_interval_s=intervals_s,
        stall_s=stall,
        drain_s=drain,
        node_drain_s=np.array([run.node_drain_s]),
        validation_interval_s=np.array([run.validation_interval_s]),
        copies_apart_s=persistent,
    )
    expected = engine.expected_interval_s(
        mtbf_s=mtbf,
        failures_per_interval=engine.failures_per_interval(
            mtbf_s=mtbf, interval_s=intervals_s, stall_s=stall
        ),
        recovery_s=engine.recovery_s(restart_s=np.array([run.restart_s]), rollback_s=rollback),
        waiting_s=np.array([run.waiting_s]),
    )
    return engine.ettr(mtbf_s=mtbf, interval_s=intervals_s, expected_interval_s=expected)


def _run(evaluation: dict[str, Any]) -> Run | None:
    in_memory = get_path(evaluation, "reliability.checkpoint_scheme") != "blocking"
    values = (
        get_path(evaluation, "reliability.mtbf_s"),
        get_path(evaluation, "reliability.checkpoint_stall_s"),
        get_path(evaluation, "reliability.restart_s"),
        get_path(evaluation, "reliability.waiting_s"),
        get_path(evaluation, "inputs.operations.local_recovery_share") if in_memory else 0.0,
        get_path(evaluation, "reliability.checkpoint_drain_s") if _has_drain(evaluation) else 0.0,
    )
    apart = None if _has_drain(evaluation) else get_path(evaluation, "reliability.persistent_interval_s")
    if None in values:
        return None
    run = Run(*values, in_memory, apart or 0.0)
    return run._replace(**_levels(evaluation, run.local_share))


def _levels(evaluation: dict[str, Any], memory: float) -> dict[str, Any]:
    """Shares of drives of hosts and of silent corruption, with what belongs to them; nothing where they are not counted."""
    found: dict[str, Any] = {}
    corrupt = get_path(evaluation, "reliability.corruption_share") or 0.0
    if corrupt:
        found = {
            "corruption_share": corrupt,
            "validation_s": get_path(evaluation, "reliability.validation_s"),
            "validation_interval_s": get_path(evaluation, "reliability.validation_interval_s"),
            "local_share": memory * (1 - corrupt),
        }
    if get_path(evaluation, "reliability.checkpoint_scheme") == "three_level":
        found["node_share"] = get_path(evaluation, "reliability.node_recovery_share")
        found["node_drain_s"] = get_path(evaluation, "reliability.node_drain_s")
    return found


def _has_drain(evaluation: dict[str, Any]) -> bool:
    """Return whether the revision has the time of a drain; older ones have a constant time between copies."""
    return "checkpoint_drain_s" in evaluation["reliability"]


def _caption(evaluation: dict[str, Any]) -> str:
    mtbf = get_path(evaluation, "reliability.mtbf_s")
    scheme = {
        "two_level": "Snapshots to host memory, with copies on shared storage.",
        "three_level": "Snapshots to host memory, with copies on the drives of hosts and on shared storage.",
        "blocking": "Every checkpoint goes to shared storage.",
    }
    text = scheme.get(get_path(evaluation, "reliability.checkpoint_scheme") or "", "")
    if mtbf:
        text = f"{text} One failure every {show(mtbf, 's').text} on average.".strip()
    return text


def _takeaway(run: Run, best: float, ettr: float) -> str:
    halved, doubled = useful_share(run, np.array([best / 2, best * 2]))
    cost = 100 * (ettr - min(halved, doubled))
    text = f"Checkpoint every {show(best, 's').text} for {share_text(ettr, 1)} of useful time"
    if cost < 0.05:
        return f"{text}; halving or doubling it costs next to nothing."
    points = f"{cost:.1f} point{'' if f'{cost:.1f}' == '1.0' else 's'}"
    return f"{text}; halving or doubling it costs {points} at most."


def _rows(run: Run, best: float, ettr: float) -> tuple[Row, ...]:
    factors = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16)
    shares = useful_share(run, best * np.array(factors))
    return tuple(
        Row(
            (show(best * factor, "s").text, f"{100 * (ettr if factor == 1 else share):.1f}"),
            path="reliability.checkpoint_interval_s" if factor == 1 else "",
            total=factor == 1,
        )
        for factor, share in zip(factors, shares, strict=True)
    )


def _breakdown(evaluation: dict[str, Any]) -> tuple[Row, ...]:
    shares = get_path(evaluation, BREAKDOWN)
    if not isinstance(shares, dict) or None in shares.values():
        return ()
    rows = []
    for name, share in shares.items():
        label, slot = PARTS.get(name, (name.replace("_", " ").capitalize(), "c7"))
        if name == "productive" and is_generic(evaluation):
            label = "The run advances"
        rows.append(Row((label, share_text(share, 1)), slot=slot, path=f"{BREAKDOWN}.{name}"))
    return (*rows, Row(("Total", share_text(sum(shares.values()), 1)), total=True))


def _plot(intervals: Values, useful: Values, best: float, ettr: float) -> dict[str, Any]:
    lowest = max(float(useful.min()), ettr - 0.4)
    bottom = max(0.0, 10 * np.floor(10 * lowest) / 100) if ettr - lowest > 0.1 else lowest - 0.01
    top = min(1.0, ettr + (ettr - bottom) * 0.16)
    kept = useful >= bottom
    across, shares = intervals[kept].tolist(), useful[kept].tolist()
    curve = forms.line(
        across, shares, said=[[show(at, "s").text, share_text(share, 1)] for at, share in zip(across, shares, strict=True)],
        hover="Checkpoint every %{customdata[0]}<br>%{customdata[1]} useful",
    )  # fmt: skip
    often, share = show(best, "s").text, share_text(ettr, 1)
    extent = [float(np.log10(min(across))), float(np.log10(max(across)))]
    times = _time_ticks(intervals[kept])
    return forms.plot(
        [curve, forms.ring(best, ettr, "c1", f"Best: every {often}<br>{share} useful")],
        HEIGHT,
        x=forms.values(
            times, _time_labels(times), extent, base=True, type="log", title="Time between checkpoints"
        ),
        y=forms.values(_share_ticks(bottom, top), lambda tick: f"{100 * tick:.4g}", [bottom, top], unit="%"),
        notes=[
            forms.note(float(np.log10(best)), ettr, f"<b>best: {often}, {share}</b>", "text", shift=(0, 16))
        ],
        top=22,
        right=16,
    )


def _time_ticks(intervals: Values, most: int = 8) -> list[float]:
    """Round times within the curve, thinned out where there are many."""
    within = [float(tick) for tick in TICKS_S if intervals.min() <= tick <= intervals.max()]
    return within[:: -(-len(within) // most)] if within else []


def _time_labels(times: list[float]) -> list[str]:
    return [show(tick, "s").text.replace(".00", "").replace(".0", "") for tick in times]


def _share_ticks(bottom: float, top: float) -> list[float]:
    """Four to six round shares between the ends."""
    steps = (0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
    step = next((step for step in steps if (top - bottom) / step >= 3), steps[-1])
    first = int(np.ceil(bottom / step - 1e-9))
    return [round(position * step, 6) for position in range(first, int(top / step + 1e-9) + 1)]
