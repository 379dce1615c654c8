"""What a design asks of its storage, the tiers that are sized to it, and what they cost."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.catalog.view import CatalogView
from app.engine.operations.section import kept_bytes
from app.engine.specs import GenericWorkload, TrainingWorkload
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.operations.of_run import files_of
from app.views.table import FileColumn, amount, percent, table

CHECKPOINTS = (
    ("Adam, BF16 with FP32 master", 14.0, "2 weights + 4 master + 4 + 4 moments"),
    ("Adam with FP32 gradients", 16.0, "4 master + 4 gradients + 4 + 4 moments"),
    ("Adam without the BF16 copy", 12.0, "4 master + 4 + 4 moments"),
    ("Adam, 8-bit moments", 8.0, "2 weights + 4 master + 1 + 1 moments"),
    ("One moment (Muon, Lion)", 10.0, "2 weights + 4 master + 4 moment"),
    ("Weights only, BF16", 2.0, "2 weights"),
    ("Weights only, FP8", 1.0, "1 weights"),
)
"""Optimiser and precision, bytes per parameter, and what they are of."""
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
    """One tier. `product` is of the catalog, what it takes of it by the larger of capacity and bandwidth.

    Rated bandwidth is that of the flash tier; disks have none that is counted, so a price by it is unknown.
    """

    key: str
    title: str
    capacity_bytes: float
    write_rated_bytes_per_s: float
    read_rated_bytes_per_s: float
    power_w: float
    racks: float  # whole racks are those of all tiers together
    price_usd: float
    price_usd_per_tb: float
    price_usd_per_gb_s: float  # of rated write bandwidth
    sized_by: str
    product: str
    units: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FlashNeed:
    """Capacity of flash that one demand asks for; the largest binds. None where the scenario states the capacity."""

    key: str
    title: str
    capacity_bytes: float
    binds: bool


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
    flash_needs: tuple[FlashNeed, ...]
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
        _figure("kept", "Checkpoints kept", rules.checkpoints_kept, "1", "", "assumed"),
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
            else tokens * rules.token_bytes, "B/s", "", "tokens per second times bytes of a token",
        ),
        _figure(
            "metadata", "Files opened at a checkpoint", found.storage_metadata_per_s, "1/s",
            "reliability.storage_metadata_per_s",
        ),
        _figure(
            "beside", "Held beside the run", rules.storage_bulk_per_accelerator_bytes, "B", "",
            "for each accelerator, assumed",
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
        flash_needs=_flash_needs(scenario),
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
    rules, stated = design.assumptions.rooms["operations"], design.operations.storage
    flash, bulk = first_of(found.storage_flash_bytes), first_of(found.storage_bulk_bytes)
    write = first_of(found.storage_write_rated_bytes_per_s)
    read = first_of(found.storage_read_rated_bytes_per_s)
    bulk_usd = bulk / 1e12 * first_of(money.storage_bulk_price_usd_per_tb)
    servers = 0.0 if first_of(stated.price_is_stated) else write / 1e9
    flash_usd = flash / 1e12 * first_of(stated.price_usd_per_tb) + servers * first_of(
        money.storage_price_usd_per_gb_s
    )
    bulk_w = bulk / 1e15 * first_of(rules.storage_bulk_power_w_per_pb)
    bulk_racks = bulk / 1e15 * first_of(rules.storage_bulk_racks_per_pb)
    flash_racks = max(
        flash / 1e15 * first_of(rules.storage_flash_racks_per_pb),
        write / 1e9 * first_of(rules.storage_flash_racks_per_gb_s),
    )
    flash_w = first_of(found.storage_power_w) - bulk_w
    binding = next((one.key for one in _flash_needs(scenario) if one.binds), "stated")
    return (
        _tier(
            "flash", "Flash", flash, (write, read), flash_w, flash_racks, flash_usd, SIZED_BY[binding], catalog,
            "tier_flash_server",
        ),
        _tier(
            "bulk", "Disks", bulk, (math.nan, math.nan), bulk_w, bulk_racks, bulk_usd, "capacity", catalog,
            "tier_disk_server",
        ),
    )  # fmt: skip


SIZED_BY = {"held": "capacity", "write": "write bandwidth", "read": "read bandwidth", "stated": "scenario"}


def _tier(
    key: str,
    title: str,
    held: float,
    rated: tuple[float, float],
    power_w: float,
    racks: float,
    price_usd: float,
    sized_by: str,
    catalog: CatalogView,
    product: str,
) -> StorageTier:
    part, write = catalog.part("storage", product), 0.0 if math.isnan(rated[0]) else rated[0]
    by_capacity = held / (part.facts["usable_capacity_bytes"].value or math.nan)
    by_bandwidth = write / (part.facts["write_bandwidth_bytes_per_s"].value or math.nan)
    return StorageTier(
        key=key,
        title=title,
        capacity_bytes=held,
        write_rated_bytes_per_s=rated[0],
        read_rated_bytes_per_s=rated[1],
        power_w=power_w,
        racks=racks,
        price_usd=price_usd,
        price_usd_per_tb=price_usd / (held / 1e12) if held > 0 else math.nan,
        price_usd_per_gb_s=price_usd / (write / 1e9) if write > 0 else math.nan,
        sized_by=sized_by,
        product=part.name,
        units=math.ceil(max(by_capacity, by_bandwidth)) if math.isfinite(by_capacity) else math.nan,
    )


def _flash_needs(scenario: EvaluatedScenario) -> tuple[FlashNeed, ...]:
    """What capacity, writes and reads each ask of flash; none where the scenario states it."""
    design, found = scenario.resolved.whole, scenario.evaluation.sections.reliability
    rules = design.assumptions.rooms["operations"]
    if design.operations.storage.capacity_bytes is not None and not math.isnan(
        first_of(design.operations.storage.capacity_bytes)
    ):
        return ()
    write = first_of(found.storage_write_rated_bytes_per_s) / first_of(rules.storage_write_per_capacity_per_s)
    read = first_of(found.storage_read_rated_bytes_per_s) / first_of(rules.storage_read_per_capacity_per_s)
    flash = first_of(found.storage_flash_bytes)
    held = math.nan if flash <= max(write, read) * (1 + 1e-9) else flash
    asked = (
        (
            "held",
            "Held, with slack",
            _held_bytes(scenario) if math.isnan(held) else held,
        ),
        ("write", "Rated write bandwidth", write),
        ("read", "Rated read bandwidth", read),
    )
    return tuple(
        FlashNeed(key=key, title=title, capacity_bytes=value, binds=abs(value - flash) <= 1e-9 * flash)
        for key, title, value in asked
        if not math.isnan(value)
    )


def _held_bytes(scenario: EvaluatedScenario) -> float:
    """Checkpoints, data and weights with slack, as the engine sizes flash without bandwidth."""
    design, sections = scenario.resolved.whole, scenario.evaluation.sections
    rules, workload = design.assumptions.rooms["operations"], design.workload
    if isinstance(workload, TrainingWorkload | GenericWorkload):
        _, held = kept_bytes(workload, design.pod, sections.performance, rules)  # type: ignore[arg-type]
        return first_of(held) / first_of(rules.storage_usable_share)
    weights = sections.reliability.weights_bytes
    return math.nan if weights is None else first_of(weights) / first_of(rules.storage_usable_share)


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
            ("Tier", "capacity", "rated write", "power", "racks", "USD", "USD/TB", "USD/(GB/s)", "sized by", "self-built of"),
            [
                (
                    one.title, amount(one.capacity_bytes, "B"), "-" if math.isnan(one.write_rated_bytes_per_s) else amount(one.write_rated_bytes_per_s, "B/s"),
                    amount(one.power_w, "W"), f"{one.racks:.1f}", f"{one.price_usd:,.0f}", f"{one.price_usd_per_tb:,.0f}",
                    "-" if math.isnan(one.price_usd_per_gb_s) else f"{one.price_usd_per_gb_s:,.0f}", one.sized_by,
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
                ("Checkpoint", "bytes per parameter", "size"),
                [
                    (one.title, f"{one.bytes_per_parameter:g}", amount(one.checkpoint_bytes, "B"))
                    for one in report.checkpoints
                ],
            ),
            "",
        ]
    return "\n".join([*lines, f"Storage is {percent(report.share_of_capex)} of the capital.", *report.notes])


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageRow:
    """A figure with the part of the report that it is of."""

    part: str
    title: str
    value: float
    unit: str


def _rows(report: StorageReport) -> list[StorageRow]:
    groups = (
        ("Demand", report.demand),
        ("Supply", report.supply),
        ("Meta, Llama 3, by accelerators", report.published),
    )
    found = [
        StorageRow(part=part, title=one.title, value=one.value, unit=one.unit)
        for part, figures in groups
        for one in figures
    ]
    for tier in report.tiers:
        of_tier = (
            ("Capacity", tier.capacity_bytes, "B"),
            ("Rated write bandwidth", tier.write_rated_bytes_per_s, "B/s"),
            ("Rated read bandwidth", tier.read_rated_bytes_per_s, "B/s"),
            ("Power", tier.power_w, "W"),
            ("Racks", tier.racks, "1"),
            ("Price", tier.price_usd, "USD"),
            ("Price of capacity", tier.price_usd_per_tb, "USD/TB"),
            ("Price of rated write bandwidth", tier.price_usd_per_gb_s, "USD/(GB/s)"),
        )
        found += [
            StorageRow(part=tier.title, title=title, value=value, unit=unit) for title, value, unit in of_tier
        ]
    return found


FILES = files_of(
    (
        FileColumn("Part", "part", None, 30),
        FileColumn("Figure", "title", None, 34),
        FileColumn("Value", "value", "1", 18),
        FileColumn("Unit", "unit", None),
    ),
    _rows,
    name="storage",
)
