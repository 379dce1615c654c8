"""The electrical chain from the utility feed to the racks, with what redundancy costs in losses.

Each stage loses S (a0 + a1 x + a2 x^2), x being its load over the power S of the units that share it: the
more capacity shares, the less each unit carries and the more the constant term weighs. A unit that stands
idle loses its constant term. Cooling and house loads are fed beside the UPS; their small transformer losses
are left out. What the stages are (the UPS in eco mode, batteries in the racks, a rectifier for 800 V) is
said by the rows that the assumptions are chosen from.
"""

from __future__ import annotations

from collections.abc import Callable

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.electrical.redundancy import of_paths, sharing_power_w, standby_power_w
from app.engine.quantities import quantity
from app.engine.trace import Array

POLYNOMIAL = "loss polynomial on the stage's own load; see the sources of its coefficients"


@quantity(unit="W", source=POLYNOMIAL, at="power.losses_breakdown_w.distribution")
def distribution_loss_w(
    *, output_w: Array, sharing_w: Array, standby_w: Array, constant: Array, linear: Array, quadratic: Array
) -> Array:
    """Losses of switchgear, busway and cable."""
    load = output_w / sharing_w
    return sharing_w * (constant + linear * load + quadratic * load * load) + standby_w * constant


@quantity(unit="W", source=POLYNOMIAL, at="power.losses_breakdown_w.ups")
def ups_loss_w(
    *, output_w: Array, sharing_w: Array, standby_w: Array, constant: Array, linear: Array, quadratic: Array
) -> Array:
    """Losses of the uninterruptible power supply, or of the rectifier where racks are fed 800 V direct current."""
    load = output_w / sharing_w
    return sharing_w * (constant + linear * load + quadratic * load * load) + standby_w * constant


@quantity(unit="W", source=POLYNOMIAL, at="power.losses_breakdown_w.lv_transformer")
def lv_transformer_loss_w(
    *, output_w: Array, sharing_w: Array, standby_w: Array, constant: Array, linear: Array, quadratic: Array
) -> Array:
    """Losses of the transformers to low voltage."""
    load = output_w / sharing_w
    return sharing_w * (constant + linear * load + quadratic * load * load) + standby_w * constant


@quantity(unit="W", source=POLYNOMIAL, at="power.losses_breakdown_w.mv_transformer")
def mv_transformer_loss_w(
    *, output_w: Array, sharing_w: Array, standby_w: Array, constant: Array, linear: Array, quadratic: Array
) -> Array:
    """Losses of the medium-voltage transformers."""
    load = output_w / sharing_w
    return sharing_w * (constant + linear * load + quadratic * load * load) + standby_w * constant


@quantity(unit="W", source="definition", at="power.electrical_losses_w")
def electrical_losses_w(
    *,
    distribution_loss_w: Array,
    ups_loss_w: Array,
    lv_transformer_loss_w: Array,
    mv_transformer_loss_w: Array,
) -> Array:
    """Electrical losses between the utility feed and the racks."""
    return distribution_loss_w + ups_loss_w + lv_transformer_loss_w + mv_transformer_loss_w


STAGES: dict[str, Callable[..., Array]] = {  # from the racks up to the feed
    "distribution": distribution_loss_w,
    "ups": ups_loss_w,
    "lv_transformer": lv_transformer_loss_w,
    "mv_transformer": mv_transformer_loss_w,
}


def chain_losses(
    *, it_power_w: Array, it_power_design_w: Array, redundancy: str, assumptions: FacilityAssumptions
) -> tuple[Array, dict[str, Array]]:
    """The losses of all stages, from the racks up to the feed: their sum, and each by its name."""
    losses: dict[str, Array] = {}
    carried_w = it_power_w
    for stage, loss_w in STAGES.items():
        size = {
            "it_power_design_w": it_power_design_w,
            "unit_w": getattr(assumptions, f"{stage}_unit_w"),
            "redundancy": of_paths(redundancy) if stage == "distribution" else redundancy,
        }
        losses[stage] = loss_w(
            output_w=carried_w,
            sharing_w=sharing_power_w(**size),
            standby_w=standby_power_w(**size),
            constant=getattr(assumptions, f"{stage}_loss_constant"),
            linear=getattr(assumptions, f"{stage}_loss_linear"),
            quadratic=getattr(assumptions, f"{stage}_loss_quadratic"),
        )
        carried_w = carried_w + losses[stage]
    total = electrical_losses_w(**{f"{stage}_loss_w": value for stage, value in losses.items()})
    return total, losses


def stage_loads(
    *,
    it_power_w: Array,
    it_power_design_w: Array,
    losses_w: dict[str, Array],
    redundancy: str,
    assumptions: FacilityAssumptions,
) -> dict[str, Array]:
    """Load of the units of each stage that share it, over their power: the x of its loss."""
    loads: dict[str, Array] = {}
    carried_w = it_power_w
    for stage in STAGES:
        loads[stage] = carried_w / sharing_power_w(
            it_power_design_w=it_power_design_w,
            unit_w=getattr(assumptions, f"{stage}_unit_w"),
            redundancy=of_paths(redundancy) if stage == "distribution" else redundancy,
        )
        carried_w = carried_w + losses_w[stage]
    return loads
