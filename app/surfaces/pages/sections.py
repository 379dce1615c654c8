"""The sections of a design page: which figures and tables each holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from app.charts import FIGURES
from app.charts.figure import Figure, get_path
from app.charts.format import Shown, number, show
from app.charts.key_figures import key_figures
from app.charts.workload_kind import is_generic, is_serving
from app.engine.quantities import label_at
from app.surfaces.pages.intervals import shown_interval
from app.surfaces.pages.labels import Fact, fact

ATTENTION_REPLICAS = "Attention replicas"
"""What data parallelism is of a served model."""
KIND_OF_SUPERNODE = ("decode_on", "prefill_on")
"""Entries of a layout that are the place of a kind of SuperNode."""


class Table(NamedTuple):
    title: str
    rows: tuple[Fact, ...]


class Drawn:
    """The figures of an evaluation, each drawn when it is first asked for."""

    def __init__(self, evaluation: dict[str, Any]) -> None:
        self._evaluation = evaluation
        self._known: dict[str, Figure] = {}

    def __getitem__(self, name: str) -> Figure:
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = FIGURES[name](self._evaluation)
        return found


class Section(NamedTuple):
    """A section, whose figures and tables are made on first use: a page shows few sections at a time.

    Parameters
    ----------
    placed : width class and name of each figure
    tabled : width class, title and rows of each table
    """

    id: str
    title: str
    basis: str
    drawn: Drawn
    placed: tuple[tuple[str, str], ...]
    tabled: tuple[tuple[str, str, Callable[[], tuple[Fact, ...]]], ...] = ()

    @property
    def figures(self) -> tuple[tuple[str, Figure], ...]:
        """Width class and figure."""
        return tuple((span, self.drawn[name]) for span, name in self.placed)

    @property
    def tables(self) -> tuple[tuple[str, Table], ...]:
        """Width class and table."""
        return tuple((span, Table(title, rows())) for span, title, rows in self.tabled)


def sections(evaluation: dict[str, Any]) -> tuple[Section, ...]:
    """Performance, fabric, power and cooling, cost, reliability."""
    drawn = Drawn(evaluation)
    generic = is_generic(evaluation)
    step_tokens = _product(
        get_path(evaluation, "inputs.workload.global_batch_sequences"),
        get_path(evaluation, "inputs.workload.sequence_length"),
    )
    basis = f"one optimiser step, {show(step_tokens, 'tokens').text}" if step_tokens else "one optimiser step"
    serving = is_serving(evaluation)
    if generic:
        basis = _generic_basis(evaluation)
    if serving:
        basis = _serving_basis(evaluation)

    def facts(*rooms: str) -> Callable[[], tuple[Fact, ...]]:
        return lambda: _facts(evaluation, *rooms)

    return (
        Section(
            "performance", "Performance", basis, drawn,
            (("whole", "step_time"), ("half", "bandwidth"), ("half", "memory")),
            (("half", "Speed", facts("performance")),
             ("half", "Placement" if generic else "Parallel layout", lambda: _strategy(evaluation))),
        ),
        Section("fabric", "Fabric", _fabric_basis(evaluation), drawn, (("whole", "topology"),),
                (("half", "Fabric", facts("fabric")),)),
        Section(
            "power", "Power and cooling", "mean over a typical year unless it says peak", drawn,
            (("whole", "power_flow"), ("wide", "pue_hours")),
            (("narrow", "Power and cooling", facts("power", "cooling")),),
        ),
        Section("cost", "Cost", _cost_basis(evaluation), drawn, (("half", "tco"), ("half", "own_or_rent")),
                (("half", "Cost", facts("cost")),)),
        Section(
            "reliability", "Reliability and carbon", "replicas and their tokens" if serving else "one run", drawn,
            () if serving else (("whole", "goodput"),),
            (("half", "Reliability", facts("reliability")), ("half", "Carbon", facts("carbon"))),
        ),
    )  # fmt: skip


def _facts(evaluation: dict[str, Any], *rooms: str) -> tuple[Fact, ...]:
    """The key figures of some rooms."""
    return tuple(_fact(evaluation, path) for path in key_figures(evaluation, *rooms))


def _fact(evaluation: dict[str, Any], path: str) -> Fact:
    interval = shown_interval(evaluation, path)
    found = fact(evaluation, path)
    return found._replace(between=interval.ends, meaning=interval.meaning) if interval else found


def _strategy(evaluation: dict[str, Any]) -> tuple[Fact, ...]:
    strategy = get_path(evaluation, "performance.strategy") or {}
    serving = is_serving(evaluation)
    kinds = [kind["name"] for kind in get_path(evaluation, "inputs.pod.kinds") or []]

    def line(name: str, value: float) -> Fact:
        path = f"performance.strategy.{name}"
        label = ATTENTION_REPLICAS if serving and name == "dp" else label_at(path)
        decodes = f"prefill_{name}" in strategy and name not in KIND_OF_SUPERNODE
        found = fact(evaluation, path, f"{label}, decode" if decodes else label)
        named = name in KIND_OF_SUPERNODE and kinds
        return found._replace(shown=Shown(kinds[int(value)])) if named else found

    return tuple(line(name, value) for name, value in strategy.items() if isinstance(value, int | float))


def _fabric_basis(evaluation: dict[str, Any]) -> str:
    tiers = get_path(evaluation, "fabric.tiers") or []
    switches, cables = (
        get_path(evaluation, "fabric.switches_total"),
        get_path(evaluation, "fabric.cables_total"),
    )
    if not tiers:
        return "one SuperNode, no scale-out fabric"
    words = {1: "one tier", 2: "two tiers", 3: "three tiers"}
    counts = [words.get(len(tiers), f"{len(tiers)} tiers")]
    if switches is not None:
        counts.append(f"{number(switches)} switches")
    if cables is not None:
        counts.append(f"{number(cables)} cables")
    return ", ".join(counts)


def _cost_basis(evaluation: dict[str, Any]) -> str:
    years = get_path(evaluation, "inputs.economics.life_years")
    wacc = get_path(evaluation, "inputs.economics.wacc")
    use = get_path(evaluation, "inputs.economics.utilisation")
    words = [f"{number(years)} years"] if years else []
    words += [f"{100 * wacc:.3g}\u202f% WACC"] if wacc is not None else []
    words += [f"{100 * use:.3g}\u202f% utilisation"] if use is not None else []
    return ", ".join(words) or "bought and run over its life"


def _generic_basis(evaluation: dict[str, Any]) -> str:
    """What a step does, and that nothing measured stands behind its speed."""
    steps = show(get_path(evaluation, "inputs.workload.steps"), "1").text
    return f"one of {steps} steps; no measured runs of generic jobs, so no interval is given"


def _serving_basis(evaluation: dict[str, Any]) -> str:
    """What a request is, and the requests in flight."""
    asked, answered = (get_path(evaluation, f"inputs.workload.{name}_tokens") for name in ("input", "output"))
    flight = get_path(evaluation, "performance.concurrency")
    words = f"requests of {number(asked)} tokens in and {number(answered)} out"
    return words if flight is None else f"{words}, {number(round(flight, 1))} in flight"


def _product(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one * other
