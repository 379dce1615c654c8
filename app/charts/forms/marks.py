"""Contents of a chart: lines, dots, bars, heat maps, reference lines and notes.

Arrays are plain sequences in the units of the axes; None leaves a gap. Colours are palette slots. `hover` is what a
mark says when it is pointed at, in which `said` are the custom data; marks without it say nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from app.charts.forms.axes import Chart, font, look, token

Places = Iterable[Any]
Slots = str | Sequence[str] | None
SYMBOLS = {"c1": "circle", "c2": "square", "c3": "diamond", "c4": "cross", "c5": "triangle-up", "c6": "triangle-down",
           "c7": "x"}  # fmt: skip
"""The mark that goes with each colour."""
DASHES = ("solid", "dash", "longdash", "dot", "longdashdot", "dashdot", "solid")
LINE_STYLES = tuple(
    (slot, dash, symbol) for (slot, symbol), dash in zip(SYMBOLS.items(), DASHES, strict=True)
)
"""Lines that can be distinguished without their colours; what comes after the seventh looks like it."""
NOTHING: Chart = {}
LABEL_SPACE = 0.07  # of the height, between names at the ends of lines


def style(place: int) -> tuple[str, str, str]:
    """Colour, dash and mark of a line by its place among the others."""
    return LINE_STYLES[min(place, len(LINE_STYLES) - 1)]


def line(
    x: Places,
    y: Places,
    slot: str = "c1",
    width: float = 2.5,
    dash: str = "",
    *,
    shape: str = "",
    size: Any = 0,
    name: str = "",
    hover: str = "",
    said: Sequence[Any] | None = None,
    **more: Any,
) -> Chart:
    """A line through points, which are marked where they have a `size`."""
    stroke = {"color": token(slot), "width": width, "dash": dash, "shape": shape}
    drawn = {"line": {key: value for key, value in stroke.items() if value != ""}}
    marks, rest = _marker(more, slot, size) if size else (NOTHING, more)
    mode = "lines+markers" if size else "lines"
    return _scatter(mode, x, y, drawn | marks | _words(name, hover, said), rest)


def dots(
    x: Places,
    y: Places,
    slot: Slots = "c1",
    size: Any = 8,
    *,
    name: str = "",
    hover: str = "",
    said: Sequence[Any] | None = None,
    **more: Any,
) -> Chart:
    """Points by themselves; `symbol`, `opacity`, `edge` and `edge_width` say how they look."""
    marks, rest = _marker(more, slot, size)
    return _scatter("markers", x, y, marks | _words(name, hover, said), rest)


def texts(
    x: Sequence[Any],
    y: Sequence[Any],
    words: Sequence[str],
    slot: Slots = "text",
    *,
    place: str = "",
    **more: Any,
) -> Chart:
    """Words at points, of which nothing else is drawn."""
    words_look = {"size": 12, "color": _colours(slot)}
    beside = {"textposition": place} if place else {}
    return {"type": "scatter", "mode": "text", "x": list(x), "y": list(y), "text": list(words), "textfont": words_look,
            "hoverinfo": "skip", **beside, **more}  # fmt: skip


def ring(x: float, y: float, slot: str = "text", hover: str = "") -> Chart:
    """A ring at one point, filled with the ground."""
    return dots([x], [y], "bg", 9, edge=slot, edge_width=2, hover=hover)


def segments(ends: Sequence[Sequence[Any]], slot: str, width: float, **more: Any) -> Chart:
    """Straight lines as one trace, each from (x, y) to (x, y)."""
    x = [place for x0, _, x1, _ in ends for place in (x0, x1, None)]
    y = [place for _, y0, _, y1 in ends for place in (y0, y1, None)]
    return line(x, y, slot, width, **more)


def bars(
    categories: Sequence[Any],
    lengths: Sequence[Any],
    slot: Slots = "c1",
    *,
    name: str = "",
    hover: str = "",
    said: Sequence[Any] | None = None,
    **more: Any,
) -> Chart:
    """Bars to the right, one a category; `base` is where they begin."""
    marks, rest = _marker(more, slot, None)
    rest = {key: value for key, value in rest.items() if value is not None}
    return {
        "type": "bar",
        "orientation": "h",
        "y": list(categories),
        "x": list(lengths),
        **marks,
        **_words(name, hover, said),
        **rest,
    }


def inside(labels: Sequence[str], slot: str) -> Chart:
    """What bars are given to hold labels in their middle, in a colour that is read on theirs."""
    return {"text": list(labels), "textposition": "inside", "insidetextanchor": "middle", "textangle": 0,
            "textfont": font(slot)}  # fmt: skip


def inside_or_beside(labels: Sequence[str], slot: str, outside: str = "text-2") -> Chart:
    """What bars are given to hold their labels, or to have them at their end where they are short."""
    return {"text": list(labels), "textposition": "auto", "textangle": 0, "constraintext": "none", "cliponaxis": False,
            "textfont": {"size": 12}, "insidetextfont": {"color": token(slot)},
            "outsidetextfont": {"color": token(outside)}}  # fmt: skip


def columns(places: Sequence[Any], heights: Sequence[Any], slot: Slots = "c1", **more: Any) -> Chart:
    """Bars upwards, one a place."""
    turned = bars(places, heights, slot, **more)
    del turned["orientation"]
    return turned | {"x": turned["y"], "y": turned["x"]}


def error_bars(
    above: Sequence[float], below: Sequence[float], slot: str = "text-2", **changes: float
) -> Chart:
    """How far a value may lie above and below what is drawn."""
    return {"type": "data", "symmetric": False, "array": list(above), "arrayminus": list(below),
            "color": token(slot), "thickness": 1.2, "width": 3, **changes}  # fmt: skip


def band(x: Sequence[float], low: Sequence[float], high: Sequence[float], slot: str, opacity: float) -> Chart:
    """The area between two lines over the same places."""
    return {"type": "scatter", "mode": "lines", "x": [*x, *reversed(x)], "y": [*low, *reversed(high)], "fill": "toself",
            "fillcolor": token(slot), "opacity": opacity, "line": {"width": 0}, "hoverinfo": "skip"}  # fmt: skip


def heat_map(
    x: Sequence[Any],
    y: Sequence[Any],
    cells: Sequence[Sequence[Any]],
    extent: Sequence[float],
    *,
    scale: tuple[Sequence[float], Sequence[str]] | None,
    palette: str = "seq",
    steps: int = 5,
    hover: str = "",
    **more: Any,
) -> Chart:
    """Cells coloured over an extent; `scale` are the ticks and labels of the bar that explains the colours."""
    colours: Chart = {
        "colorscale": [[step / (steps - 1), token(f"{palette}-{step + 1}")] for step in range(steps)]
    }
    if scale:
        colours["colorbar"] = {
            "thickness": 6,
            "len": 1,
            "lenmode": "fraction",
            "y": 0.5,
            "ypad": 0,
            "xpad": 12,
            "outlinewidth": 0,
            "tickvals": list(scale[0]),
            "ticktext": list(scale[1]),
            "ticks": "",
            "tickfont": font("text-3"),
        }
    heat = {
        "type": "heatmap", "x": list(x), "y": list(y), "z": cells, "zmin": extent[0], "zmax": extent[1],
        "xgap": 1, "ygap": 1, **colours, **_words("", hover, None), **more,
    }  # fmt: skip
    return {key: value for key, value in heat.items() if value is not None}


def sankey(
    nodes: Sequence[tuple[str, str, str]],
    places: tuple[Sequence[float], Sequence[float]],
    links: Sequence[tuple[int, int, float, str, Sequence[str]]],
    *,
    pad: int,
    thickness: int,
) -> Chart:
    """Flows between nodes.

    Parameters
    ----------
    nodes : name, amount in words, colour
    places : centres of the nodes as shares of width and height
    links : positions of two nodes, amount, colour, and the words of source, target and amount
    """
    names, amounts, slots = zip(*nodes, strict=True)
    source, target, value, colours, said = zip(*links, strict=True)
    node = {
        "label": [f"{name} {amount}" for name, amount, _ in nodes],
        "x": list(places[0]),
        "y": list(places[1]),
        "pad": pad,
        "thickness": thickness,
        "color": _colours(slots),
        "line": {"width": 0},
        **_words(
            "",
            "%{customdata[0]}<br>%{customdata[1]}",
            [list(one) for one in zip(names, amounts, strict=True)],
        ),
    }
    link = {
        "source": list(source),
        "target": list(target),
        "value": list(value),
        "color": _colours(colours),
        **_words("", "%{customdata[0]} to %{customdata[1]}<br>%{customdata[2]}", said),
    }
    return {"type": "sankey", "arrangement": "fixed", "valueformat": ".3r", "node": node, "link": link,
            "textfont": {**font("text"), "shadow": "none"}}  # fmt: skip


def note(
    x: Any, y: Any, words: str, slot: str = "text-2", *, anchor: str = "", shift: tuple[float, float] = (0, 0), ground: str = "",
    **more: Any,
) -> Chart:  # fmt: skip
    """Words at a place of a chart.

    Parameters
    ----------
    anchor : which side of the words stands there, such as "left bottom"
    shift : pixels to the right and up
    ground : what is painted behind them
    """
    sides = {"yanchor" if side in ("top", "middle", "bottom") else "xanchor": side for side in anchor.split()}
    shifts = {name: pixels for name, pixels in zip(("xshift", "yshift"), shift, strict=True) if pixels}
    painted = {"bgcolor": token(ground)} if ground else {}
    return {
        "x": x,
        "y": y,
        "text": words,
        "showarrow": False,
        "font": font(slot),
        **sides,
        **shifts,
        **painted,
        **more,
    }


def end_labels(ends: Sequence[tuple[str, float, str]], last: float, top: float) -> list[Chart]:
    """Names at the ends of lines, moved apart where they would lie on each other, none below the base.

    Each is its words, the height of its line, and a colour.
    """
    space = LABEL_SPACE * top
    ordered = sorted(ends, key=lambda end: -end[1])
    heights: list[float] = []
    for _, value, _ in ordered:
        heights.append(min(value, heights[-1] - space) if heights else min(value, top))
    for place in reversed(range(len(heights))):  # pushed up again from the base where there are many
        floor = space / 2 if place == len(heights) - 1 else heights[place + 1] + space
        heights[place] = max(heights[place], floor)
    return [
        note(last, height, words, slot, anchor="left", shift=(8, 0))
        for (words, _, slot), height in zip(ordered, heights, strict=True)
    ]


def rule(
    slot: str = "text",
    *,
    x: float | None = None,
    y: float | None = None,
    width: float = 1.5,
    dash: str = "",
    **more: Any,
) -> Chart:
    """A reference line across the whole chart: upright at `x`, or level at `y`."""
    if y is None:
        return segment(x, 0, x, 1, slot, width, dash, yref="paper", **more)
    return segment(0, y, 1, y, slot, width, dash, xref="paper", **more)


def limit(
    words: str, *, x: float | None = None, y: float | None = None, slot: str = "bad", width: float = 1.5, dash: str = "dash",
    words_slot: str = "", log: bool = False, at: float = 1.0, anchor: str = "", **more: Any,
) -> tuple[Chart, Chart]:  # fmt: skip
    """A reference line with its name, for the `limits` of a plot.

    Parameters
    ----------
    log : whether the axis that it crosses is logarithmic
    at : where its name stands along it, as a share of the chart
    anchor : as of a note; else to the right above an upright line, and at the right end on a level one
    """
    value = x if y is None else y
    place = math.log10(value or 1.0) if log else value
    spot = (place, at, "left bottom") if y is None else (at, place, "right bottom")
    parts = look(ground="bg", anchor=anchor or spot[2], **{"yref" if y is None else "xref": "paper"}) | more
    name = note(spot[0], spot[1], words, words_slot or slot, **parts)
    return rule(slot, x=x, y=y, width=width, dash=dash), name


def segment(
    x0: Any, y0: Any, x1: Any, y1: Any, slot: str = "axis", width: float = 1, dash: str = "", **more: Any
) -> Chart:
    """A straight line between two places."""
    stroke = {"color": token(slot), "width": width, **({"dash": dash} if dash else {})}
    return {"type": "line", "x0": x0, "y0": y0, "x1": x1, "y1": y1, "line": stroke, **more}


def rect(
    x0: Any,
    y0: Any,
    x1: Any,
    y1: Any,
    fill: str,
    edge: str = "",
    width: float = 1,
    dash: str = "",
    **more: Any,
) -> Chart:
    """A rectangle between two corners, without an edge where that has no colour."""
    stroke = (
        {"color": token(edge), "width": width, **({"dash": dash} if dash else {})} if edge else {"width": 0}
    )
    return {
        "type": "rect",
        "x0": x0,
        "y0": y0,
        "x1": x1,
        "y1": y1,
        "fillcolor": token(fill),
        "line": stroke,
        **more,
    }


def _colours(slots: Slots) -> Any:
    return token(slots) if isinstance(slots, str) else slots and [token(slot) for slot in slots]


def _marker(more: Chart, slot: Slots, size: Any) -> tuple[Chart, Chart]:
    """The look of marks, and what of `more` does not concern it."""
    rest = dict(more)
    marks = {"color": _colours(rest.pop("fill_slot", slot)), "size": size}
    marks |= {key: rest.pop(key, None) for key in ("symbol", "opacity", "pattern")}
    edge = {"color": rest.pop("edge", None), "width": rest.pop("edge_width", None)}
    edge["color"] = _colours(edge["color"])
    marks["line"] = {key: value for key, value in edge.items() if value is not None} or None
    return {"marker": {key: value for key, value in marks.items() if value is not None}}, rest


def _words(name: str, hover: str, said: Sequence[Any] | None) -> Chart:
    found: Chart = {"name": name} if name else {}
    if said is not None:
        found["customdata"] = [list(one) if isinstance(one, tuple) else one for one in said]
    return found | ({"hovertemplate": f"{hover}<extra></extra>"} if hover else {"hoverinfo": "skip"})


def _scatter(mode: str, x: Places, y: Places, parts: Chart, more: Chart) -> Chart:
    """Points, with text next to those that have a `place`."""
    rest = dict(more)
    if place := rest.pop("place", None):
        mode += "+text"
        rest |= {"textposition": place, "textfont": font(rest.pop("text_slot", "text"))}
    return {"type": "scatter", "mode": mode, "x": _listed(x), "y": _listed(y), **parts, **rest}


def _listed(places: Places) -> list[Any]:
    """Plain numbers, of arrays too: what JSON knows."""
    found: list[Any] = places.tolist() if isinstance(places, np.ndarray) else list(places)
    return found
