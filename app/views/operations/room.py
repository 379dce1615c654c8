"""Operations views."""

from __future__ import annotations

from typing import Any

from app.views.operations import calibrate, checkpoints, goodput, run, shared_parts, size, spares, storage
from app.views.operations.calibrate import CalibrateAnswer, CalibrateOptions
from app.views.operations.checkpoints import CheckpointsAnswer
from app.views.operations.goodput import GoodputAnswer
from app.views.operations.of_run import TableFormat
from app.views.operations.run import RunAnswer, RunOptions
from app.views.operations.shared_parts import SharedPartsAnswer
from app.views.operations.size import SizeAnswer, SizeOptions
from app.views.operations.spares import SparesAnswer
from app.views.operations.storage import StorageReport
from app.views.view import ALL, ExampleDesign, Flag, View

SIZE = View[SizeOptions, SizeAnswer](
    room="operations",
    name="size",
    operation="show_failures_by_size",
    summary="Compute MTBF and ETTR vs size",
    description=(
        "Time between interruptions and effective training time ratio of the same job on 1 to more of the same SuperNodes, "
        "data-parallel copies added or taken away, each with the interval of the rate of failures and the spares that are "
        "recommended at its middle; what interrupts it at the size asked for, most often first; and published times between "
        "interruptions."
    ),
    help="What breaks first, MTBF and ETTR of a design against its size, with published fleets.",
    schema="FailuresBySize",
    asks="A scenario, the size that is looked at, and the format of the answer.",
    answers="What breaks first, a point a size, and published fleets.",
    options=SizeOptions,
    example={"accelerators": 100_000},
    answer=lambda scenario, given, options: size.size_answer(scenario, options),
    report_type=SizeAnswer,
    text=size.size_text,
    files=size.FILES,
    names={"SizePoint": "FailureSizePoint", "SizeComponent": "FailureSizeComponent"},
    unknown=ALL,
    flags={"accelerators": Flag(metavar="N", help="Accelerators that are looked at.")},
    without_flag=("format",),
)

CHECKPOINTS = View[TableFormat, CheckpointsAnswer](
    room="operations",
    name="checkpoints",
    operation="show_checkpoint_intervals",
    summary="Compute lost time vs checkpoint interval",
    description=(
        "Share of elapsed time that is lost against the interval of snapshots in memory, with copies that follow as fast as "
        "they drain, and against the interval of copies on shared storage; of blocking checkpoints one curve."
    ),
    help="Time lost against the interval of snapshots and of copies.",
    schema="CheckpointIntervals",
    asks="A scenario, and the format of the answer.",
    answers="Both intervals, and a curve of each.",
    options=TableFormat,
    answer=lambda scenario, given, options: checkpoints.checkpoints_answer(scenario),
    report_type=CheckpointsAnswer,
    text=checkpoints.checkpoints_text,
    files=checkpoints.FILES,
    unknown=ALL,
    without_flag=("format",),
)

GOODPUT = View[TableFormat, GoodputAnswer](
    room="operations",
    name="goodput",
    operation="show_goodput",
    summary="Compute goodput from scheduled hours to useful FLOP",
    description=(
        "Scheduled accelerator-hours less waiting for spares, restarts, work done again and checkpoint stalls, which leaves "
        "ETTR; less stragglers, exposed exchange, bubble, recomputation, launches and kernels below peak, which leaves ETTR "
        "times MFU. Power of the site and the queue are not in the evaluation: they are listed with a share of 0 and `known` "
        "false."
    ),
    help="Goodput of a design, from scheduled hours to useful FLOP.",
    schema="Goodput",
    asks="A scenario, and the format of the answer.",
    answers="Every step with its share and what is left.",
    options=TableFormat,
    answer=lambda scenario, given, options: goodput.goodput_answer(scenario),
    report_type=GoodputAnswer,
    text=goodput.goodput_text,
    files=goodput.FILES,
    unknown=ALL,
    without_flag=("format",),
)

RUN = View[RunOptions, RunAnswer](
    room="operations",
    name="run",
    operation="simulate_run",
    summary="Simulate a training run",
    description=(
        "Runs failure by failure: component, what it takes away, reset or repair, spares, trays in reserve, snapshots, copies "
        "and their drain, detection, restarts. Elapsed time over many runs, the probability of a date, shares beside those of "
        "the formula, and one run in full (its first 2,000 failures). With `fleets` each run has a rate of failures from the "
        "spread of fleets; the shares are those at the rate of the evaluation. About three million failures are simulated at "
        "most: `runs` says how many runs that were."
    ),
    help="Simulate training runs: elapsed time, probability of a date, and one run failure by failure.",
    schema="SimulatedRun",
    asks="A scenario, how many runs, and by when they are wanted.",
    answers="Elapsed time as a distribution, shares, and the failures of one run.",
    options=RunOptions,
    example={"runs": 100, "seed": 1, "deadline_days": 40},
    example_design=ExampleDesign(of="gpt_3_175b_on_128_dgx_a100", title="A run of a month"),
    answer=lambda scenario, given, options: run.run_answer(scenario, options),
    report_type=RunAnswer,
    text=run.run_text,
    files=run.FILES,
    unknown=ALL,
    flags={
        "deadline_days": Flag(name="--deadline", metavar="DAYS", help="Days by which the run is to be done."),
        "fleets": Flag(
            name="--fleets/--no-fleets", help="Give each run a rate of failures from the spread of fleets."
        ),
    },
    without_flag=("format",),
)

