"""Latency, roofline and memory of a served model as lines of text."""

from __future__ import annotations

from app.charts.format import counted
from app.engine.performance.serving.words import part_words
from app.views.serving.latency import LatencyView, LoadPoint
from app.views.serving.memory import MemoryView
from app.views.serving.roofline import RooflineView
from app.views.serving.simulated import LATENCIES, SimulatedView
from app.views.table import count, formatted, table, time

BREAKS = {
    "ttft": "then the time to first token violates the SLO",
    "tpot": "then the time per token violates the SLO",
    "prefill": "then prompts come as fast as they can be prefilled",
    "memory": "as many as memory holds at once",
    "none": "not even one request meets the SLO",
}


def latency_text(view: LatencyView) -> str:
    """Operating points, the curve, and a token's time at the largest batch."""
    share = f"{100 * view.percentile:.4g} %"
    named = [("this load", view.here), ("knee", view.knee)]
    if view.at_most is not None:
        named.append(("most that meets the SLO", view.at_most))
    last = view.token_times[-1]
    return "\n".join(
        [
            view.name,
            f"{view.replicas:,.0f} x {view.layout}, {view.accelerators_per_replica:,.0f} accelerators per replica, {view.mode}",
            f"SLO: first token {_promised(view.promised_ttft_s)}, per token {_promised(view.promised_tpot_s)}, for {share}",
            "",
            *(f"{title}: {_load(point)}" for title, point in named),
            f"Beyond the most: {BREAKS[view.breaks]}; memory holds {counted(view.memory_holds)} requests at once",
            "",
            *table(
                ("in flight", "requests/s", "first token", share, "per token", share, "tokens/s each", "keeps"),
                [
                    (
                        counted(point.concurrency), count(point.requests_per_s), time(point.ttft_s),
                        time(point.ttft_within_s), time(point.tpot_s), time(point.tpot_within_s),
                        count(point.tokens_per_s_per_user), "yes" if point.keeps else "no",
                    )
                    for point in view.points
                ],
            ),
            "",
            *_classes(view),
            f"A token at a batch of {counted(last.batch)}, {time(last.tpot_s)}:",
            *(
                f"  {part_words(name):<40}{time(part):>12}"
                for name, part in sorted(last.parts_s.items(), key=lambda item: -item[1])
                if part
            ),
            "",
            f"Tokens guessed ahead at this load, {view.acceptance:.2g} of them standing; now {view.guessed_tokens}:",
            *table(
                ("guessed", "tokens per step", "step", "per token", "gain"),
                [
                    (
                        str(one.tokens), f"{one.standing:.3g}", time(one.step_s), time(one.tpot_s),
                        f"{one.gain:.2f} x",
                    )
                    for one in view.guess_lengths
                ],
            ),
        ]
    )  # fmt: skip


def _classes(view: LatencyView) -> list[str]:
    """Classes of requests at the load of the scenario; nothing where all are of one kind."""
    if not view.classes:
        return []
    return [
        "Classes at this load, means and what 95 % stay within:",
        *table(
            ("class", "share", "in", "out", "first token", "95 %", "per token", "95 %", "whole", "95 %", "within"),
            [
                (
                    one.name, f"{100 * one.share:.3g} %", counted(one.input_tokens), counted(one.output_tokens),
                    time(one.ttft_s), time(one.ttft_p95_s), time(one.tpot_s), time(one.tpot_p95_s),
                    time(one.end_to_end_s), time(one.end_to_end_p95_s), _share(one.within_promise),
                )
                for one in view.classes
            ],
        ),
        "",
    ]  # fmt: skip


def _followed(view: SimulatedView) -> list[str]:
    """What turns of sessions found; nothing of other requests."""
    if view.sessions is None:
        return []
    found = f"{100 * view.sessions.context_hit_share:.3g} % of later turns found their context"
    if not view.sessions.simulated:
        return [f"{found}, as the formulas have it: sessions were not followed turn by turn"]
    if view.sessions.formula_hit_share is None:
        return [found]
    return [f"{found}, by the formulas {100 * view.sessions.formula_hit_share:.3g} %"]


def _simulated_classes(view: SimulatedView) -> list[str]:
    """Simulated classes of requests; nothing where all are of one kind."""
    if not view.classes:
        return []
    rows = []
    for one in view.classes:
        seen = {(row.of, row.measure): row.simulated_s for row in one.rows}
        cells = [
            time(seen[of, measure]) if (of, measure) in seen else ""
            for of in LATENCIES
            for measure in ("mean", "p95")
        ]
        rows.append((one.name, f"{one.requests:,}", *cells, _share(one.within_promise)))
    return [
        "",
        "Classes, simulated:",
        *table(
            ("class", "requests", "first token", "p95", "per token", "p95", "whole", "p95", "within"), rows
        ),
    ]


def _share(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.4g} %"


