"""Sizing, cost of tokens and edge of a served model as lines of text."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable
from typing import Any

from app.engine.performance.serving.words import part_words
from app.views.file_format import by_name, csv_file, json_file
from app.views.plain import report_json
from app.views.serving.edge import EdgeView
from app.views.serving.sizing import SizingView
from app.views.serving.token_cost import TokenCost, TokenCostView
from app.views.serving.token_prices import TokenPrices
from app.views.table import count, table, time, usd

BINDS = {
    "ttft": "the time to first token ends the load that a replica meets the SLO at",
    "tpot": "the time per token ends the load that a replica meets the SLO at",
    "memory": "memory: no more requests fit at once",
    "prefill": "prefill: prompts come as fast as they can be prefilled",
    "none": "not even one request meets the SLO",
}


def sizing_text(view: SizingView) -> str:
    """Steps, what binds, what would relax it, and prefill to decode."""
    lines = [view.name, f"The pod: {view.pod_words}"]
    if view.needed_words:
        lines.append(f"The demand at its peak: {view.needed_words}")
    lines += [
        "",
        *(f"{row.title:<44}{_row_value(row.value, row.unit):>20}  {row.said}" for row in view.rows),
        "",
        f"Binding constraint: {BINDS[view.binds]}",
    ]
    if view.binding_shares:
        lines.append(
            "  made of "
            + ", ".join(f"{part_words(name)} {share:.0%}" for name, share in view.binding_shares.items())
        )
    lines += [
        f"  {row.title}: {count(row.requests_per_s)} requests/s of a replica ({row.gain:+.1%})"
        + ("" if row.supernodes is None else f", {count(row.supernodes)} SuperNodes")
        for row in view.relaxed
    ]
    lines += _hours_lines(view)
    split = view.split
    if split is not None:
        lines += [
            "",
            (
                f"Prefill to decode: {count(split.prefill_per_decode)} prefill instances ({split.prefill_layout}, "
                f"{count(split.prefill_requests_per_s)} requests/s) keep one decode instance ({split.decode_layout}, "
                f"{count(split.decode_requests_per_s)} requests/s) busy"
            ),
        ]
        if not math.isnan(split.prefill_instances):
            lines.append(
                f"  whole ones that waste least: {split.prefill_instances:,.0f} : {split.decode_instances:,.0f}, "
                f"{split.idle_share:.1%} idle"
            )
    return "\n".join([*lines, *(f"Problem: {problem}" for problem in view.problems)])


def _hours_lines(view: SizingView) -> list[str]:
    """A line for each figure, then one for each hour."""
    hours = view.demand_hours
    if hours is None:
        return []
    share = f"{100 * view.percentile:.4g} %"
    rows = [
        (
            hour.title, count(hour.requests_per_s), count(hour.needed), count(hour.running), count(hour.paid),
            f"{hour.utilisation:.0%}", time(hour.ttft_within_s), time(hour.tpot_within_s),
            "kept" if hour.keeps else "missed",
        )
        for hour in hours.hours
    ]  # fmt: skip
    heads = ("hour", "requests/s", "needed", "running", "paid", "utilised", f"first token {share}", f"per token {share}",
             "promise")  # fmt: skip
    return [
        "",
        *(f"{row.title:<44}{_row_value(row.value, row.unit):>20}  {row.said}" for row in hours.rows),
        "",
        *table(heads, rows),
    ]


def _row_value(value: float, unit: str) -> str:
    if unit == "share":
        return "unknown" if math.isnan(value) else f"{100 * value:.3g} %"
    return count(value) if unit == "1" else f"{count(value)} {unit}"


def token_cost_text(view: TokenCostView) -> str:
    """A line a system and format, then what is unknown or refused."""
    rows = [
        (
            f"{'* ' if place == view.cheapest else ''}{row.name}{', current design' if row.as_it_stands else ''}",
            row.precision, count(row.supernodes), time(row.ttft_within_s), time(row.tpot_within_s),
            *(
                usd(value)
                for value in (
                    row.usd_per_million_input_tokens, row.usd_per_million_output_tokens, row.usd_per_million_tokens,
                    row.usd_per_million_tokens_at_full_load, row.usd_per_million_tokens_rented_on_demand,
                )
            ),
        )
        for place, row in enumerate(view.systems)
    ]  # fmt: skip
    heads = ("USD per million tokens", "format", "SuperNodes", "first token", "per token", "in", "out", "with prompts",
             "full load", "on demand")  # fmt: skip
    return "\n".join(
        [view.name, "", *table(heads, rows), "", *_kinds(view.prices), *_remarks(view.systems), *view.notes]
    )


def _kinds(prices: TokenPrices | None) -> list[str]:
    """Tokens by kind as the design stands, then what others ask for them."""
    if prices is None:
        return []
    rows = [
        ("this design", usd(prices.input_usd), usd(prices.cached_input_usd), usd(prices.output_usd),
         usd(prices.batch_output_usd)),
        *(
            (f"{one.provider}, {one.as_of}", usd(one.input_usd), usd(one.cached_input_usd), usd(one.output_usd),
             usd(one.output_usd * one.batch_share))
            for one in prices.list_prices
        ),
    ]  # fmt: skip
    return [
        *table(("USD per million tokens", "in", "cached in", "out", "out, batch"), rows),
        f"Energy per token: in {prices.input_j:.3g} J, cached in {prices.cached_input_j:.3g} J, out {prices.output_j:.3g} J",
        "",
    ]


def _remarks(rows: Iterable[TokenCost]) -> list[str]:
    found = []
    for row in rows:
        title = f"{row.name}, {row.precision}"
        if row.reason:
            found.append(f"{title} {'was not tried' if row.refused else 'does not do'}: {row.reason}")
        if row.unknown:
            found.append(f"{title}, unknown: {'; '.join(row.unknown)}")
    return [*found, ""] if found else []


def edge_text(view: EdgeView) -> str:
    """Places, sites, and what light leaves of the budget."""
    return "\n".join(
        [
            view.name,
            f"Within budget: {view.share_within_cloud:.0%} of the requests from the cloud, {view.share_within_edge:.0%} from the edge",
            "",
            *table(
                ("users", "from", "network", "queue", "prefill", "engine", "first token", "budget", "left"),
                [
                    (
                        place.place, place.site, time(place.round_trip_s), time(place.queue_s), time(place.prefill_s),
                        time(place.other_s), time(place.user_ttft_s), time(place.budget_s), time(place.left_s),
                    )
                    for place in view.places
                ],
            ),
            "",
            *(
                f"{site.site}: {site.system}, {site.layout}; first token {time(site.ttft_s)}, "
                f"{usd(site.usd_per_million_tokens)} USD per million output tokens"
                + (f"; cannot be built as designed: {site.reason}" if site.reason else "")
                for site in view.sites
            ),
            "",
            f"Within {time(view.budget_s)} light in fibre goes {view.farthest_without_computing_km:,.0f} km and back, if nothing were computed",
            *(
                f"  {one.distance_km:>6,.0f} km: {time(one.round_trip_s)} of network leave {time(one.left_s)}; "
                f"this pod {'keeps' if one.cloud_keeps else 'misses'} it, the edge site {'keeps' if one.edge_keeps else 'misses'} it"
                for one in view.distances
            ),
        ]
    )  # fmt: skip


ROWS = {
    "LatencyView": "points",
    "SimulatedView": "rows",
    "RooflineView": "points",
    "MemoryView": "points",
    "SizingView": "rows",
    "TokenCostView": "systems",
    "EdgeView": "places",
}
"""The field of a view that is its table."""


def table_csv(view: Any) -> bytes:
    """The table of a view, a line a row; columns carry their units, parts are columns of their own.

    An unknown value is an empty cell.
    """
    rows = [_flat(row) for row in report_json(view)[ROWS[type(view).__name__]]]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_cell(row.get(name)) for name in columns] for row in rows)
    return text.getvalue().encode()


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            found |= {f"{name}.{part}": inside for part, inside in value.items()}
        elif not isinstance(value, list):
            found[name] = value
    return found


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    return f"{value:.9g}" if isinstance(value, float) else value


FORMATS = by_name(csv_file(table_csv, ".csv"), json_file(".json"))
