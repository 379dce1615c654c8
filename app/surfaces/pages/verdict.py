"""The answer in a sentence or two."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.figure import get_path
from app.charts.format import THIN_SPACE, Shown, show
from app.charts.mixed import slowest_text
from app.charts.step_parts import complete_breakdown, part_label
from app.charts.workload_kind import is_generic, is_serving
from app.engine.specs import RENTAL_TERMS
from app.surfaces.pages.labels import headline

LEAST_SHARE = 0.0005
"""A loss below this rounds to 0.0 % and is not named."""
NO_LOSS = frozenset({"gemm", "attention", "arithmetic", "dense_matmul", "output_head", "experts"})


class Verdict(NamedTuple):
    answer: str
    loss: str
    rent: str


def verdict(evaluation: dict[str, Any]) -> Verdict:
    """Performance of the design, and its largest losses."""
    return Verdict(_answer(evaluation), _loss(evaluation), _rent(evaluation))


def _answer(evaluation: dict[str, Any]) -> str:
    if is_serving(evaluation):
        return _served(evaluation)
    elapsed = get_path(evaluation, "performance.elapsed_time_s")
    cost = get_path(evaluation, "cost.usd_per_run")
    fits = "It fits, and" if evaluation["feasible"] else "As designed it would"
    text = f"{fits} {_does(evaluation)}"
    if elapsed is None and cost is None:
        return f"{text}; how long and at what cost is unknown."
    if elapsed is not None:
        text += f" in {_brief(show(elapsed, 's'))}"
    else:
        text += " in unknown time"
    if cost is not None:
        return f"{text} for {_brief(show(cost, 'USD'))}."
    rented = _rented(evaluation, "cost.usd_per_run")
    return f"{text}{f' for {_brief(rented)} of rent' if rented else '; its cost is unknown'}."


def _served(evaluation: dict[str, Any]) -> str:
    """How much a pod that serves answers, how soon and at what cost."""
    ending = "s" if evaluation["feasible"] else ""
    fits = "It fits, and" if evaluation["feasible"] else "As designed it would"
    rate, cost = (
        get_path(evaluation, "performance.tokens_per_s"),
        get_path(evaluation, "cost.usd_per_million_tokens"),
    )
    first, each = get_path(evaluation, "performance.ttft_s"), get_path(evaluation, "performance.tpot_s")
    if (
        rate is not None
        and first is not None
        and "performance.tpot_s" in evaluation.get("not_applicable", ())
    ):
        text = (
            f"{fits} read{ending} {show(rate, 'tokens/s').text} of prompts, each in {show(first, 's').text}"
        )
    elif rate is None or first is None or each is None:
        return f"{fits} answer{ending} requests; how fast is unknown."
    else:
        text = (
            f"{fits} answer{ending} with {show(rate, 'tokens/s').text}, the first token after {show(first, 's').text} and "
            f"one every {show(each, 's').text}"
        )
    if cost is None:
        rented = _rented(evaluation, "cost.usd_per_million_tokens")
        return f"{text}{f', for {rented.text} of rent a million' if rented else '; its cost is unknown'}."
    return f"{text}, for {show(cost, 'USD').text} per 1 M tokens."


def _rented(evaluation: dict[str, Any], path: str) -> Shown | None:
    """What renting costs where the design is rent only; None where that is unknown, or it can be bought."""
    value = get_path(evaluation, headline(evaluation, path)[1])
    return None if value is None else show(value, "USD")


def _does(evaluation: dict[str, Any]) -> str:
    """What the design does: "trains on 15.6 trillion tokens"."""
    ending = "s" if evaluation["feasible"] else ""
    if is_generic(evaluation):
        return f"run{ending} {show(get_path(evaluation, 'inputs.workload.steps'), '1').text} steps"
    return f"train{ending} on {show(get_path(evaluation, 'inputs.workload.tokens'), 'tokens').text}"


def _brief(shown: Shown) -> str:
    """Whole numbers are enough in a sentence, once they have two digits."""
    digits = shown.value.replace(",", "")
    value = (
        f"{float(digits):,.0f}" if digits.replace(".", "").isdigit() and float(digits) >= 10 else shown.value
    )
    return Shown(value, shown.unit).text


def _loss(evaluation: dict[str, Any]) -> str:
    breakdown = complete_breakdown(get_path(evaluation, "performance.time_breakdown_s"))
    served = is_serving(evaluation)
    step = get_path(evaluation, "performance.tpot_s" if served else "performance.step_time_s")
    if not breakdown or not step:
        return ""
    kinds = slowest_text(evaluation)
    kinds = f" {kinds}" if kinds else ""
    losses = sorted(
        (
            (seconds, part)
            for part, seconds in breakdown.items()
            if part not in NO_LOSS and seconds / step >= LEAST_SHARE
        ),
        reverse=True,
    )[:2]
    if not losses:
        return f"Arithmetic takes all of the time.{kinds}"
    named = [f"{_lower(part_label(part))}, {_whole_percent(seconds / step)}" for seconds, part in losses]
    text = f"The largest loss is {named[0]} of each {'token' if served else 'step'}"
    return f"{text}, then {named[1]}.{kinds}" if len(named) > 1 else f"{text}.{kinds}"


def _rent(evaluation: dict[str, Any]) -> str:
    """The run, or a million tokens, against renting, where a rate is known."""
    name, what = (
        ("usd_per_million_tokens", "a million tokens cost")
        if is_serving(evaluation)
        else ("usd_per_run", "the run costs")
    )
    own = get_path(evaluation, f"cost.{name}")
    terms = get_path(evaluation, "inputs.economics.compared_with") or "on_demand"
    price = _rental(evaluation, terms)
    for kind in ("on_demand", "reserved"):
        rented, its_price = get_path(evaluation, f"cost.{name}_rented_{kind}"), _rental(evaluation, kind)
        if own and rented and price and its_price:
            usd = rented * price / its_price
            return (
                f"Rented {RENTAL_TERMS[terms].rented} {what} {show(usd, 'USD').text}, {_against(usd / own)}."
            )
    return ""


def _rental(evaluation: dict[str, Any], kind: str) -> Any:
    return get_path(evaluation, f"inputs.economics.rental_{kind}_usd_per_accelerator_hour")


def _against(ratio: float) -> str:
    """How rent compares with owning."""
    if ratio >= 2:
        return f"{ratio:.1f} times as much"
    return f"{_whole_percent(abs(ratio - 1))} {'less' if ratio < 1 else 'more'}"


def _whole_percent(fraction: float) -> str:
    """Whole percents from ten upwards, one decimal below."""
    return f"{100 * fraction:.{0 if fraction >= 0.0995 else 1}f}{THIN_SPACE}%"


def _lower(label: str) -> str:
    return label[0].lower() + label[1:]
