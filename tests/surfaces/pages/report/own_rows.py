"""A team with own rows, a design that rests on them, and a search of files for their names and prices."""

from __future__ import annotations

import io
import itertools
import re
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openpyxl
import pypdfium2

from app.catalog.lookup import Catalog
from app.catalog.own.entries import Entry, OwnSource
from app.catalog.weather.year import About
from app.db.session import write_session
from app.db.tables import WorkspaceRow
from app.saved.access import Actor
from app.saved.team_catalog.service import TeamCatalog
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.surfaces.files.work import Work
from tests.catalog.weather.files import as_bytes, epw_lines
from tests.databases import engine_in
from tests.scenarios.support import scenario

ALL = ("prices", "names", "sites")


@dataclass(frozen=True, kw_only=True)
class Own:
    """Names and prices of a team and of its design. `key_*` are keys of the catalog."""

    team: str = "Kestrel Group"
    member: str = "Plinthos Jones"
    maker: str = "Quibbex Labs"
    citation: str = "Quibbex memo 88"
    quote: str = "Offer Zorvane 4711"
    url: str = "https://zorvane.example"
    model: str = "Falkwerk 8B"
    key_model: str = "falkwerk_8b"
    accelerator: str = ""  # built in
    key_accelerator: str = "nvidia_h100_sxm"
    system: str = "Mirabolt & Söhne node"
    key_system: str = "mirabolt_node"
    switch: str = "Drovenna leaf 64"
    key_switch: str = "drovenna_leaf"
    city: str = "Ulfheim"
    key_site: str = "ulfheim_hall"
    climate: str = "Wattlebury field 2023"
    key_climate: str = "wattlebury_2023"
    bundle: str = "Brask bundle"
    key_price: str = "brask_price"
    design: str = "Vantorre One"
    description: str = "Vantorre, the first hall of Kestrel"
    note: str = "Orsk note 12"
    system_usd: float = 284_123.7
    switch_usd: float = 61_937.3
    electricity_usd: float = 0.1137

    @property
    def names(self) -> tuple[str, ...]:
        """Every name, key and remark."""
        kept = (value for name, value in vars(self).items() if name != "key_accelerator" or self.accelerator)
        return tuple(value for value in kept if isinstance(value, str) and value)

    @property
    def prices(self) -> tuple[float, ...]:
        return (self.system_usd, self.switch_usd, self.electricity_usd)


OWN = Own()


def row(kind: str, key: str, *lines: tuple[OwnSource, dict[str, str]]) -> tuple[Entry, ...]:
    return tuple(Entry(kind=kind, key=key, cells=cells, source=source) for source, cells in lines)


def rows(own: Own = OWN) -> Iterator[tuple[Entry, ...]]:
    ours = OwnSource(citation=own.citation, url=own.url, as_of="2026-11", value_kind="measured")
    quoted = OwnSource(citation=own.quote, url=own.url, as_of="2026-11", value_kind="vendor")
    usd = f"{own.system_usd:,.1f}"
    yield row("models", own.key_model, (ours, {
        "name": own.model, "organisation": own.maker, "family": "dense", "layers": "32", "hidden": "4096",
        "feed_forward_hidden": "14336", "heads": "32", "kv_heads": "8", "vocabulary": "128256"}))  # fmt: skip
    if own.accelerator:
        yield row("accelerators", own.key_accelerator, (ours, {
            "name": own.accelerator, "vendor": own.maker, "generation": "other", "year": "2026", "status": "shipping",
            "bf16_dense_tflops": "950", "memory_gb": "96", "memory_bytes": "103079215104", "memory_bandwidth_tb_s": "4", "tdp_w": "651.3",
            "scale_up_gb_s_unidir": "450", "scale_up_gb_s_bidir": "900", "notes": f"{own.accelerator} as {own.maker} says"}))  # fmt: skip
    else:
        yield row("accelerators", own.key_accelerator, (ours, {"tdp_w": "651.3"}))
    yield row("systems", own.key_system, (ours, {
        "name": own.system, "vendor": own.maker, "category": "server", "year": "2026",
        "status": "shipping", "accelerator_key": own.key_accelerator, "accelerators": "8",
        "scale_up_domain_accelerators": "8", "max_power_kw": "10.3", "typical_power_kw": "8.1", "cooling": "air", "nodes": "1",
        "rack_units": "8", "weight_kg": "131.7", "scale_up_gb_s_bidir_per_accel": "900", "scale_out_nics": "8",
        "scale_out_nic_gbit_s": "400", "notes": f"{own.system} is {usd} a node"}))  # fmt: skip
    yield row("switches", own.key_switch, (ours, {
        "model": own.switch, "vendor": own.maker, "protocol": "InfiniBand NDR", "ports": "64",
        "port_gbit_s": "400", "max_logical_ports": "128", "logical_port_gbit_s": "200",
        "capacity_tbit_s_one_way": "25.6", "latency_ns": "150", "power_typical_w": "747", "power_max_w": "1720",
        "height_u": "1"}))  # fmt: skip
    yield row("sites", own.key_site, (ours, {
        "city": own.city, "country": "NO", "climate_key": own.key_climate, "rankable": "yes",
        "elevation_m": "353", "carbon_g_per_kwh": "158.3"}), (quoted, {"electricity_usd_per_kwh": f"{own.electricity_usd}"}))  # fmt: skip
    yield row("prices", own.key_price, (quoted, {
        "part_key": own.key_system, "item": own.bundle, "unit": "USD/system", "condition": "quote",
        "typical": f"{own.system_usd}", "note": f"{own.bundle}: {own.system_usd:,.2f} each"}))  # fmt: skip
    yield row("prices", f"{own.key_price}_of_leaf", (quoted, {
        "part_key": own.key_switch, "item": f"{own.bundle} of leaf", "unit": "USD/unit", "condition": "quote",
        "typical": f"{own.switch_usd}"}))  # fmt: skip


