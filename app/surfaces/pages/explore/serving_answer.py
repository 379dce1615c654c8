"""What a search of a served model found, as the page shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from app.charts.figure import Figure
from app.charts.format import number, show
from app.charts.searching.serving_pareto import pod_text, serving_pareto_figure, serving_replicas_text
from app.surfaces.files.serving_search.files import FORMATS
from app.surfaces.files.serving_search.text import level_words, nothing_words
from app.surfaces.pages.explore.serving_adopt import option_text
from app.views.plain import report_json
from app.views.searching.serving_rows import ServingSearchAnswer

RATE = "tokens/s"
COLUMNS = (
    ("Tokens/s for a user", "tokens_per_s_per_user", RATE),
    ("Tokens/s per accelerator", "tokens_per_s_per_accelerator", RATE),
    ("First token", "ttft_within_s", "s"),
    ("Memory", "memory_per_accelerator_bytes", "B"),
    ("Per million tokens", "usd_per_million_tokens", "USD"),
    ("Energy per token", "energy_j_per_token", "J"),
)
Option = Mapping[str, Any]


class OptionLine(NamedTuple):
    """A line of the table of options."""

    head: str  # rank, or what it is
    layout: str
    place: str  # hardware and format
    load: str
    figures: tuple[str, ...]
    keeps: bool
    adopt: str
    said: str  # what the button is read out as


class ServingFound(NamedTuple):
    """Everything the page shows of a search of a served model."""

    headline: str
    sentences: tuple[str, ...]
    figure: Figure
    columns: tuple[str, ...]
    singles: tuple[OptionLine, ...]
    ranked: tuple[OptionLine, ...]
    empty: str  # why nothing is ranked
    refused: tuple[str, ...]  # pods that were not searched, and why
    files: tuple[tuple[str, str], ...]  # title and address
    notes: tuple[str, ...]
    provenance: Mapping[str, Any]


def serving_found(answer: ServingSearchAnswer, file_address: Callable[[str], str]) -> ServingFound:
    """The page of an answer; `file_address` is where it is as a file of some format."""
    values = report_json(answer)
    pods = values["pods"]

    def adopt(option: Option) -> str:
        return option_text(option, pods[option["pod"]])

    def line(head: str, option: Option) -> OptionLine:
        layout = serving_replicas_text(option)
        return OptionLine(
            head=head,
            layout=layout,
            place=pod_text(pods[option["pod"]]),
            load=f"{option['mode']}, {option['concurrency']:,.0f} in flight, batch {number(option['batch'])} of at most "
            f"{option['batch_limit']:,.0f}",
            figures=tuple(_cell(option[field], unit) for _, field, unit in COLUMNS),
            keeps=option["keeps_level"],
            adopt=adopt(option),
            said=f"{head}, {layout}",
        )

    return ServingFound(
        headline=f"{answer.feasible_layouts:,} of {answer.layouts:,} layouts hold a request",
        sentences=tuple(_sentences(answer)),
        figure=serving_pareto_figure(values, adopt),
        columns=tuple(name for name, _, _ in COLUMNS),
        singles=tuple(line(head, option) for head, option in _singles(values)),
        ranked=tuple(line(str(rank), option) for rank, option in enumerate(values["best"], start=1)),
        empty="" if answer.best else nothing_words(answer),
        refused=tuple(f"{pod_text(pod)}: {pod['refused']}" for pod in pods if pod["refused"]),
        files=tuple((one.title, file_address(one.name)) for one in FORMATS.values()),
        notes=answer.notes,
        provenance=answer.provenance,
    )


def _sentences(answer: ServingSearchAnswer) -> list[str]:
    took = show(answer.search_time_s, "s").text
    said = [f"{level_words(answer)} {answer.points:,} layouts at loads were computed in {took}."]
    rejected = [f"{count:,} for {reason}" for reason, count in answer.rejected.items()]
    if rejected:
        said.append(f"The others are left out: {', '.join(rejected)}.")
    if answer.best_over_stated is not None:
        times = number(answer.best_over_stated)
        said.append(
            f"On the same hardware the best layout answers {times} times the tokens of the current scenario."
        )
    return [*said, *answer.unanswered]


def _singles(values: Mapping[str, Any]) -> list[tuple[str, Option]]:
    """The single answers, each with what it is."""
    within = values["within_power"]
    found = [("Cheapest", values["cheapest"]), ("Nearest", values["nearest"])]
    if within is not None:
        limit, rate = show(within["power_limit_w"], "W").text, show(within["tokens_per_s"], "tokens/s").text
        replicas = f"{within['replicas']:,} replica{'s' if within['replicas'] != 1 else ''}"
        most = f"{replicas} on {within['accelerators']:,} accelerators, {rate}"
        found.append((f"Within {limit}: {most}", within["option"]))
    found.append(("Current scenario", values["stated"]))
    return [(head, option) for head, option in found if option is not None]


def _cell(value: float | None, unit: str) -> str:
    if value is None:
        return "unknown"
    return show(value, unit).value if unit == RATE else show(value, unit).text
