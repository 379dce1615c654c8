"""The figures of a whole machine that vendors print, of an evaluated design."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from app.catalog.errors import CatalogLookupError
from app.catalog.view import CatalogView
from app.engine.economics.bills import EQUIPMENT
from app.engine.explore import headline
from app.engine.leaves import plain_values
from app.engine.mixed import all_kinds, blended
from app.engine.specs import SuperNode
from app.engine.trace import Array
from app.scenarios.evaluation.service import EvaluatedScenario

PEAKS = {"bf16": "bf16_flop_per_s", "fp8": "fp8_flop_per_s", "fp4": "fp4_flop_per_s"}


def headline_figures(scenario: EvaluatedScenario, catalog: CatalogView) -> dict[str, Any]:
    """Sums over all accelerators and SuperNodes; None where a part of one is unknown."""
    design = scenario.resolved.design
    kinds = [(kind.supernode, kind.supernodes) for kind in all_kinds(design)]
    sums = [_of_kind(*kind, catalog) for kind in kinds or [(design.supernode, design.pod.supernodes)]]
    mean = blended(design, all_kinds(design)).supernode
    parts = scenario.evaluation.sections.cost.capex_breakdown_usd
    figures: dict[str, Array] = {
        **{name: functools.reduce(operator.add, [one[name] for one in sums]) for name in sums[0]},
        "scale_out_per_supernode_bytes_per_s": headline.scale_out_per_supernode_bytes_per_s(
            nics=mean.scale_out_nics,
            nic_bandwidth_bytes_per_s=mean.scale_out_nic_bandwidth_bytes_per_s,
        ),
        "hardware_usd": headline.hardware_usd(**{f"{name}_usd": parts[name] for name in EQUIPMENT}),
    }
    return {name: plain_values(value, f"headline.{name}") for name, value in figures.items()}


def _of_kind(supernode: SuperNode, pods: Array, catalog: CatalogView) -> dict[str, Array]:
    """What adds up over kinds of SuperNode."""
    chip = supernode.accelerator
    count = headline.accelerators(supernodes=pods, accelerators_per_supernode=supernode.accelerators)
    nics = headline.scale_out_per_supernode_bytes_per_s(
        nics=supernode.scale_out_nics,
        nic_bandwidth_bytes_per_s=supernode.scale_out_nic_bandwidth_bytes_per_s,
    )
    return {
        "accelerators": count,
        "peak_flop_per_s": headline.peak_flop_per_s(accelerators=count, peak_flop_per_s=chip.peak_flop_per_s),
        "peak_bf16_flop_per_s": headline.peak_bf16_flop_per_s(
            accelerators=count, peak_flop_per_s=chip.peak_16_bit_flop_per_s
        ),
        "peak_fp8_flop_per_s": headline.peak_fp8_flop_per_s(
            accelerators=count, peak_flop_per_s=_peak(catalog, chip.key, "fp8")
        ),
        "peak_fp4_flop_per_s": headline.peak_fp4_flop_per_s(
            accelerators=count, peak_flop_per_s=_peak(catalog, chip.key, "fp4")
        ),
        "memory_bytes": headline.memory_bytes(accelerators=count, memory_bytes=chip.memory_bytes),
        "memory_bandwidth_bytes_per_s": headline.memory_bandwidth_bytes_per_s(
            accelerators=count, memory_bandwidth_bytes_per_s=chip.memory_bandwidth_bytes_per_s
        ),
        "scale_up_both_ways_bytes_per_s": headline.scale_up_both_ways_bytes_per_s(
            accelerators=count, scale_up_bandwidth_bytes_per_s=chip.scale_up_bandwidth_bytes_per_s
        ),
        "scale_out_bytes_per_s": headline.scale_out_bytes_per_s(
            supernodes=pods, scale_out_per_supernode_bytes_per_s=nics
        ),
        "rated_power_w": headline.rated_power_w(supernodes=pods, max_power_w=supernode.max_power_w),
    }


def _peak(catalog: CatalogView, key: str, precision: str) -> Array:
    """Dense peak of an accelerator at one precision, unknown where nobody printed it."""
    try:
        fact = catalog.part("accelerators", key).facts.get(PEAKS[precision])
    except CatalogLookupError:
        fact = None
    return np.full(1, np.nan if fact is None else fact.value)
