"""A training framework by what its releases run: facts and rules, which a layout is held to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Framework:
    """Releases of one framework that run the same layouts.

    `pipeline_zero_stages` are those that it runs together with a pipeline, none where it has no pipelines.
    """

    key: str
    name: str
    first_release: str
    zero_stages: tuple[int, ...]
    pipeline_zero_stages: tuple[int, ...]
    schedules: tuple[str, ...]  # names as in the scenario; interleaved: virtual stages
    uneven_stages: str  # no | ends: embedding and head may count as layers | any
    pipeline_micro_batches: str  # of a pipeline: any | multiple: of its stages
    interleaved_micro_batches: str  # with virtual stages: any | at_least | multiple | rounds
    sequence_parallel: bool
    sequence_by_tensor: bool  # sequence parallelism splits the tokens of a rank evenly
    context_parallel: tuple[str, ...]  # ring | all_gather | ulysses | hybrid, the usual one first
    context_chunks: int  # pieces that each context-parallel rank has of a sequence
    expert_parallel: bool
    expert_tensor_parallel: bool
    precisions: tuple[str, ...]
    whole_batch: bool  # no sequences of padding
    offload: tuple[str, ...]  # optimizer | activations
    offload_to: tuple[str, ...]  # host | nvme
    shard_groups: bool
    earlier: tuple[Framework, ...] = ()  # former releases, the newest first
