"""A search of a served model as text for a terminal."""

from __future__ import annotations

import math

from app.charts.format import percent, show
from app.charts.searching.serving_words import serving_replicas_text
from app.surfaces.files.serving_search.lines import pod_of
from app.views.searching.serving_answer import SearchedPod, ServingOption, ServingSearchAnswer


def serving_search_text(answer: ServingSearchAnswer) -> str:
    """Number of layouts, the best of them, and the requested single answers."""
    lines = [
        f"{answer.name}: {answer.feasible_layouts:,} of {answer.layouts:,} layouts hold a request",
        f"{answer.points:,} layouts at loads searched in {answer.search_time_s:.2f} s, ranked by {answer.objective}.",
        level_words(answer),
    ]
    lines += [f"  {count:>10,} rejected for {name}" for name, count in answer.rejected.items()]
    lines += [_pod(pod) for pod in answer.pods] if len(answer.pods) > 1 else []
    lines.append("")
    lines += [f"{rank:>3}  {_option(answer, one)}" for rank, one in enumerate(answer.best, start=1)]
    if not answer.best:
        lines.append(nothing_words(answer))
    lines += answer.unanswered
    lines += ["", *_singles(answer)]
    return "\n".join(lines).rstrip()


def level_words(answer: ServingSearchAnswer) -> str:
    """The SLO, in a sentence.

    Example: "Promised to 95 % of requests: first token within 3.00 s, 50.0 ms a token."
    """
    parts = [
        f"{words} {show(limit, 's').text}"
        for words, limit in (
            ("first token within", answer.ttft_s),
            ("a token every", answer.tpot_s),
        )
        if not math.isnan(limit)
    ]
    if not parts:
        return "Nothing is promised: every layout that holds a request counts."
    return f"Promised to {percent(answer.percentile).text} of requests: {', '.join(parts)}."


def nothing_words(answer: ServingSearchAnswer) -> str:
    """Why there is no best."""
    if not answer.feasible_layouts:
        return "No layout holds a request."
    if not answer.pareto:
        return "Figures that decide it are unknown."
    if answer.nearest is None:
        return f"What {answer.objective} is ranked by is unknown."
    return "No layout meets the SLO."


def _singles(answer: ServingSearchAnswer) -> list[str]:
    lines = []
    if answer.cheapest is not None and answer.objective != "cost":
        lines.append(f"Cheapest: {_option(answer, answer.cheapest)}")
    if answer.within_power is not None:
        found = answer.within_power
        lines.append(
            f"Within {show(found.power_limit_w, 'W').text}: {found.accelerators:,} accelerators, {found.replicas:,} "
            f"replica{'s' if found.replicas != 1 else ''}, {show(found.tokens_per_s, 'tokens/s').text}: {_option(answer, found.option)}"
        )
    if answer.nearest is not None:
        lines.append(
            f"Nearest, {answer.nearest.over_promise:.2f} times the SLO: {_option(answer, answer.nearest)}"
        )
    if answer.stated is not None:
        lines.append(f"As stated: {_option(answer, answer.stated)}")
    if answer.best_over_stated is not None:
        lines.append(
            f"The best layout on the same hardware answers {answer.best_over_stated:.2f} times as many tokens."
        )
    return lines


def _pod(pod: SearchedPod) -> str:
    head = f"  {pod.name}, {pod.precision}"
    if pod.refused:
        return f"{head}: not searched: {pod.refused}"
    usd = pod.usd_per_accelerator_hour
    price = "unknown price" if math.isnan(usd) else f"{show(usd, 'USD').text} an hour each"
    return f"{head}: {pod.accelerators:,} accelerators, {price}"


def _option(answer: ServingSearchAnswer, option: ServingOption) -> str:
    pod = pod_of(answer, option)
    place = f"{pod.name}, {pod.precision}: " if len(answer.pods) > 1 else ""
    figures = [
        f"{show(option.tokens_per_s_per_user, 'tokens/s').text} for a user",
        f"{show(option.tokens_per_s_per_accelerator, 'tokens/s').text} for an accelerator",
        f"first token {show(option.ttft_within_s, 's').text}",
        f"{option.concurrency:,.0f} in flight",
        show(option.memory_per_accelerator_bytes, "B").text,
        "unknown cost"
        if math.isnan(option.usd_per_million_tokens)
        else f"{show(option.usd_per_million_tokens, 'USD').text} per million tokens",
    ]
    mark = "" if option.keeps_level else "  (breaks the SLO)"
    return f"{place}{serving_replicas_text({'layout': option.layout, 'replicas': option.replicas})}: {', '.join(figures)}{mark}"
