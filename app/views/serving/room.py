"""Serving views."""

from __future__ import annotations

from functools import partial
from typing import Any

from app.views.serving.edge import EdgeOptions, EdgeView, edge_view
from app.views.serving.latency import LatencyView, latency_view
from app.views.serving.loads_text import latency_text, memory_text, roofline_text, simulated_text
from app.views.serving.memory import MemoryView, memory_view
from app.views.serving.needs_text import FORMATS, edge_text, sizing_text, token_cost_text
from app.views.serving.roofline import RooflineView, roofline_view
from app.views.serving.simulated import SimulatedView, SimulationOptions, simulated_view
from app.views.serving.sizing import SizingView, sizing_view
from app.views.serving.token_cost import TokenCostOptions, TokenCostView, token_cost_view
from app.views.view import ALL, ExampleDesign, File, Flag, NoOptions, View, text_of_file

SERVED = ExampleDesign(of="deepseek_r1_on_8_h200", title="A served model")
FILES = (File(format=FORMATS["csv"], help="Print CSV instead of text.", is_printed=True),)
trace_of_file = partial(text_of_file, flag="--trace", hint="Name a file of text: CSV, or lines of JSON.")


LATENCY = View[NoOptions, LatencyView](
    room="serving",
    name="latency",
    operation="show_latency",
    summary="Show latency vs load",
    description=(
        "Time to first token and time per output token of the pod against requests in flight, as means and as "
        "the SLO percentile. `here` is the scenario's own load, `knee` where "
        "throughput over response time is greatest, `at_most` the most that meets the SLO, null where "
        "no load does; `breaks` says what ends it: `ttft`, `tpot`, `prefill` where prompts come as fast as they "
        "can be prefilled, `memory`, or `none` where not even one request keeps it. `token_times` is a token's "
        "time by part against the batch of an instance, `guess_lengths` what each number of tokens guessed "
        "ahead gains at the scenario's load. A scenario that serves no model is refused."
    ),
    help="Time to first token and time per token vs load: the knee, the most that meets the SLO.",
    schema="ServingLatency",
    asks="A scenario that serves a model.",
    answers="Loads, the knee, and the most that meets the SLO.",
    options=NoOptions,
    example_design=SERVED,
    answer=lambda scenario, given, options: latency_view(scenario),
    report_type=LatencyView,
    text=latency_text,
    files=FILES,
    unknown=ALL,
)

SIMULATION = View[SimulationOptions, SimulatedView](
    room="serving",
    name="simulation",
    command="simulate",
    operation="simulate_requests",
    summary="Simulate requests one by one",
    description=(
        "Requests of some minutes through one replica: random or bursty arrivals, prompts in passes with a "
        "token budget, answers among them. `rows` are mean and percentiles, simulated and by the formulas; "
        "`within_promise` is the share of the requests that meet the SLO. A time with more than "
        "60,000 requests is cut, and `cut_from_minutes` says what was asked."
    ),
    help="Simulate requests one by one: latencies beside the formulas, and the share within the service level.",
    schema="ServingSimulation",
    asks="A scenario that serves a model.",
    answers="Latencies of the simulated requests beside the formulas.",
    options=SimulationOptions,
    example={"minutes": 10, "seed": 1},
    example_design=SERVED,
    answer=lambda scenario, given, options: simulated_view(scenario, options),
    report_type=SimulatedView,
    text=simulated_text,
    files=FILES,
    unknown=ALL,
    flags={
        "minutes": Flag(metavar="N", help="Duration of arrivals."),
        "requests_per_s": Flag(metavar="N", help="Requests of the pod; the design's load without it."),
        "arrival_variation": Flag(
            metavar="N", help="Spread of times between requests: 1 random, more in bursts."
        ),
        "trace": Flag(
            metavar="FILE",
            help="A measured trace in place of drawn requests: CSV, Azure or Mooncake.",
            read=trace_of_file,
        ),
        "seed": Flag(metavar="N", help="Seed of the requests."),
    },
)

ROOFLINE = View[NoOptions, RooflineView](
    room="serving",
    name="roofline",
    operation="show_roofline",
    summary="Roofline of prefill and decode",
    description=(
        "Arithmetic intensity and FLOP/s of one accelerator for decode, by sequences of an instance, and for "
        "prefill, by prompts that share a pass; `attainable_flop_per_s` is what the memory bandwidth of the "
        "data sheet and the dense peak allow there."
    ),
    help="Prefill and decode on the roofline of the accelerator, at several batches.",
    schema="ServingRoofline",
    asks="A scenario that serves a model.",
    answers="The roof, and points of both phases.",
    options=NoOptions,
    example_design=SERVED,
    answer=lambda scenario, given, options: roofline_view(scenario),
    report_type=RooflineView,
    text=roofline_text,
    files=FILES,
    unknown=ALL,
)

