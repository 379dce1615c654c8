"""How the scale-up domain of a catalog system is joined, as it is sold and at any other size."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from app.catalog.lookup import Part
from app.engine.specs import Accelerator, MeasuredPair, ScaleUpPlan
from app.engine.trace import Array
from app.engine.units import words_of
from app.scenarios.document.supernode import SuperNodeOverride
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.resolve.hardware_words import topology_kind
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.lookups import part_or_error

ROOT = "supernode.scale_up"
DISTANCES = ("other_die", "one_switch", "two_switches")
OPTIONAL = ("planes", "switch_ports", "first_tier_accelerators", "upper_cables_per_link", "cube_side")
KINDS_OF_STRUCTURE = {"switch_planes": "switched", "torus": "torus", "mesh": "mesh"}
DOMAIN = "scale_up_domain_accelerators"
SIDES = ("dimension_1", "dimension_2", "dimension_3")
TWO_TIERS = ("taper", "first_tier_accelerators", "upper_cables_per_link")
"""What a domain has none of that one lower chip of each plane joins."""


def topology_of(inputs: Inputs, system: Part) -> str:
    """The shape of a system's domain: of its scale-up fabric, else by what its row says."""
    fabric = _fabric_of(inputs, system)
    if fabric is not None:
        return KINDS_OF_STRUCTURE[str(fabric.attributes["structure"])]
    return topology_kind(str(system.attributes.get("scale_up_topology", "")))


def scale_up_plan(
    inputs: Inputs, system: Part, chip: Accelerator, override: SuperNodeOverride, topology: str
) -> ScaleUpPlan | None:
    """The plan of the system's domain: that of the catalog, or the same links joined at another size.

    None where the catalog has none, where the scenario states another shape, where a part of the domain as it is sold
    is no shape by itself, and of a domain of one accelerator.

    Raises
    ------
    ScenarioError : the system names a scale-up fabric that the catalog does not have, or its links cannot join a
        domain that large; the error names the largest
    """
    sold = _fabric_of(inputs, system)
    if sold is None or KINDS_OF_STRUCTURE[str(sold.attributes["structure"])] != topology:
        return None
    domain = int(inputs.values["supernode.scale_up_domain_accelerators"][0])
    if domain == 1 and sold.facts["accelerators"].value > 1:
        return None  # nothing is joined
    path = f"supernode.override.{'accelerators' if override.scale_up_domain_accelerators is None else DOMAIN}"
    try:
        plan = _plan(inputs, _of_size(inputs, sold, domain), sold, domain, chip, override)
    except ScenarioError as error:
        raise ScenarioError(replace(fault, path=path) for fault in error.errors) from None
    if plan is None and override.accelerators == domain:
        raise _no_box(sold, domain, path)
    return plan


def plan_as_sold(
    inputs: Inputs, system: Part, chip: Accelerator, override: SuperNodeOverride
) -> ScaleUpPlan | None:
    """The plan of the domain as the system is sold; None where the catalog has none. Its inputs are not kept."""
    sold = _fabric_of(inputs, system)
    if sold is None:
        return None
    apart = replace(inputs, values=dict(inputs.values), origins=dict(inputs.origins))
    return _plan(apart, sold, sold, round(sold.facts["accelerators"].value), chip, override)


