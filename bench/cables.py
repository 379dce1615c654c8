"""How many rows a second the cable schedule is written, and how much memory that takes beside the fabric."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator

from app.catalog.ready import ready_catalog
from app.engine.fabric.cabling.schedule import NetworkCables
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.examples import example
from app.scenarios.load import build_scenario
from app.surfaces.files.cables.formats import CABLE_FORMATS, CableFormat
from app.views.fabric.cables import cables_of
from bench.engine import EXAMPLE
from bench.timing import Measurement, measured

SUPERNODES = 8_192
"""Of eight accelerators, below three tiers."""
RUNS = 5
MEGABYTE = 1e6
AIM_ROWS_PER_S = {"csv": 300_000.0, "xlsx": 100_000.0, "topo": 300_000.0, "dot": 300_000.0}
MOST_MB = {"csv": 16.0, "xlsx": 16.0, "topo": 32.0, "dot": 16.0}


def cable_measurements() -> Iterator[Measurement]:
    """Each format for a large pod: rows a second, and the peak of what writing holds."""
    networks = large_pod()
    links = sum(network.graph.link_count for network in networks)
    for chosen in CABLE_FORMATS:
        rates = [links / seconds(networks, chosen) for _ in range(RUNS)]
        aim = AIM_ROWS_PER_S[chosen.name]
        yield measured(f"cables, {links:,} rows, {chosen.name}", rates, unit="/s", aim=aim, at_least=True)
        held = [peak_mb(networks, chosen)]
        yield measured(f"held while writing, {chosen.name}", held, unit="MB", aim=MOST_MB[chosen.name])


def large_pod() -> tuple[NetworkCables, ...]:
    """The example with more SuperNodes."""
    values = example(EXAMPLE).read().as_dict()
    values["pod"] |= {"supernodes": SUPERNODES}
    values["parallelism"] = "auto"
    evaluated = evaluate_scenario(build_scenario(values), ready_catalog())
    return cables_of(evaluated, ready_catalog())


def seconds(networks: tuple[NetworkCables, ...], chosen: CableFormat) -> float:
    start = time.perf_counter()
    for _ in chosen.write(networks):
        pass
    return time.perf_counter() - start


def peak_mb(networks: tuple[NetworkCables, ...], chosen: CableFormat) -> float:
    tracemalloc.start()
    try:
        seconds(networks, chosen)
        return tracemalloc.get_traced_memory()[1] / MEGABYTE
    finally:
        tracemalloc.stop()
