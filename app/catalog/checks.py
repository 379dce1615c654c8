"""What must hold between rows: keys, foreign keys, and totals that follow from other figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.catalog.kinds import KINDS
from app.catalog.kinds.aliases import CATALOG_KIND, Alias
from app.catalog.kinds.prices import PriceItem
from app.catalog.kinds.systems import System
from app.catalog.model_shape import FIELDS, whole_shape
from app.catalog.provenance import SourceFamilies
from app.catalog.rows import SeedRecord
from app.engine.specs import Architecture
from app.engine.workload.transformer import parameters

Records = Mapping[str, Sequence[SeedRecord]]

PARAMETER_TOLERANCE = 0.03
TOTAL_TOLERANCE = 0.01  # totals are printed with two to four digits
HEADLINE_TOLERANCE = 0.04  # a vendor's own round figure may stand in place of the sum

# Columns of systems.csv that add up over chips, with the field of the chip.
TOTALS = {
    "accelerator_memory_label_bytes": "memory_label_bytes",
    "bf16_flop_per_s": "bf16_flop_per_s",
    "fp8_flop_per_s": "fp8_flop_per_s",
    "fp4_flop_per_s": "fp4_flop_per_s",
}


def check_all(records: Records, families: SourceFamilies) -> None:
    """Every check between rows.

    Raises
    ------
    SeedError : names the first row that fails
    """
    check_keys(records)
    check_foreign_keys(records, families)
    for record in records["systems"]:
        check_totals(record, {part.key: part for part in records["accelerators"]})
    for record in records["models"]:
        check_parameters(record)


def check_keys(records: Records) -> None:
    """Keys are unique in a kind, and those of hardware across kinds."""
    hardware: dict[str, SeedRecord] = {}
    for kind, rows in records.items():
        seen: dict[str, SeedRecord] = {}
        for record in rows:
            _unique(record, seen)
            if KINDS[kind].hardware:
                _unique(record, hardware)


def _unique(record: SeedRecord, seen: dict[str, SeedRecord]) -> None:
    other = seen.setdefault(record.key, record)
    if other is not record:
        place = f"{other.row.file}, line {other.row.line}"
        column = "alias" if isinstance(record.spec, Alias) else "key"
        raise record.row.error(column, f"the key {record.key!r} is already that of {place}")


def check_foreign_keys(records: Records, families: SourceFamilies) -> None:
    """Every key that a row names exists."""
    keys = {kind: {record.key for record in rows} for kind, rows in records.items()}
    keys["sources"] = {family.key for family in families}
    hardware = {
        key for kind, found in keys.items() if kind in KINDS and KINDS[kind].hardware for key in found
    }
    for kind, rows in records.items():
        for record in rows:
            for field, targets in KINDS[kind].foreign_keys.items():
                _must_exist(
                    record, field, getattr(record.spec, field), set().union(*(keys[k] for k in targets))
                )
            if isinstance(record.spec, PriceItem):
                _must_exist(record, "part_key", record.spec.part_key, hardware)
            if isinstance(record.spec, System):
                for key, _ in record.spec.chips():
                    _must_exist(record, "accelerator_mix", key, keys["accelerators"])
            if isinstance(record.spec, Alias) and record.spec.of in CATALOG_KIND:
                _must_exist(record, "key", record.spec.target, keys[CATALOG_KIND[record.spec.of]])


def _must_exist(record: SeedRecord, column: str, key: str, known: set[str]) -> None:
    if key and key not in known:
        raise record.row.error(column, f"no row has the key {key!r}")


def check_totals(record: SeedRecord, accelerators: Mapping[str, SeedRecord]) -> None:
    """A system's totals are accelerators x chip value, mixed systems included."""
    system = record.spec
    assert isinstance(system, System)
    chips = system.chips()
    if not chips:
        return
    if system.accelerators != sum(count for _, count in chips):
        raise record.row.error("accelerator_mix", "does not add up to accelerators")
    tolerance = HEADLINE_TOLERANCE if system.vendor_headline else TOTAL_TOLERANCE
    for total, each in TOTALS.items():
        values = [getattr(accelerators[key].spec, each) for key, _ in chips]
        if None not in values:
            expected = sum(value * count for value, (_, count) in zip(values, chips, strict=True))
            _must_agree(record, total, expected, tolerance)
    _check_links(record, system, accelerators[chips[0][0]], tolerance)


def _check_links(record: SeedRecord, system: System, chip: SeedRecord, tolerance: float) -> None:
    link = system.scale_up_bandwidth_bytes_per_s
    if link is not None and system.accelerators:
        # part of a chip's links may leave the system, so less is possible and more is not
        whole = chip.facts.get("scale_up_bandwidth_bytes_per_s")
        if whole is not None and link > whole.value * (1 + TOTAL_TOLERANCE):
            raise record.row.error("scale_up_gb_s_bidir_per_accel", "is above what the chip's links carry")
        _must_agree(record, "scale_up_aggregate_bandwidth_bytes_per_s", link * system.accelerators, tolerance)
    nics, rate = system.scale_out_nics, system.scale_out_nic_bandwidth_bytes_per_s
    if nics is not None and rate is not None:
        _must_agree(record, "scale_out_total_bandwidth_bytes_per_s", nics * rate, TOTAL_TOLERANCE)


def _must_agree(record: SeedRecord, field: str, expected: float, tolerance: float) -> None:
    fact = record.facts.get(field)
    if fact is not None and abs(fact.value - expected) > tolerance * expected:
        raise record.row.error(
            fact.printed_column,
            f"{fact.value:.4g} {fact.unit} is {fact.value / expected - 1:+.1%} off "
            f"the {expected:.4g} {fact.unit} that the chips add up to",
        )


def check_parameters(record: SeedRecord) -> None:
    """The published parameter count is within 3 % of what the architecture adds up to."""
    published = record.facts.get("published_parameters")
    if published is None or not counts_apply(record):
        return
    counted = float(parameters(architecture=architecture_of(record))[0])
    if abs(counted / published.value - 1) > PARAMETER_TOLERANCE:
        raise record.row.error(
            "published_params_b",
            f"{published.value:.4g} parameters are published, the architecture has {counted:.4g} "
            f"({counted / published.value - 1:+.1%})",
        )


def counts_apply(record: SeedRecord) -> bool:
    """Return whether the engine's formulas describe this kind of attention; for hybrids our own count is printed."""
    return not str(getattr(record.spec, "attention", "")).lower().startswith("csa")


def architecture_of(record: SeedRecord) -> Architecture:
    """The engine's record of a model row."""
    spec = record.spec
    stated = {name: record.facts[name].value for name in FIELDS if name in record.facts}
    shape = whole_shape(stated, str(getattr(spec, "attention", "")))
    return shape.architecture(spec.key, str(getattr(spec, "name", spec.key)))
