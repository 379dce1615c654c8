"""A projection and the list of laws as text for a terminal."""

from __future__ import annotations

from typing import Any

from app.charts.format import percent, show


def projection_text(answer: dict[str, Any]) -> str:
    """The model, what it is compared with, its uncertainty, and the design."""
    lines = [f"{answer['law_name']} ({answer['source']})"]
    if answer["confidence"] == "memory":
        lines.append("Its constants are unverified: an estimate.")
    lines += ["", _model("model", answer["model"])]
    if answer["optimal"] and not _is_optimal(answer["over_training"]):
        lines.append(_model("compute-optimal", answer["optimal"]))
    lines += [*_over_training(answer["over_training"]), *_intervals(answer["intervals"])]
    lines += [one["message"] for one in answer["beyond_fit"]]
    lines += [*_beside(answer), *_design(answer["design"], answer["binding"])]
    return "\n".join(lines)


def _model(label: str, model: dict[str, Any]) -> str:
    words = [f"{label:16s} {_number(model['parameters'])} parameters"]
    words += [f"{_number(model['tokens'])} tokens", f"{_number(model['flops'])} FLOP"]
    words.append(f"{model['tokens_per_parameter']:,.3g} tokens per parameter")
    if model["loss"] is not None:
        words.append(f"loss {model['loss']:.4f}")
    return ", ".join(words)


def _over_training(found: dict[str, float | None]) -> list[str]:
    ratio, loss, compute = (
        found[name] for name in ("tokens_per_parameter_ratio", "loss_above_optimal", "extra_compute_share")
    )
    if ratio is None:
        return []
    if _is_optimal(found):
        return ["compute-optimal by the law"]
    side = "over" if ratio > 1 else "under"
    text = f"{side}-trained: {ratio:,.3g} times the tokens per parameter of the optimum"
    if loss is not None:
        text += f", loss {loss:+.4f}"
    if compute is not None:
        text += f", {percent(compute).text} more compute than its loss needs"
    return [text]


def _is_optimal(found: dict[str, float | None]) -> bool:
    ratio = found["tokens_per_parameter_ratio"]
    return ratio is not None and abs(ratio - 1) < 0.005


def _intervals(found: dict[str, Any]) -> list[str]:
    lines = []
    for kind, bounds in (("law", found["law"]), ("speed of the design", found["speed"] or {})):
        words = [
            f"{name.replace('_', ' ')} {_number(ends['low'])} to {_number(ends['high'])}"
            for name, ends in bounds.items()
            if ends is not None
        ]
        if words:
            lines.append(f"{100 * found['probability']:.0f} % by the {kind}: {', '.join(words)}")
    return lines


def _beside(answer: dict[str, Any]) -> list[str]:
    lines = []
    if (dense := answer["effective_dense_parameters"]) is not None:
        lines.append(f"as good as a dense model of {_number(dense)} parameters")
    if (epochs := answer["epochs"]) is not None:
        worth = f"{_number(epochs['effective_tokens'])} fresh tokens"
        lines.append(f"{epochs['epochs']:,.3g} epochs, worth {worth} ({percent(epochs['worth_share']).text})")
    if (served := answer["serving"]) is not None:
        best = served["cheapest"]
        lines.append(
            f"with {_number(served['inference_tokens'])} tokens served: {_number(best['parameters'])} parameters on "
            f"{_number(best['tokens'])} tokens have the same loss for {percent(served['saved_share']).text} less "
            "compute over their life"
        )
    return lines


def _design(design: dict[str, Any] | None, binding: str | None) -> list[str]:
    if design is None:
        return []
    days = design["days_interval"]
    usd = design["usd_interval"]
    lines = [
        "",
        f"{design['name']}: {design['supernodes']:,} SuperNodes, {design['accelerators']:,} accelerators",
        f"{show(design['sustained_flop_per_s'], 'FLOP/s').text} of 6 N D, as in its own run, failures included",
        f"{design['days']:,.3g} days ({days['low']:,.3g} to {days['high']:,.3g})",
    ]
    if design["usd"] is not None:
        lines.append(
            f"{show(design['usd'], 'USD').text} ({_number(usd['low'])} to {_number(usd['high'])} USD)"
        )
    if binding is not None:
        lines.append(f"{binding} sets the compute")
    elif design["supernodes_needed"] is not None:
        ends = design["supernodes_needed_interval"]
        needed = f"{design['supernodes_needed']:,} SuperNodes ({ends['low']:,} to {ends['high']:,})"
        lines.append(f"{needed} would meet deadline_days")
    if not design["feasible"]:
        lines.append("The design does not work as it is; podwright evaluate says why.")
    return lines


def _number(value: float) -> str:
    return f"{value:.4g}"
