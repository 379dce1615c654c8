"""A search of a served model as text for a terminal."""

from __future__ import annotations

import math
from typing import NamedTuple

from app.charts.format import percent, show
from app.charts.searching.serving_pareto import serving_layout_text, serving_replicas_text
from app.views.searching.serving_rows import SearchedPod, ServingOption, ServingSearchAnswer
from app.views.table import FileColumn


def serving_search_text(answer: ServingSearchAnswer) -> str:
    """Number of layouts, the best, and the requested single answers."""
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

    Example: "SLO for 95 % of requests: first token within 3.00 s, 50.0 ms per token."
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
        return "No SLO is set: every layout that holds a request counts."
    return f"SLO for {percent(answer.percentile).text} of requests: {', '.join(parts)}."


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
    price = "unknown price" if math.isnan(usd) else f"{show(usd, 'USD').text} per hour each"
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


COLUMNS = (
    FileColumn("Requests in flight", "concurrency", "1", 14),
    FileColumn("Replicas", "replicas", "1", 10),
    FileColumn("Accelerators per SuperNode", "accelerators_per_replica", "1", 14),
    FileColumn("Batch", "batch", "1", 10),
    FileColumn("Batch limit", "batch_limit", "1", 12),
    FileColumn("Time to first token", "ttft_s", "s", 14),
    FileColumn("Time per output token", "tpot_s", "s", 14),
    FileColumn("Time to first token at the SLO percentile", "ttft_within_s", "s", 14),
    FileColumn("Time per output token at the SLO percentile", "tpot_within_s", "s", 14),
    FileColumn("Requests", "requests_per_s", "1/s", 12),
    FileColumn("Output tokens", "tokens_per_s", "tokens/s", 16),
    FileColumn("Per user", "tokens_per_s_per_user", "tokens/s", 16),
    FileColumn("Per accelerator", "tokens_per_s_per_accelerator", "tokens/s", 16),
    FileColumn("Memory per accelerator", "memory_per_accelerator_bytes", "B", 14),
    FileColumn("Per million output tokens", "usd_per_million_tokens", "USD", 14),
    FileColumn("Energy per output token", "energy_j_per_token", "J/token", 14),
)
WORDS = (("list", 8), ("rank", 6), ("system", 28), ("precision", 11), ("mode", 15), ("layout", 46))
"""Columns of words, which come first, with their widths."""


class Line(NamedTuple):
    words: tuple[str, ...]
    option: ServingOption


def lines_of(answer: ServingSearchAnswer) -> list[Line]:
    """The best by their ranks, then the front of each pod, and the scenario as it is."""
    best = [_line(answer, "best", str(rank), one) for rank, one in enumerate(answer.best, start=1)]
    front = [_line(answer, "front", "", one) for one in answer.pareto]
    single = [
        _line(answer, word, "", one)
        for word, one in (("nearest", answer.nearest), ("stated", answer.stated))
        if one is not None
    ]
    return [*best, *front, *single]


def pod_of(answer: ServingSearchAnswer, option: ServingOption) -> SearchedPod:
    return answer.pods[option.pod]


def _line(answer: ServingSearchAnswer, of: str, rank: str, option: ServingOption) -> Line:
    pod = pod_of(answer, option)
    return Line((of, rank, pod.name, pod.precision, option.mode, serving_layout_text(option.layout)), option)
