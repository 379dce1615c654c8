"""Layouts in words."""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.replica_load import Replica
from app.engine.specs import ServingLayout
from app.views.serving.served import counted_words, layout_words, replica_words


def layout(tp: float = 1, dp: float = 1, pp: float = 1, ep: float = 1) -> ServingLayout:
    return ServingLayout(
        tensor_parallel=np.array([tp]),
        data_parallel=np.array([dp]),
        pipeline_parallel=np.array([pp]),
        expert_parallel=np.array([ep]),
    )


def test_degrees_that_are_one_are_not_said() -> None:
    assert layout_words(layout(tp=8)) == "TP 8"
    assert layout_words(layout(dp=48, ep=48)) == "DP 48, EP 48"
    assert layout_words(layout()) == "one accelerator"


def test_forty_accelerators_are_five_replicas_of_tp_8() -> None:
    replica = Replica(decode=layout(tp=8), decode_instances=np.ones(1))
    assert counted_words(5, replica) == "40 accelerators = 5 replicas of TP 8"
    assert counted_words(1, Replica(decode=layout(), decode_instances=np.ones(1))) == (
        "1 accelerator = 1 replica of one accelerator"
    )


def test_a_group_says_what_prefills_and_what_decodes() -> None:
    group = Replica(
        decode=layout(dp=16, ep=16),
        decode_instances=np.array([2.0]),
        prefill=layout(tp=4),
        prefill_instances=np.array([3.0]),
    )
    assert replica_words(group) == "3 prefill (TP 4) and 2 decode (DP 16, EP 16)"
    assert counted_words(2, group).startswith("88 accelerators = 2 replicas of 3 prefill")
