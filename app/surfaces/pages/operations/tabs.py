"""What each tab of operations shows of its view: figures, a table, and what may be asked."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from app.charts.figure import Figure
from app.charts.format import Shown, share_text, show
from app.charts.operations.goodput import Loss, goodput_waterfall
from app.charts.operations.intervals import Curve, intervals_figure
from app.charts.operations.run import Done, Hit, finish_figure, timeline_figure
from app.charts.operations.size import Fleet, SizePlace, ettr_figure, mtbf_figure
from app.charts.operations.spares import Point, spares_figure
from app.charts.operations.storage import Need, storage_figure
from app.scenarios.sweeping.fields import with_field
from app.surfaces.pages.opened import OpenedDesign
from app.views.operations.calibrate import FIELD, CalibrateAnswer, RateLine
from app.views.operations.checkpoints import CheckpointsAnswer
from app.views.operations.goodput import GoodputAnswer
from app.views.operations.room import (
    CALIBRATE,
    CHECKPOINTS,
    GOODPUT,
    RUN,
    SHARED_PARTS,
    SIZE,
    SPARES,
    STORAGE,
)
from app.views.operations.run import RunAnswer
from app.views.operations.shared_parts import SharedPartsAnswer
from app.views.operations.size import SizeAnswer
from app.views.operations.spares import SparesAnswer
from app.views.operations.storage import StorageFigure, StorageReport
from app.views.view import View


class Cell(NamedTuple):
    """A cell of a table; `path` leads to the explanation of a figure."""

    shown: Shown
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTable:
    """A table with its heading. The first column has words; the others numbers, or words where `words` has them."""

    key: str
    title: str
    basis: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    words: tuple[int, ...] = ()


class Asked(NamedTuple):
    """A field of the form of a tab. `default` is what an empty one means."""

    name: str
    label: str
    unit: str = ""
    default: str = ""
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Contents of a tab."""

    lead: str
    figures: tuple[Figure, ...] = ()
    tables: tuple[PageTable, ...] = ()
    warning: str = ""
    apply: str = ""  # address of the studio with what the tab proposes
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TabPage:
    """A tab: its view, what makes its content, and its form."""

    view: View[Any, Any]
    content: Callable[[Any, OpenedDesign], Content]
    asked: tuple[Asked, ...] = ()
    button: str = ""
    empty: str = ""  # shown in place of the content until the form is filled in
    required: tuple[str, ...] = field(default=())

    @property
    def key(self) -> str:
        return self.view.name


def _cell(value: float, unit: str = "1", path: str = "", missing: str = "unknown") -> Cell:
    return Cell(Shown(missing) if math.isnan(value) else show(value, unit), path)


def _percent(share: float, path: str = "", decimals: int = 1) -> Cell:
    return Cell(Shown("unknown") if math.isnan(share) else Shown(share_text(share, decimals)), path)


def _words(text: str, path: str = "") -> Cell:
    return Cell(Shown(text), path)


def _goodput(answer: GoodputAnswer, opened: OpenedDesign) -> Content:
    steps = [
        Loss(one.label, one.share, one.left, one.accelerator_hours, one.kind, one.known, one.path)
        for one in answer.steps
    ]
    of_time = next(place for place, one in enumerate(answer.steps) if one.kind == "total")
    table = PageTable(
        key="steps",
        title="Every step",
        basis="shares of the scheduled time",
        heads=("Step", "Share", "Left", "Accelerator-hours", "Note"),
        rows=tuple(
            (
                _words(one.label, one.path),
                _percent(one.share, decimals=2) if one.known else _words("unknown"),
                _percent(one.left, decimals=2),
                _cell(one.accelerator_hours),
                _words(one.note),
            )
            for one in answer.steps
        ),
        words=(4,),
    )
    return Content(
        lead=answer.verdict,
        figures=(goodput_waterfall(steps, of_time=of_time),),
        tables=(table,),
        notes=(
            (
                "What becomes of the accelerator-hours of the run: time lost to failures and checkpoints, then what a step does "
                "not turn into useful arithmetic."
            ),
        ),
    )