def designed_plan(
    inputs: Inputs,
    fabric: Part,
    chip: Accelerator,
    domain: int,
    *,
    links: int,
    taper: float | None,
    path: str,
) -> ScaleUpPlan:
    """Plan of a custom domain: links and switches of a catalog fabric, joined for as many accelerators.

    Parameters
    ----------
    links : of one accelerator
    taper : links down over links up of the lower of two tiers; None: as in the fabric that joins so many, else 1
    path : where the scenario states the accelerators

    Raises
    ------
    ScenarioError : its links cannot join so many; of a torus, no box has so many
    """
    found = _of_size(inputs, fabric, domain) if taper is None else fabric
    facts = dict(found.facts)
    published = facts["links_per_accelerator"].value
    stated = {"links_per_accelerator": float(links)}
    if "planes" in facts and (facts["tiers"].value == 1 or facts["planes"].value == published):
        stated["planes"] = facts["planes"].value * links / published
    if taper is not None and "taper" in facts and facts["tiers"].value > 1 and facts["taper"].value != taper:
        stated["taper"] = taper
        facts.pop("first_tier_accelerators", None)  # holds for the published taper
    facts |= {name: replace(facts[name], value=value) for name, value in stated.items()}
    part = replace(found, facts=facts)
    try:
        plan = _plan(inputs, part, fabric, domain, chip, SuperNodeOverride(), taper or 1.0)
    except ScenarioError as error:
        raise ScenarioError(replace(fault, path=path) for fault in error.errors) from None
    if plan is None:
        raise _no_box(fabric, domain, path)
    return plan


def _fabric_of(inputs: Inputs, system: Part) -> Part | None:
    key = system.attributes.get("scale_up_fabric", "")
    return part_or_error(inputs.catalog, "scale_up_fabrics", key, "supernode.system") if key else None


def _of_size(inputs: Inputs, sold: Part, domain: int) -> Part:
    """The fabric itself up to its own size; beyond, that of the same link that joins so many: the smallest that
    does, else the largest.
    """
    if domain <= sold.facts["accelerators"].value:
        return sold
    parts = [inputs.catalog.part("scale_up_fabrics", key) for key in inputs.catalog.keys("scale_up_fabrics")]
    alike = [
        part
        for part in parts
        if (part.attributes["link"], part.attributes["structure"])
        == (sold.attributes["link"], sold.attributes["structure"])
        and (part.key == sold.key or part.attributes["structure"] == "switch_planes")
        and part.facts["accelerators"].value >= sold.facts["accelerators"].value
        and not is_parted(part)
    ]
    by_size = sorted(alike, key=lambda part: part.facts["accelerators"].value)
    return next((part for part in by_size if part.facts["accelerators"].value >= domain), by_size[-1])


def _plan(
    inputs: Inputs,
    part: Part,
    sold: Part,
    domain: int,
    chip: Accelerator,
    override: SuperNodeOverride,
    taper: float = 1.0,
) -> ScaleUpPlan | None:
    structure = str(part.attributes["structure"])
    if not (changed := _changed(part, sold, domain, taper)) and domain != part.facts["accelerators"].value:
        return None
    changed = changed or {}

    def number(name: str) -> Array:
        path = f"{ROOT}.{name}"
        if name in changed:
            value, source = changed[name]
            return inputs.derived(path, value, f"{part.name}, {words_of(name)}", source)
        return inputs.fact(path, part, name)

    given: dict[str, Any] = {name: number(name) for name in OPTIONAL if name in part.facts or name in changed}
    if changed.get("taper") or ("tiers" in part.facts and part.facts["tiers"].value > 1):
        given["taper"] = number("taper")
    first = facts_of(part).get("first_tier_accelerators")
    alone = first is not None and domain <= first
    if alone or ("taper" in given and domain <= _below(part, float(given["taper"][0]))):
        given = {name: value for name, value in given.items() if name not in TWO_TIERS}
    sides = [name for name in SIDES if name in part.facts]
    third = "third_link_bandwidth_bytes_per_s"
    return ScaleUpPlan(
        key=part.key,
        name=part.name if not changed else f"{part.attributes['link']}, {domain:,} accelerators",
        structure=structure,
        links_per_accelerator=number("links_per_accelerator"),
        link_bandwidth_bytes_per_s=_link(inputs, part, chip, override, "link_bandwidth_bytes_per_s"),
        cables_per_link=number("cables_per_link"),
        lengths=tuple(
            inputs.derived(f"{ROOT}.lengths[{place}]", changed[name][0], f"{part.name}, {words_of(name)}", changed[name][1])
            if name in changed
            else inputs.fact(f"{ROOT}.lengths[{place}]", part, name)
            for place, name in enumerate(sides)
        ),
        third_link_bandwidth_bytes_per_s=_link(inputs, part, chip, override, third)
        if third in part.facts
        else None,
        measured=() if changed else _measured(inputs, part),
        price_level=inputs.derived(
            f"{ROOT}.price_level", 1.0, "price of the scale-up network over usual prices", "usual prices"
        ),
        **given,
    )  # fmt: skip


