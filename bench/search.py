"""How quick the search of layouts is: GPT-3 175B on 4,096 A100, the case that others publish."""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Iterator

import numpy as np

from app.engine.design import evaluate
from app.engine.explore.domain_sizes import domain_sizes
from app.engine.explore.layout_search import search_layouts
from app.engine.performance.schedules import ONE_F_ONE_B, ZB_H1
from app.engine.performance.section import forget_searches
from app.engine.performance.space import USUAL, WHOLE, Space
from app.engine.specs import Design
from bench.timing import Measurement, measured, timed

RUNS = 5
SUPERNODES, SEQUENCES = 512, 4096
SIZES = (1, 128, 125_000)
EVERY_CHOICE = Space(only={"schedule": (ONE_F_ONE_B, ZB_H1), "offload": (0.0, 1.0, 2.0, 3.0)})
"""With ZB-H1 and offload to the host, which are looked at only when asked for."""


def search_measurements(gpt_3: Design) -> Iterator[Measurement]:
    """`gpt_3` on DGX A100, of any number."""
    megatron = sized(gpt_3, SUPERNODES, SEQUENCES)
    # The published case is of every layout, whatever framework runs it.
    any_framework = dataclasses.replace(megatron, framework=None)
    for name, space, design in (
        ("whole space", WHOLE, any_framework),
        ("offload too", EVERY_CHOICE, any_framework),
        ("of Megatron-LM", WHOLE, megatron),
    ):
        times, counts = [], (0, 0)
        for _ in range(RUNS):
            start = time.perf_counter()
            found = search_layouts(design, space)
            found.best(10)
            times.append(time.perf_counter() - start)
            counts = (found.strategies, found.feasible_strategies)
        yield measured(f"search of {counts[0]:,} layouts, {name}", times, unit="s", aim=2)
        rates = (("strategies", counts[0]), ("feasible strategies", counts[1]))
        for word, count in rates if design is any_framework else ():
            yield measured(
                f"  {word} a second", [count / one / 1e6 for one in times], unit="M", aim=1, at_least=True
            )
    for supernodes in SIZES:
        searched = dataclasses.replace(sized(gpt_3, supernodes, max(supernodes * 2, 512)), layout=None)
        accelerators = int(searched.pod.accelerators_used[0])
        name = f"evaluation with auto, {accelerators:,}"
        yield timed(name, functools.partial(_searched_anew, searched), runs=7, unit="ms", aim=150)
    yield timed("what the SuperNode buys", lambda: domain_sizes(megatron, USUAL), runs=3, unit="s", aim=1)


def _searched_anew(design: Design) -> None:
    forget_searches()
    evaluate(design)


def sized(design: Design, supernodes: int, sequences: int) -> Design:
    count = np.full(1, float(supernodes))
    return dataclasses.replace(
        design,
        pod=dataclasses.replace(
            design.pod, supernodes=count, accelerators_used=count * design.supernode.accelerators
        ),
        workload=dataclasses.replace(design.training, global_batch_sequences=np.full(1, float(sequences))),
    )
