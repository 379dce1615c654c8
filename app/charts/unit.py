"""The inside of a unit of a rail-aligned fabric: every SuperNode on every rail."""

from __future__ import annotations

from app.charts.drawing import choosable_points, text
from app.charts.figure import Detail, blank_axis, layout, token
from app.charts.format import number

MOST_LINES = 13  # of SuperNodes drawn; of more, the first eight and the last four
MOST_RAILS = 16
MOST_NAMED = 10  # rails with a number each; of more, the first and every fourth


def unit_detail(*, supernodes: int, accelerators: int, rails: int, word: str, inside: Detail) -> Detail:
    """The inside of a unit: rails down, SuperNodes across, a dot where they meet; `inside` opens from it."""
    each = accelerators / rails if rails else 0
    dot = f"1 {word.removesuffix('s')}" if each == 1 else f"{number(each)} {word}"
    facts = (
        ("SuperNodes", str(supernodes)),
        (word[0].upper() + word[1:], f"{supernodes * accelerators:,}"),
        ("Rails", str(rails)),
    )
    if not 1 <= rails <= MOST_RAILS or supernodes < 1:
        return Detail(title="Unit 1", subtitle="", facts=facts, details=(inside,))
    shown = (
        list(range(supernodes))
        if supernodes <= MOST_LINES
        else [*range(8), *range(supernodes - 4, supernodes)]
    )
    lines = [position + (position > 7 and supernodes > MOST_LINES) for position in range(len(shown))]
    bottom = lines[-1] + 0.9
    shapes = [
        {"type": "line", "x0": rail, "x1": rail, "y0": -0.7, "y1": bottom,
         "line": {"color": token("c1-tint"), "width": 1}, "layer": "below"}
        for rail in range(rails)
    ]  # fmt: skip
    shapes += [
        {"type": "rect", "x0": -0.55, "x1": rails - 0.45, "y0": y - 0.27, "y1": y + 0.27,
         "fillcolor": token("bg"), "line": {"color": token("line-strong"), "width": 1}, "layer": "below"}
        for y in lines
    ]  # fmt: skip
    shapes += [
        {"type": "rect", "x0": rail - 0.33, "x1": rail + 0.33, "y0": -1.55, "y1": -0.75,
         "fillcolor": token("bg"), "line": {"color": token("control"), "width": 1}, "layer": "below"}
        for rail in range(rails)
    ]  # fmt: skip
    named = [rail for rail in range(rails) if rails <= MOST_NAMED or rail == 0 or rail % 4 == 3]
    words = [text(rail, -1.15, str(rail + 1)) for rail in named]
    words.append(text(-0.9, -1.15, "Rail", anchor="right"))
    head_x = -0.75 - 0.06 * rails
    if supernodes > MOST_LINES:
        words.append(text(head_x, 8, "…"))
    subtitle = f"{accelerators} {word}, {rails} rails"
    heads = choosable_points(
        [(head_x, float(y)) for y in lines],
        [(f"SuperNode {node + 1}", subtitle, 0) for node in shown],
        size=17,
        chosen=None,
    ) | {
        "mode": "markers+text",
        "text": [str(node + 1) for node in shown],
        "textposition": "middle center",
        "textfont": {"size": 12, "color": token("text-2")},
    }
    dots = {
        "type": "scatter",
        "mode": "markers",
        "x": [rail for _ in shown for rail in range(rails)],
        "y": [y for y in lines for _ in range(rails)],
        "marker": {"size": 6, "color": token("c1")},
        "text": [f"SuperNode {node + 1}, rail {rail + 1}" for node in shown for rail in range(rails)],
        "meta": "opens",
        "customdata": [[f"SuperNode {node + 1}"] for node in shown for _ in range(rails)],
        "hovertemplate": "%{text}<extra></extra>",
    }
    height = 24 + 19 * (len(lines) + 3)
    plot = {
        "data": [heads, dots],
        "layout": layout(
            height,
            margin={"l": 0, "r": 0, "t": 0, "b": 0},
            xaxis=blank_axis([-0.9 - 0.16 * rails, rails - 0.3]),
            yaxis=blank_axis([bottom, -1.8]),
            shapes=shapes,
            annotations=words,
        ),
    }
    return Detail(
        title="Unit 1",
        subtitle="",
        note=f"Each dot: {dot} on one rail. Select a SuperNode to open it.",
        plot=plot,
        details=(inside,),
    )