def simulated_text(view: SimulatedView) -> str:
    """Simulated requests, SLO attainment, and latencies beside the formulas."""
    kept = "no SLO is set"
    if view.within_promise is not None:
        kept = f"{100 * view.within_promise:.4g} % meet the SLO, {100 * view.promised_share:.4g} % are asked"
    cut = "" if view.cut_from_minutes is None else f", cut from {view.cut_from_minutes:.4g}"
    return "\n".join(
        [
            view.name,
            f"One of {view.replicas:,.0f} x {view.layout}, {view.mode}",
            f"{count(view.requests_per_s)} requests/s of the pod, variation of arrivals {view.arrival_variation:.4g}, seed {view.seed}",
            (f"{view.requests:,} requests of one replica in {view.minutes:.4g} minutes{cut}; {kept}"),
            *([f"{100 * view.found_share:.3g} % of the tokens of prompts are found in the prefix cache"] if view.found_share else []),
            *_followed(view),
            f"At most {view.most_running:,} running, of {view.places:,} that memory holds",
            "",
            *table(
                ("latency", "measure", "simulated", "formula", "difference"),
                [
                    (
                        LATENCIES[row.of], row.measure, time(row.simulated_s),
                        "no steady state" if row.formula_s is None else time(row.formula_s),
                        "" if row.difference is None else f"{100 * row.difference:+.0f} %",
                    )
                    for row in view.rows
                ],
            ),
            *_simulated_classes(view),
        ]
    )  # fmt: skip


def roofline_text(view: RooflineView) -> str:
    """The roof, then both phases by batch."""
    return "\n".join(
        [
            view.name,
            (f"{view.accelerator}, {view.precision}: {formatted(view.peak_flop_per_s, 'FLOP/s')} (16 bit "
            f"{formatted(view.peak_16_bit_flop_per_s, 'FLOP/s')}), {formatted(view.memory_bandwidth_bytes_per_s, 'B/s')}, ridge at "
            f"{count(view.ridge_intensity)} FLOP/B; {view.layout}"),
            *_prefill_roof(view),
            "",
            *table(
                ("phase", "batch", "FLOP/B", "achieved", "of the roof", "bound by", "time"),
                [
                    (
                        point.phase, counted(point.batch), count(point.arithmetic_intensity),
                        formatted(point.flop_per_s, "FLOP/s"), f"{100 * point.roof_share:.1f} %", point.bound,
                        time(point.time_s),
                    )
                    for point in view.points
                ],
            ),
        ]
    )  # fmt: skip


def _prefill_roof(view: RooflineView) -> list[str]:
    """The roof of prefill, where it is on another kind of SuperNode."""
    roof = view.prefill
    if roof is None:
        return []
    return [
        (
            f"Prefill: {roof.accelerator}, {formatted(roof.peak_flop_per_s, 'FLOP/s')} (16 bit "
            f"{formatted(roof.peak_16_bit_flop_per_s, 'FLOP/s')}), {formatted(roof.memory_bandwidth_bytes_per_s, 'B/s')}, ridge at "
            f"{count(roof.ridge_intensity)} FLOP/B"
        )
    ]


def memory_text(view: MemoryView) -> str:
    """Capacity, then memory by batch."""
    parts = [name for name, value in view.points[-1].parts_bytes.items() if value]
    return "\n".join(
        [
            view.name,
            f"{view.layout}, {view.accelerators_per_instance:,.0f} accelerators of an instance, {view.mode}",
            (f"{counted(view.batch_limit)} sequences fit into {formatted(view.usable_bytes, 'B')} of {formatted(view.fitted_bytes, 'B')}; "
            f"{counted(view.here.batch)} are decoded at once; one more takes {formatted(view.bytes_per_sequence, 'B')} of an accelerator"),
            *_elsewhere(view),
            "",
            *table(
                ("batch", *(name.replace("_", " ") for name in parts), "together", "fits"),
                [
                    (
                        counted(point.batch), *(formatted(point.parts_bytes[name], "B") for name in parts),
                        formatted(point.memory_bytes, "B"), "yes" if point.fits else "no",
                    )
                    for point in view.points
                ],
            ),
        ]
    )  # fmt: skip


def _load(point: LoadPoint) -> str:
    return (
        f"{counted(point.concurrency)} in flight, {count(point.requests_per_s)} requests/s, first token {time(point.ttft_s)}, "
        f"per token {time(point.tpot_s)}"
    )


def _promised(limit: float | None) -> str:
    return "no SLO" if limit is None else time(limit)


def _elsewhere(view: MemoryView) -> list[str]:
    """Lines about the shared prefix, and about sequences that wait in another tier of memory."""
    lines = []
    if view.shared_prefix_bytes:
        lines.append(
            f"the shared prefix takes {formatted(view.shared_prefix_bytes, 'B')} of an accelerator, once"
        )
    if (
        view.offloaded_sequences is not None
        and view.return_s is not None
        and view.saved_by_return_s is not None
    ):
        lines.append(
            f"{counted(view.offloaded_sequences)} sequences of an instance can wait in {view.cache_tier}; the cached part "
            f"of a prompt is back in {time(view.return_s)} and saves {time(view.saved_by_return_s)} of the time to first token"
        )
    if view.sessions is not None:
        lines.append(
            f"{counted(view.sessions.sessions_alive)} sessions are alive on the pod; {100 * view.sessions.prefix_hit_share:.3g} % of the "
            f"input is found in the prefix cache, and {100 * view.sessions.context_hit_share:.3g} % of later turns find their context:"
        )
        lines += table(
            ("tier", "tokens", "kept for", "found there"),
            [
                (one.tier, count(one.held_tokens), time(one.time_s), f"{100 * one.hit_share:.3g} %")
                for one in view.sessions.tiers
            ],
        )
    return lines
