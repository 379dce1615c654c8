"""Loss against compute: the best models of every law that says a loss, and the model asked about."""

from __future__ import annotations

from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Row, unknown_figure
from app.charts.scaling.axes import compute_axis, loss_axis
from app.charts.scaling.lines import BEYOND, fitted_text, law_lines, legend, ring, slots
from app.charts.scaling.words import flop_text, loss_text, parameters_text, rounded, tokens_text

NAME = "scaling_loss"
EYEBROW = "Loss of the best model against compute"
HEIGHT = 360
TABLE_STEP = 15  # of the points, in the table


def loss_compute_figure(curves: dict[str, Any], answer: dict[str, Any]) -> Figure:
    """A curve a law. Each is of its own data and tokenizer: their levels are not compared, their slopes are."""
    caption = (
        f"{BEYOND} Losses of different laws are of other data and tokenizers: compare how they fall, not where "
        "they stand."
    )
    laws = [law for law in curves["laws"] if law["loss"] is not None]
    if not laws:
        return unknown_figure(NAME, EYEBROW, caption, "No law that is drawn says a loss.")
    colours = slots([law["key"] for law in curves["laws"]], curves["law"])
    flops, model = curves["flops"], answer["model"]
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(curves, answer),
        caption=f"{caption}{_left_out(curves)}",
        columns=(
            Column.words("Law"),
            Column("Fitted to", "FLOP"),
            *(Column("Loss at", flop_text(flops[place])) for place in _places(flops)),
        ),
        rows=tuple(_row(law, flops, colours) for law in laws),
        legend=legend(laws, colours),
        plot=forms.plot(
            [
                *(trace for place, law in enumerate(laws) for trace in _lines(law, flops, colours, place)),
                *([] if model["loss"] is None else [ring(model["flops"], model["loss"])]),
            ],
            HEIGHT,
            x=compute_axis(flops),
            y=loss_axis(_losses(laws, model)),
            right=16,
        ),
    )


def _takeaway(curves: dict[str, Any], answer: dict[str, Any]) -> str:
    model, own = answer["model"], _own(curves)
    at = f"At {flop_text(model['flops'])}"
    if own["loss"] is None:
        return f"{own['name']} says how to spend compute, not what loss it buys; the others do."
    beyond = next((one["factor"] for one in answer["beyond_fit"] if one["quantity"] == "flops"), 1.0)
    where = ", inside its fitted range" if not answer["beyond_fit"] else ", beyond its fitted range"
    if beyond > 1:
        where = f", {rounded(beyond)} times the compute that it was fitted up to"
    return f"{at} the loss is {loss_text(model['loss'])} by {own['name']}{where}."


def _own(curves: dict[str, Any]) -> dict[str, Any]:
    own: dict[str, Any] = next(law for law in curves["laws"] if law["key"] == curves["law"])
    return own


def _left_out(curves: dict[str, Any]) -> str:
    if not curves["left_out"]:
        return ""
    words = ", ".join(f"{one['name']} ({one['needs'].replace('_', ' ')})" for one in curves["left_out"])
    return f" Not drawn, for what they need is not given: {words}."


def _lines(
    law: dict[str, Any], flops: list[float], colours: dict[str, str], place: int
) -> list[dict[str, Any]]:
    values = law["loss"]
    said = [
        f"{law['name']}<br>{flop_text(at)}<br>{parameters_text(size)} parameters, {tokens_text(tokens)}<br>"
        f"loss {loss_text(value)}{'' if within else ', extrapolated'}"
        for at, size, tokens, value, within in zip(
            flops, law["parameters"], law["tokens"], values, law["inside"], strict=True
        )
    ]
    return law_lines(law["name"], colours[law["key"]], flops, values, law["inside"], said, place=place)


def _losses(laws: list[dict[str, Any]], model: dict[str, Any]) -> list[float]:
    found = [loss for law in laws for loss in law["loss"]]
    return [*found, *([] if model["loss"] is None else [model["loss"]])]


def _places(flops: list[float]) -> range:
    return range(0, len(flops), TABLE_STEP)


def _row(law: dict[str, Any], flops: list[float], colours: dict[str, str]) -> Row:
    cells = [
        f"{loss_text(law['loss'][place])}{'' if law['inside'][place] else ' *'}" for place in _places(flops)
    ]
    return Row((f"{law['name']} (* extrapolated)", fitted_text(law, flops), *cells), slot=colours[law["key"]])
