"""The bandwidths that step time is computed with, after a failure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.engine.fabric.faults.share import Share
from app.engine.fabric.figures import Fabric
from app.engine.quantities import quantity
from app.engine.trace import Array

_SLOWEST = "definition: a synchronous job is as slow as its slowest rank"


@quantity(unit="B/s", source=_SLOWEST)
def scale_out_left_bytes_per_s(*, scale_out_bandwidth_bytes_per_s: Array, access_share: Array) -> Array:
    """Scale-out bandwidth per accelerator after a failure, of the host that has least left.

    Accelerators of a host share the NICs that are left.
    """
    return scale_out_bandwidth_bytes_per_s * access_share


@quantity(unit="1", source=_SLOWEST)
def oversubscription_left(*, oversubscription: Array, access_share: Array, beyond_share: Array) -> Array:
    """Oversubscription after a failure, at the switch or unit that has lost most of its way out.

    What hosts can still put in over what can still get out; a fabric without oversubscription gains none where
    hosts have lost as much as the switches above them.
    """
    return np.maximum(oversubscription * access_share / beyond_share, np.minimum(oversubscription, 1.0))


def fabric_left(fabric: Fabric, share: Share) -> Fabric:
    """The fabric that a job sees after a failure: the same parts, with what is left of their bandwidth."""
    access, beyond = np.full(1, share.access), np.full(1, share.beyond)
    return replace(
        fabric,
        scale_out_bandwidth_bytes_per_s=scale_out_left_bytes_per_s(
            scale_out_bandwidth_bytes_per_s=fabric.scale_out_bandwidth_bytes_per_s, access_share=access
        ),
        oversubscription=oversubscription_left(
            oversubscription=fabric.oversubscription, access_share=access, beyond_share=beyond
        ),
    )
