"""A projection as the page shows it: a verdict, key figures, tables and charts."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.figure import Figure
from app.charts.format import THIN_SPACE, Shown, brief, number, percent, show
from app.charts.scaling.isoflop import isoflop_figure
from app.charts.scaling.law_curves import loss_compute_figure, tokens_per_parameter_figure
from app.charts.scaling.words import flop_text, loss_text, parameters_text, tokens_text

DAY_S = 86_400.0
PROBABILITY = f"80{THIN_SPACE}%"


class KeyFigure(NamedTuple):
    """A figure in large type; `between` are the ends of its interval, "" where not published."""

    label: str
    shown: Shown
    between: str


class Line(NamedTuple):
    """A line of a table."""

    label: str
    value: str
    between: str = ""


SAME = 0.005  # of the tokens per parameter: nearer is the same


def is_optimal(answer: dict[str, Any]) -> bool:
    """Return whether the model is the best for its compute."""
    ratio = answer["over_training"]["tokens_per_parameter_ratio"]
    return ratio is not None and abs(ratio - 1) < SAME


def verdict(answer: dict[str, Any]) -> list[str]:
    """The first sentence says what was asked for, those after it what it means."""
    found = [_first(answer)]
    found += [sentence for sentence in (_training(answer), _needed(answer), _works(answer)) if sentence]
    return found


def _first(answer: dict[str, Any]) -> str:
    model, given, design = answer["model"], answer["given"], answer["design"]
    figures = f"{parameters_text(model['parameters'])} parameters on {tokens_text(model['tokens'])}"
    loss = answer["intervals"]["law"]["loss"]
    ends = "" if loss is None else f" ({loss_text(loss['low'])} to {loss_text(loss['high'])})"
    reached = "" if model["loss"] is None else f", for a loss of {loss_text(model['loss'])}{ends}"
    if answer["binding"] is not None:
        what = "The best model" if is_optimal(answer) else "The model"
        return f"{what} that {design['name']} can train {_limit(answer)}: {figures}{reached}."
    if is_optimal(answer):
        return f"The best model for {flop_text(model['flops'])}: {figures}{reached}."
    took = f"{flop_text(model['flops'])} of compute"
    if design is not None and "deadline_days" not in given:
        return f"{figures[:1].upper()}{figures[1:]} take {_time(design)} on {design['name']}{reached}."
    return f"{figures[:1].upper()}{figures[1:]} take {took}{reached}."


def _limit(answer: dict[str, Any]) -> str:
    if answer["binding"] == "deadline_days":
        return f"in {brief(answer['given']['deadline_days'])} days"
    return f"for {show(answer['given']['budget_usd'], 'USD').text}"


def _time(design: dict[str, Any]) -> str:
    return f"{brief(design['days'])} days"


def _training(answer: dict[str, Any]) -> str:
    """How far the model is from the best for its compute."""
    found = answer["over_training"]
    ratio, extra = found["tokens_per_parameter_ratio"], found["extra_compute_share"]
    if ratio is None:
        return f"{answer['law_name']} has no compute-optimal model to hold it against."
    if is_optimal(answer):
        return f"It is compute-optimal by {answer['law_name']}: {brief(answer['model']['tokens_per_parameter'])} tokens per parameter."
    cost = "" if extra is None else f", and {percent(extra).text} more compute than its loss needs"
    if ratio > 1:
        return f"It is over-trained: {brief(ratio)} times the tokens per parameter of the best{cost}."
    return f"It is under-trained: the best has {brief(1 / ratio)} times its tokens per parameter{cost}."


def _needed(answer: dict[str, Any]) -> str:
    """The SuperPOD that the model needs, where there is a deadline that did not decide the model."""
    design = answer["design"]
    if design is None or design["supernodes_needed"] is None or answer["binding"] == "deadline_days":
        return ""
    days = brief(answer["given"]["deadline_days"])
    nodes, accelerators = design["supernodes_needed"], design["accelerators_needed"]
    ends = design["supernodes_needed_interval"]
    sure = f" ({ends['low']:,} to {ends['high']:,})" if ends["low"] != ends["high"] else ""
    size = f"{nodes:,} SuperNode{'' if nodes == 1 else 's'}{sure} like those of {design['name']}"
    return (
        f"The SuperPOD that this model needs, to be trained in {days} days: {size}, {accelerators:,} accelerators; "
        f"the design has {design['supernodes']:,}."
    )


def _works(answer: dict[str, Any]) -> str:
    design = answer["design"]
    if design is None or design["feasible"]:
        return ""
    return f"{design['name']} cannot be built as designed; its own page says why."


class ScalingAnswer(NamedTuple):
    verdict: str
    sentences: tuple[str, ...]
    warnings: tuple[str, ...]  # that the law was not fitted there
    key_figures: tuple[KeyFigure, ...]
    best: tuple[Line, ...]  # the compute-optimal model; empty where the law has none
    penalty: tuple[Line, ...]
    beside: tuple[Line, ...]  # serving, epochs, experts
    design: tuple[Line, ...]
    charts: tuple[tuple[str, Figure], ...]  # width class and figure


def scaling_answer(answer: dict[str, Any], drawn: dict[str, Any] | None) -> ScalingAnswer:
    """Everything the page shows of a projection.

    Parameters
    ----------
    drawn : data of its charts, None for none
    """
    first, *rest = verdict(answer)
    return ScalingAnswer(
        verdict=first,
        sentences=tuple(rest),
        warnings=_warnings(answer),
        key_figures=_key_figures(answer),
        best=_best(answer),
        penalty=_penalty(answer),
        beside=_beside(answer),
        design=_design(answer),
        charts=() if drawn is None else _charts(drawn, answer),
    )


def _charts(drawn: dict[str, Any], answer: dict[str, Any]) -> tuple[tuple[str, Figure], ...]:
    return (
        ("whole", loss_compute_figure(drawn, answer)),
        ("half", isoflop_figure(drawn, answer)),
        ("half", tokens_per_parameter_figure(drawn, answer)),
    )


def _warnings(answer: dict[str, Any]) -> tuple[str, ...]:
    found = [one["message"] for one in answer["beyond_fit"]]
    if answer["confidence"] == "memory":
        found.append("The constants of this law are unverified: an estimate.")
    return tuple(found)


def _key_figures(answer: dict[str, Any]) -> tuple[KeyFigure, ...]:
    model, design = answer["model"], answer["design"]
    speed = answer["intervals"]["speed"] or {}
    own = answer["intervals"]["law"]
    of_the_law = own if is_optimal(answer) else {}  # which says nothing of the doubt of another size
    size = wider(speed.get("parameters"), of_the_law.get("optimal_parameters"))
    tokens = wider(speed.get("tokens"), of_the_law.get("optimal_tokens"))
    loss = wider(speed.get("loss"), own["loss"])
    found = [
        KeyFigure("Parameters", Shown(parameters_text(model["parameters"])), _ends(size, parameters_text)),
        KeyFigure("Training tokens", Shown(tokens_text(model["tokens"])), _ends(tokens, tokens_text)),
        KeyFigure("Compute", Shown(flop_text(model["flops"])), _ends(speed.get("flops"), flop_text)),
        KeyFigure("Loss", Shown(loss_text(model["loss"]), "nats/token" if model["loss"] else ""),
                  _ends(loss, loss_text)),
        KeyFigure("Tokens per parameter", Shown(brief(model["tokens_per_parameter"])), ""),
    ]  # fmt: skip
    if design is not None:
        days = design["days_interval"]
        found.append(
            KeyFigure(
                "Elapsed time", days_shown(design["days"]), _ends(days, lambda one: days_shown(one).text)
            )
        )
        usd = design["usd_interval"]
        found.append(
            KeyFigure(
                "Cost when owned", show(design["usd"], "USD"), _ends(usd, lambda one: show(one, "USD").text)
            )
        )
    return tuple(found)


def _best(answer: dict[str, Any]) -> tuple[Line, ...]:
    best, own = answer["optimal"], answer["intervals"]["law"]
    if best is None:
        return ()
    return (
        Line(
            "Parameters",
            parameters_text(best["parameters"]),
            _ends(own["optimal_parameters"], parameters_text),
        ),
        Line("Tokens", tokens_text(best["tokens"]), _ends(own["optimal_tokens"], tokens_text)),
        Line("Loss, nats per token", loss_text(best["loss"])),
        Line("Tokens per parameter", brief(best["tokens_per_parameter"])),
    )


def _penalty(answer: dict[str, Any]) -> tuple[Line, ...]:
    found = answer["over_training"]
    if found["tokens_per_parameter_ratio"] is None:
        return ()
    if is_optimal(answer):
        return (Line("It is the best for its compute", "nothing"),)
    above, extra = found["loss_above_optimal"], found["extra_compute_share"]
    return (
        Line("Tokens per parameter / optimum", f"{brief(found['tokens_per_parameter_ratio'])}\u00d7"),
        Line("Loss above the best for its compute", "not said" if above is None else f"{max(above, 0):.4f} nats"),
        Line(
            "Compute above the minimum for its loss",
            "not said" if extra is None else percent(max(extra, 0.0)).text,
        ),
    )  # fmt: skip


def _beside(answer: dict[str, Any]) -> tuple[Line, ...]:
    found = []
    if (dense := answer["effective_dense_parameters"]) is not None:
        found.append(Line("Equivalent dense model", f"{parameters_text(dense)} parameters"))
    if (seen := answer["epochs"]) is not None:
        found.append(Line("Epochs of the corpus", brief(seen["epochs"])))
        worth = f"{tokens_text(seen['effective_tokens'])}, {percent(seen['worth_share']).text}"
        found.append(Line("Equivalent fresh tokens", worth))
    if (served := answer["serving"]) is not None:
        cheapest = served["cheapest"]
        found.append(Line("Compute of training and serving", flop_text(served["lifetime_flops"])))
        size = f"{parameters_text(cheapest['parameters'])} on {tokens_text(cheapest['tokens'])}"
        found.append(Line("The same loss for least compute over its life", size))
        found.append(Line("Compute saved", percent(served["saved_share"]).text))
    return tuple(found)


def _design(answer: dict[str, Any]) -> tuple[Line, ...]:
    design = answer["design"]
    if design is None:
        return ()
    found = [
        Line("SuperNodes", f"{design['supernodes']:,}"),
        Line("Accelerators", f"{design['accelerators']:,}"),
        Line("Sustained, 6 N D over elapsed time", show(design["sustained_flop_per_s"], "FLOP/s").text),
        Line("Elapsed time", days_shown(design["days"]).text,
             _ends(design["days_interval"], lambda one: days_shown(one).text)),
        Line("Cost when owned", show(design["usd"], "USD").text,
             _ends(design["usd_interval"], lambda one: show(one, "USD").text)),
    ]  # fmt: skip
    if design["supernodes_needed"] is not None:
        ends = _ends(design["supernodes_needed_interval"], number)
        found.append(Line("SuperNodes that meet the deadline", f"{design['supernodes_needed']:,}", ends))
        found.append(Line("Their accelerators", f"{design['accelerators_needed']:,}"))
    return tuple(found)


def days_shown(days: float) -> Shown:
    """Days in the unit people use for them; beyond a thousand years by the power of ten."""
    return show(days * DAY_S, "s") if days < 365_000 else Shown(f"{brief(days / 365.25)}", "years")


def wider(one: dict[str, float] | None, other: dict[str, float] | None) -> dict[str, float] | None:
    """The interval that says less: doubts of the speed and of the law are not added up."""
    known = [bounds for bounds in (one, other) if bounds is not None]
    return max(known, key=lambda bounds: bounds["high"] - bounds["low"], default=None)


def _ends(bounds: dict[str, float] | None, words: Any) -> str:
    return "" if bounds is None else f"{words(bounds['low'])} to {words(bounds['high'])}"
