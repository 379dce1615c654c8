"""A search of a served model as lines of one table: the best, then the fronts, each with where it runs."""

from __future__ import annotations

from typing import NamedTuple

from app.charts.searching.serving_words import serving_layout_text
from app.views.searching.serving_answer import SearchedPod, ServingOption, ServingSearchAnswer
from app.views.table import FileColumn

COLUMNS = (
    FileColumn("Requests in flight", "concurrency", "1", 14),
    FileColumn("Replicas", "replicas", "1", 10),
    FileColumn("Accelerators each", "accelerators_per_replica", "1", 14),
    FileColumn("Batch", "batch", "1", 10),
    FileColumn("Batch limit", "batch_limit", "1", 12),
    FileColumn("Time to first token", "ttft_s", "s", 14),
    FileColumn("Time per output token", "tpot_s", "s", 14),
    FileColumn("Time to first token, promised share", "ttft_within_s", "s", 14),
    FileColumn("Time per output token, promised share", "tpot_within_s", "s", 14),
    FileColumn("Requests", "requests_per_s", "1/s", 12),
    FileColumn("Output tokens", "tokens_per_s", "tokens/s", 16),
    FileColumn("For each user", "tokens_per_s_per_user", "tokens/s", 16),
    FileColumn("For each accelerator", "tokens_per_s_per_accelerator", "tokens/s", 16),
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
