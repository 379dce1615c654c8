"""`podwright fabric|facility|economics|operations|serving`: what can be asked of a design, room by room."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here
from app.surfaces.cli.views import room_of_views

if TYPE_CHECKING:
    from app.views.fabric.cable_diff import CableDiff

HELP = {
    "fabric": "The fabric of a design: its bill, its cables, its faults.",
    "facility": "Power and cooling of a design: its feeds, its plants, its sites.",
    "economics": "Cost and carbon of a design: bought, financed, rented, compared, with uncertainty.",
    "operations": "Failures, spares and checkpoints of a design: goodput, simulated runs, intervals, spares.",
    "serving": "A served model in detail: latency, simulated requests, roofline, memory, sizing, cost of tokens, edge or "
    "cloud.",
}


def uncertainty(
    ref: Ref,
    samples: Annotated[
        int | None,
        typer.Option("--samples", metavar="N", help="Samples to draw; the scenario's when left out."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="The same seed draws the same samples.")
    ] = None,
    figure: Annotated[
        list[str] | None,
        typer.Option("--figure", metavar="NAME", help="A figure, such as cost.usd_per_run; may be repeated."),
    ] = None,
    sobol: Annotated[bool, typer.Option("--sobol/--no-sobol", help="Compute Sobol indices.")] = True,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the samples as CSV; - prints them.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Uncertainty of the figures of a design, its main drivers, and the value of information."""
    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.plain import report_json
    from app.views.uncertainty.answer import answered, uncertainty_steps
    from app.views.uncertainty.report import UncertaintyOptions, samples_csv, uncertainty_text

    stated: dict[str, Any] = {"samples": samples, "seed": seed, "sobol": sobol, "figures": figure}
    known = {name: value for name, value in stated.items() if value is not None}
    options = build_document(UncertaintyOptions, known)
    work = saved_work_here()
    evaluated = referred(ref, work).evaluated
    found = answered(
        uncertainty_steps(evaluated, work.catalog(), options), _tell if sys.stderr.isatty() else None
    )
    if csv is not None and str(csv) == "-":
        for part in samples_csv(found.samples):
            sys.stdout.buffer.write(part)
        return
    if csv is not None:
        with csv.open("wb") as file:
            file.writelines(samples_csv(found.samples))
        typer.echo(f"{csv}: {found.report.samples:,} samples", err=True)
    if as_json:
        print_json(report_json(found.report))
    elif csv is None:
        typer.echo(uncertainty_text(found.report))


def _tell(done: int, total: int) -> None:
    """One line on standard error, written over as the work goes on; only where someone looks."""
    end = "\n" if done >= total else ""
    typer.echo(f"\r{done:>10,} of {total:,} designs{end}", err=True, nl=False)


def bill(
    ref: Ref,
    kind: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="text, csv, xlsx or json.")
    ] = "text",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Output file.")
    ] = None,
    lengths: Annotated[
        str, typer.Option("--lengths", help="floor: as laid; assumed: as the evaluation takes them.")
    ] = "floor",
    patched_from_m: Annotated[
        float | None,
        typer.Option(
            "--patched-from-m", metavar="M", help="Patch panels for fibres of at least this length."
        ),
    ] = None,
) -> None:
    """Every switch, card, module, cable and fibre of a pod's networks, with spares, prices, power and work."""
    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.fabric.bill_answer import bill_answer
    from app.views.fabric.bill_files import bill_format, bill_text
    from app.views.fabric.materials import BillOptions, fabric_bill

    stated: dict[str, Any] = {"lengths": lengths}
    if patched_from_m is not None:
        stated["patched_from_m"] = patched_from_m
    options = build_document(BillOptions, stated)
    chosen = None if kind == "text" else bill_format(kind)
    if chosen is not None and chosen.name == "xlsx" and output is None:
        raise typer.BadParameter("a workbook is no text: name a file with --output", param_hint="--format")
    saved = saved_work_here()
    found = fabric_bill(referred(ref, saved).evaluated, saved.catalog(), options)
    content = chosen.content(found) if chosen else bill_text(bill_answer(found)).encode()
    if output is not None:
        output.write_bytes(content)
    else:
        typer.echo(content.decode())


DIFFERENT = 3
SHOWN = 20

Design = Annotated[
    str,
    typer.Argument(
        metavar="REF",
        help="The design: a file, the id or the name of a saved scenario, or the key of an example.",
    ),
]
Network = Annotated[
    str, typer.Option("--network", help="One network: compute, storage, in_band or out_of_band; else all.")
]


def cables(
    ref: Design,
    format: Annotated[
        str,
        typer.Option(
            "--format", "-f", help="csv, xlsx, topo, dot or netbox; else what the file is named for."
        ),
    ] = "",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to write; else it is printed."),
    ] = None,
    network: Network = "",
) -> None:
    """Write the cable schedule of a design: a row a link, both ends with rack, height and port."""
    import sys

    from app.scenarios.errors import refuse
    from app.surfaces.cli.reference import referred
    from app.surfaces.files.cables.formats import cable_format, cable_format_of_file, written_cables
    from app.surfaces.files.write import is_screen
    from app.views.fabric.cables import cables_of

    chosen = cable_format(format) if format else cable_format_of_file(output.name if output else "")
    if output is None and chosen.name == "xlsx" and is_screen():
        message = "A workbook cannot be shown here."
        raise refuse(message, rule="output", hint="Name a file with --output, or send it on with >.")
    saved = saved_work_here()
    scenario = referred(ref, saved).evaluated
    parts = written_cables(cables_of(scenario, saved.catalog(), network), chosen)
    if output is None:
        for part in parts:
            sys.stdout.buffer.write(part)
        return
    with output.open("wb") as file:
        for part in parts:
            file.write(part)
    typer.echo(f"{output}: {output.stat().st_size:,} bytes", err=True)


def diff(
    ref: Design,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A point-to-point file (CSV or .xlsx), cables of NetBox, ibnetdiscover or LLDP.",
        ),
    ],
    network: Network = "",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write every difference as CSV.")
    ] = None,
    require_same: Annotated[
        bool, typer.Option("--require-same", help="Exit 3 where anything differs.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compare a point-to-point file with the cables of a design."""
    from app.surfaces.cli.reference import referred
    from app.surfaces.files.cables.diff_text import cable_diff_csv, cable_diff_text
    from app.views.fabric.cable_diff import diff_cables
    from app.views.fabric.cables import cable_file_content, cables_of

    content = cable_file_content(file)
    saved = saved_work_here()
    scenario = referred(ref, saved).evaluated
    found: CableDiff = diff_cables(cables_of(scenario, saved.catalog(), network), content)
    if out is not None:
        with out.open("wb") as target:
            for part in cable_diff_csv(found):
                target.write(part)
    if as_json:
        print_json(found.as_json())
    else:
        typer.echo(cable_diff_text(found, SHOWN))
    if require_same and not found.is_same:
        raise typer.Exit(DIFFERENT)


BESIDE: dict[str, tuple[Callable[..., Any], ...]] = {
    "fabric": (bill, cables, diff),
    "economics": (uncertainty,),
}
"""Commands that are no views."""


def add_to(app: typer.Typer) -> None:
    """The commands of all rooms."""
    for room, words in HELP.items():
        group = typer.Typer(cls=room_of_views(room), help=words, no_args_is_help=True)
        for command in BESIDE.get(room, ()):
            group.command()(command)
        app.add_typer(group, name=room)
