"""Trends as text for a terminal."""

from __future__ import annotations

from typing import Any

AGREES = {"within": "inside theirs", "overlap": "overlaps", "apart": "apart", "unknown": "no own fit"}
BASES = {"published": "published", "whole_data": "whole data"}


def trends_text(answer: dict[str, Any]) -> str:
    """Every trend beside the rates of others, one line each, and the utilisation of runs."""
    sure = f"{100 * answer['probability']:.0f} %"
    drawn = f"{answer['resamples']:,} resamples of the rows, seed {answer['seed']}"
    lines = [f"Growth per year and doubling time, each with its {sure} interval ({drawn})"]
    for group in dict.fromkeys(one["group"] for one in answer["items"]):
        lines += ["", group.capitalize()]
        for one in answer["items"]:
            if one["group"] == group:
                lines += _trend(one)
    lines += ["", _utilisation(answer["mfu"])]
    return "\n".join(lines)


def _trend(one: dict[str, Any]) -> list[str]:
    head = f"  {one['key']:30s} "
    fit = one["fit"]
    if fit is None:
        lines = [f"{head}{one['unknown']}"]
    else:
        rate = f"{_factor(fit['annual_factor'], fit['low'], fit['high'])} per year"
        lines = [f"{head}{rate}, {_doubling(fit)}, R2 {fit['r_squared']:.2f}, n {one['n']}"]
    for rate in one["rates"]:
        words = _factor(rate["annual_factor"], rate["low"], rate["high"])
        lines.append(f"    {BASES[rate['basis']]:28s} {words}, {rate['window']}: {AGREES[rate['agreement']]}")
    return lines


def _factor(central: float, low: float | None, high: float | None) -> str:
    between = "" if low is None or high is None else f" ({low:.2f} to {high:.2f})"
    return f"x{central:.2f}{between}"


def _doubling(fit: dict[str, Any]) -> str:
    if fit["doubling_years"] is None:
        return "not growing"
    high = fit["doubling_high_years"]
    end = f"{high:.2f}" if high is not None else "never"
    return f"doubling in {fit['doubling_years']:.2f} years ({fit['doubling_low_years']:.2f} to {end})"


def _utilisation(mfu: dict[str, Any]) -> str:
    quartiles = ", ".join(
        f"{100 * one['value']:.0f} % ({100 * one['low']:.0f} to {100 * one['high']:.0f})"
        for one in mfu["quartiles"]
    )
    others = " / ".join(f"{100 * value:.0f}" for value in mfu["published"])
    return f"MFU that runs report, quartiles of {mfu['n']}: {quartiles}; on the whole data {others} %"
