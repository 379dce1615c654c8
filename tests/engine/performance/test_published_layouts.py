"""Layouts that others published a step time for, on hardware that the catalog has."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.engine.performance import cases
from tests.support import number

GPT_3 = cases.training(cases.gpt(96, 12288, 96), 2048, 4096, "fp16")


def test_gpt_3_on_4096_a100() -> None:
    """11.83 s: the best layout of Calculon (McDonald et al. 2023, arXiv 2301.04602; its search at commit
    caa4b11, overlaps off). It has no stragglers, so ours are left out: published weak scaling shows them."""
    node = cases.dgx_a100()
    a = replace(cases.assumed(GPT_3, node), straggler_per_decade=number(0))
    chosen = cases.layout(tp=4, pp=16, vpp=6, micro_batch=1, selective=1)
    step = cases.timed(GPT_3, chosen, 4096, supernode=node, assumptions=a)
    np.testing.assert_allclose(step.step_time_s, 11.83, rtol=0.15)