SPARES = View[TableFormat, SparesAnswer](
    room="operations",
    name="spares",
    operation="show_spares",
    summary="Compute spares by unit",
    description=(
        "Failures by component with what each takes away and for how long; the unit that is replaced as a whole, a host, a "
        "tray or a cube; how many spares are recommended, what they cost, and what a run waits with none and with more."
    ),
    help="Spares of a design by unit: failures, how many are recommended, what they cost and save.",
    schema="SpareUnits",
    asks="A scenario, and the format of the answer.",
    answers="Components, the unit, and a point a number of spares.",
    options=TableFormat,
    answer=lambda scenario, given, options: spares.spares_answer(scenario),
    report_type=SparesAnswer,
    text=spares.spares_text,
    files=spares.FILES,
    unknown=ALL,
    without_flag=("format",),
)

CALIBRATE = View[CalibrateOptions, CalibrateAnswer](
    room="operations",
    name="calibrate",
    operation="calibrate_failures",
    summary="Calibrate the rate of failures",
    description=(
        "Rate of failures of a fleet that has counted its own interruptions: a gamma posterior, whose prior has the spread of "
        "published fleets. MTBF and ETTR with their intervals before and after. A scenario states the same in "
        "`operations.interruptions`."
    ),
    help="Calibrate the rate of failures on own interruptions.",
    schema="FailureCalibration",
    asks="A scenario, and interruptions over node-days.",
    answers="The rate with its interval, MTBF and ETTR, before and after.",
    options=CalibrateOptions,
    example={"count": 12, "node_days": 2000},
    answer=lambda scenario, given, options: calibrate.calibrate_answer(scenario, given.catalog, options),
    report_type=CalibrateAnswer,
    text=calibrate.calibrate_text,
    unknown=ALL,
    flags={
        "count": Flag(metavar="N", help="Interruptions of all causes."),
        "node_days": Flag(metavar="N", help="Hosts of eight accelerators times days."),
    },
)

SHARED_PARTS = View[TableFormat, SharedPartsAnswer](
    room="operations",
    name="shared_parts",
    command="shared",
    operation="show_shared_parts",
    summary="Compute losses by racks, feeds, cooling and planes",
    description=(
        "Failures of what many units share: racks, feeds, transformers, UPS, switchboards, cooling, CDUs and planes of the "
        "scale-out fabric, each with its redundancy; what one takes away, how long, whether the job stops or slows, and the "
        "time that is lost. ETTR with and without them, in closed form and simulated. They are beside ETTR of the evaluation."
    ),
    help="Losses of a design by racks, feeds, cooling and planes of the fabric.",
    schema="SharedParts",
    asks="A scenario, and the format of the answer.",
    answers="A line a kind of part, and ETTR with and without them.",
    options=TableFormat,
    answer=lambda scenario, given, options: shared_parts.shared_parts_answer(scenario),
    report_type=SharedPartsAnswer,
    text=shared_parts.shared_parts_text,
    files=shared_parts.FILES,
    unknown=ALL,
    without_flag=("format",),
)

STORAGE = View[TableFormat, StorageReport](
    room="operations",
    name="storage",
    operation="size_storage",
    summary="Size the storage",
    description=(
        "What the design asks of its storage (checkpoints, bandwidth, metadata, what is held beside the run), the "
        "flash and disk tiers that are sized to it, each with power, racks, price by TB and by GB/s and what it is sized by, "
        "ports and the links of the storage network, checkpoint sizes by optimiser and precision, and what Meta published "
        "of Llama 3 scaled by accelerators. Null is unknown."
    ),
    help="Size the storage: demand, tiers, price, and checkpoint sizes.",
    schema="StorageReport",
    asks="A scenario; its storage is under `operations.storage`.",
    answers="Demand, supply, tiers and checkpoint sizes.",
    options=TableFormat,
    answer=lambda scenario, given, options: storage.storage_report(scenario, given.catalog),
    report_type=StorageReport,
    text=storage.storage_text,
    files=storage.FILES,
    unknown=ALL,
    without_flag=("format",),
)

VIEWS: tuple[View[Any, Any], ...] = (
    SIZE,
    CHECKPOINTS,
    GOODPUT,
    RUN,
    SPARES,
    SHARED_PARTS,
    STORAGE,
    CALIBRATE,
)