def is_parted(fabric: Part) -> bool:
    """Whether its one tier of switches is in parts that are joined to each other, as in two racks of an NVL36x2."""
    facts = facts_of(fabric)
    return facts.get("tiers") == 1 and "first_tier_accelerators" in facts


def facts_of(part: Part) -> dict[str, float]:
    """Values of the facts of a part by name."""
    return {name: fact.value for name, fact in part.facts.items()}


def _changed(part: Part, sold: Part, domain: int, taper: float) -> dict[str, tuple[float, str]] | None:
    """Numbers of the plan that another size changes, each with its reason; None where it has no such shape.

    Raises
    ------
    ScenarioError : no domain of these links can be that large
    """
    facts = facts_of(part)
    if domain > facts.get("addressing_limit", math.inf):
        raise _too_large(part, domain, int(facts["addressing_limit"]))
    if domain == facts["accelerators"]:
        return {}
    match part.attributes["structure"]:
        case "mesh":
            return _mesh(part, facts, domain)
        case "torus":
            return _torus(part, sold, facts, domain)
    changed = _switched(part, facts, domain, taper)
    cables = "cables_per_link"
    if cables not in facts and cables in sold.facts:
        changed[cables] = (sold.facts[cables].value, f"as in {sold.name}")
    if "taper" in changed or facts["tiers"] > 1:
        upper = facts.get("upper_cables_per_link", 1.0)
        changed["upper_cables_per_link"] = (upper, "one optical cable a link between two tiers")
    return changed


def _switched(part: Part, facts: dict[str, float], domain: int, taper: float) -> dict[str, tuple[float, str]]:
    """One tier while a chip reaches all accelerators; else two, of as many chips as their ports take."""
    links, published = facts["links_per_accelerator"], facts["accelerators"]
    ports = facts.get("switch_ports", math.nan)
    if facts["tiers"] == 1 and "first_tier_accelerators" in facts:
        if domain > published:
            raise _too_large(part, domain, int(published))
        return {"planes": (facts["planes"], f"as in the fabric of {published:,.0f}")}
    if facts["tiers"] == 1:
        each = published * links / facts["planes"]  # ports that accelerators have of a chip
        if domain <= each:
            chips = math.ceil(domain * links / each)
            return {"planes": (chips, f"{domain} accelerators x {links:g} links over {each:g} ports a chip")}
        if math.isnan(ports):
            raise _too_large(part, domain, int(each))
        below = ports * taper // (1 + taper)
        if domain > below * ports:
            raise _too_large(part, domain, int(below * ports))
        rule = f"two tiers: no chip of {ports:g} ports reaches {domain} accelerators"
        over = "no oversubscription" if taper == 1 else f"{taper:g} links down for each one up"
        return {"planes": (links, rule), "taper": (taper, f"{rule}; {over}")}
    most = int(_below(part, facts["taper"]) * ports)
    if domain > most:
        raise _too_large(part, domain, most)
    return {"planes": (facts["planes"], f"as in the fabric of {published:,.0f}")}


def _below(part: Part, taper: float) -> float:
    """Accelerators below one chip of the lower of two tiers: as published, else what its ports take."""
    facts = facts_of(part)
    if facts["tiers"] == 1:
        return facts["accelerators"] * facts["links_per_accelerator"] / facts["planes"]
    ports = facts["switch_ports"] * taper // (1 + taper)
    return facts.get("first_tier_accelerators") or ports // (facts["links_per_accelerator"] / facts["planes"])


