"""The bill tab: what is bought for the networks of a pod, and how that stands to the evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse

from app.charts.fabric.materials import power_figure, price_figure, role_sums
from app.charts.fabric.words import tier_name
from app.charts.format import UNKNOWN, Shown, number, show, span
from app.engine.fabric.materials.parts import ROLES
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.download import download
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.studio.state import encode_state
from app.surfaces.pages.templating import TemplatesDep
from app.views.fabric.bill_answer import bill_answer
from app.views.fabric.bill_files import FORMATS
from app.views.fabric.materials import BillOptions, fabric_bill

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

LENGTHS = (("floor", "Floor plan"), ("assumed", "Assumptions of the evaluation"))


class BillForm(NamedTuple):
    """What was asked of the bill, as typed. `options` is None where it cannot be used."""

    lengths: str
    patched_from_m: str
    error: str
    options: BillOptions | None

    @property
    def query(self) -> dict[str, str]:
        """Options that differ from the defaults."""
        typed = {"lengths": self.lengths, "patched_from_m": self.patched_from_m}
        return {name: value for name, value in typed.items() if value and value != "floor"}


def bill_form(request: Request) -> BillForm:
    """The options in the address."""
    asked: Mapping[str, str] = request.query_params
    lengths = asked.get("lengths", "") or "floor"
    patched = asked.get("patched_from_m", "").strip()[:40]
    stated: dict[str, Any] = {"lengths": lengths}
    if patched:
        stated["patched_from_m"] = _number(patched)
    try:
        return BillForm(lengths, patched, "", build_document(BillOptions, stated))
    except ScenarioError as error:
        return BillForm(lengths, patched, str(error.errors[0]), None)


FormDep = Annotated[BillForm, Depends(bill_form)]


@router.get("/fabric/{key}/bill")
def bill(opened: OpenedDep, form: FormDep, page: TemplatesDep) -> HTMLResponse:
    """Every piece, network by network and role by role."""
    shown: dict[str, Any] = {"form": form, "lengths": LENGTHS, "formats": ()}
    if opened.scenario:
        found = fabric_bill(opened.scenario, opened.catalog, form.options or BillOptions())
        answer = bill_answer(found)
        sums = role_sums(answer, ROLES)
        shown |= {
            "bill": answer,
            "tables": network_tables(answer),
            "key_figures": key_figures(answer),
            "differences": difference_rows(answer),
            "tiers": tier_rows(answer),
            "racks": rack_rows(answer),
            "figures": (price_figure(sums), power_figure(sums)),
            "formats": [
                (one.title, opened.file_address("bill", {"format": name} | form.query))
                for name, one in FORMATS.items()
            ],
            "measured": _with_measured(opened, found.measured_assumptions),
        }
    return page.page("fabric/bill.html", status=422 if form.error else 200, opened=opened, **shown)


@router.get("/fabric/{key}/bill/file")
def bill_file(opened: OpenedDep, form: FormDep, format: str = "csv") -> Response:
    """The bill as a file."""
    if format not in FORMATS:
        raise HTTPException(404, f"There is no bill of the kind {format[:40]}.")
    if opened.scenario is None or form.options is None:
        raise HTTPException(422, opened.carried.refusal or form.error)
    found = fabric_bill(opened.scenario, opened.catalog, form.options)
    return download(FORMATS[format], found, found.name)


def _with_measured(opened: OpenedDesign, measured: dict[str, float]) -> str:
    """This tab with the lengths of the floor plan as assumptions of the scenario; "" where they are so already."""
    if not measured:
        return ""
    values = opened.carried.values
    stated = values.get("assumptions", {})
    changed = {**values, "assumptions": {**stated, **measured}}
    return f"/fabric/{opened.carried.key}/bill?s={encode_state(changed)}"


def _number(text: str) -> float | str:
    """What is no number stays text, for the options to refuse by name."""
    try:
        return float(text)
    except ValueError:
        return text


INCLUDED, NOTHING = Shown("included"), Shown("")


class LineRow(NamedTuple):
    """One line of the bill. `each` and `price` include their range."""

    item: str
    part: str
    note: str
    installed: str
    spare: str
    each: Shown
    price: Shown
    between: str
    power: Shown
    work: str


class RoleRows(NamedTuple):
    title: str
    rows: tuple[LineRow, ...]


class NetworkTable(NamedTuple):
    """The lines of one network by role, their sum, and what its links are made of."""

    key: str
    title: str
    total: Shown
    between: str
    power: Shown
    units: Shown
    work: str
    unpriced: str
    roles: tuple[RoleRows, ...]
    media: tuple[tuple[str, ...], ...]


class KeyFigure(NamedTuple):
    label: str
    shown: Shown
    beside: str


class DifferenceRow(NamedTuple):
    group: str
    bought: str
    evaluated_bought: str
    price: Shown
    evaluated_price: Shown
    same: bool


def network_tables(bill: dict[str, Any]) -> tuple[NetworkTable, ...]:
    """A table a network."""
    tables = []
    for network in bill["networks"]:
        totals = network["totals"]
        lines = [line for line in bill["lines"] if line["network"] == network["network"]]
        tables.append(
            NetworkTable(
                key=network["network"],
                title=network["title"],
                total=_money(totals["price_usd"]["typical"]),
                between=between(totals["price_usd"]),
                power=_shown(totals["power_w"], "W"),
                units=_shown(totals["rack_units"], "1"),
                work=_hours(totals["installation_hours"]),
                unpriced=unpriced(totals),
                roles=tuple(
                    RoleRows(title, rows)
                    for role, title in ROLES.items()
                    if (rows := tuple(_line(line) for line in lines if line["role"] == role))
                ),
                media=tuple(_medium(medium) for medium in network["media"]),
            )
        )
    return tuple(tables)


def key_figures(bill: dict[str, Any]) -> tuple[KeyFigure, ...]:
    """Total of the whole bill."""
    totals = bill["totals"]
    racks = sum(line["racks"] for line in bill["racks"])
    return (
        KeyFigure(
            "Price",
            _money(totals["price_usd"]["typical"]),
            between(totals["price_usd"]) or unpriced(totals),
        ),
        KeyFigure("Power", _shown(totals["power_w"], "W"), "typical, of what is installed"),
        KeyFigure("Rack units", _shown(totals["rack_units"], "1"), f"in {racks:,} racks with the SuperNodes"),
        KeyFigure("Work", Shown(_hours(totals["installation_hours"]), "h"), "of one person, by assumption"),
    )


def difference_rows(bill: dict[str, Any]) -> tuple[DifferenceRow, ...]:
    """Both bills side by side."""
    return tuple(
        DifferenceRow(
            group=line["group"],
            bought=_count(line["bought"]),
            evaluated_bought=_count(line["evaluated_bought"]),
            price=_money(line["price_usd"]),
            evaluated_price=_money(line["evaluated_price_usd"]),
            same=line["bought"] == line["evaluated_bought"]
            and _money(line["price_usd"]) == _money(line["evaluated_price_usd"]),
        )
        for line in bill["differences"]
    )


def tier_rows(bill: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Lengths on the floor beside those that the evaluation assumes, in metres."""
    return tuple(
        (
            tier_name(tier["tier"]),
            f"{tier['links']:,}",
            number(tier["mean_m"]),
            number(tier["longest_m"]),
            "unknown" if tier["assumed_m"] is None else number(tier["assumed_m"]),
        )
        for tier in bill["tier_lengths"]
    )


