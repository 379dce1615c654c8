"""What the space of layouts looks like: a line through the choices of each layout to its step time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import number, percent, show
from app.engine.performance.schedules import CODES, SCHEDULES

NAME = "layout_axes"
EYEBROW = "Choices of a layout, to their step time"
HEIGHT = 360
MINIMUM_WIDTH = 720
TABLE_ROWS = 40
FAST = 0.1
SPREAD = 0.03  # of the height, that equal lines are apart
GOLDEN = 0.618
DEGREES = (("tp", "TP"), ("pp", "PP"), ("cp", "CP"), ("ep", "EP"), ("vpp", "Virtual stages"),
           ("micro_batch", "Micro-batch"))  # fmt: skip
RECOMPUTE = ("none", "selective", "full")


def layout_axes_figure(answer: dict[str, Any]) -> Figure:
    """Parallel coordinates of a sample, fastest lines in the colour of the design. Lines, not the trace of that name: it needs WebGL."""
    sample = answer["sample"]
    caption = (
        f"{len(sample):,} layouts that can run, in even steps of rank, each a line through its choices; axes "
        "on which all agree are left out. Degrees and time are logarithmic. Filter an axis below to search a part."
    )
    if len(sample) < 2:
        return unknown_figure(NAME, EYEBROW, caption, "Too few layouts can run to compare them.")
    step = max(len(sample) // TABLE_ROWS, 1)
    stated = answer.get("stated")
    if stated and stated["step_time_s"] is None:
        stated = None
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(sample),
        caption=caption,
        columns=(
            Column.words("Step time"),
            *(Column(label) for _, label in DEGREES),
            Column("ZeRO"),
            Column.words("Recompute"),
        ),
        rows=tuple(_row(point) for point in sample[::step]),
        legend=(
            Mark("c1", "Fastest tenth"),
            Mark("c7", "The others"),
            *((Mark("c2", "The stated layout"),) if stated else ()),
        ),
        plot=_plot(sample, stated),
        minimum_width=MINIMUM_WIDTH,
    )


def _takeaway(sample: Sequence[dict[str, Any]]) -> str:
    fastest = sample[: max(round(FAST * len(sample)), 1)]
    shared = []
    for name, label in DEGREES:
        values = {point["parallelism"].get(name) for point in fastest}
        if len(values) == 1 and len({point["parallelism"].get(name) for point in sample}) > 1:
            shared.append(f"{label} {values.pop()}")
    slowest = sample[-1]["step_time_s"] / sample[0]["step_time_s"]
    spread = f"The slowest layout takes {number(slowest)} times as long as the fastest"
    return f"{spread}; the fastest tenth all have {', '.join(shared)}." if shared else f"{spread}."


def _row(point: dict[str, Any]) -> Row:
    chosen = point["parallelism"]
    return Row(
        (
            show(point["step_time_s"], "s").text,
            *(str(chosen.get(name, "")) for name, _ in DEGREES),
            str(chosen.get("zero_stage", "")),
            _recompute_text(chosen.get("recompute")),
        )
    )


def _recompute_text(recompute: Any) -> str:
    return percent(recompute).text if isinstance(recompute, int | float) else str(recompute)


def _plot(sample: Sequence[dict[str, Any]], stated: dict[str, Any] | None) -> dict[str, Any]:
    points = [*sample, *([stated] if stated else [])]
    axes = [_degree(label, [point["parallelism"].get(name) for point in points]) for name, label in DEGREES]
    axes.append(_words("ZeRO", [str(point["parallelism"].get("zero_stage")) for point in points]))
    recompute = [_recompute_text(point["parallelism"].get("recompute")) for point in points]
    axes.append(_words("Recompute", recompute, RECOMPUTE))
    axes = [axis for axis in axes if len(axis.ticks) > 1]
    axes.append(_time([point["step_time_s"] for point in points]))
    fast = max(round(FAST * len(sample)), 1)
    groups = [
        _lines(points, axes, range(fast, len(sample)), "c7", width=1, opacity=0.25),
        _lines(points, axes, range(fast), "c1", width=1.5, opacity=0.75),
    ]
    if stated:
        groups.append(_lines(points, axes, range(len(sample), len(points)), "c2", width=2.5, opacity=1))
    return forms.plot(
        groups,
        HEIGHT,
        x=forms.cells(
            [-0.06, len(axes) - 1 + 0.12], side="top", tickvals=list(range(len(axes))),
            ticktext=[axis.label for axis in axes], tickfont=forms.font("text-2"), ticklabelstandoff=4,
        ),
        y=forms.blank([-0.05, 1.05]),
        shapes=[forms.segment(place, 0, place, 1, layer="below") for place in range(len(axes))],
        notes=[
            forms.note(place, height, words, "text-3", anchor="right", shift=(-5, 0), ground="bg", borderpad=0)
            for place, axis in enumerate(axes)
            for height, words in axis.ticks
        ],
        right=20,
        bottom=12,
        left=44,
    )  # fmt: skip


class Axis(NamedTuple):
    """`places` of the layouts and of the labelled values, from 0 at the foot to 1."""

    label: str
    places: list[float]
    ticks: list[tuple[float, str]]


def _degree(label: str, values: list[Any]) -> Axis:
    logs = [math.log2(value or 1) for value in values]
    ticks = {value: str(value or 1) for value in values if (value or 1) & ((value or 1) - 1) == 0}
    return _axis(label, logs, [(math.log2(value or 1), words) for value, words in ticks.items()])


def _words(label: str, values: list[str], order: Sequence[str] = ()) -> Axis:
    distinct = [word for word in order if word in values]
    distinct += sorted({value for value in values if value not in distinct})
    places = [float(distinct.index(value)) for value in values]
    return _axis(label, places, [(float(place), word) for place, word in enumerate(distinct)])


def _time(values: list[float]) -> Axis:
    ticks = forms.unit_ticks(min(values), max(values), "s")
    logs = [math.log10(value) for value in values]
    return _axis("Step time", logs, [(math.log10(tick), forms.tick_text(tick, "s")) for tick in ticks])


def _axis(label: str, values: list[float], ticks: list[tuple[float, str]]) -> Axis:
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    return Axis(
        label,
        [(value - low) / span for value in values],
        sorted(((value - low) / span, words) for value, words in ticks),
    )


def _lines(
    points: Sequence[dict[str, Any]],
    axes: list[Axis],
    which: range,
    slot: str,
    *,
    width: float,
    opacity: float,
) -> dict[str, Any]:
    """One trace of many lines; each a little beside its place, so that equal ones do not hide each other."""
    heights: list[float | None] = []
    said: list[str] = []
    for one in which:
        aside = SPREAD * ((one * GOLDEN) % 1 - 0.5)
        last = len(axes) - 1
        heights += [round(axis.places[one] + (aside if at < last else 0), 4) for at, axis in enumerate(axes)]
        heights.append(None)
        layout_said = degrees_text(points[one]["parallelism"], points[one]["dp"])
        said += [f"{layout_said}<br>{show(points[one]['step_time_s'], 's').text} per step"] * len(axes) + [""]
    words = forms.look() if slot == "c7" else forms.look(text=said, hover="%{text}")
    x = [*range(len(axes)), None] * len(which)
    return forms.line(x, heights, slot, width, opacity=opacity, connectgaps=False, **words)


Adopt = Callable[[Mapping[str, Any]], str]
"""From a layout, as a scenario states it, to the text by which a page adopts it."""

DEGREE_WORDS = (("tp", "TP"), ("pp", "PP"), ("cp", "CP"), ("ep", "EP"))


def degrees_text(layout: Mapping[str, Any], dp: float | None = None) -> str:
    """The degrees that are not one, tensor and pipeline parallelism always.

    >>> degrees_text({"tp": 8, "pp": 16, "cp": 1, "ep": 1}, 128)
    'TP 8, PP 16, DP 128'
    """
    words = [
        f"{word} {layout[name]}"
        for name, word in DEGREE_WORDS
        if name in layout and (layout[name] != 1 or name in ("tp", "pp"))
    ]
    return ", ".join([*words, *([] if dp is None else [f"DP {dp:.0f}"])])


def details_text(layout: Mapping[str, Any]) -> str:
    """The rest of a layout, what is usual left out."""
    stages = layout.get("vpp", 1)
    words = [
        f"micro-batch {layout.get('micro_batch')}",
        *([f"{stages} virtual stages"] if stages != 1 else []),
        f"ZeRO {layout.get('zero_stage')}",
        {"none": "no recompute", "full": "full recompute"}.get(
            str(layout.get("recompute")), f"{layout.get('recompute')} recompute"
        ),
    ]
    if layout.get("tp", 1) != 1 and not layout.get("sequence_parallel"):
        words.append("no sequence parallel")
    if layout.get("inside") == "pipeline":
        words.append("PP within scale-up domain")
    if layout.get("cp", 1) != 1 and layout.get("context", "ring") != "ring":
        words.append(f"{layout['context'].replace('_', '-')} context exchange")
    if layout.get("schedule", "1f1b") != "1f1b":
        words.append(SCHEDULES[CODES[layout["schedule"]]].name)
    for name, word in (("tensor_overlap", "no tensor overlap"), ("data_overlap", "no data overlap")):
        if layout.get(name) is False:
            words.append(word)
    words += asked_for(layout)
    return ", ".join(words)


def asked_for(layout: Mapping[str, Any]) -> list[str]:
    """What a layout has that is looked at only where someone asks for it: offload and groups of shards.

    >>> asked_for({"offload": "both", "offload_to": "nvme", "shard_group": 8})
    ['optimizer and activations offloaded to NVMe', 'shard groups of 8']
    """
    words = []
    if layout.get("offload", "none") != "none":
        away = {"both": "optimizer and activations"}.get(layout["offload"], layout["offload"])
        to = {"peer": " to other accelerators", "nvme": " to NVMe", "pool": " to the memory pool"}.get(
            layout.get("offload_to", "host"), ""
        )
        words.append(f"{away} offloaded{to}")
    if layout.get("etp", "auto") != "auto":
        words.append(f"experts over {layout['etp']} tensor-parallel ranks")
    if layout.get("shard_group", "all") != "all":
        words.append(f"shard groups of {layout['shard_group']}")
    return words


def variants_text(row: Mapping[str, Any]) -> str:
    """How the variants of an answer differ from it, and how many more there are.

    >>> one, other = {"tp": 8, "cp": 1, "data_overlap": True}, {"tp": 8, "cp": 2, "data_overlap": False}
    >>> variants_text({"parallelism": one, "dp": 128, "variant_count": 3,
    ...                "variants": [{"parallelism": other, "dp": 64}]})
    'cp 2, dp 64, data overlap off; 2 more'
    """
    shown = row.get("variants", [])
    own = _choices(row) if shown else {}
    words = [
        ", ".join(f"{name} {value}" for name, value in _choices(variant).items() if own.get(name) != value)
        for variant in shown
    ]
    more = row.get("variant_count", 0) - len(shown)
    return "; ".join([*words, *([f"{more:,} more"] if more else [])])


def _choices(row: Mapping[str, Any]) -> dict[str, str]:
    """Each choice of a layout in words, its replicas behind its degrees."""
    layout = row["parallelism"]
    degrees = {name: layout[name] for name, _ in DEGREE_WORDS if name in layout}
    # The name, as only answers say from which release on.
    runs = {"framework": row["framework"].partition(",")[0]} if row.get("framework") else {}
    said = {True: "on", False: "off"}
    return {
        name.replace("_", " "): said[value] if isinstance(value, bool) else f"{value}"
        for name, value in {**degrees, "dp": row["dp"], **layout, **runs}.items()
    }
