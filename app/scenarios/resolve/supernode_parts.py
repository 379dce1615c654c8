"""A custom SuperNode of stated parts: its build-up from the catalog, and what follows from it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from app.catalog.errors import CatalogLookupError
from app.catalog.lookup import Part
from app.catalog.processors import processor_of
from app.catalog.values import Fact
from app.catalog.view import CatalogView
from app.engine.fabric.scale_up.section import STRUCTURES
from app.engine.fabric.scale_up.shape import Shape
from app.engine.specs import Accelerator, Medium, ScaleUpPlan
from app.engine.supernode import LEAST, MOST, TYPICAL, BuildUp, Contents, build_up, modules_of
from app.engine.trace import Array, Origin
from app.engine.units import words_of
from app.scenarios.document.supernode import (
    AcceleratorOverride,
    CustomSuperNode,
    MemoryPoolDocument,
    SuperNodeParts,
)
from app.scenarios.errors import refuse
from app.scenarios.resolve.hardware_words import cooling_kind, generation_family
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.lookups import part_or_error
from app.scenarios.resolve.scale_up import is_parted
from app.scenarios.resolve.supernode_media import Assumed, media_of, span_m
from app.scenarios.resolve.supernode_pool import added_per_accelerator

FABRIC = "supernode.custom.scale_up.fabric"


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """The build-up of a SuperNode, its scale-up network, and the media of its links."""

    parts: BuildUp
    plan: ScaleUpPlan | None
    shape: Shape | None
    contents: Contents
    media: tuple[Medium, Medium]  # of links that stay with the lower switches, and of those to the upper ones
    span_m: float  # of the longest link between racks of a domain
    cooling: str
    accelerators: float
    domain: float  # accelerators that one collective reaches

    @property
    def cables(self) -> Array:
        """Cables of its scale-up network; NaN where the number of cables of a link is not published."""
        layers = self.shape.layers if self.shape else ()
        return sum((layer.links * layer.cables_per_link for layer in layers), start=np.zeros(1))

    @property
    def modules(self) -> Array:
        """Modules at the ends of its powered cables."""
        return np.zeros(1) if self.shape is None else modules_of(self.shape, self.media)


def fabric_of(inputs: Inputs, custom: CustomSuperNode) -> Part | None:
    """The scale-up fabric that the SuperNode states, or that of the catalog's system with its accelerator.

    Raises
    ------
    ScenarioError : the catalog has no such fabric; or none is stated, and no system has this accelerator and a fabric
    """
    key = custom.scale_up.fabric
    if key is None and (custom.parts is None or custom.accelerators == 1):
        return None
    if key is None:
        systems = (inputs.catalog.part("systems", one) for one in inputs.catalog.keys("systems"))
        alike = [one for one in systems if one.attributes.get("accelerator_key") == custom.accelerator]
        keys = [
            str(one.attributes["scale_up_fabric"]) for one in alike if one.attributes.get("scale_up_fabric")
        ]
        if not keys:
            raise refuse(
                f"No system of the catalog says how its {custom.accelerator} are joined.",
                rule="missing",
                path=FABRIC,
                value=None,
                hint="State the scale-up fabric whose links and switches join them, such as nvlink5_72.",
            )
        fabrics = [inputs.catalog.part("scale_up_fabrics", one) for one in keys]
        return max(fabrics, key=lambda one: (one.facts["accelerators"].value, not is_parted(one)))
    return part_or_error(inputs.catalog, "scale_up_fabrics", key, FABRIC)


def as_parts(catalog: CatalogView, system: Part) -> CustomSuperNode | None:
    """A system of the catalog as a SuperNode of parts: what it holds, and none of what follows from that.

    None where its accelerator, its hosts or its scale-up fabric are not published.
    """
    facts, attributes = system.facts, system.attributes
    chip, fabric = str(attributes.get("accelerator_key", "")), str(attributes.get("scale_up_fabric", ""))
    if not chip or not fabric or "nodes" not in facts or "accelerators" not in facts:
        return None
    count, trays = facts["accelerators"].value, facts["nodes"].value
    domain = facts["scale_up_domain_accelerators"].value if "scale_up_domain_accelerators" in facts else count
    processor = processor_of(catalog, system)

    def each(name: str) -> int | None:
        return round(facts[name].value / trays) if name in facts else None

    processors, nics = each("cpus"), each("scale_out_nics")
    memory = facts["host_memory_bytes"].value / trays if "host_memory_bytes" in facts else None
    cooling = cooling_kind(str(attributes.get("cooling", "")))
    return CustomSuperNode.model_validate(
        {
            "name": system.name,
            "accelerator": chip,
            "accelerators": round(count),
            "scale_up": {  # all of it at any size, where it is all of it
                "fabric": fabric,
                "domain_accelerators": None if domain == count else round(domain),
            },
            "cooling": cooling or None,
            "nic_gbit_s": _gbit_s(facts),
            "parts": {
                "accelerators_per_tray": round(count / trays),
                "processors_per_tray": 2 if processors is None else processors,
                "processor": None if processor is None else processor.key,
                "host_memory_bytes_per_tray": memory,
                "nics_per_tray": nics,
            },
        }
    )


def _gbit_s(facts: Mapping[str, Fact]) -> float | None:
    rate = facts.get("scale_out_nic_bandwidth_bytes_per_s")
    return None if rate is None else rate.value * 8 / 1e9


def nics_of(parts: SuperNodeParts, accelerators: float) -> float:
    """Compute NICs: those of a tray for as many accelerators as it holds, else one for each accelerator.

    A tray that is not full has the NICs of the accelerators that are there.
    """
    if parts.nics_per_tray is None:
        return accelerators
    return float(math.ceil(accelerators * parts.nics_per_tray / parts.accelerators_per_tray - 1e-9))


def joined_by(
    inputs: Inputs, chip: Accelerator, fabric: Part, given: AcceleratorOverride
) -> tuple[Accelerator, int]:
    """The accelerator with the bandwidth of its links of a fabric, and how many those are.

    As many as in the fabric, and no more than the accelerator has bandwidth for, as stated or published.
    """
    link = fabric.facts["link_bandwidth_bytes_per_s"].value
    links = int(fabric.facts["links_per_accelerator"].value)
    own = float(chip.scale_up_bandwidth_bytes_per_s[0])
    if not np.isnan(own):
        links = (
            max(1, min(links, int(own / link * (1 + 1e-9))))
            if not given.scale_up_bandwidth_bytes_per_s
            else max(1, int(own / link * (1 + 1e-9)))
        )
    rate = links * link
    if not np.isnan(own) and abs(rate / own - 1) < 0.02:
        return chip, links  # as published, rounded
    source = f"{links} links of {fabric.name}, {link / 1e9:g} GB/s each"
    changed = {"scale_up_bandwidth_bytes_per_s": rate}
    if fabric.attributes["structure"] == "switch_planes":
        changed["scale_up_pair_bandwidth_bytes_per_s"] = rate
    taken = {
        name: inputs.derived(f"supernode.accelerator.{name}", value, f"{chip.name}, {words_of(name)}", source)
        for name, value in changed.items()
    }
    return replace(chip, **taken), links  # type: ignore[arg-type]


def build_up_of(
    inputs: Inputs,
    custom: CustomSuperNode,
    chip: Accelerator,
    plan: ScaleUpPlan | None,
    numbers: Mapping[str, Array],
    cooling: str | None = None,
    pool: MemoryPoolDocument | None = None,
) -> Built:
    """Build a SuperNode up from its parts.

    Parameters
    ----------
    plan : of its scale-up domain; None where nothing is joined, or how is not published
    numbers : accelerators, those of a domain, compute NICs and the rate of one
    cooling : in place of the stated one
    pool : memory that its accelerators share; None where it has none

    Raises
    ------
    ScenarioError : a medium does not reach as far as its links go
    """
    parts = custom.parts or SuperNodeParts()
    count, domain = (float(numbers[name][0]) for name in ("accelerators", "scale_up_domain_accelerators"))
    shape = None
    if plan is not None:
        shape = _times(STRUCTURES[plan.structure](plan, np.full(1, domain)), count / domain)
    cooling = cooling or custom.cooling or _cooling(inputs, chip)
    assumed = Assumed(
        inputs,
        {"cooling": cooling, "accelerator": chip.key, "generation": generation_family(chip.generation)},
    )
    copper = assumed.medium("copper")
    contents = _contents(inputs, custom, parts, chip, count, domain, assumed, numbers, plan)
    if pool is not None:
        of_pool = replace(assumed, context={**assumed.context, "technology": pool.technology})
        power, price = added_per_accelerator(pool, of_pool)
        contents = replace(contents, pool_power_w=power, pool_price_usd=price)
    first = build_up(contents, plan, shape, (copper, copper))
    media = media_of(custom.scale_up.medium, first, shape, assumed, domains=count / domain)
    return Built(
        parts=build_up(contents, plan, shape, media), plan=plan, shape=shape, contents=contents, media=media,
        span_m=span_m(first, assumed, domains=count / domain), cooling=cooling, accelerators=count, domain=domain,
    )  # fmt: skip


def _contents(
    inputs: Inputs,
    custom: CustomSuperNode,
    parts: SuperNodeParts,
    chip: Accelerator,
    count: float,
    domain: float,
    assumed: Assumed,
    numbers: Mapping[str, Array],
    plan: ScaleUpPlan | None,
) -> Contents:
    each = float(parts.accelerators_per_tray)
    on_tray = np.full(1, each)
    processor = parts.processor and part_or_error(
        inputs.catalog, "cpus", parts.processor, "supernode.custom.parts.processor"
    )
    memory = parts.host_memory_bytes_per_tray
    nic = parts.nic and part_or_error(inputs.catalog, "nics", parts.nic, "supernode.custom.parts.nic")
    return Contents(
        accelerators=np.full(1, count),
        accelerators_per_tray=on_tray,
        processors_per_tray=np.full(1, float(parts.processors_per_tray)),
        host_memory_bytes_per_tray=assumed("host_memory_bytes_per_accelerator") * each
        if memory is None
        else np.full(1, memory),
        nics=numbers["scale_out_nics"],
        accelerator_power_w=chip.tdp_w,
        accelerator_price_usd=_chip_price(inputs, chip, assumed),
        processor_power_w=_published(processor or None, "max_power_w", assumed("processor_power_w")),
        processor_price_usd=assumed.spread("processor_price_usd"),
        memory_power_w_per_byte=assumed("host_memory_power_w_per_byte", processor=parts.processor or ""),
        memory_usd_per_byte=assumed.spread("host_memory_price_usd_per_byte"),
        nic_power_w=_published(
            nic or None,
            "max_power_w",
            _published(nic or None, "typical_power_w", _nic_power(inputs)),
        ),
        nic_price_usd=_nic_price(inputs, parts.nic, numbers["scale_out_nic_bandwidth_bytes_per_s"], assumed),
        tray_power_w=assumed("tray_power_w"),
        tray_price_usd=assumed.spread("tray_price_usd"),
        tray_rack_units=on_tray * assumed("tray_rack_units_per_accelerator")
        if parts.tray_rack_units is None
        else np.full(1, parts.tray_rack_units),
        tray_weight_kg=on_tray * assumed("tray_weight_kg_per_accelerator"),
        switch_energy_j_per_bit=_of_the_fabric(inputs, "scale_up_switch_energy_j_per_bit")[
            TYPICAL : TYPICAL + 1
        ],
        switch_usd_per_gbit_s=_of_the_fabric(inputs, "scale_up_switch_usd_per_gbit_s"),
        switches_per_rack_unit=assumed("switch_chips_per_rack_unit"),
        switches_per_upper_rack=_of_the_fabric(inputs, "scale_up_rack_switches")[TYPICAL : TYPICAL + 1],
        circuit_switch_power_w=assumed("circuit_switch_power_w"),
        circuit_switch_price_usd=np.full(3, np.nan),  # none has a published price
        shelf_w_per_rack_unit=assumed("shelf_w_per_rack_unit"),
        rack_units=assumed("own_rack_units"),
        rack_power_limit_w=assumed("own_rack_power_w")
        if parts.rack_power_w is None
        else np.full(1, parts.rack_power_w),
        rack_price_usd=assumed.spread("own_rack_price_usd"),
        rack_weight_kg=assumed("own_rack_weight_kg"),
        accelerators_per_rack=_per_rack(plan),
        shares_a_rack=count <= each,
        switches_on_trays=domain <= each,
        fan_share=assumed("rated_fan_share"),
        supply_efficiency=assumed("rated_supply_efficiency"),
        assembly_share=assumed("assembly_share"),
    )


def _per_rack(plan: ScaleUpPlan | None) -> Array | None:
    """Accelerators of a rack where the network sets them: a cube of a torus, or what one of the joined switches reaches."""
    if plan is None:
        return None
    if plan.cube_side is not None:
        return plan.cube_side ** len(plan.lengths)
    return plan.first_tier_accelerators if plan.taper is None else None


def _published(part: Part | None, name: str, otherwise: Array) -> Array:
    return np.full(1, part.facts[name].value) if part is not None and name in part.facts else otherwise


def _nic_power(inputs: Inputs) -> Array:
    row = inputs.catalog.assumption("scenario", "nic_power_w", inputs.context)
    return np.full(1, inputs.overrides.get("scenario.nic_power_w", row.high or row.value))


def _nic_price(inputs: Inputs, key: str | None, rate_bytes_per_s: Array, assumed: Assumed) -> Array:
    """Price of a NIC of the catalog, else by its rate."""
    price = inputs.catalog.price(key) if key else None
    if price is not None:
        return _range(price.low, price.value, price.high)
    return assumed.spread("nic_price_usd_per_gbit_s") * rate_bytes_per_s * 8 / 1e9


def _chip_price(inputs: Inputs, chip: Accelerator, assumed: Assumed) -> Array:
    """Price of one accelerator: as stated, as a module of its own, else that of the catalog."""
    origin = inputs.origins["supernode.accelerator.price_usd"]
    if origin.kind != "scenario":
        try:
            return assumed.spread("module_price_usd")
        except CatalogLookupError:
            pass
    return _range(origin.low, float(chip.price_usd[0]), origin.high)


def _range(low: float | None, value: float, high: float | None) -> Array:
    return np.array([value if one is None else one for one in (low, value, high)])


def _of_the_fabric(inputs: Inputs, name: str) -> Array:
    key = f"fabric.{name}"
    if key in inputs.overrides:
        return np.full(3, inputs.overrides[key])
    row = inputs.catalog.assumption("fabric", name, inputs.context)
    return _range(row.low, row.value, row.high)


def _cooling(inputs: Inputs, chip: Accelerator) -> str:
    """air where the accelerator can be cooled by it, else liquid; "" where it is not published."""
    text = str(inputs.catalog.part("accelerators", chip.key).attributes.get("cooling", "")).lower()
    if "air" in text:
        return "air"
    return "liquid" if "liquid" in text or "dlc" in text else ""


def _times(shape: Shape, domains: float) -> Shape:
    """The networks of several domains of one SuperNode: switches and links of each, together."""
    if domains == 1:
        return shape
    layers = tuple(
        replace(layer, switches=layer.switches * domains, links=layer.links * domains)
        for layer in shape.layers
    )
    circuits = replace(
        shape.circuits, switches=shape.circuits.switches * domains, ends=shape.circuits.ends * domains
    )
    return replace(shape, layers=layers, circuits=circuits)


def numbers_of(inputs: Inputs, one: Built, left_out: Collection[str], name: str) -> dict[str, Array]:
    """Numbers of the SuperNode that follow from its parts, of those that the scenario leaves out.

    One that hangs on a part no one priced or rated stays unknown, and says on which.
    """
    parts = one.parts
    counted = ", ".join(
        f"{line.count[0]:,.0f} {words_of(line.name)}" for line in parts.lines[:-1] if line.count[0]
    )
    trays = f"{one.accelerators:,.0f} accelerators on {parts.trays[0]:,.0f} trays"
    rules = {
        "nodes": (parts.trays, trays),
        "host_memory_bytes": (parts.host_memory_bytes, f"memory of a tray; {trays}"),
        "max_power_w": (parts.rated_power_w, f"sum of its parts with fans and losses: {counted}"),
        "racks": (parts.racks, rack_words(parts)),
        "rack_units": (parts.rack_units, "heights of trays, switches and power shelves"),
        "weight_kg": (parts.weight_kg, f"trays and racks; {trays}"),
        "price_usd": (parts.price_usd[[TYPICAL]], f"sum of its parts: {counted}"),
    }
    found: dict[str, Array] = {}
    for key in left_out:
        (value, rule), path = rules[key], f"supernode.{key}"
        label = f"{name}, {words_of(key)}"
        if np.isnan(value).any():
            found[key] = inputs.unknown(path, label, scenario_field=f"supernode.custom.{key}")
            continue
        low, high = (float(parts.price_usd[at]) if key == "price_usd" else None for at in (LEAST, MOST))
        origin = Origin(kind="derived", label=label, source=rule, low=low, high=high)
        found[key] = inputs.taken(path, float(value[0]), origin)
    return found


def rack_words(parts: BuildUp) -> str:
    """Why it fills as many racks, in words."""
    if not parts.racks[0]:
        return "a server that shares a rack with others"
    bound = {"rack_power": "its power", "rack_units": "its height", "network": "its network"}[
        parts.tray_bound
    ]
    upper = f", and {parts.switch_racks[0]:,.0f} of upper switches" if parts.switch_racks[0] else ""
    return f"{parts.trays_per_rack[0]:,.0f} trays a rack, bound by {bound}{upper}"
