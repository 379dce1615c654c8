"""The vendor pack, a ZIP to quote and build from: bill, cables, floor, racks, power, questions; no amount
of money."""

from __future__ import annotations

import csv
import dataclasses
import functools
import io
import math
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from app import __version__
from app.catalog.lookup import Catalog
from app.charts import FIGURES
from app.charts.figure import Figure
from app.charts.floor_plan import KIND, floor_plan_figure
from app.charts.rack_elevation import rack_elevation_figure
from app.charts.vector import plot_svg
from app.engine.trace import first_of
from app.saved.team_catalog.quote import QuoteLine, quote_xlsx
from app.scenarios.errors import ScenarioError, refuse
from app.settings import Settings
from app.surfaces.files.cables.formats import cable_format, written_cables
from app.surfaces.files.pdf import NoPdfError, sheets_pdf
from app.surfaces.files.redaction import Redaction, redaction
from app.surfaces.files.work import Work
from app.surfaces.pages.fabric.floor import drawn_floor, plant_of
from app.surfaces.pages.notes import notes
from app.surfaces.pages.report.board import label_of_estimate
from app.views.colours import in_colours
from app.views.fabric.cables import cables_of
from app.views.fabric.floor import FloorOptions, floor_answer
from app.views.fabric.materials import BillOptions, fabric_bill
from app.views.facility.racks import RacksOptions, racks_answer

Progress = Callable[[int, int, str], None]
DRAWN = 1000.0  # pixels across
MOST_ELEVATIONS = 12
RACKS = (
    ("rack", "name"), ("kind", "kind"), ("make_up", "make_up"), ("row", "row"), ("position", "position"),
    ("used_u", "used_u"), ("height_u", "height_u"), ("power_w", "power_w"), ("air_heat_w", "air_heat_w"),
    ("liquid_heat_w", "liquid_heat_w"), ("weight_kg", "weight_kg"),
)  # fmt: skip
FILES = {
    "quote.xlsx": "bill to quote against: fill in the sheet Quote, and send it back as it is",
    "cables.csv": "every cable with both ends, ports, part and length",
    "netbox.zip": "devices, racks and cables for NetBox",
    "topology.svg": "the pod as a picture",
    "floor.svg": "the floor with its racks",
    "racks/": "elevations, one a kind of rack",
    "drawings.pdf": "the same drawings, one a sheet",
    "racks.csv": "power, heat and weight of every rack",
    "site.csv": "power and cooling of the whole",
    "assumptions.csv": "what was assumed",
    "questions.csv": "what is open",
}
"""Description of each file, for readers of the pack."""
FIXED = (1980, 1, 1, 0, 0, 0)
"""The date of every file: the same design makes the same pack."""


class Made(NamedTuple):
    """A step of a pack: how many files are made, which is next, and the whole at the end."""

    done: int
    of: int
    name: str
    content: bytes = b""


