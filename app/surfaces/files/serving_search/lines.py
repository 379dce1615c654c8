"""A search of a served model as lines of one table: the best, then the fronts, each with where it runs."""

from __future__ import annotations

from typing import NamedTuple

from app.charts.searching.serving_words import serving_layout_text
from app.views.searching.serving_answer import SearchedPod, ServingOption, ServingSearchAnswer


class Column(NamedTuple):
    """A field of an option, its name in a file, its title with unit, and whether it is a number."""

    field: str
    title: str
    unit: str = ""
    width: float = 14


COLUMNS = (
    Column("concurrency", "Requests in flight", "1"),
    Column("replicas", "Replicas", "1", 10),
    Column("accelerators_per_replica", "Accelerators each", "1"),
    Column("batch", "Batch", "1", 10),
    Column("batch_limit", "Batch limit", "1", 12),
    Column("ttft_s", "Time to first token", "s"),
    Column("tpot_s", "Time per output token", "s"),
    Column("ttft_within_s", "Time to first token, promised share", "s"),
    Column("tpot_within_s", "Time per output token, promised share", "s"),
    Column("requests_per_s", "Requests", "1/s", 12),
    Column("tokens_per_s", "Output tokens", "tokens/s", 16),
    Column("tokens_per_s_per_user", "For each user", "tokens/s", 16),
    Column("tokens_per_s_per_accelerator", "For each accelerator", "tokens/s", 16),
    Column("memory_per_accelerator_bytes", "Memory per accelerator", "B"),
    Column("usd_per_million_tokens", "Per million output tokens", "USD"),
    Column("energy_j_per_token", "Energy per output token", "J/token"),
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