def team_of(own: Own, seeded: Path, folder: Path) -> TeamCatalog:
    """A database with the team and all of its rows."""
    engine = engine_in(shutil.copytree(seeded, folder / "data"))
    with write_session(engine) as session:
        made = WorkspaceRow(key="kestrel", name=own.team, kind="team")
        session.add(made)
        session.flush()
        found = made.id or 0
    team = TeamCatalog(
        engine, lambda: Catalog.open(engine), found, Actor(name=own.member, roles={found: "owner"})
    )
    about = About(source=own.climate, year_kind="measured 2023", name=own.climate)
    team.put_climate(own.key_climate, as_bytes(epw_lines()), about, 0)
    for entries in rows(own):
        team.put(entries, None)
    return team


def design_of(own: Own = OWN, supernodes: int = 64) -> ScenarioDocument:
    return build_scenario(scenario(
        name=own.design, description=own.description, workload__model=own.key_model, supernode={"system": own.key_system},
        pod__supernodes=supernodes, pod__fabric__switch=own.key_switch, facility__site=own.key_site,
    ))  # fmt: skip


def work_of(own: Own, team: TeamCatalog, supernodes: int = 64) -> Work:
    document, catalog = design_of(own, supernodes), team.catalog()
    evaluated = evaluate_scenario(document, catalog)
    return Work(document, lambda: evaluated, view=lambda: catalog, note=own.note)


def texts(name: str, content: bytes) -> Iterator[tuple[str, str]]:
    """Every text of a file, members of ZIPs, cells, comments, names and properties of workbooks included."""
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            for member in packed.namelist():
                yield f"{name}!", member
                yield from texts(f"{name}!{member}", packed.read(member))
        if name.endswith(".xlsx"):
            yield name, "\n".join(str(one) for one in _said_by(openpyxl.load_workbook(io.BytesIO(content))))
    elif content.startswith(b"%PDF"):
        document = pypdfium2.PdfDocument(content)
        yield name, "\n".join(page.get_textpage().get_text_bounded() for page in document)
        yield name, str(document.get_metadata_dict())
    else:
        text = content.decode("utf-8")
        yield name, text
        if "<" in text:  # words that tags are between
            yield name, re.sub(r"<[^>]*>", " ", text)


def _said_by(book: openpyxl.Workbook) -> Iterator[Any]:
    yield from book.sheetnames
    yield from book.defined_names
    yield from (getattr(book.properties, name) for name in book.properties.__elements__)
    for sheet in book:
        yield from sheet.defined_names
        yield from (sheet.oddFooter.left.text, sheet.oddHeader.left.text)
        for line in sheet.iter_rows():
            for cell in line:
                yield cell.value
                if cell.comment:
                    yield cell.comment.text


def printed(price: float) -> set[str]:
    """The forms in which a price could be printed: raw, rounded, with separators, in thousands."""
    forms = {f"{price}", f"{price:.0f}", f"{price:.1f}", f"{price:.2f}", f"{price:.4g}", f"{price:.5g}"}
    forms |= {f"{price:,.0f}", f"{price:,.1f}", f"{price:,.2f}"}
    forms |= {one.replace(",", mark) for one in tuple(forms) for mark in ("\u202f", "\u00a0", " ", "'")}
    if price > 1e4:
        forms |= {f"{price / 1e3:.1f} k", f"{price / 1e3:.4g} k", f"{price / 1e3:.1f}k"}
    return {one for one in forms if len(re.sub(r"\D", "", one).strip("0")) >= 4}


def holds(text: str, words: tuple[str, ...], prices: tuple[float, ...]) -> list[str]:
    """The words and prices that are somewhere in a text, parts of other words included."""
    small = text.casefold()
    found = [word for word in words if word.casefold() in small]
    for form in itertools.chain.from_iterable(map(printed, prices)):
        found += [form] if re.search(rf"(?<![\d.,]){re.escape(form)}(?![\d])", text) else []
    return found
