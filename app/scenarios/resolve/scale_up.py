"""How the scale-up domain of a catalog system is joined."""

from __future__ import annotations

from app.catalog.lookup import Part
from app.engine.specs import Accelerator, MeasuredPair, ScaleUpPlan
from app.engine.trace import Array
from app.engine.units import words_of
from app.scenarios.document.supernode import SuperNodeOverride
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.lookups import part_or_error

ROOT = "supernode.scale_up"
DISTANCES = ("other_die", "one_switch", "two_switches")
OPTIONAL = ("planes", "switch_ports", "first_tier_accelerators", "upper_cables_per_link", "cube_side")
KINDS_OF_STRUCTURE = {"switch_planes": "switched", "torus": "torus", "mesh": "mesh"}


def scale_up_plan(
    inputs: Inputs, system: Part, chip: Accelerator, override: SuperNodeOverride, topology: str
) -> ScaleUpPlan | None:
    """The plan that the catalog has of the system's domain.

    None where it has none, and where the scenario states a domain of another size or shape: that one is
    joined in some other way.

    Raises
    ------
    ScenarioError : the system names a scale-up fabric that the catalog does not have
    """
    key = system.attributes.get("scale_up_fabric", "")
    if not key:
        return None
    part = part_or_error(inputs.catalog, "scale_up_fabrics", key, "supernode.system")
    structure = str(part.attributes["structure"])
    domain = float(inputs.values["supernode.scale_up_domain_accelerators"][0])
    if domain != part.facts["accelerators"].value or KINDS_OF_STRUCTURE[structure] != topology:
        return None

    def fact(name: str) -> Array:
        return inputs.fact(f"{ROOT}.{name}", part, name)

    two_tiers = "tiers" in part.facts and part.facts["tiers"].value > 1
    given = {name: fact(name) for name in OPTIONAL if name in part.facts}
    if two_tiers:
        given["taper"] = fact("taper")
    sides = [name for name in ("dimension_1", "dimension_2", "dimension_3") if name in part.facts]
    third = "third_link_bandwidth_bytes_per_s"
    return ScaleUpPlan(
        key=key,
        name=part.name,
        structure=structure,
        links_per_accelerator=fact("links_per_accelerator"),
        link_bandwidth_bytes_per_s=_link(inputs, part, chip, override, "link_bandwidth_bytes_per_s"),
        cables_per_link=fact("cables_per_link"),
        lengths=tuple(
            inputs.fact(f"{ROOT}.lengths[{place}]", part, name) for place, name in enumerate(sides)
        ),
        third_link_bandwidth_bytes_per_s=_link(inputs, part, chip, override, third)
        if third in part.facts
        else None,
        measured=_measured(inputs, part),
        **given,
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
