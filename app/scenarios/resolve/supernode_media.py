"""What the links of a SuperNode run over, by how far they go; assumptions of its parts by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.scale_up.network import is_upper
from app.engine.fabric.scale_up.shape import Shape
from app.engine.specs import Medium
from app.engine.supernode import TYPICAL, BuildUp
from app.engine.trace import Array
from app.scenarios.errors import refuse
from app.scenarios.resolve.inputs import Inputs

MEDIUM = "supernode.scale_up.media"


@dataclass(frozen=True, slots=True)
class Assumed:
    """Assumptions of the room of SuperNodes by name, in a context."""

    inputs: Inputs
    context: Mapping[str, str]

    def __call__(self, name: str, **also: str) -> Array:
        """The value, of shape (1,)."""
        return self.spread(name, **also)[TYPICAL : TYPICAL + 1]

    def spread(self, name: str, **also: str) -> Array:
        """Low, typical and high, of shape (3,)."""
        key = f"supernode.{name}"
        if key in self.inputs.overrides:
            return np.full(3, self.inputs.overrides[key])
        row = self.inputs.catalog.assumption(
            "supernode", name, {**self.inputs.context, **self.context, **also}
        )
        return np.array([row.value if one is None else one for one in (row.low, row.value, row.high)])

    def medium(self, name: str) -> Medium:
        """A medium with the range of its price."""
        return Medium(
            name=name,
            reach_m=self("scale_up_reach_m", medium=name),
            energy_j_per_bit=self("scale_up_end_energy_j_per_bit", medium=name),
            usd_per_gbit_s=self.spread("scale_up_link_usd_per_gbit_s", medium=name),
            latency_s=self("scale_up_end_latency_s", medium=name),
        )


def media_of(
    asked: str, parts: BuildUp, shape: Shape | None, assumed: Assumed, *, domains: float = 1.0
) -> tuple[Medium, Medium]:
    """Media of the links that stay with the lower switches, and of those to the upper ones.

    Lower links stay in their rack where all accelerators of a lower chip stand in it; what leaves a rack has to reach
    the far end of the row of its domain. Links through optical circuit switches are optical at any length.

    Parameters
    ----------
    asked : as stated, or auto: linear and then retimed copper as far as they reach, else pluggable optics
    parts : of all domains of the SuperNode

    Raises
    ------
    ScenarioError : the stated medium does not reach so far
    """
    copper = assumed.medium("copper")
    racks = max(float(parts.racks[0]) / domains, 1.0)
    compute = float(parts.compute_racks[0]) / domains
    span = span_m(parts, assumed, domains=domains)
    patched = shape is not None and bool(np.any(shape.circuits.switches > 0))
    if asked == "auto":
        active = () if patched else (assumed.medium("linear_copper"), assumed.medium("active_copper"))
        within = (one for one in active if span <= float(one.reach_m[0]))
        far = next(within, None) or assumed.medium("pluggable")
    else:
        far = assumed.medium(asked)
    if shape is None:
        return copper, far
    has_upper = any(is_upper(layer) for layer in shape.layers)
    leaves = has_upper or compute > 1
    if leaves and span > float(far.reach_m[0]):
        raise refuse(
            f"Links over {far.name.replace('_', ' ')} reach {float(far.reach_m[0]):g} m, and those of a SuperNode in "
            f"{racks:,.0f} racks go {span:.1f} m.",
            rule="reach",
            path="supernode.custom.scale_up.medium",
            value=asked,
            hint="Choose auto or an optical medium, or a smaller SuperNode.",
        )
    return (far if leaves and not has_upper else copper), far


def span_m(parts: BuildUp, assumed: Assumed, *, domains: float = 1.0) -> float:
    """Longest link between racks of a domain that stand in a row: down and up, and along it [m]."""
    racks = max(float(parts.racks[0]) / domains, 1.0)
    return float(assumed("link_drop_m")[0] + assumed("rack_pitch_m")[0] * racks)


def usual_media(inputs: Inputs) -> tuple[Medium, Medium]:
    """Of a SuperNode whose racks of a domain are not published: copper below, optics above."""
    assumed = Assumed(inputs, {})
    return assumed.medium("copper"), assumed.medium("pluggable")


def plan_media(inputs: Inputs, media: tuple[Medium, Medium]) -> tuple[Medium, ...]:
    """The same at typical prices, each figure with its origin."""

    def taken(place: int, one: Medium) -> Medium:
        def of(field: str, name: str) -> Array:
            return inputs.assumption(
                f"{MEDIUM}[{place}].{field}", f"supernode.{name}", also={"medium": one.name}
            )

        return Medium(
            name=one.name,
            reach_m=of("reach_m", "scale_up_reach_m"),
            energy_j_per_bit=of("energy_j_per_bit", "scale_up_end_energy_j_per_bit"),
            usd_per_gbit_s=of("usd_per_gbit_s", "scale_up_link_usd_per_gbit_s"),
            latency_s=of("latency_s", "scale_up_end_latency_s"),
        )

    return tuple(taken(place, one) for place, one in enumerate(media))
