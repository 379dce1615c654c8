"""The IsoFLOP valley: the loss of models of other sizes that take the same compute."""

from __future__ import annotations

from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import brief
from app.charts.scaling.law_curves import law_lines, loss_axis, parameters_axis, ring
from app.charts.scaling.words import flop_text, loss_text, parameters_text, tokens_text

NAME = "scaling_isoflop"
EYEBROW = "Loss at equal compute"
HEIGHT = 320
TABLE_STEP = 10
HIGHEST = 0.6  # nats above the lowest that is drawn; beyond it the valley is a wall
SAME = 0.005  # relative: a model this near the optimum is the optimum


def isoflop_figure(curves: dict[str, Any], answer: dict[str, Any]) -> Figure:
    """Loss over parameters at the compute of the model, the best and the chosen size marked."""
    valley = curves["valley"]
    flops = flop_text(answer["model"]["flops"])
    caption = (
        f"Every size is trained for {flops}, by {answer['law_name']}. Solid where the law was fitted, dashed "
        "beyond: there it is an extrapolation."
    )
    if valley is None:
        said = f"{answer['law_name']} does not say the loss of other sizes for the same compute."
        return unknown_figure(NAME, EYEBROW, caption, said)
    shown = _near_the_floor(valley)
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(valley, answer),
        caption=caption + _band_words(valley),
        columns=(
            Column("Parameters"),
            Column("Tokens"),
            Column("Loss", "nats/token"),
            Column.words("Where the law was fitted"),
        ),
        rows=tuple(_row(point) for point in _tabled(shown, valley)),
        legend=_legend(valley),
        plot=_plot(shown, valley),
    )


def _near_the_floor(valley: dict[str, Any]) -> list[dict[str, Any]]:
    names = ("parameters", "tokens", "loss", "inside")
    points = [
        dict(zip(names, values, strict=True))
        for values in zip(*(valley[name] for name in names), strict=True)
    ]
    top = max(
        min(valley["loss"]) + HIGHEST, valley["chosen"]["loss"] + 0.05, valley["optimum"]["loss"] + 0.05
    )
    return [point for point in points if point["loss"] <= top]


def _is_optimal(valley: dict[str, Any]) -> bool:
    best, own = valley["optimum"]["parameters"], valley["chosen"]["parameters"]
    return bool(abs(own / best - 1) < SAME)


def _takeaway(valley: dict[str, Any], answer: dict[str, Any]) -> str:
    best, own = valley["optimum"], valley["chosen"]
    size = parameters_text(best["parameters"])
    if _is_optimal(valley):
        return f"For {flop_text(valley['flops'])} the best size is {size} parameters, with a loss of {loss_text(best['loss'])}."
    side = "smaller" if own["parameters"] < best["parameters"] else "larger"
    times = max(own["parameters"], best["parameters"]) / min(own["parameters"], best["parameters"])
    above = own["loss"] - best["loss"]
    cost = (
        f"{above:.3f} nats above the best"
        if valley["optimum_is_least"]
        else f"a loss of {loss_text(own['loss'])}"
    )
    return f"{brief(times)} times {side} than the best size, {size} parameters, and {cost}."


def _band_words(valley: dict[str, Any]) -> str:
    words = (
        ""
        if valley["optimum_is_least"]
        else " The best size of this law was measured apart and is not the lowest point of its loss."
    )
    band = valley["band"]
    if band is None:
        return f"{words} The source of the law gives no interval of the best size."
    ends = f"{parameters_text(band['low'])} to {parameters_text(band['high'])}"
    return f"{words} The band holds the best size with 80 % probability: {ends}."


def _legend(valley: dict[str, Any]) -> tuple[Mark, ...]:
    best, own = valley["optimum"], valley["chosen"]
    marks = [Mark("c2", "Best size", parameters_text(best["parameters"]))]
    if not _is_optimal(valley):
        marks.append(Mark("c1", "This model", parameters_text(own["parameters"])))
    if valley["band"]:
        marks.append(Mark("band", "80 % interval of the best size"))
    return tuple(marks)


def _tabled(shown: list[dict[str, Any]], valley: dict[str, Any]) -> list[dict[str, Any]]:
    """Some of the sizes, and the two that are marked."""
    marked = [
        {**valley[name], "inside": None, "name": words}
        for name, words in (("optimum", "best size"), ("chosen", "this model"))
    ]
    found = [*shown[::TABLE_STEP], *(marked[:1] if _is_optimal(valley) else marked)]
    return sorted(found, key=lambda point: float(point["parameters"]))


def _row(point: dict[str, Any]) -> Row:
    words = point.get("name") or ("yes" if point["inside"] else "no, extrapolated")
    return Row(
        (parameters_text(point["parameters"]), tokens_text(point["tokens"]), loss_text(point["loss"]), words)
    )


def _plot(shown: list[dict[str, Any]], valley: dict[str, Any]) -> dict[str, Any]:
    sizes, losses = ([point[name] for point in shown] for name in ("parameters", "loss"))
    said = [
        f"{parameters_text(point['parameters'])} parameters<br>{tokens_text(point['tokens'])}<br>"
        f"loss {loss_text(point['loss'])}{'' if point['inside'] else ', extrapolated'}"
        for point in shown
    ]
    best, own = valley["optimum"], valley["chosen"]
    lines = law_lines("Loss", "c1", sizes, losses, [point["inside"] for point in shown], said)
    marks = [ring(best["parameters"], best["loss"], "c2", "square-open")]
    if not _is_optimal(valley):
        marks.append(ring(own["parameters"], own["loss"]))
    ends = [] if valley["band"] is None else [valley["band"]["low"], valley["band"]["high"]]
    return forms.plot(
        [*lines[:-1], *marks],  # without the markers that tell laws apart: there is one
        HEIGHT,
        x=parameters_axis([*sizes, *ends]),
        y=loss_axis([*losses, best["loss"], own["loss"]]),
        shapes=_band(ends),
        right=16,
    )


def _band(ends: list[float]) -> list[dict[str, Any]]:
    return (
        [forms.rect(ends[0], 0, ends[1], 1, "accent-soft", xref="x", yref="paper", layer="below")]
        if ends
        else []
    )