def rack_rows(bill: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Racks by kind."""
    return tuple(
        (
            _title(line["kind"]),
            f"{line['racks']:,}",
            f"{line['used_units']:,}",
            _hours(line["installation_hours"]),
        )
        for line in bill["racks"]
    )


def between(price: dict[str, float | None]) -> str:
    """Low to high; "" where there is no range."""
    low, high = price["low"], price["high"]
    if low is None or high is None or low == high:
        return ""
    return span(show(low, "USD"), show(high, "USD"))


def unpriced(totals: dict[str, Any]) -> str:
    """What is known of a sum that is not; "" where all of it is."""
    lines = totals["unpriced_lines"]
    if not lines:
        return ""
    return f"{show(totals['priced_usd'], 'USD').text} and {lines} {'line' if lines == 1 else 'lines'} without a price"


def _line(line: dict[str, Any]) -> LineRow:
    free = line["unit_price_usd"]["typical"] == 0
    return LineRow(
        item=line["item"],
        part=line["part"],
        note=line["note"],
        installed=_count(line["installed"]),
        spare=_count(line["spare"]) if line["spare"] else "",
        each=INCLUDED if free else _money(line["unit_price_usd"]["typical"]),
        price=NOTHING if free else _money(line["price_usd"]["typical"]),
        between=between(line["price_usd"]),
        power=_shown(line["power_w"], "W") if line["power_w"] != 0 else NOTHING,
        work=_hours(line["installation_hours"]),
    )


def _medium(medium: dict[str, Any]) -> tuple[str, ...]:
    links, length = medium["links"], medium["length_m"]
    return (
        tier_name(medium["tier"]),
        medium["name"] or "nothing reaches",
        f"{links:,}",
        "" if medium["cables"] is None else f"{medium['cables']:,}",
        "unknown" if length is None else number(length / links),
        "unknown" if medium["reach_m"] is None else number(medium["reach_m"]),
    )


def _money(value: float | None) -> Shown:
    return _shown(value, "USD")


def _shown(value: float | None, unit: str) -> Shown:
    return UNKNOWN if value is None else show(value, unit)


def _count(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.0f}"


def _hours(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.0f}"


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()
