"""The electrical chain from the utility feed to the racks, with what redundancy costs in losses.

Each stage loses S (a0 + a1 x + a2 x^2), x being its load over its installed power S: the more
capacity stands by, the less each unit carries and the more the constant term weighs.
Cooling and house loads are fed beside the UPS; their small transformer losses are left out.
"""

from __future__ import annotations

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.quantities import quantity
from app.engine.trace import Array

POLYNOMIAL = "loss polynomial on the stage's own load; see the sources of its coefficients"


@quantity(unit="W", source="definition of the redundancy schemes")
def installed_power_w(*, it_power_design_w: Array, unit_w: Array, redundancy: str) -> Array:
    """Power installed in one stage of the electrical chain.

    Parameters
    ----------
    it_power_design_w : load that the stage is sized for [W]
    unit_w : largest single unit [W]; the load is shared by n = ceil(load / unit) equal units
    redundancy : N, N+1, 2N, 2(N+1), 3N/2 (three blocks of half the load) or 4N/3

    The highest normal load of a unit is the design load over this: n / (n + 1) for N+1, 1/2 for 2N.
    """
    units = np.maximum(np.ceil(it_power_design_w / unit_w), 1)
    ratio = {
        "N": units / units,
        "N+1": (units + 1) / units,
        "2N": 2 * units / units,
        "2(N+1)": 2 * (units + 1) / units,
        "3N/2": 3 / 2 * units / units,
        "4N/3": 4 / 3 * units / units,
    }[redundancy]
    installed_w: Array = it_power_design_w * ratio
    return installed_w


@quantity(unit="W", source=POLYNOMIAL, at="power.losses_breakdown_w.distribution")
def distribution_loss_w(
    *, output_w: Array, installed_w: Array, constant: Array, linear: Array, quadratic: Array
) -> Array:
    """Losses of switchgear, busway and cable."""
    load = output_w / installed_w
    return installed_w * (constant + linear * load + quadratic * load * load)


@quantity(unit="W", source=POLYNOMIAL, at="power.losses_breakdown_w.ups")
def ups_loss_w(
    *, output_w: Array, installed_w: Array, constant: Array, linear: Array, quadratic: Array
) -> Array:
    """Losses of the uninterruptible power supply."""
    load = output_w / installed_w
    return installed_w * (constant + linear * load + quadratic * load * load)


@quantity(unit="W", source=POLYNOMIAL, at="power.losses_breakdown_w.lv_transformer")
def lv_transformer_loss_w(
    *, output_w: Array, installed_w: Array, constant: Array, linear: Array, quadratic: Array
) -> Array:
    """Losses of the transformers to low voltage."""
    load = output_w / installed_w
    return installed_w * (constant + linear * load + quadratic * load * load)


@quantity(unit="W", source=POLYNOMIAL, at="power.losses_breakdown_w.mv_transformer")
def mv_transformer_loss_w(
    *, output_w: Array, installed_w: Array, constant: Array, linear: Array, quadratic: Array
) -> Array:
    """Losses of the medium-voltage transformers."""
    load = output_w / installed_w
    return installed_w * (constant + linear * load + quadratic * load * load)


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


def chain_losses(
    *, it_power_w: Array, it_power_design_w: Array, redundancy: str, assumptions: FacilityAssumptions
) -> tuple[Array, dict[str, Array]]:
    """The losses of all stages, from the racks up to the feed: their sum, and each by its name."""
    losses: dict[str, Array] = {}
    carried_w = it_power_w
    for stage, loss_w in (
        ("distribution", distribution_loss_w),
        ("ups", ups_loss_w),
        ("lv_transformer", lv_transformer_loss_w),
        ("mv_transformer", mv_transformer_loss_w),
    ):
        losses[stage] = loss_w(
            output_w=carried_w,
            installed_w=installed_power_w(
                it_power_design_w=it_power_design_w,
                unit_w=getattr(assumptions, f"{stage}_unit_w"),
                redundancy=redundancy,
            ),
            constant=getattr(assumptions, f"{stage}_loss_constant"),
            linear=getattr(assumptions, f"{stage}_loss_linear"),
            quadratic=getattr(assumptions, f"{stage}_loss_quadratic"),
        )
        carried_w = carried_w + losses[stage]
    total = electrical_losses_w(**{f"{stage}_loss_w": value for stage, value in losses.items()})
    return total, losses
