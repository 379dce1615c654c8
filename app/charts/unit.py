"""The inside of a unit of a rail-aligned fabric: every SuperNode on every rail."""

from __future__ import annotations

from app.charts.figure import Detail
from app.charts.format import number
from app.charts.forms import font, rect, segment
from app.charts.forms.drawing import choosable_points, drawing, named_points, text

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
    shapes = [segment(rail, -0.7, rail, bottom, "c1-tint", layer="below") for rail in range(rails)]
    shapes += [
        rect(-0.55, y - 0.27, rails - 0.45, y + 0.27, "bg", "line-strong", layer="below") for y in lines
    ]
    shapes += [
        rect(rail - 0.33, -1.55, rail + 0.33, -0.75, "bg", "control", layer="below") for rail in range(rails)
    ]
    named = [rail for rail in range(rails) if rails <= MOST_NAMED or rail == 0 or rail % 4 == 3]
    words = [text(rail, -1.15, str(rail + 1)) for rail in named]
    words.append(text(-0.9, -1.15, "Rail", anchor="right"))
    head_x = -0.75 - 0.06 * rails
    if supernodes > MOST_LINES:
        words.append(text(head_x, 8, "…"))
    titles = [(f"SuperNode {node + 1}", f"{accelerators} {word}, {rails} rails", 0) for node in shown]
    heads = choosable_points([(head_x, float(y)) for y in lines], titles, size=17, chosen=None)
    numbers = {
        "text": [str(node + 1) for node in shown],
        "textposition": "middle center",
        "textfont": font("text-2"),
    }
    met = [(rail, y, node + 1) for y, node in zip(lines, shown, strict=True) for rail in range(rails)]
    dots = named_points(
        [(rail, y) for rail, y, _ in met], [f"SuperNode {node}, rail {rail + 1}" for rail, _, node in met], "c1", 6, ""
    ) | {"meta": "opens", "customdata": [[f"SuperNode {node}"] for *_, node in met]}  # fmt: skip
    plot = drawing(
        24 + 19 * (len(lines) + 3),
        [-0.9 - 0.16 * rails, rails - 0.3],
        [bottom, -1.8],
        [heads | {"mode": "markers+text", **numbers}, dots],
        shapes,
        words,
    )
    return Detail(
        title="Unit 1",
        subtitle="",
        note=f"Each dot: {dot} on one rail. Select a SuperNode to open it.",
        plot=plot,
        details=(inside,),
    )
