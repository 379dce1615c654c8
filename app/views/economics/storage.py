"""What a design asks of its storage, the tiers that are sized to it, and what they cost."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.catalog.view import CatalogView
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.table import amount, percent, table

CHECKPOINTS = (
    ("Adam, BF16 with FP32 master", 14.0, "2 weights + 4 master + 4 + 4 moments"),
    ("Adam, FP32 gradients kept", 16.0, "4 master + 4 gradients + 4 + 4 moments"),
    ("Adam without the BF16 copy", 12.0, "4 master + 4 + 4 moments"),
    ("Adam, 8-bit moments", 8.0, "2 weights + 4 master + 1 + 1 moments"),
    ("One moment (Muon, Lion)", 10.0, "2 weights + 4 master + 4 moment"),
    ("Weights only, BF16", 2.0, "2 weights"),
    ("Weights only, FP8", 1.0, "1 weights"),
)
"""Optimiser and precision, bytes a parameter, and what they are of."""
META_ACCELERATORS, META_BYTES, META_SUSTAINED, META_PEAK = 24_576, 240e15, 2e12, 7e12
META = "The Llama 3 Herd of Models, arXiv 2407.21783: 240 PB on 7,500 servers, 2 TB/s sustained, 7 TB/s at the peak"


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageFigure:
    """One figure. `path` is its place in the evaluation, empty where it has none. Unknown is NaN."""

    key: str
    title: str
    value: float
    unit: str
    path: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageTier:
    """One tier. `product` is of the catalog, what it takes of it by the larger of capacity and bandwidth."""

    key: str
    title: str
    capacity_bytes: float
    price_usd: float
    sized_by: str
    product: str
    units: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointSize:
    """A checkpoint of the model by optimiser and precision."""

    title: str
    bytes_per_parameter: float
    checkpoint_bytes: float
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageReport:
    """Storage of a design. Figures of a run are left out for a pod that serves; unknown is NaN."""

    name: str
    demand: tuple[StorageFigure, ...]
    supply: tuple[StorageFigure, ...]
    tiers: tuple[StorageTier, ...]
    checkpoints: tuple[CheckpointSize, ...]
    published: tuple[StorageFigure, ...]
    share_of_capex: float
    notes: tuple[str, ...]


NOTES = (
    "A bandwidth that a scenario states is what jobs get; that of a system of the catalog is rated.",
    "Flash is the larger of what is held with slack and of what comes with the rated bandwidth; disks hold the rest.",
    "Data is read as tokens; pictures, video and preprocessing take more.",
)


def storage_report(scenario: EvaluatedScenario, catalog: CatalogView) -> StorageReport:
    """Demand, supply and price of the storage of a design."""
    sections, design = scenario.evaluation.sections, scenario.resolved.whole
    found, cost = sections.reliability, sections.cost
    rules = design.assumptions.rooms["operations"]
    tokens = getattr(sections.performance, "tokens_per_s", None)
    demand = [
        _figure("checkpoint", "Checkpoint", found.checkpoint_bytes, "B", "reliability.checkpoint_bytes"),
        _figure("kept", "Checkpoints kept", rules.checkpoints_kept, "1", "", "operations.checkpoints_kept"),
        _figure(
            "write", "Write bandwidth for jobs", found.storage_write_bandwidth_bytes_per_s, "B/s",
            "reliability.storage_write_bandwidth_bytes_per_s",
        ),
        _figure(
            "read", "Read bandwidth for jobs", found.storage_read_bandwidth_bytes_per_s, "B/s",
            "reliability.storage_read_bandwidth_bytes_per_s",
        ),
        _figure("save_time", "Time to write a checkpoint", found.checkpoint_write_s, "s", "reliability.checkpoint_write_s"),
        _figure("weights", "Weights", found.weights_bytes, "B", "reliability.weights_bytes"),
        _figure("load_time", "Time to load weights", found.weights_load_s, "s", "reliability.weights_load_s"),
        _figure(
            "data", "Training data read", None if tokens is None or found.checkpoint_bytes is None
            else tokens * rules.token_bytes, "B/s", "", "tokens a second times operations.token_bytes",
        ),
        _figure(
            "metadata", "Files opened at a checkpoint", found.storage_metadata_per_s, "1/s",
            "reliability.storage_metadata_per_s",
        ),
        _figure(
            "beside", "Held beside the run", rules.storage_bulk_per_accelerator_bytes, "B", "",
            "for each accelerator, operations.storage_bulk_per_accelerator_bytes",
        ),
    ]  # fmt: skip
    supply = [
        _figure(
            "rated_write", "Rated write bandwidth", found.storage_write_rated_bytes_per_s, "B/s",
            "reliability.storage_write_rated_bytes_per_s",
        ),
        _figure(
            "rated_read", "Rated read bandwidth", found.storage_read_rated_bytes_per_s, "B/s",
            "reliability.storage_read_rated_bytes_per_s",
        ),
        _figure("capacity", "Capacity, all tiers", found.storage_capacity_bytes, "B", "reliability.storage_capacity_bytes"),
        _figure("power", "Power", found.storage_power_w, "W", "reliability.storage_power_w"),
        _figure("racks", "Racks", found.storage_racks, "1", "reliability.storage_racks"),
        _figure(
            "ports", "Ports of storage servers", found.storage_ports, "1", "reliability.storage_ports",
            _network_said(scenario, first_of(found.storage_ports)),
        ),
        _figure("price", "Price", cost.capex_breakdown_usd["storage"], "USD", "cost.capex_breakdown_usd.storage"),
    ]  # fmt: skip
    return StorageReport(
        name=scenario.document.name,
        demand=tuple(one for one in demand if one is not None),
        supply=tuple(one for one in supply if one is not None),
        tiers=_tiers(scenario, catalog),
        checkpoints=_checkpoints(found.checkpoint_bytes, rules.checkpoint_bytes_per_parameter),
        published=_published(scenario),
        share_of_capex=first_of(cost.capex_breakdown_usd["storage"]) / first_of(cost.capex_usd),
        notes=NOTES,
    )


def _figure(
    key: str, title: str, value: Array | None, unit: str, path: str, said: str = ""
) -> StorageFigure | None:
    if value is None:
        return None
    return StorageFigure(key=key, title=title, value=first_of(value), unit=unit, path=path, said=said)


def _network_said(scenario: EvaluatedScenario, ports: float) -> str:
    """Whether the storage network of the fabric has that many links of servers."""
    networks = [one for one in scenario.evaluation.sections.fabric.networks if one.name == "storage"]
    if not networks:
        return "no storage network of its own is built"
    plan = scenario.resolved.whole.pod.networks.storage
    links = first_of(networks[0].servers) * (
        math.nan if plan is None else first_of(plan.storage_server_ports)
    )
    verdict = "enough" if links >= ports else "too few: state pod.networks.storage.servers"
    return f"the storage network has {links:,.0f} links of servers, {verdict}"


def _tiers(scenario: EvaluatedScenario, catalog: CatalogView) -> tuple[StorageTier, ...]:
    sections, design = scenario.evaluation.sections, scenario.resolved.whole
    found, money = sections.reliability, design.assumptions.rooms["economics"]
    flash, bulk = first_of(found.storage_flash_bytes), first_of(found.storage_bulk_bytes)
    write = first_of(found.storage_write_rated_bytes_per_s)
    bulk_usd = bulk / 1e12 * first_of(money.storage_bulk_price_usd_per_tb)
    per_tb = first_of(design.operations.storage.price_usd_per_tb)
    servers = 0.0 if first_of(design.operations.storage.price_is_stated) else write / 1e9
    flash_usd = flash / 1e12 * per_tb + servers * first_of(money.storage_price_usd_per_gb_s)
    return (
        _tier("flash", "Flash", flash, flash_usd, write, catalog, "tier_flash_server"),
        _tier("bulk", "Disks", bulk, bulk_usd, 0.0, catalog, "tier_disk_server"),
    )


def _tier(
    key: str, title: str, held: float, price_usd: float, write: float, catalog: CatalogView, product: str
) -> StorageTier:
    part = catalog.part("storage", product)
    by_capacity = held / (part.facts["usable_capacity_bytes"].value or math.nan)
    by_bandwidth = write / (part.facts["write_bandwidth_bytes_per_s"].value or math.nan)
    return StorageTier(
        key=key,
        title=title,
        capacity_bytes=held,
        price_usd=price_usd,
        sized_by="bandwidth" if by_bandwidth > by_capacity else "capacity",
        product=part.name,
        units=math.ceil(max(by_capacity, by_bandwidth)) if math.isfinite(by_capacity) else math.nan,
    )


def _checkpoints(size: Array | None, per_parameter: Array) -> tuple[CheckpointSize, ...]:
    if size is None:
        return ()
    parameters = first_of(size) / first_of(per_parameter)
    return tuple(
        CheckpointSize(title=title, bytes_per_parameter=each, checkpoint_bytes=parameters * each, said=said)
        for title, each, said in CHECKPOINTS
    )


def _published(scenario: EvaluatedScenario) -> tuple[StorageFigure, ...]:
    """What Meta built for Llama 3, by the accelerators of this pod."""
    design = scenario.resolved.whole
    share = first_of(design.pod.supernodes) * first_of(design.supernode.accelerators) / META_ACCELERATORS
    return (
        StorageFigure(
            key="meta_capacity", title="Capacity", value=META_BYTES * share, unit="B", path="", said=META
        ),
        StorageFigure(
            key="meta_sustained",
            title="Sustained",
            value=META_SUSTAINED * share,
            unit="B/s",
            path="",
            said=META,
        ),
        StorageFigure(key="meta_peak", title="Peak", value=META_PEAK * share, unit="B/s", path="", said=META),
    )


def storage_text(report: StorageReport) -> str:
    """Demand, supply, tiers and checkpoint sizes as text."""
    lines = [report.name, ""]
    for title, figures in (
        ("Demand", report.demand),
        ("Supply", report.supply),
        ("Meta, Llama 3, by accelerators", report.published),
    ):
        lines += [
            *table(
                (title, "value", ""), [(one.title, amount(one.value, one.unit), one.said) for one in figures]
            ),
            "",
        ]
    lines += [
        *table(
            ("Tier", "capacity", "USD", "sized by", "self-built of"),
            [
                (
                    one.title, amount(one.capacity_bytes, "B"), f"{one.price_usd:,.0f}", one.sized_by,
                    f"{one.units:,.0f} x {one.product}",
                )
                for one in report.tiers
            ],
        ),
        "",
    ]  # fmt: skip
    if report.checkpoints:
        lines += [
            *table(
                ("Checkpoint", "bytes a parameter", "size"),
                [
                    (one.title, f"{one.bytes_per_parameter:g}", amount(one.checkpoint_bytes, "B"))
                    for one in report.checkpoints
                ],
            ),
            "",
        ]
    return "\n".join([*lines, f"Storage is {percent(report.share_of_capex)} of the capital.", *report.notes])
