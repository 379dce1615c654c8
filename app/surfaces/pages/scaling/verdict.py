"""The answer of a projection in sentences: what can be trained, and what it takes."""

from __future__ import annotations

from typing import Any

from app.charts.format import brief, percent, show
from app.charts.scaling.words import flop_text, loss_text, parameters_text, tokens_text

SAME = 0.005  # of the tokens a parameter: nearer is the same


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
        return f"It is compute-optimal by {answer['law_name']}: {brief(answer['model']['tokens_per_parameter'])} tokens a parameter."
    cost = "" if extra is None else f", and {percent(extra).text} more compute than its loss needs"
    if ratio > 1:
        return f"It is over-trained: {brief(ratio)} times the tokens a parameter of the best{cost}."
    return f"It is under-trained: the best has {brief(1 / ratio)} times its tokens a parameter{cost}."


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
    return f"{design['name']} does not work as it stands; its own page says why."
