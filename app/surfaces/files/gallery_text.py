"""The gallery as text for a terminal."""

from __future__ import annotations

from typing import Any

from app.charts.format import percent, show

BOUND = {"equals": "", "at_least": "at least ", "at_most": "at most "}
COLUMNS = (("accelerators", "accelerators", "1"), ("peak_bf16_flop_per_s", "BF16", "FLOP/s"),
           ("utility_peak_w", "at the meter", "W"), ("capex_usd", "to build", "USD"))  # fmt: skip


def gallery_text(answer: dict[str, Any]) -> str:
    """One line a design, by group."""
    lines: list[str] = []
    group = ""
    for one in answer["items"]:
        if one["group"] != group:
            group = one["group"]
            lines += ["", group] if lines else [group]
        words = [
            f"{_value(one['figures'][name], unit)} {word}"
            for name, word, unit in COLUMNS
            if not (one["rent_only"] and one["figures"][name] is None and unit == "USD")
        ]
        words += [_rent(one)] if one["rent_only"] else []
        verdict = "feasible" if one["feasible"] else "infeasible"
        lines.append(f"  {one['key']:<26}{one['name']}: {verdict}; {', '.join(words)}")
        lines.append(f"  {'':<26}{_tally(one)}")
    return "\n".join([*lines, "", "`podwright gallery KEY` lists published and computed figures."])


def reference_text(answer: dict[str, Any]) -> str:
    """A design with its published figures beside ours."""
    lines = [
        f"{answer['name']}: {'feasible' if answer['feasible'] else 'infeasible'}",
        answer["description"],
        f"Podwright's, or a placeholder: {answer['approximation']}",
        *(f"Infeasible: {problem}" for problem in answer["problems"]),
        "",
        f"{'':<40}{'published':<22}{'ours':<18}{'ratio':<9}",
    ]
    for one in answer["published"]:
        theirs = f"{BOUND[one['compare']]}{_value(one['published'], one['unit'])}"
        ratio = "" if one["ratio"] is None else f"{one['ratio']:.3g}"
        lines.append(
            f"{one['label']:<40}{theirs:<22}{_value(one['ours'], one['unit']):<18}{ratio:<9}{one['verdict']}"
        )
        lines += [f"    {text}" for text in (one["note"], one["source"]) if text]
    return "\n".join(lines)


def _tally(one: dict[str, Any]) -> str:
    parts = [f"{one['agrees']} published figures agree"] if one["agrees"] else []
    parts += [f"{one['stated']} are inputs of the design"] if one["stated"] else []
    parts += [f"{one['differs']} differ as explained"] if one["differs"] else []
    parts += [f"{one['unknown']} unknown"] if one["unknown"] else []
    return ", ".join(parts)


def _rent(one: dict[str, Any]) -> str:
    hour = one["rented"]["usd_per_accelerator_hour"]
    return "rent only" if hour is None else f"rent only, at {_value(hour, 'USD/h')} for an accelerator"


def _value(value: float | None, unit: str) -> str:
    if value is None:
        return "unknown"
    return percent(value).text if unit == "%" else show(value, unit).text
