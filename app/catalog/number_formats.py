"""Number formats of served models and which engines run them where: `seed_data/serving/`.

`number_formats.csv` declares a format once: its bits with scales, what its activations are in, and which peak its
products run at on chips that have units for it. A format of weights alone, and one whose units a chip lacks, is
dequantised on the way and multiplied in 16 bit. `engine_formats.csv` says which engine does either where.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from app.catalog.engine_versions import version_numbers
from app.catalog.seed_files import SeedRow, read_rows
from app.catalog.values import Part
from app.paths import seed_data

FORMATS_FILE = "serving/number_formats.csv"
ENGINES_FILE = "serving/engine_formats.csv"
FORMAT_COLUMNS = (
    "format", "label", "element_bits", "scale_bits", "block_elements", "activations", "needs_peak", "multiplies_at",
    "native_chips", "native_maker", "fitted_as", "kernels_of", "mixture_keeps", "cache", "source",
)  # fmt: skip
ENGINE_COLUMNS = ("engine", "holds", "format", "how", "chips", "first_version", "confidence", "source")

Holds = Literal["weights", "kv_cache"]
How = Literal["native", "weight_only"]

WEIGHTS_ALONE = "none"
"""What `needs_peak` says of a format that no chip multiplies as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberFormat:
    """A format of weights, or of keys and values."""

    key: str
    label: str
    element_bits: float
    scale_bits: float  # of a block, zero point included
    block_elements: float
    activations: str
    needs_peak: str  # peak that shows the units; `none` where no chip has any
    multiplies_at: str  # whose peak products run at
    native_chips: tuple[str, ...]  # generations with units for it; none: every one with the peak
    native_maker: str
    fitted_as: str  # the word that fitted constants of a whole model are chosen by
    kernels_of: str  # and those of its matrix products
    mixture_keeps: (
        str  # what checkpoints of a mixture of experts multiply in outside them; "": the format itself
    )
    cache: bool  # whether keys and values are kept in it
    source: str

    @property
    def bits(self) -> float:
        """Bits of an element, its share of the scale included."""
        return self.element_bits + self.scale_bits / self.block_elements

    @property
    def bytes(self) -> float:
        return self.bits / 8

    @property
    def weights_alone(self) -> bool:
        """Return whether only weights are kept in it, on every chip."""
        return self.needs_peak == WEIGHTS_ALONE


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineFormat:
    """An engine that runs a format on some chips, natively or by dequantising weights."""

    engine: str
    holds: Holds
    format: str
    how: How
    chips: tuple[str, ...]  # generations; none: every one with units for the format
    first_version: str
    source: str


@cache
def number_formats(directory: Path | None = None) -> dict[str, NumberFormat]:
    """Every format by its word, in file order.

    Raises
    ------
    SeedError : a row cannot be used
    """
    return {
        row.cells["format"]: NumberFormat(
            key=row.cells["format"],
            label=row.cells["label"],
            element_bits=_number(row, "element_bits"),
            scale_bits=_number(row, "scale_bits"),
            block_elements=_number(row, "block_elements"),
            activations=row.cells["activations"],
            needs_peak=row.cells["needs_peak"],
            multiplies_at=row.cells["multiplies_at"],
            native_chips=tuple(row.cells["native_chips"].split()),
            native_maker=row.cells["native_maker"],
            fitted_as=row.cells["fitted_as"],
            kernels_of=row.cells["kernels_of"],
            mixture_keeps=row.cells["mixture_keeps"],
            cache=row.cells["cache"] == "yes",
            source=row.sourced(),
        )
        for row in read_rows(directory or seed_data(), FORMATS_FILE, FORMAT_COLUMNS)
    }


@cache
def engine_formats(directory: Path | None = None) -> tuple[EngineFormat, ...]:
    """Which engine runs which format where, in file order.

    Raises
    ------
    SeedError : a row cannot be used
    """
    found = []
    for row in read_rows(directory or seed_data(), ENGINES_FILE, ENGINE_COLUMNS):
        how, holds = row.cells["how"], row.cells["holds"]
        if how not in ("native", "weight_only"):
            raise row.error("how", "is neither native nor weight_only")
        if holds not in ("weights", "kv_cache"):
            raise row.error("holds", "is neither weights nor kv_cache")
        if row.cells["format"] not in number_formats(directory):
            raise row.error("format", f"is not a format of {FORMATS_FILE}")
        first = row.cells["first_version"]
        if first and version_numbers(first) is None:
            raise row.error("first_version", "is not a version such as 1.2.0rc6.post2")
        found.append(
            EngineFormat(
                engine=row.cells["engine"],
                holds="weights" if holds == "weights" else "kv_cache",
                format=row.cells["format"],
                how="native" if how == "native" else "weight_only",
                chips=tuple(row.cells["chips"].split()),
                first_version=first,
                source=row.sourced(),
            )
        )
    return tuple(found)


def is_native(form: NumberFormat, accelerator: Part) -> bool:
    """Return whether a chip multiplies a format as it is: it has units for it, no slower than those of 16 bit."""
    if form.weights_alone:
        return False
    chip = str(accelerator.attributes.get("generation", ""))
    if form.native_chips and chip not in form.native_chips:
        return False
    if form.native_maker and form.native_maker.lower() != accelerator.vendor.lower():
        return False
    needed = accelerator.facts.get(f"{form.needs_peak}_flop_per_s")
    sixteen = accelerator.facts.get(sixteen_bit_fact(accelerator))
    return needed is not None and (sixteen is None or needed.value >= sixteen.value)


def rate_fact(form: NumberFormat, accelerator: Part) -> str:
    """The catalog's peak that products with weights of a format run at on a chip."""
    if is_native(form, accelerator) and f"{form.multiplies_at}_flop_per_s" in accelerator.facts:
        return f"{form.multiplies_at}_flop_per_s"
    return sixteen_bit_fact(accelerator)


def sixteen_bit_fact(accelerator: Part) -> str:
    """The catalog's 16-bit peak of a chip: older ones have FP16 alone."""
    return "bf16_flop_per_s" if "bf16_flop_per_s" in accelerator.facts else "fp16_flop_per_s"


def run_by(
    engine: str, holds: Holds, form: NumberFormat, accelerator: Part, version: str | None
) -> How | None:
    """How an engine runs a format on a chip; None where it does not.

    16 bit runs wherever there are units; of a version that is not stated every format of the engine is taken as known.
    """
    if form.bits == 16:
        return "native" if holds == "kv_cache" or is_native(form, accelerator) else None
    chip = str(accelerator.attributes.get("generation", ""))
    native = is_native(form, accelerator) or holds == "kv_cache"
    numbers = version_numbers(version) if version else None
    ways: set[How] = set()
    for row in engine_formats():
        if (row.engine, row.holds, row.format) != (engine, holds, form.key):
            continue
        if row.chips and chip not in row.chips:
            continue
        first = version_numbers(row.first_version) if row.first_version else None
        if numbers is not None and first is not None and numbers < first:
            continue
        ways.add(row.how)
    if "native" in ways and native:
        return "native"
    return "weight_only" if "weight_only" in ways else None


def _number(row: SeedRow, column: str) -> float:
    try:
        return float(row.cells[column])
    except ValueError:
        raise row.error(column, "is not a number") from None