def _size(answer: SizeAnswer, opened: OpenedDesign) -> Content:
    fleets = [Fleet(one.system, one.accelerators, one.mtbf_s, one.projected) for one in answer.published]

    def places(name: str, unit: str) -> list[SizePlace]:
        return [
            SizePlace(
                one.accelerators,
                getattr(one, f"{name}{unit}"),
                getattr(one, f"{name}_low{unit}"),
                getattr(one, f"{name}_high{unit}"),
                one.is_asked,
            )
            for one in answer.points
        ]

    interval = (
        "a stated rate, without an interval"
        if math.isnan(answer.failures_low)
        else f"{answer.failures_low:.3g} to {answer.failures_high:.3g} in 80 % of fleets"
    )
    asked = next(one for one in answer.points if one.is_asked)
    causes = PageTable(
        key="first",
        title="What breaks first",
        basis=f"interruptions of the job on {asked.accelerators:,.0f} accelerators",
        heads=("Component", "Failures per day", "One every", "Share", "Takes away"),
        rows=tuple(
            (
                _words(one.component.replace("_", " ").capitalize()),
                _cell(one.failures_per_day),
                _cell(one.every_s, "s") if math.isfinite(one.every_s) else _words("none"),
                _percent(one.share, decimals=0),
                _words("processes" if one.takes_away == "process" else "the unit that is replaced"),
            )
            for one in answer.components
        ),
        words=(4,),
    )
    table = PageTable(
        key="published",
        title="Published fleets",
        basis="times between interruptions, all causes",
        heads=("Fleet", "Accelerators", "MTBF", "Kind", "Source"),
        rows=tuple(
            (
                _words(one.system),
                _cell(one.accelerators),
                _cell(one.mtbf_s, "s"),
                _words("projected" if one.projected else "measured"),
                _words(one.source),
            )
            for one in answer.published
        ),
        words=(3, 4),
    )
    return Content(
        lead=answer.verdict,
        figures=(mtbf_figure(places("mtbf", "_s"), fleets), ettr_figure(places("ettr", ""))),
        tables=(causes, table),
        notes=(
            (
                f"{answer.failures_per_node_day:.3g} failures per node-day, {interval}. A job is interrupted as often as the "
                "hosts that it runs on. Racks, feeds and cooling that several hosts share are counted by Shared parts."
            ),
        ),
    )


def _checkpoints(answer: CheckpointsAnswer, opened: OpenedDesign) -> Content:
    curves = [
        Curve(
            curve.label,
            [point.interval_s for point in curve.points],
            [point.lost for point in curve.points],
            next(place for place, point in enumerate(curve.points) if point.is_design),
        )
        for curve in answer.curves
    ]
    two_level = answer.scheme != "blocking"
    rows = [
        (
            "Snapshots in memory, every" if two_level else "Checkpoints, every",
            answer.interval_s,
            "checkpoint_interval_s",
        ),
        ("Copies on shared storage, every", answer.copy_interval_s, "persistent_interval_s"),
        ("Stall per checkpoint", answer.stall_s, "checkpoint_stall_s"),
        ("Time for a copy to drain", answer.drain_s, "checkpoint_drain_s"),
        ("Time for a copy to reach the drives of hosts", answer.node_drain_s, "node_drain_s"),
        ("Validations, every", answer.validation_interval_s, "validation_interval_s"),
        ("Time for a validation", answer.validation_s, "validation_s"),
        ("Restart", answer.restart_s, "restart_s"),
        ("Time between interruptions", answer.mtbf_s, "mtbf_s"),
        ("Interval by Young", answer.young_s, "checkpoint_interval_young_s"),
        ("Interval by Daly", answer.daly_s, "checkpoint_interval_daly_s"),
    ]
    optional = ("node_drain_s", "validation_interval_s", "validation_s")
    rows = [row for row in rows if row[2] not in optional or not math.isnan(row[1])]
    if not two_level:
        rows = [row for row in rows if row[2] not in ("persistent_interval_s", "checkpoint_drain_s")]
    table = PageTable(
        key="intervals",
        title="Times",
        basis=f"a checkpoint is {show(answer.checkpoint_bytes, 'B').text}",
        heads=("Time", "Value"),
        rows=tuple((_words(title, f"reliability.{name}"), _cell(value, "s")) for title, value, name in rows),
    )
    slow = two_level and answer.drain_s > answer.interval_s + answer.stall_s
    return Content(
        lead="A snapshot goes to host memory and stops the job briefly; a copy of it drains to shared storage."
        if two_level
        else "Every checkpoint goes to shared storage while the job stands still.",
        figures=(intervals_figure(curves),),
        tables=(table,),
        warning=(
            f"A copy takes {show(answer.drain_s, 's').text} to drain, longer than the {show(answer.interval_s, 's').text} "
            "between snapshots: not every snapshot is copied."
            if slow
            else ""
        ),
    )