class Pack:
    """The files of a pack, each made when it is asked for.

    Every amount of money is left out, whatever else is: a budget is no quote.

    Parameters
    ----------
    settings : name the Chromium that prints the drawings; without them there is no PDF
    """

    def __init__(
        self, work: Work, catalog: Catalog, without: Iterable[str] = (), settings: Settings | None = None
    ) -> None:
        self._work, self._catalog, self._scenario = work, catalog, work.evaluated
        self._redaction: Redaction = redaction(work, catalog, dict.fromkeys(("prices", *without)))
        self._evaluation = self._scenario.as_json
        self._settings = settings
        self._floor = floor_answer(self._scenario, FloorOptions())
        self._skipped: list[str] = []
        self._missing: set[str] = set()
        self._pictures: dict[str, tuple[Figure, str]] = {}

    def files(self) -> tuple[tuple[str, Callable[[], bytes]], ...]:
        """Names of the files, and what makes each."""
        return (
            ("quote.xlsx", self._quote),
            ("cables.csv", lambda: self._cables("csv")),
            ("netbox.zip", lambda: self._cables("netbox")),
            *((name, lambda name=name: self._svg(name)) for name in self._figures),
            *((("drawings.pdf", self._drawings),) if self._settings else ()),
            ("racks.csv", self._racks),
            ("site.csv", self._site),
            ("assumptions.csv", self._assumptions),
            ("questions.csv", self._questions),
            ("README.txt", self._readme),
        )  # fmt: skip

    def steps(self) -> Iterator[Made]:
        """Steps of making the pack: the next file at each, and the whole pack at the end."""
        held, files = io.BytesIO(), self.files()
        with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as pack:
            for place, (name, make) in enumerate(files):
                yield Made(place, len(files), name)
                try:
                    content = make()
                except (ScenarioError, NoPdfError) as error:
                    why = error.errors[0].message if isinstance(error, ScenarioError) else str(error)
                    self._skipped.append(f"{name}: {why}")
                    self._missing.add(name)
                    continue
                pack.writestr(zipfile.ZipInfo(name, FIXED), content, zipfile.ZIP_DEFLATED)
        yield Made(len(files), len(files), "", held.getvalue())

    def written(self, progress: Progress | None = None) -> bytes:
        """The pack; `progress` hears of every file before it is made."""
        content = b""
        for step in self.steps():
            content = step.content
            if progress:
                progress(step.done, step.of, step.name)
        return content

    @property
    def name(self) -> str:
        """What the design is called outside."""
        return self._redaction.text(self._evaluation["name"])

    def _text(self, words: str) -> bytes:
        return self._redaction.text(words).encode()

    @cached_property
    def _figures(self) -> dict[str, Callable[[], Figure]]:
        """The drawings by the names of their files."""
        racks: dict[str, Callable[[], Figure]] = {}
        for one in self._floor.examples[:MOST_ELEVATIONS]:
            name = _name(self._redaction.text(one.name))
            file, number = f"racks/{name}.svg", 1
            while file in racks:  # make-ups that differ in what is left out
                number += 1
                file = f"racks/{name}_{number}.svg"
            racks[file] = functools.partial(rack_elevation_figure, one)
        return {
            "topology.svg": lambda: FIGURES["topology"](self._evaluation),
            "floor.svg": lambda: floor_plan_figure(drawn_floor(self._floor, plant_of(self._scenario)), KIND),
        } | racks

    def _drawn(self, name: str) -> tuple[Figure, str]:
        """A drawing as vector graphics, without what is left out; every file draws it once."""
        if name not in self._pictures:
            figure = self._redaction.figure(self._figures[name]())
            if figure.plot is None:
                raise refuse(f"{figure.eyebrow}: {figure.takeaway}", rule="unknown")
            drawn = plot_svg(
                in_colours(figure.plot, "light"),
                DRAWN,
                label=f"{figure.eyebrow}. {figure.takeaway}",
                name=_name(name),
            )
            self._pictures[name] = figure, self._redaction.markup(drawn)
        return self._pictures[name]

    def _svg(self, name: str) -> bytes:
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{self._drawn(name)[1]}\n'.encode()

    def _drawings(self) -> bytes:
        """The same drawings as a PDF, one a sheet."""
        assert self._settings is not None
        sheets = []
        for name in self._figures:
            with suppress(ScenarioError):  # said where its own file is left out
                figure, drawn = self._drawn(name)
                sheets.append((figure.eyebrow, figure.takeaway, drawn))
        return sheets_pdf(self.name, sheets, self._settings)

    def _quote(self) -> bytes:
        lines = [QuoteLine(key=self._redaction.key(one.key), kind=one.kind, part=self._redaction.text(one.part), use=self._redaction.text(one.use), quantity=one.quantity)
                 for one in self.lines()]  # fmt: skip
        return quote_xlsx(self.name, lines, self._work.dated)

    def lines(self) -> Iterator[QuoteLine]:
        """Everything that is bought: SuperNodes with their spares, then the parts of every network."""
        inputs = self._evaluation["inputs"]
        supernode = self._scenario.document.as_dict().get("supernode", {})
        spares = (self._evaluation.get("reliability") or {}).get("spare_supernodes") or 0.0
        count = float(inputs["pod"]["supernodes"])
        name = str((inputs.get("supernode") or {}).get("name") or "SuperNode")
        yield QuoteLine(
            key=str(supernode.get("system") or ""),
            kind="systems",
            part=name,
            use="SuperNodes, spares included",
            quantity=count + spares,
        )
        bill = fabric_bill(self._scenario, self._catalog, BillOptions())
        for line in bill.lines:
            free = line.price.typical == 0.0
            if free or not math.isfinite(line.bought):
                continue  # comes with something else, or is unknown: asked about in questions.csv
            title = bill.parts[line.network].title
            yield QuoteLine(
                key=line.piece.key,
                kind=line.role,
                part=line.piece.name,
                use=f"{title}, {line.item}",
                quantity=line.bought,
            )

    def _cables(self, kind: str) -> bytes:
        cables = self._redaction.cables(cables_of(self._scenario, self._catalog))
        return b"".join(written_cables(cables, cable_format(kind)))

    def _racks(self) -> bytes:
        """Power and heat of every rack; racks of one make-up hold the same."""
        racks = self._floor.laid.floor.racks
        rows = []
        for at, made in enumerate(self._floor.make_up.tolist()):
            one = self._floor.examples[made]
            place = {
                "name": self._floor.rack_names[at],
                "make_up": one.name,
                "row": int(racks.row[at]) + 1,
                "position": int(racks.position[at]) + 1,
            }
            rows.append([_cell(place.get(field, getattr(one, field, ""))) for _, field in RACKS])
        return self._table([title for title, _ in RACKS], rows)

    def _site(self) -> bytes:
        """Power and cooling of the whole pod."""
        cooling, loads = racks_answer(self._scenario, RacksOptions()), self._scenario.evaluation.sections
        rows = [
            (f"{room}.{name}", _cell(first_of(getattr(found, name))))
            for room, found in (("power", loads.power), ("cooling", loads.cooling))
            for name in sorted(_numbers(found))
            if "usd" not in name
        ]
        rows += [
            (f"racks.{self._redaction.text(one.name)}.power_w", _cell(one.heat.power_w))
            for one in cooling.kinds
        ]
        return self._table(("figure", "value"), rows, figures=True)

    def _assumptions(self) -> bytes:
        said = [("estimate", label_of_estimate(one), one["rule"]) for one in self._evaluation["estimates"]]
        said += [("chosen by Podwright", one["message"], "") for one in self._evaluation["decisions"]]
        for path, origin in self._scenario.resolved.origins.items():
            if origin.kind == "assumption" and path.startswith(
                ("assumptions.rooms.fabric", "assumptions.rooms.facility", "supernode")
            ):
                said.append(("assumption", origin.label, origin.source))
        kept = [row for row in said if all(self._redaction.keeps(cell) for cell in row)]
        return self._table(("kind", "assumption", "source"), kept)

    def _questions(self) -> bytes:
        """What a vendor can answer: values that are not published, limits that are exceeded, and what was not
        made."""
        found = notes(self._evaluation["problems"])
        said = [("not published", f"What is {one.label}?", "") for one in found.missing]
        said += [("limit", one.message, one.remedy) for one in (*found.infeasible, *found.warnings)]
        bill = fabric_bill(self._scenario, self._catalog, BillOptions())
        said += [
            ("quantity unknown", f"How many {line.piece.name} for {line.item}?", "")
            for line in bill.lines
            if not math.isfinite(line.bought)
        ]
        said += [("bill", one.message, "") for one in bill.problems]
        said += [("not in this pack", one, "") for one in self._skipped]
        kept = [row for row in said if all(self._redaction.keeps(cell) for cell in row)]
        return self._table(("kind", "question", "way out"), kept)

    def _readme(self) -> bytes:
        provenance = self._evaluation["provenance"]
        made = {name.partition("/")[0].partition(" ")[0] for name, _ in self.files()} - self._missing
        lines = [f"{name.ljust(17)}{said}" for name, said in FILES.items() if name.rstrip("/") in made]
        return "\n".join((
            f"{self.name}: pack for vendors", "", *lines, "",
            "Left out:", *(f"- {one}" for one in self._redaction.said), "",
            f"Podwright {__version__}, catalog {provenance.get('catalog_revision')}, hash of the inputs {provenance.get('inputs_hash')}.",
            "Planning estimates, not guarantees.", "",
        )).encode()  # fmt: skip

    def _table(self, heads: Iterable[str], rows: Iterable[Iterable[Any]], *, figures: bool = False) -> bytes:
        """A CSV file; with `figures` its first column has names of figures, which stay whatever an own row is called."""
        held = io.StringIO()
        writer = csv.writer(held)
        writer.writerow(heads)
        for first, *others in rows:
            shown = (
                first if figures else self._redaction.text(str(first)),
                *(self._redaction.text(str(cell)) for cell in others),
            )
            writer.writerow(map(_safe, shown))
        return held.getvalue().encode()


def _safe(words: str) -> str:
    """Text that a spreadsheet takes for no formula; numbers stay."""
    if words[:1] in "=+-@\t" and words:
        try:
            float(words)
        except ValueError:
            return f"'{words}"
    return words


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return "" if not math.isfinite(value) else round(value, 6)
    return value


def _numbers(found: Any) -> list[str]:
    fields = dataclasses.fields(found) if dataclasses.is_dataclass(found) else ()
    return [
        one.name
        for one in fields
        if isinstance(getattr(found, one.name), np.ndarray) and getattr(found, one.name).size == 1
    ]


def _name(words: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in words)
