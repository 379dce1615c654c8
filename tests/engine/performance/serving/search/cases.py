"""Settings to search, built by hand: a dense model and a mixture of experts on a few accelerators."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.performance.search import central
from app.engine.performance.serving.setting import Setting, setting_of
from app.engine.specs import Pod, ServingLayout
from tests.engine.performance.serving.pods import llama_8b, pod, workload
from tests.support import build

MIXTURE = {
    "key": "mixture", "name": "Mixture", "experts": 64, "experts_per_token": 8, "expert_hidden": 1024,
    "expert_layers": 32, "shared_experts": 0, "feed_forward_hidden": 4096, "published_parameters": np.nan,
}  # fmt: skip


def setting(accelerators: int = 8, **changes: Any) -> Setting:
    """Llama 3.1 8B on so many accelerators of DGX H100 servers, as bare values."""
    used = build(Pod, supernodes=-(-accelerators // 8), accelerators_used=accelerators, fabric=None)
    found: Setting = central(setting_of(**pod(workload=workload(**changes), pod=used)))
    return found


def mixture(accelerators: int = 8, **changes: Any) -> Setting:
    """A mixture of 64 experts instead."""
    return setting(accelerators, architecture=llama_8b(**MIXTURE), **changes)


def layout(tp: float, dp: float = 1, ep: float = 1, pp: float = 1) -> ServingLayout:
    return build(
        ServingLayout, tensor_parallel=tp, data_parallel=dp, pipeline_parallel=pp, expert_parallel=ep
    )