def _run(answer: RunAnswer, opened: OpenedDesign) -> Content:
    finish = finish_figure(
        [Done(one.days, one.probability) for one in answer.finish],
        low=answer.p10_days,
        middle=answer.p50_days,
        high=answer.p90_days,
        deadline=answer.deadline_days,
        deadline_words="deadline" if answer.deadline_stated else "by the formula",
        on_time=answer.on_time,
        formula=answer.elapsed_days if math.isfinite(answer.elapsed_days) else answer.p50_days,
    )
    timeline = timeline_figure(
        [
            Hit(one.day, one.component, one.from_memory, one.lost_s, one.waiting_s, one.restart_s)
            for one in answer.timeline
        ],
        days=answer.timeline_days,
        failures=answer.timeline_failures,
    )
    table = PageTable(
        key="shares",
        title="Where the time goes",
        basis="at the rate of the evaluation, shares of elapsed time",
        heads=("Elapsed time", "Formula", "Simulated"),
        rows=tuple(
            (
                _words(one.label, f"reliability.goodput_breakdown.{one.name}"),
                _percent(one.formula, decimals=2),
                _percent(one.simulated, decimals=2),
            )
            for one in answer.shares
        ),
    )
    of_fleets = (
        "each with the rate of another fleet" if answer.fleets else "all at the rate of the evaluation"
    )
    notes = [
        f"{answer.failures_per_run:,.0f} failures a run on average. Seed {answer.seed} gives the same runs again."
    ]
    if answer.extrapolated_runs:
        notes.append(
            f"{answer.extrapolated_runs:,} runs fail so often that the rest of their time is extrapolated."
        )
    return Content(
        lead=f"{answer.runs:,} runs of {answer.work_days:.1f} days of work, {of_fleets}, simulated failure by failure.",
        figures=(finish, timeline),
        tables=(table,),
        warning=""
        if answer.formula_holds
        else "The formula of the evaluation loses more than a quarter of the time, where it is not checked: take the "
        "simulated figures.",
        notes=tuple(notes),
    )


def _spares(answer: SparesAnswer, opened: OpenedDesign) -> Content:
    figure = spares_figure(
        [
            Point(one.spare_units, one.coverage, one.waiting_s, one.ettr, one.cost_usd, one.is_design)
            for one in answer.points
        ],
        answer.recommended,
        answer.unit,
    )
    components = PageTable(
        key="components",
        title="Failures",
        basis="failures of the whole job",
        heads=(
            "Component",
            "Takes away",
            "Failures per day",
            "Need hardware",
            "Away, mean",
            "Units in repair",
        ),
        rows=tuple(
            (
                _words(one.component.replace("_", " ").capitalize()),
                _words("processes" if one.takes_away == "process" else f"the {answer.unit}"),
                _cell(one.failures_per_day),
                _percent(one.needs_hardware, decimals=0),
                _cell(one.away_days, "days", missing="none"),
                _cell(one.units_in_repair, missing="none"),
            )
            for one in answer.components
        ),
        words=(1,),
    )
    here = answer.here
    facts = (
        (f"{answer.unit.capitalize()}s in use", _cell(answer.units_used)),
        ("Left free by the job", _cell(answer.idle_units)),
        ("In reserve in each scale-up domain", _cell(answer.reserve_units_per_domain, path="reliability.reserve_units_per_domain")),
        ("In repair, mean", _cell(answer.units_in_repair, path="reliability.units_in_repair")),
        ("Spares recommended", _cell(answer.recommended, path="reliability.spare_units_recommended")),
        ("Spares of this design", _cell(here.spare_units, path="reliability.spare_units")),
        ("Spares in SuperNodes", _cell(answer.spare_supernodes, path="reliability.spare_supernodes")),
        ("Enough", _percent(here.coverage, "reliability.spare_coverage")),
        ("Their price", _cell(here.cost_usd, "USD", missing="not published")),
        ("Wait after an interruption, without spares", _cell(answer.waiting_without_s, "s")),
        ("Wait in this design", _cell(round(here.waiting_s, 3), "s", "reliability.waiting_s")),
    )  # fmt: skip
    table = PageTable(
        key="unit",
        title=f"Spare {answer.unit}s",
        basis=f"{show(answer.unit_accelerators).text} accelerators per unit",
        heads=("Spares", "Value"),
        rows=tuple((Cell(Shown(title), value.path), Cell(value.shown)) for title, value in facts),
    )
    return Content(
        lead=f"The replacement unit is a {answer.unit}; its spare {answer.place}.",
        figures=(figure,),
        tables=(table, components),
    )


