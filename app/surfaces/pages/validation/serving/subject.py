"""The three scored latencies of served models as subjects of the validation pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.catalog.lookup import Catalog
from app.charts import measured_subjects
from app.surfaces.pages.validation.serving.table import table_of
from app.surfaces.pages.validation.subject import Subject
from app.validation.serving.published import SERVING_BASES, SERVING_GROUPINGS, published_serving

OVERVIEW = "/validation/serving"
THROUGHPUT = f"{OVERVIEW}/throughput"


class Latency(NamedTuple):
    """A scored latency: how it is called, and by which share of its errors it is judged."""

    score: str  # name in the report
    address: str
    tab: str
    title: str
    measured: str  # of the lead
    near: str  # "within_33_pct" or "within_2x"
    near_name: str
    time: str  # of the performance of a scenario
    chart: measured_subjects.Subject


A_THIRD, DOUBLE = ("within_33_pct", "Within 33 %"), ("within_2x", "Within a factor 2")
LATENCIES: Mapping[str, Latency] = {
    one.score: one
    for one in (
        Latency(
            "tpot",
            f"{OVERVIEW}/tpot",
            "Time per token",
            "Times per token, aggregated",
            "The time per output token (TPOT) of {} distinct measurements of instances that prefill and decode",
            *A_THIRD,
            "tpot_s",
            measured_subjects.TPOT,
        ),
        Latency(
            "tpot_disaggregated",
            f"{OVERVIEW}/tpot-disaggregated",
            "Time per token, disaggregated",
            "Times per token, disaggregated",
            "The time per output token (TPOT) of {} distinct measurements of separate prefill and decode instances, "
            "whose layout and load are published whole",
            *A_THIRD,
            "tpot_s",
            measured_subjects.TPOT,
        ),
        Latency(
            "ttft",
            f"{OVERVIEW}/ttft",
            "Time to first token",
            "Times to the first token, aggregated",
            "The time to the first token (TTFT) of {} distinct measurements of instances that prefill and decode, with "
            "at most 128 requests in flight and no cold start",
            *DOUBLE,
            "ttft_s",
            measured_subjects.TTFT,
        ),
    )
}


def serving_subject(latency: Latency, catalog: Catalog) -> Subject:
    """A latency as its pages show it."""
    return Subject(
        kind="serving",
        overview=latency.address,
        rows=f"{latency.address}/table",
        title=latency.title,
        noun="measurements",
        families="models",
        measured=latency.measured,
        unit="milliseconds",
        groupings=SERVING_GROUPINGS,
        bases=SERVING_BASES,
        shared={
            "model": "served {}",
            "system": "ran on {}",
            "engine": "used {}",
            "precision": "computed in {}",
            "load": "had {}",
            "lengths": "had {} tokens",
        },
        chart=latency.chart,
        published=lambda: published_serving(catalog).measurements[latency.score],
        table_of=table_of,
        named=lambda found: set(),
    )