def _mesh(part: Part, facts: dict[str, float], domain: int) -> dict[str, tuple[float, str]]:
    """Links to all others: those to accelerators that are not there stay unused."""
    others = facts["accelerators"] - 1
    if domain > facts["accelerators"]:
        raise _too_large(part, domain, int(others) + 1)
    links = facts["links_per_accelerator"] * (domain - 1) / others
    return {"links_per_accelerator": (links, f"links to {domain - 1} of {others:g} others")}


def _torus(
    part: Part, sold: Part, facts: dict[str, float], domain: int
) -> dict[str, tuple[float, str]] | None:
    """The most even sides within those as sold, of whole cubes where it is patched together of them."""
    if domain > facts["accelerators"]:
        raise _too_large(part, domain, int(facts["accelerators"]))
    most = [int(facts[name]) for name in SIDES if name in facts]
    side = int(facts.get("cube_side", 1))
    shapes = [shape for shape in _boxes(domain, len(most), side) if all(map(int.__le__, shape, sorted(most)))]
    if not shapes:
        return None
    chosen = min(shapes, key=lambda shape: shape[-1] / shape[0])
    return {
        name: (float(length), f"the most even sides of {domain} accelerators")
        for name, length in zip(SIDES, chosen, strict=False)
    }


def _boxes(count: int, dimensions: int, step: int, least: int = 1) -> Iterator[tuple[int, ...]]:
    """Rising sides, multiples of `step`, whose product is `count`."""
    if dimensions == 1:
        if count % step == 0 and count >= least:
            yield (count,)
        return
    for length in range(max(step, least), int(count ** (1 / dimensions) + 1e-9) + 1):
        if length % step == 0 and count % length == 0:
            for others in _boxes(count // length, dimensions - 1, step, length):
                yield (length, *others)


def _too_large(part: Part, domain: int, most: int) -> ScenarioError:
    return refuse(
        f"{part.attributes['link']} joins at most {most:,} accelerators, not {domain:,}.",
        rule="at_most",
        path=f"supernode.override.{DOMAIN}",
        value=domain,
        hint=f"Ask for {most:,} or fewer, or choose a system whose scale-up fabric reaches further.",
    )


def _no_box(fabric: Part, domain: int, path: str) -> ScenarioError:
    return refuse(
        f"No box of whole {'cubes' if 'cube_side' in fabric.facts else 'rows'} in {fabric.name} has {domain:,} accelerators.",
        rule="shape",
        path=path,
        value=domain,
        hint="Choose a number whose factors are sides of a box, such as a power of two.",
    )


def _link(inputs: Inputs, part: Part, chip: Accelerator, override: SuperNodeOverride, name: str) -> Array:
    """As published; where the scenario states what all links come to, in proportion to it."""
    stated = override.accelerator and override.accelerator.scale_up_bandwidth_bytes_per_s
    published = inputs.catalog.part("accelerators", chip.key).facts.get("scale_up_bandwidth_bytes_per_s")
    path = f"{ROOT}.{name}"
    if not stated or published is None:
        return inputs.fact(path, part, name)
    return inputs.derived(
        path,
        part.facts[name].value * stated / published.value,
        f"{part.name}, {words_of(name)}",
        "as published, in proportion to supernode.override.accelerator.scale_up_bandwidth_bytes_per_s",
    )


def _measured(inputs: Inputs, part: Part) -> tuple[MeasuredPair, ...]:
    known = [name for name in DISTANCES if f"{name}_latency_s" in part.facts]
    return tuple(
        MeasuredPair(
            distance=name,
            bandwidth_bytes_per_s=inputs.fact(
                f"{ROOT}.measured[{place}].bandwidth_bytes_per_s", part, f"{name}_bandwidth_bytes_per_s"
            ),
            latency_s=inputs.fact(f"{ROOT}.measured[{place}].latency_s", part, f"{name}_latency_s"),
        )
        for place, name in enumerate(known)
    )