MEMORY = View[NoOptions, MemoryView](
    room="serving",
    name="memory",
    operation="show_memory",
    summary="Show memory vs batch",
    description=(
        "Memory of an accelerator of a decode instance by part, against the sequences that the instance holds, "
        "up to more than fit. `batch_limit` sequences fit into `usable_bytes`, what the engine takes of the "
        "memory that is fitted."
    ),
    help="Memory of an accelerator by part against batch, and how many sequences fit.",
    schema="ServingMemory",
    asks="A scenario that serves a model.",
    answers="Parts by batch, and what fits.",
    options=NoOptions,
    example_design=SERVED,
    answer=lambda scenario, given, options: memory_view(scenario),
    report_type=MemoryView,
    text=memory_text,
    files=FILES,
    unknown=ALL,
)

SIZING = View[NoOptions, SizingView](
    room="serving",
    name="sizing",
    operation="size_pod",
    summary="Size a pod for a demand",
    description=(
        "From `workload.demand` and `workload.service_level` to replicas, accelerators and SuperNodes, with "
        "growth, the busiest hour, and spares for failures; `rows` spells every step out. `split` is the ratio "
        "of prefill to decode instances that keeps both busy, `binds` what ends the load of a replica (ttft, "
        "tpot, memory, prefill or none), `relaxed` what it would answer if one thing were otherwise; "
        "`demand_hours` the hours of a demand that states them, and what instances that follow it save. Without "
        "a demand what is needed is null."
    ),
    help=(
        "From the demand and the SLO to replicas, accelerators and SuperNodes; what binds, what would "
        "relax it."
    ),
    schema="ServingSizing",
    asks="A scenario that serves a model.",
    answers="Steps from the demand to SuperNodes.",
    options=NoOptions,
    example_design=SERVED,
    answer=lambda scenario, given, options: sizing_view(scenario),
    report_type=SizingView,
    text=sizing_text,
    files=FILES,
    unknown=ALL,
)

COST = View[TokenCostOptions, TokenCostView](
    room="serving",
    name="cost",
    operation="compare_token_cost",
    summary="Compare the cost of tokens",
    description=(
        "A million tokens in and out, owned and rented: the current scenario, then the same demand on its "
        "own SuperNode and on `systems`, in each of `formats`, each sized to the demand and with the best of a "
        "modest set of layouts. Unpublished values are null, and named in `unknown` with the field that "
        "states it; `refused` rows could not be tried, and say why in `reason`."
    ),
    help="Cost per million input and output tokens: the same demand on other systems and in other formats.",
    schema="ServingTokenCost",
    asks="A scenario that serves a model, and what it is compared over.",
    answers="A row a system and format, the current scenario first.",
    options=TokenCostOptions,
    example={"systems": ["dgx_b200"], "formats": ["fp8"]},
    example_design=SERVED,
    answer=lambda scenario, given, options: token_cost_view(
        scenario, given.catalog, options, given.evaluated
    ),
    report_type=TokenCostView,
    text=token_cost_text,
    files=FILES,
    unknown=ALL,
    flags={
        "systems": Flag(
            name="--system", metavar="KEY", help="A system of the catalog; give it once for each."
        ),
        "formats": Flag(
            name="--format", metavar="FORMAT", help="A number format, such as fp8; give it once for each."
        ),
    },
)

EDGE = View[EdgeOptions, EdgeView](
    room="serving",
    name="edge",
    operation="compare_edge",
    summary="Compare edge and cloud",
    description=(
        "From the question to the first token for every region of the demand, from the pod and from an edge "
        "site: the network there and back, the queue, the prefill, and the rest, against the budget of the "
        "place. `distances` is what light in fibre leaves of `budget_s`."
    ),
    help="Compare edge and cloud: network, queue and prefill of every region against its latency budget.",
    schema="ServingEdge",
    asks="A scenario that serves a model, and an edge site.",
    answers="Places with their latency budgets, and both sites.",
    options=EdgeOptions,
    example={"edge_distance_km": 50, "latency_budget_s": 0.02},
    example_design=SERVED,
    answer=lambda scenario, given, options: edge_view(scenario, given.catalog, options, given.evaluated),
    report_type=EdgeView,
    text=edge_text,
    files=FILES,
    unknown=ALL,
    flags={
        "edge_system": Flag(metavar="KEY", help="System at the edge; the design's own without it."),
        "edge_supernodes": Flag(metavar="N", help="SuperNodes at the edge."),
        "edge_share": Flag(metavar="SHARE", help="Share of the requests answered there."),
        "edge_distance_km": Flag(name="--edge-distance", metavar="KM", help="Fibre between users and edge."),
        "edge_round_trip_s": Flag(
            name="--edge-round-trip", metavar="SECONDS", help="Round trip to the edge; light without it."
        ),
        "cloud_distance_km": Flag(
            name="--cloud-distance",
            metavar="KM",
            help="Fibre to the pod, where no regions are stated.",
        ),
        "latency_budget_s": Flag(
            name="--budget",
            metavar="SECONDS",
            help="Latency budget to the first token, for regions without one.",
        ),
    },
)

VIEWS: tuple[View[Any, Any], ...] = (LATENCY, SIMULATION, ROOFLINE, MEMORY, SIZING, COST, EDGE)