def _shared_parts(answer: SharedPartsAnswer, opened: OpenedDesign) -> Content:
    parts = PageTable(
        key="parts",
        title="Shared parts",
        basis="with the redundancy of each; time lost has restarts and work done again",
        heads=("Part", "Parts", "Failures per year", "Out, mean", "Lost share of the pod", "Job", "Lost throughput", "Time lost"),
        rows=tuple(
            (
                _words(one.label), _cell(one.count), _cell(one.failures_per_year), _cell(one.out_s, "s"),
                _percent(one.taken_share), _words(one.effect), _percent(one.lost_share), _percent(one.lost, decimals=3),
            )
            for one in answer.parts
        ),
        words=(5,),
    )  # fmt: skip
    useful = PageTable(
        key="useful",
        title="Useful time",
        basis="effective training time ratio",
        heads=("ETTR", "Formula", "Simulated"),
        rows=(
            (
                _words("Failures of hosts alone"),
                _percent(answer.ettr_without, decimals=2),
                _percent(answer.simulated_without, decimals=2),
            ),
            (
                _words("With shared parts"),
                _percent(answer.ettr, decimals=2),
                _percent(answer.simulated, decimals=2),
            ),
        ),
    )
    note = (
        f"{answer.copies:,.0f} copies of the model go on without each other, {answer.runs:,} runs are simulated. With one "
        "plane its loss stops the job; with more, exposed exchange takes longer until it is back."
    )
    worst = max(answer.parts, key=lambda one: one.lost)
    return Content(
        lead=f"Shared parts take {share_text(answer.ettr_without - answer.ettr, 2)} of the time, most of it by "
        f"{worst.label[0].lower()}{worst.label[1:]}.",
        tables=(parts, useful),
        notes=(note,),
    )


def _storage(answer: StorageReport, opened: OpenedDesign) -> Content:
    def figures(key: str, title: str, basis: str, lines: Sequence[StorageFigure]) -> PageTable:
        return PageTable(
            key=key,
            title=title,
            basis=basis,
            heads=(title, "Value", "Basis"),
            rows=tuple(
                (_words(one.title, one.path), _cell(one.value, one.unit), _words(one.said)) for one in lines
            ),
            words=(2,),
        )

    tiers = PageTable(
        key="tiers",
        title="Tiers",
        basis="what is bought, and what each is sized by",
        heads=(
            "Tier", "Capacity", "Rated write", "Rated read", "Power", "Racks", "Price", "By TB", "By GB/s of writes",
            "Sized by", "Self-built of",
        ),
        rows=tuple(
            (
                _words(one.title), _cell(one.capacity_bytes, "B"),
                _cell(one.write_rated_bytes_per_s, "B/s", missing="not counted"),
                _cell(one.read_rated_bytes_per_s, "B/s", missing="not counted"), _cell(one.power_w, "W"),
                _cell(one.racks), _cell(one.price_usd, "USD"), _cell(one.price_usd_per_tb, "USD"),
                _cell(one.price_usd_per_gb_s, "USD", missing="not counted"), _words(one.sized_by),
                _words(f"{one.units:,.0f} x {one.product}"),
            )
            for one in answer.tiers
        ),
        words=(9, 10),
    )  # fmt: skip
    sizes = PageTable(
        key="sizes",
        title="Checkpoint by optimiser and precision",
        basis="the parameters of this model",
        heads=("State kept", "Bytes per parameter", "Checkpoint", "Parts"),
        rows=tuple(
            (
                _words(one.title),
                _cell(one.bytes_per_parameter),
                _cell(one.checkpoint_bytes, "B"),
                _words(one.said),
            )
            for one in answer.checkpoints
        ),
        words=(3,),
    )
    supply = {one.key: one for one in answer.supply}
    racks, share = supply["racks"].value, answer.share_of_capex
    return Content(
        lead=f"{show(supply['capacity'].value, 'B').text} in {show(racks).text} rack{'' if racks == 1 else 's'}, "
        f"{'an unknown share' if math.isnan(share) else share_text(share, 1)} of the capital.",
        figures=(
            storage_figure([Need(one.title, one.capacity_bytes, one.binds) for one in answer.flash_needs]),
        )
        if answer.flash_needs
        else (),
        tables=(
            figures("demand", "Demand", "what this design asks of its storage", answer.demand),
            figures("supply", "Supply", "what is bought for it", answer.supply),
            tiers,
            figures(
                "meta", "Published", "storage of Llama 3 by the accelerators of this pod", answer.published
            ),
            *((sizes,) if answer.checkpoints else ()),
        ),
        notes=answer.notes,
    )


