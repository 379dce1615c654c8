"""`podwright calibrate`: what one's own measured runs say of a scenario."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here

if TYPE_CHECKING:
    from app.catalog.lookup import Catalog
    from app.scenarios.evaluation.service import EvaluatedScenario


LATENCIES = ("--ttft", "--tpot")


def add_to(app: typer.Typer) -> None:
    app.command()(calibrate)


def calibrate(
    ref: Ref,
    run: Annotated[
        list[Path] | None,
        typer.Option(
            "--run",
            metavar="FILE",
            help="A log of Megatron-LM, NeMo, torchtitan or MaxText, or a CSV of runs; may be given again.",
        ),
    ] = None,
    step_time: Annotated[
        list[float] | None,
        typer.Option("--step-time", metavar="S", help="A measured step time; may be given again."),
    ] = None,
    tokens_per_s: Annotated[
        list[float] | None,
        typer.Option("--tokens-per-s", metavar="T", help="Measured tokens per second and accelerator."),
    ] = None,
    ttft: Annotated[
        list[float] | None,
        typer.Option(
            "--ttft",
            metavar="S",
            help="Serving: measured mean time to first token; may be given again.",
        ),
    ] = None,
    tpot: Annotated[
        list[float] | None,
        typer.Option("--tpot", metavar="S", help="Serving: measured mean time per output token."),
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep these runs for all scenarios of their deployment.")
    ] = False,
    forget: Annotated[
        bool, typer.Option("--forget", help="Delete the runs kept for this deployment.")
    ] = False,
    write: Annotated[
        Path | None,
        typer.Option("--write", metavar="FILE", help="Write the scenario with the correction stated in it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Correct the figures of a scenario by what you measured of it, and narrow their interval."""
    from app.catalog.ready import ready_catalog, ready_engine
    from app.scenarios.document.scenario import ServingDocument
    from app.settings import get_settings
    from app.surfaces.cli.reference import referred
    from app.surfaces.files.write import write_file
    from app.validation.calibration.calibrate import calibrate as calibrated
    from app.validation.calibration.kept import KeptRuns
    from app.validation.calibration.runs import (
        run_of_speed,
        run_of_step_time,
        runs_of_file,
        uncalibrated,
        with_calibration,
    )
    from app.validation.calibration.text import calibration_text

    typed = {"--step-time": step_time, "--tokens-per-s": tokens_per_s, "--ttft": ttft, "--tpot": tpot}
    for option, values in typed.items():
        for value in values or ():
            if not 0 < value < float("inf"):
                raise typer.BadParameter(f"{value:g} is not above 0 and finite", param_hint=option)
    catalog = ready_catalog()
    scenario = uncalibrated(referred(ref, saved_work_here()).evaluated, catalog)
    serves = isinstance(scenario.document.workload, ServingDocument)
    kind = "serves a model" if serves else "serves no model"
    given = {**typed, "--run": run, "--keep": keep, "--forget": forget}
    for option, stated in given.items():
        if stated and (option in LATENCIES) != serves:
            raise typer.BadParameter(f"the scenario {kind}; type {_wanted(serves)}", param_hint=option)
    if serves:
        _of_a_served_model(scenario, catalog, ttft or (), tpot or (), write, as_json)
        return
    kept = KeptRuns(ready_engine(get_settings()))
    if forget:
        count = kept.forget(scenario)
        typer.echo(f"Forgot {count} {'run' if count == 1 else 'runs'} of this deployment.", err=True)
    runs = [own for path in run or () for own in runs_of_file(path, scenario, catalog)]
    runs += [run_of_step_time(seconds, scenario, f"step time {seconds:g} s") for seconds in step_time or ()]
    runs += [run_of_speed(speed, scenario, f"{speed:g} tokens/s") for speed in tokens_per_s or ()]
    if keep and not runs:
        raise typer.BadParameter(
            "there is no run to keep: name one with --run or type it", param_hint="--keep"
        )
    before = kept.of(scenario, catalog)
    runs = [own for own in runs if own not in before]  # given again, it is still one measurement
    known = [*before, *runs]
    if not known:
        if forget:
            return
        raise typer.BadParameter(
            "no run of this deployment is given or kept: name a file, or type --step-time or --tokens-per-s",
            param_hint="--run",
        )
    if keep:
        kept.keep(scenario, runs)
    found = calibrated(scenario, known)
    if write is not None:
        document = with_calibration(scenario.document, found.workload_calibration)
        write_file(write, document.as_yaml().encode())
        typer.echo(f"{write}: the scenario, corrected by {found.correction:.3f}.", err=True)
    if as_json:
        print_json(found.as_json())
    else:
        typer.echo(calibration_text(found))


def _wanted(serves: bool) -> str:
    return "--ttft or --tpot" if serves else "--step-time, --tokens-per-s or --run"


def _of_a_served_model(
    scenario: EvaluatedScenario,
    catalog: Catalog,
    ttft: Sequence[float],
    tpot: Sequence[float],
    write: Path | None,
    as_json: bool,
) -> None:
    """Calibration by measured latencies of a scenario that states no calibration."""
    from app.surfaces.files.write import write_file
    from app.validation.calibration.latency import MeasuredLatency, calibrate_serving
    from app.validation.calibration.runs import with_calibration
    from app.validation.calibration.text import serving_calibration_text

    points = [*(MeasuredLatency(ttft_s=seconds) for seconds in ttft)]
    points += [MeasuredLatency(tpot_s=seconds) for seconds in tpot]
    if not points:
        raise typer.BadParameter(
            "nothing measured is given: type --ttft, --tpot or both, in seconds, under the load of the scenario",
            param_hint="--tpot",
        )
    found = calibrate_serving(scenario, points, catalog)
    if write is not None:
        document = with_calibration(scenario.document, found.workload_calibration)
        write_file(write, document.as_yaml().encode())
        typer.echo(f"{write}: the scenario, with what was measured.", err=True)
    if as_json:
        print_json(found.as_json())
    else:
        typer.echo(serving_calibration_text(found))
