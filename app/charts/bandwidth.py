"""The ladder of bandwidths an accelerator sees, from its own memory out to storage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.charts.figure import Figure, get_path
from app.charts.ladder import OUT, UP, Line, Measure, ladder_figure
from app.charts.workload_kind import is_serving

CAPTION = "Line rates, not achieved rates. Storage is the whole system's rate shared by all accelerators."
MEMORY, READ, WRITE = "HBM", "Storage read", "Checkpoint"
LEVELS = (MEMORY, UP, OUT, READ, WRITE)
UP_PATH, OUT_PATH = (f"fabric.scale_{way}_bandwidth_bytes_per_s" for way in ("up", "out"))


def bandwidth_figure(evaluation: dict[str, Any]) -> Figure:
    """The ladder of a design, with the levels that it has."""
    line = bandwidth_line(evaluation)
    kept = [place for place, level in enumerate(LEVELS) if level not in line.without]
    return ladder_figure(
        BANDWIDTH,
        [LEVELS[place] for place in kept],
        [
            Line(
                line.name,
                tuple(line.values[place] for place in kept),
                tuple(line.paths[place] for place in kept),
            )
        ],
    )


def ladders_figure(evaluations: Mapping[str, dict[str, Any]]) -> Figure:
    """The ladders of several designs, by their names."""
    lines = [bandwidth_line(evaluation, name) for name, evaluation in evaluations.items()]
    measure = BANDWIDTH._replace(name="bandwidth_ladders")
    return ladder_figure(measure, LEVELS, [line._replace(paths=()) for line in lines])


def bandwidth_line(evaluation: dict[str, Any], name: str = "This design") -> Line:
    """A design as a line of a ladder: a value for each of `LEVELS`."""
    used = get_path(evaluation, "inputs.pod.accelerators_used")
    read, write = (f"reliability.storage_{way}_bandwidth_bytes_per_s" for way in ("read", "write"))

    def share(path: str) -> float | None:
        whole = get_path(evaluation, path)
        return whole / used if whole and used else None

    values = (
        get_path(evaluation, "inputs.accelerator.memory_bandwidth_bytes_per_s"),
        get_path(evaluation, UP_PATH),
        get_path(evaluation, OUT_PATH),
        share(read),
        None if is_serving(evaluation) else share(write),
    )
    without = {OUT} if get_path(evaluation, "fabric.topology") == "none" else set()
    without |= {WRITE} if is_serving(evaluation) else set()
    return Line(name, values, ("", UP_PATH, OUT_PATH, read, write), frozenset(without))


def bandwidth_takeaway(levels: Sequence[str], lines: Sequence[Line]) -> str:
    """How far each system falls from inside its SuperNode to outside it."""
    falls = []
    for line in lines:
        known = dict(zip(levels, line.values, strict=True))
        up, out = known.get(UP), known.get(OUT)
        if up and out:
            falls.append((up / out, line.name))
    if not falls:
        return _without_a_way_out(levels, lines[0])
    least, most = min(falls), max(falls)
    if len(lines) == 1 or len(falls) == 1:
        if most[0] <= 1:
            return "Leaving the SuperNode costs no bandwidth."
        return f"Leaving the SuperNode costs a factor of {most[0]:.1f}."
    return (
        f"Leaving the SuperNode costs a factor of {least[0]:.1f} ({least[1]}) to {most[0]:.1f} ({most[1]})."
    )


def _without_a_way_out(levels: Sequence[str], line: Line) -> str:
    known = {level: value for level, value in zip(levels, line.values, strict=True) if value}
    names = list(known)
    if MEMORY in known and UP in known:
        return f"Leaving the accelerator's own memory costs a factor of {known[MEMORY] / known[UP]:.1f}."
    if not names:
        return "No bandwidth of this design is published."
    last = names[-1]
    return f"{names[0]} is {known[names[0]] / known[last]:.3g} times {last[0].lower()}{last[1:]}."


BANDWIDTH = Measure(
    "bandwidth",
    "B/s",
    "Bandwidth per accelerator, one way",
    CAPTION,
    "The bandwidths are not published.",
    bandwidth_takeaway,
)
