"""`podwright report`, `podwright pack` and `podwright picture`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.surfaces.cli.common import Ref, saved_work_here
from app.surfaces.cli.evaluations import Revision

if TYPE_CHECKING:
    from app.surfaces.pages.report.blocks import Subject
    from app.surfaces.pages.report.study import ReportedStudy

XLSX = ".xlsx"


def add_to(app: typer.Typer) -> None:
    """Commands that write files for others."""
    for command in (report, pack, picture):
        app.command()(command)


def report(
    ref: Ref,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to write: a .html or a .pdf; of a study an .xlsx too.",
        ),
    ],
    version: Annotated[
        str, typer.Option("--version", help="board: two pages to decide on; full: every room.")
    ] = "board",
    title: Annotated[str, typer.Option("--title", help="Title; else the scenario's name.")] = "",
    notes: Annotated[str, typer.Option("--notes", help="Own words in front of the findings.")] = "",
    logo: Annotated[Path | None, typer.Option("--logo", metavar="FILE", help="A PNG or JPEG.")] = None,
    sections: Annotated[
        str, typer.Option("--sections", help="Chapters of the full version, separated by commas.")
    ] = "",
    paper: Annotated[str, typer.Option("--paper", help="a4 or letter.")] = "a4",
    without: Annotated[
        str, typer.Option("--without", help="What to leave out: prices, names, sites, separated by commas.")
    ] = "",
    revision: Revision = None,
) -> None:
    """Write a report of a scenario, or of a study in a file, for paper, as HTML or as PDF; of a study its
    workbook too."""
    from app.settings import get_settings
    from app.surfaces.files.write import write_file
    from app.surfaces.pages.report.document import report_html
    from app.surfaces.pages.report.options import MOST_LOGO_BYTES, logo_address, report_options
    from app.surfaces.pages.report.printing import report_pdf

    given = {"version": version, "title": title, "notes": notes, "sections": sections, "paper": paper}
    options = report_options({**given, "without": without})
    picture = ""
    if logo is not None:
        with logo.open("rb") as file:
            picture = logo_address(file.read(MOST_LOGO_BYTES + 1))
    study, suffix = _study(ref), output.suffix.lower()
    if suffix == XLSX:
        content = _workbook(ref, study, options.without)
    else:
        html = report_html(_subject(ref, study, revision, options.without), options, picture)
        content = report_pdf(html, get_settings()) if suffix == ".pdf" else html.encode()
    write_file(output, content)
    typer.echo(f"{output}: {len(content):,} bytes", err=True)


def _study(ref: str) -> ReportedStudy | None:
    """The study, answered, where REF is a file of one."""
    from app.scenarios.study.reading import is_study, read_study
    from app.service import Service
    from app.settings import get_settings
    from app.surfaces.pages.report.study import reported_here
    from app.views.study.answer import study_answer

    if not (Path(ref).is_file() and is_study(ref)):
        return None
    study, service = read_study(ref), Service(get_settings())
    return reported_here(study, study_answer(study, service.catalog()), service)


def _workbook(ref: str, study: ReportedStudy | None, without: tuple[str, ...]) -> bytes:
    from app.scenarios.errors import refuse
    from app.surfaces.pages.report.study_workbook import study_xlsx

    if study is None:
        raise refuse(
            f"{ref[:80]} is no file of a study, so there is nothing to compare.", rule="study", value=ref[:80],
            hint="podwright export writes the workbook of a design.", stated=False,
        )  # fmt: skip
    return study_xlsx(study, without)


def _subject(
    ref: str, study: ReportedStudy | None, revision: int | None, without: tuple[str, ...]
) -> Subject:
    from app.surfaces.cli.reference import referred
    from app.surfaces.pages.report.design import DesignSubject
    from app.surfaces.pages.report.study import StudySubject

    if study is not None:
        return StudySubject(study, without)
    saved = saved_work_here()
    return DesignSubject(referred(ref, saved, revision), saved.catalog(), without)


def pack(
    ref: Ref,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write: a .zip.")],
    without: Annotated[
        str,
        typer.Option(
            "--without", help="What to leave out besides prices: names, sites, separated by commas."
        ),
    ] = "",
    revision: Revision = None,
) -> None:
    """Write what vendors need to quote and to build, as one ZIP without an amount of money."""
    from app.settings import get_settings
    from app.surfaces.cli.reference import referred
    from app.surfaces.files.redaction import read_kinds
    from app.surfaces.files.write import write_file
    from app.surfaces.pages.report.pack import Pack

    kinds = read_kinds(without.split(","))
    saved = saved_work_here()
    found = Pack(referred(ref, saved, revision), saved.catalog(), kinds, get_settings())
    content = found.written(
        lambda done, of, name: typer.echo(f"{done + 1} of {of}: {name}", err=True) if name else None
    )
    write_file(output, content)
    typer.echo(f"{output}: {len(content):,} bytes", err=True)


def picture(
    ref: Ref,
    chart: Annotated[
        str, typer.Argument(metavar="[CHART]", help="Name of a chart; left out, the names are listed.")
    ] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write: a .svg or a .png.")
    ] = None,
    theme: Annotated[str, typer.Option("--theme", help="light or dark.")] = "light",
    without: Annotated[
        str, typer.Option("--without", help="What to leave out: prices, names, sites, separated by commas.")
    ] = "",
    revision: Revision = None,
) -> None:
    """Write a chart or drawing of a scenario as a picture for slides, 1920 by 1080, as SVG or as PNG."""
    from app.scenarios.errors import refuse
    from app.settings import get_settings
    from app.surfaces.cli.reference import referred
    from app.surfaces.files.pdf import svg_png
    from app.surfaces.files.redaction import read_kinds
    from app.surfaces.files.write import write_file
    from app.surfaces.pages.report.pictures import HIGH, WIDE, Pictures, read_theme

    shown, kinds = read_theme(theme), read_kinds(without.split(","))
    saved = saved_work_here()
    found = Pictures(referred(ref, saved, revision), saved.catalog(), kinds)
    if not chart:
        typer.echo("\n".join(found.names()))
        return
    ending = output.suffix.lower() if output else ""
    if output is None or ending not in (".svg", ".png"):
        raise refuse(
            "is needed: a .svg or a .png.",
            rule="required",
            path="--output",
            hint=f"Such as {chart[:40]}.svg.",
        )
    drawing = found.svg(chart, shown)
    content = drawing.encode() if ending == ".svg" else svg_png(drawing, WIDE, HIGH, get_settings())
    write_file(output, content)
    typer.echo(f"{output}: {len(content):,} bytes", err=True)
