"""Number of prefill instances per decode instance."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.performance.serving.replica_load import Replica, limit_of
from app.engine.performance.serving.split import prefill_per_decode, split_of, whole_split
from app.engine.trace import first_of
from app.views.serving.layout_words import layout_words
from app.views.serving.loads import PLENTY, many_loads, under
from app.views.serving.served import Served
from app.views.serving.sizing_row import SplitWords

TOLERANCE = 0.02
"""Share of the requests that may be lost for a smaller group."""


def split_words(found: Served) -> SplitWords | None:
    """Rates of a prefill and of a decode instance within the per-token SLO, and the ratio of the two.

    An aggregated replica is split as it stands: its layout for both. None where nothing fits the memory.
    """
    replica, one = found.replica, np.ones(1)
    prefill = replica.decode if replica.prefill is None else replica.prefill
    group = Replica(
        decode=replica.decode, decode_instances=one, prefill=prefill, prefill_instances=np.full(1, PLENTY)
    )
    limit = np.maximum(limit_of(found.setting, group), 1.0)
    loads = under(found, many_loads(found.setting, float(np.max(limit))), group, limit=limit)
    promised = first_of(found.setting.workload.level.tpot_s)
    keeps = ~(loads.tpot_within_s > promised)
    if not keeps.any():
        return None
    rates: dict[str, Any] = {
        "prefill_requests_per_s": 1 / loads.prefill_cost_s[:1],
        "decode_requests_per_s": np.max(np.where(keeps, loads.requests_per_s, 0.0), keepdims=True),
    }
    sizes: dict[str, Any] = {
        "prefill_accelerators": prefill.accelerators,
        "decode_accelerators": replica.decode.accelerators,
    }
    best = whole_split(
        **rates,
        **sizes,
        accelerators_at_most=found.setting.accelerators_used,
        prefill_accelerators_at_most=None
        if found.setting.reading is None
        else found.setting.reading.accelerators_used,
        tolerance=TOLERANCE,
    )
    own = None
    if replica.prefill is not None and replica.prefill_instances is not None:
        own = split_of(
            prefill_instances=replica.prefill_instances,
            decode_instances=replica.decode_instances,
            **rates,
            **sizes,
        )
    return SplitWords(
        prefill_layout=layout_words(prefill, found.on[1]),
        decode_layout=layout_words(replica.decode, found.on[0]),
        prefill_requests_per_s=first_of(rates["prefill_requests_per_s"]),
        decode_requests_per_s=first_of(rates["decode_requests_per_s"]),
        prefill_per_decode=first_of(prefill_per_decode(**rates)),
        prefill_instances=first_of(best.prefill_instances),
        decode_instances=first_of(best.decode_instances),
        accelerators=first_of(best.accelerators),
        requests_per_s=first_of(best.requests_per_s),
        idle_share=first_of(best.idle_share),
        stated_prefill_instances=None if own is None else first_of(own.prefill_instances),
        stated_decode_instances=None if own is None else first_of(own.decode_instances),
        stated_idle_share=None if own is None else first_of(own.idle_share),
    )
