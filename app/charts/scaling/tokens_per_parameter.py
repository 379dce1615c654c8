"""Tokens a parameter against compute: how the laws differ in what they call the best model."""

from __future__ import annotations

from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Row, unknown_figure
from app.charts.scaling.axes import compute_axis, ratio_axis
from app.charts.scaling.lines import BEYOND, fitted_text, law_lines, legend, ring, slots
from app.charts.scaling.words import flop_text, parameters_text, rounded, tokens_text

NAME = "scaling_tokens_per_parameter"
EYEBROW = "Tokens a parameter of the best model against compute"
HEIGHT = 360
TABLE_STEP = 15


def tokens_per_parameter_figure(curves: dict[str, Any], answer: dict[str, Any]) -> Figure:
    """A curve for each law that has a best model, with the model asked about."""
    laws = [law for law in curves["laws"] if law["has_optimum"]]
    if not laws:
        return unknown_figure(NAME, EYEBROW, BEYOND, "No law that is drawn has a best model.")
    colours = slots([law["key"] for law in curves["laws"]], curves["law"])
    flops, model = curves["flops"], answer["model"]
    ratios = [ratio for law in laws for ratio in law["tokens_per_parameter"]]
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(laws, answer),
        caption=f"{BEYOND} The ring is the model asked about.",
        columns=(
            Column.words("Law"),
            Column("Fitted to", "FLOP"),
            *(Column("At", flop_text(flops[place])) for place in range(0, len(flops), TABLE_STEP)),
        ),
        rows=tuple(_row(law, flops, colours) for law in laws),
        legend=legend(laws, colours),
        plot=forms.plot(
            [
                *(trace for place, law in enumerate(laws) for trace in _lines(law, flops, colours, place)),
                ring(model["flops"], model["tokens_per_parameter"]),
            ],
            HEIGHT,
            x=compute_axis(flops),
            y=ratio_axis([*ratios, model["tokens_per_parameter"]]),
            right=16,
        ),
    )


def _takeaway(laws: list[dict[str, Any]], answer: dict[str, Any]) -> str:
    """What the chosen law says there, and what the others do."""
    own = f"This model has {rounded(answer['model']['tokens_per_parameter'])} tokens a parameter"
    best = answer["optimal"]
    if best is None:
        return f"{own}; its law has no best model."
    ratio = rounded(best["tokens_per_parameter"])
    if answer["model"] == best:
        return f"{own}, the best by {answer['law_name']}; {len(laws) - 1} other laws are drawn."
    return f"{own}; {answer['law_name']} calls {ratio} the best for its compute."


def _lines(
    law: dict[str, Any], flops: list[float], colours: dict[str, str], place: int
) -> list[dict[str, Any]]:
    values = law["tokens_per_parameter"]
    said = [
        f"{law['name']}<br>{flop_text(at)}<br>{parameters_text(size)} parameters, {tokens_text(tokens)}<br>"
        f"{rounded(value)} tokens a parameter{'' if within else ', extrapolated'}"
        for at, size, tokens, value, within in zip(
            flops, law["parameters"], law["tokens"], values, law["inside"], strict=True
        )
    ]
    return law_lines(law["name"], colours[law["key"]], flops, values, law["inside"], said, place=place)


def _row(law: dict[str, Any], flops: list[float], colours: dict[str, str]) -> Row:
    cells = [
        f"{rounded(law['tokens_per_parameter'][place])}{'' if law['inside'][place] else ' *'}"
        for place in range(0, len(flops), TABLE_STEP)
    ]
    return Row((f"{law['name']} (* extrapolated)", fitted_text(law, flops), *cells), slot=colours[law["key"]])