def _calibrate(answer: CalibrateAnswer, opened: OpenedDesign) -> Content:
    def row(title: str, line: RateLine) -> tuple[Cell, ...]:
        def between(low: float, high: float, unit: str) -> Cell:
            if math.isnan(low):
                return _words("none")
            if unit == "%":
                return _words(f"{share_text(low, 1)} to {share_text(high, 1)}")
            return _words(f"{show(low, unit).text} to {show(high, unit).text}")

        return (
            _words(title),
            _cell(line.failures_per_node_day),
            between(line.failures_low, line.failures_high, "1"),
            _cell(line.mtbf_s, "s"),
            between(line.mtbf_low_s, line.mtbf_high_s, "s"),
            _percent(line.ettr),
            between(line.ettr_low, line.ettr_high, "%"),
        )

    table = PageTable(
        key="rates",
        title="Rate of failures",
        basis="intervals that 80 % lie in",
        heads=("Rate of", "Per node-day", "P10 to P90", "MTBF", "P10 to P90", "ETTR", "P10 to P90"),
        rows=(row("Published fleets", answer.before), row("This fleet", answer.after)),
    )
    values = with_field(
        dict(opened.carried.values), FIELD, {"count": answer.count, "node_days": answer.node_days}
    )
    return Content(
        lead=f"{answer.count:,} interruptions in {answer.node_days:,.0f} node-days make the interval "
        f"{share_text(answer.narrower)} as wide as that of published fleets.",
        tables=(table,),
        apply=opened.carried.studio_with(values),
    )


YES_NO = (("true", "Spread of fleets"), ("false", "That of the evaluation"))
TABS: Sequence[TabPage] = (
    TabPage(view=GOODPUT, content=_goodput),
    TabPage(
        view=SIZE,
        content=_size,
        asked=(Asked("accelerators", "Accelerators", default="those of the design"),),
        button="Look at this size",
    ),
    TabPage(view=CHECKPOINTS, content=_checkpoints),
    TabPage(
        view=RUN,
        content=_run,
        asked=(
            Asked("deadline_days", "Wanted by day", "days"),
            Asked("runs", "Runs", default="1000"),
            Asked("seed", "Seed", default="1"),
            Asked("fleets", "Rate of failures", choices=YES_NO),
        ),
        button="Simulate",
    ),
    TabPage(view=SPARES, content=_spares),
    TabPage(view=SHARED_PARTS, content=_shared_parts),
    TabPage(view=STORAGE, content=_storage),
    TabPage(
        view=CALIBRATE,
        content=_calibrate,
        asked=(Asked("count", "Interruptions"), Asked("node_days", "Node-days")),
        button="Calibrate",
        required=("count", "node_days"),
        empty="Count the interruptions of your jobs, of all causes, over hosts of eight accelerators times days. They narrow "
        "the rate of failures, which is that of published fleets otherwise.",
    ),
)
