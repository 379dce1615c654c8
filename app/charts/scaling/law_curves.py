"""Curves of laws over compute: the loss of their best models, and the tokens per parameter of these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import brief
from app.charts.scaling.words import flop_text, loss_text, parameters_text, power_text, tokens_text

HEIGHT = 360
TABLE_STEP = 15  # of the points, in the table


APART = 10  # steps between the markers of a curve
DASH = "6px,4px"
BEYOND = "Solid where a law was fitted, dashed beyond: there it is an extrapolation."
ROOM = 0.05  # of the scale, beyond the outermost values


def slots(keys: Sequence[str], chosen: str) -> dict[str, str]:
    """The colour of each law: the chosen one has the first, and those after the seventh share the last."""
    others = [key for key in keys if key != chosen]
    colours = [*list(forms.SYMBOLS)[1:], *["c7"] * len(others)]
    return {chosen: "c1", **dict(zip(others, colours, strict=False))}


def law_lines(
    name: str,
    slot: str,
    x: Sequence[float],
    y: Sequence[float | None],
    inside: Sequence[bool],
    said: Sequence[str],
    *,
    place: int = 0,
) -> list[dict[str, Any]]:
    """The traces of a law: where it was fitted, beyond, and its markers.

    Parameters
    ----------
    said : what is shown of each point, in words
    place : of the law among those that are drawn: its markers stand beside those of the others
    """
    width, size = (2.5, 8) if slot == "c1" else (1.8, 7)
    found = []
    for meta, dash in (("inside", "solid"), ("beyond", DASH)):
        shown = _joined(y, [one is (meta == "inside") for one in inside], joins=meta == "beyond")
        if any(value is not None for value in shown):
            words = forms.look(said=said, hover="%{customdata}", meta=meta)
            found.append(forms.line(x, shown, slot, width, dash, name=name, connectgaps=False, **words))
    marked = slice(2 * (place % (APART // 2)), None, APART)
    return [*found, forms.dots(x[marked], y[marked], slot, size, symbol=forms.SYMBOLS[slot])]


def ring(x: float, y: float, slot: str = "accent", symbol: str = "circle-open") -> dict[str, Any]:
    """The mark of one model."""
    return forms.dots([x], [y], slot, 15, symbol=symbol, edge_width=2.5)


def legend(laws: Sequence[dict[str, Any]], colours: dict[str, str]) -> tuple[Mark, ...]:
    """One mark a law, the chosen first."""
    order = sorted(laws, key=lambda law: colours[law["key"]] != "c1")
    return tuple(Mark(colours[law["key"]], law["name"]) for law in order)


def fitted_text(law: dict[str, Any], flops: Sequence[float]) -> str:
    """Over which of the compute that is drawn the best models of a law lie where it was fitted."""
    inside = [value for value, within in zip(flops, law["inside"], strict=True) if within]
    if not inside:
        return "nowhere here"
    return f"{power_text(inside[0])} to {power_text(inside[-1])}"


def _joined(y: Sequence[float | None], shown: Sequence[bool], *, joins: bool) -> list[float | None]:
    """The values that are shown; with `joins` one more at each end, so that two lines meet."""
    last = len(y) - 1
    return [
        value
        if shown[place] or (joins and (shown[max(place - 1, 0)] or shown[min(place + 1, last)]))
        else None
        for place, value in enumerate(y)
    ]


def compute_axis(flops: Sequence[float]) -> dict[str, Any]:
    return _log_axis(flops, "Compute of the training run, FLOP", power_text)


def parameters_axis(parameters: Sequence[float]) -> dict[str, Any]:
    return _log_axis(parameters, "Parameters", parameters_text)


def ratio_axis(ratios: Sequence[float]) -> dict[str, Any]:
    return _log_axis(ratios, "Tokens per parameter", forms.plain, grid=True, base=False)


def loss_axis(losses: Sequence[float]) -> dict[str, Any]:
    """Linear, from just below the least: the irreducible loss is no origin, and zero is far away."""
    low, high = min(losses), max(losses)
    room = max(0.05 * (high - low), 0.01)
    extent = [low - room, high + room]
    return forms.values(
        forms.even_ticks(low - room, high + room),
        lambda tick: f"{tick:.3g}",
        extent,
        title="Loss, nats per token",
    )


def _log_axis(values: Sequence[float], title: str, words: forms.Labels, **changes: Any) -> dict[str, Any]:
    return forms.log(values, "1", title, labels=words, room=ROOM, **{"grid": False, "base": True, **changes})


LOSS_CAPTION = f"{BEYOND} Losses of different laws are of other data and tokenizers: compare how they fall, not where they stand."
RATIO = "tokens_per_parameter"
Answer = dict[str, Any]


def loss_compute_figure(curves: Answer, answer: Answer) -> Figure:
    """A curve a law. Each is of its own data and tokenizer: their levels are not compared, their slopes are."""
    name, eyebrow = "scaling_loss", "Loss of the best model vs compute"
    laws = [law for law in curves["laws"] if law["loss"] is not None]
    if not laws:
        return unknown_figure(name, eyebrow, LOSS_CAPTION, "No law that is drawn says a loss.")
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=_loss_takeaway(curves, answer),
        caption=f"{LOSS_CAPTION}{_left_out(curves)}",
        columns=_columns(curves, "Loss at"),
        rows=_rows(curves, laws, "loss", loss_text),
        legend=legend(laws, _colours(curves)),
        plot=_plot(curves, answer, laws, "loss", lambda loss: f"loss {loss_text(loss)}", loss_axis),
    )


def tokens_per_parameter_figure(curves: Answer, answer: Answer) -> Figure:
    """A curve for each law that has a best model, with the model asked about."""
    name, eyebrow = "scaling_tokens_per_parameter", "Tokens per parameter of the best model vs compute"
    laws = [law for law in curves["laws"] if law["has_optimum"]]
    if not laws:
        return unknown_figure(name, eyebrow, BEYOND, "No law that is drawn has a best model.")
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=_ratio_takeaway(laws, answer),
        caption=f"{BEYOND} The ring is the model asked about.",
        columns=_columns(curves, "At"),
        rows=_rows(curves, laws, RATIO, brief),
        legend=legend(laws, _colours(curves)),
        plot=_plot(
            curves, answer, laws, RATIO, lambda ratio: f"{brief(ratio)} tokens per parameter", ratio_axis
        ),
    )


def _loss_takeaway(curves: Answer, answer: Answer) -> str:
    model = answer["model"]
    own = next(law for law in curves["laws"] if law["key"] == curves["law"])
    at = f"At {flop_text(model['flops'])}"
    if own["loss"] is None:
        return f"{own['name']} says how to spend compute, not what loss it buys; the others do."
    beyond = next((one["factor"] for one in answer["beyond_fit"] if one["quantity"] == "flops"), 1.0)
    where = ", inside its fitted range" if not answer["beyond_fit"] else ", beyond its fitted range"
    if beyond > 1:
        where = f", {brief(beyond)} times the compute that it was fitted up to"
    return f"{at} the loss is {loss_text(model['loss'])} by {own['name']}{where}."


def _ratio_takeaway(laws: list[Answer], answer: Answer) -> str:
    """What the chosen law says there, and what the others do."""
    own = f"This model has {brief(answer['model'][RATIO])} tokens per parameter"
    best = answer["optimal"]
    if best is None:
        return f"{own}; its law has no best model."
    if answer["model"] == best:
        return f"{own}, the best by {answer['law_name']}; {len(laws) - 1} other laws are drawn."
    return f"{own}; {answer['law_name']} calls {brief(best[RATIO])} the best for its compute."


def _left_out(curves: Answer) -> str:
    if not curves["left_out"]:
        return ""
    words = ", ".join(f"{one['name']} ({one['needs'].replace('_', ' ')})" for one in curves["left_out"])
    return f" Not drawn, for what they need is not given: {words}."


def _colours(curves: Answer) -> dict[str, str]:
    return slots([law["key"] for law in curves["laws"]], curves["law"])


def _columns(curves: Answer, title: str) -> tuple[Column, ...]:
    shown = curves["flops"][::TABLE_STEP]
    return (
        Column.words("Law"),
        Column("Fitted to", "FLOP"),
        *(Column(title, flop_text(flops)) for flops in shown),
    )


def _rows(curves: Answer, laws: list[Answer], field: str, cell: Callable[[float], str]) -> tuple[Row, ...]:
    def row(law: Answer) -> Row:
        shown = zip(law[field][::TABLE_STEP], law["inside"][::TABLE_STEP], strict=True)
        cells = [f"{cell(value)}{'' if within else ' *'}" for value, within in shown]
        name = f"{law['name']} (* extrapolated)"
        return Row((name, fitted_text(law, curves["flops"]), *cells), slot=_colours(curves)[law["key"]])

    return tuple(row(law) for law in laws)


def _plot(
    curves: Answer,
    answer: Answer,
    laws: list[Answer],
    field: str,
    words: Callable[[float], str],
    axis: Callable[[list[float]], forms.Chart],
) -> forms.Chart:
    """What the best model of each law has over compute, and what the model asked about has where that is known."""
    flops, own = curves["flops"], answer["model"][field]

    def lines(law: Answer, place: int) -> list[forms.Chart]:
        points = zip(flops, law["parameters"], law["tokens"], law[field], law["inside"], strict=True)
        said = [
            f"{law['name']}<br>{flop_text(at)}<br>{parameters_text(size)} parameters, {tokens_text(tokens)}<br>"
            f"{words(value)}{'' if within else ', extrapolated'}"
            for at, size, tokens, value, within in points
        ]
        slot = _colours(curves)[law["key"]]
        return law_lines(law["name"], slot, flops, law[field], law["inside"], said, place=place)

    known = [] if own is None else [own]
    return forms.plot(
        [
            *(trace for place, law in enumerate(laws) for trace in lines(law, place)),
            *(ring(answer["model"]["flops"], value) for value in known),
        ],
        HEIGHT,
        x=compute_axis(flops),
        y=axis([*(value for law in laws for value in law[field]), *known]),
        right=16,
    )
