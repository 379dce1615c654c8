"""Time of one decode step: every running sequence of an instance gets a token, or those guessed ahead checked.

Weights are read once for all, keys and values once for each; between kernels, between ranks and between
steps time passes that no roofline knows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.engine.performance.serving.adapters import adapter_kernels, decode_adapters_s
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.attention_step import attention_s
from app.engine.performance.serving.context_exchange import decoded_alike_s
from app.engine.performance.serving.exchange import exchange
from app.engine.performance.serving.expert_load import (
    busiest_active_experts,
    busiest_of,
    copies_of_attention,
    experts_in_use,
    placed_of,
    ranks_of,
)
from app.engine.performance.serving.host_weights import decode_host_s, part_on_accelerator_s
from app.engine.performance.serving.kernels import kernels_of, launch_s, speedup_of
from app.engine.performance.serving.machine import ServingMachine
from app.engine.performance.serving.pass_weights import (
    chosen_part_s,
    exchange_left_s,
    expert_read_bytes,
    multiply_s,
    overlaps,
    permute_s,
    permute_sharing,
    roofline_s,
    weight_read_s,
)
from app.engine.performance.serving.pipeline import (
    handed_over_s,
    longest_stage_s,
    micro_batches,
    stage_wait_s,
)
from app.engine.performance.serving.served_model import ServedModel, served_model
from app.engine.performance.serving.speculation import draft_guessing_s, module_guessing_s
from app.engine.quantities import quantity
from app.engine.specs import PartPrecision, ServingLayout, Speculation
from app.engine.trace import Array, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodeStep:
    """Seconds of a step by part; `parts_s` sum to `step_s`."""

    step_s: Array
    parts_s: dict[str, Array]


@quantity(unit="s", source="constants fitted to measured runs of engines of known dates")
def host_overhead_s(*, each_s: Array, speedup: Array) -> Array:
    """Host time per step or sequence: newer engines schedule beside the step that runs."""
    return each_s * speedup


@quantity(unit="s", source="constants fitted to measured runs")
def sequence_overhead_s(*, sequences: Array, each_s: Array) -> Array:
    """Scheduling, sampling and answering, for every sequence of a rank."""
    return sequences * each_s


@quantity(unit="s", source="definition")
def decode_step_s(*, parts_s: tuple[Array, ...]) -> Array:
    """Time of one decode step."""
    return sum(parts_s[1:], start=parts_s[0])


@quantity(unit="1", source="definition")
def sequences_per_rank(*, sequences: Array, data_parallel: Array, pipeline_parallel: Array) -> Array:
    """Sequences that the busiest rank works on in one step.

    Each replica of attention has its own, each stage a part; a rank that has any has a whole one.
    """
    return np.maximum(sequences / (data_parallel * pipeline_parallel), np.minimum(sequences, 1.0))


@quantity(
    unit="1",
    source="[1] vLLM, ParallelConfig.prefill_context_parallel_size: decoding does not use the ranks of a cut prompt",
)
def dealt_tokens(*, tokens: Array, context_parallel: Array) -> Array:
    """Decoded tokens that one copy of attention sends to experts: ranks that prompts are cut over all have the same."""
    return tokens / context_parallel


@quantity(unit="1", source="definition")
def sequences_per_stage(*, sequences: Array, pipeline_parallel: Array) -> Array:
    """Sequences of all ranks of a pipeline stage in one step."""
    return np.maximum(sequences / pipeline_parallel, np.minimum(sequences, 1.0))


def decode_step(
    *,
    model: ServedModel,
    parts: PartPrecision,
    machine: ServingMachine,
    layout: ServingLayout,
    sequences: Array,
    context_tokens: Array,
    step_tokens: Array,
    engine_year: Array,
    assumptions: ServingAssumptions,
    speculation: Speculation | None = None,
) -> DecodeStep:
    """A step of one instance with so many running sequences.

    Parameters
    ----------
    sequences : of the whole instance
    context_tokens : kept tokens of a sequence, on average
    step_tokens : of one sequence in one step: 1 and those guessed ahead
    engine_year : date of the engine, as a year
    speculation : whose guesses are made in the step beside being checked
    """

    def of(some: Array) -> dict[str, Array]:
        return _step_parts(
            model,
            parts,
            machine,
            layout,
            some,
            context_tokens,
            step_tokens,
            engine_year,
            speculation,
            assumptions,
        )

    whole = of(sequences)
    step = decode_step_s(parts_s=tuple(whole.values()))
    split = overlaps(
        two_batch_overlap=assumptions.two_batch_overlap,
        ranks=ranks_of(layout),
        data_parallel=copies_of_attention(layout),
    )
    if not np.any(plain(split) > 0):
        return DecodeStep(step_s=step, parts_s=whole)
    halves = _two_halves(of(half_of(sequences=sequences)), split)
    both = decode_step_s(parts_s=tuple(halves.values()))
    chosen = {
        name: chosen_part_s(
            whole_s=whole[name], halves_s=halves[name], whole_step_s=step, halves_step_s=both, overlap=split
        )
        for name in whole
    }
    return DecodeStep(step_s=decode_step_s(parts_s=tuple(chosen.values())), parts_s=chosen)


COMPUTED = ("dense_matmul", "experts", "attention")
"""Parts of a step that hide the exchange of the other half of its batch."""
ON_A_STAGE = (*COMPUTED, "launch", "all_reduce", "expert_exchange")
"""Parts of a step that every layer has its share of."""


def _two_halves(half: dict[str, Array], split: Array) -> dict[str, Array]:
    """Parts of a step of two halves by turns, from those of one half."""
    both = {name: of_two(half_s=part) for name, part in half.items()}
    both["step_overhead"] = half["step_overhead"]
    both["expert_exchange"] = exchange_left_s(
        exchange_s=both["expert_exchange"],
        computed_s=decode_step_s(parts_s=tuple(both[name] for name in COMPUTED)),
        overlap=split,
    )
    return both


@quantity(unit="1", source="definition")
def half_of(*, sequences: Array) -> Array:
    """Sequences of one of the two halves of a batch."""
    return sequences / 2


@quantity(unit="s", source="definition")
def of_two(*, half_s: Array) -> Array:
    """Time of a part for both halves of a batch, one after the other."""
    return 2 * half_s


def _step_parts(
    model: ServedModel,
    parts: PartPrecision,
    machine: ServingMachine,
    layout: ServingLayout,
    sequences: Array,
    context_tokens: Array,
    step_tokens: Array,
    engine_year: Array,
    speculation: Speculation | None,
    a: ServingAssumptions,
) -> dict[str, Array]:
    """Seconds of a step by part, of the whole batch at once."""
    common = (machine, layout, sequences, context_tokens, engine_year, a)
    speedup = speedup_of(a, engine_year)
    found = _model_parts(model, parts, *common, step_tokens)
    found["step_overhead"] = (
        host_overhead_s(each_s=a.decode_step_overhead_s, speedup=speedup) + 0 * model.architecture.layers
    )
    own = sequences_per_rank(
        sequences=sequences,
        data_parallel=layout.data_parallel,
        pipeline_parallel=layout.pipeline_parallel,
    )
    found["sequence_overhead"] = sequence_overhead_s(
        sequences=own, each_s=host_overhead_s(each_s=a.sequence_overhead_s, speedup=speedup)
    )
    if np.any(plain(layout.pipeline_parallel) > 1):
        found |= _between_stages(model, machine, layout, sequences, own * step_tokens, found, a)
    if speculation is not None and np.any(plain(speculation.tokens) > 0):
        guesser = model if speculation.draft is None else served_model(speculation.draft)
        # What guesses lies in the accelerators' memory, whatever of the model does not.
        here, bare_guesser = replace(machine, host=None), replace(guesser, adapters=None)
        found["guessing"] = _guessing_s(
            guesser, speculation, _model_parts(bare_guesser, parts, here, *common[1:], np.ones(1))
        )
    return found


def _between_stages(
    model: ServedModel,
    machine: ServingMachine,
    layout: ServingLayout,
    sequences: Array,
    tokens: Array,
    parts_s: dict[str, Array],
    a: ServingAssumptions,
) -> dict[str, Array]:
    """Hand-overs from stage to stage, and the wait of a micro-batch for the longest of them; `tokens` are its own."""
    m = model.architecture
    handed, back = handed_over_s(layout, machine, m.hidden, tokens, np.ones(1), a)
    computed = decode_step_s(parts_s=tuple(parts_s[name] for name in ON_A_STAGE))
    exchanged = handed + back
    return {
        "stage_exchange": exchanged,
        "stage_wait": stage_wait_s(
            pass_s=computed + parts_s["output_head"] + exchanged,
            longest_stage_s=longest_stage_s(
                layers_s=computed,
                head_s=parts_s["output_head"],
                layers=m.layers,
                pipeline_parallel=layout.pipeline_parallel,
            ),
            micro_batches=micro_batches(sequences=sequences, pipeline_parallel=layout.pipeline_parallel),
        ),
    }


def _guessing_s(guesser: ServedModel, speculation: Speculation, once: dict[str, Array]) -> Array:
    """Guesses of one step; `once` is the guessing model's pass over one token of each sequence."""
    layers_s = decode_step_s(parts_s=tuple(part for name, part in once.items() if name != "output_head"))
    if speculation.draft is not None:
        return draft_guessing_s(guessed=speculation.tokens, layers_s=layers_s, head_s=once["output_head"])
    return module_guessing_s(
        guessed=speculation.tokens,
        layers_s=layers_s,
        layers=guesser.architecture.layers,
        head_s=once["output_head"],
    )


def _model_parts(
    model: ServedModel,
    parts: PartPrecision,
    machine: ServingMachine,
    layout: ServingLayout,
    sequences: Array,
    context_tokens: Array,
    engine_year: Array,
    a: ServingAssumptions,
    step_tokens: Array,
) -> dict[str, Array]:
    """A pass of a model over so many tokens of each running sequence, in seconds by part."""
    ranks = ranks_of(layout)
    speedup = speedup_of(a, engine_year)
    own = sequences_per_rank(
        sequences=sequences,
        data_parallel=layout.data_parallel,
        pipeline_parallel=layout.pipeline_parallel,
    )
    staged = sequences_per_stage(sequences=sequences, pipeline_parallel=layout.pipeline_parallel)
    tokens = own * step_tokens
    reduce, dispatch = exchange(
        model=model,
        parts=parts,
        layout=layout,
        machine=machine,
        reduced_tokens=tokens,
        dispatched_tokens=dealt_tokens(tokens=tokens, context_parallel=layout.context_parallel),
        speedup=speedup,
        decoding=True,
        assumptions=a,
    )
    found = {
        "dense_matmul": _passed(
            model.dense_parameters / layout.tensor_parallel,
            parts.dense_parameter_bytes,
            tokens,
            parts.dense_peak_flop_per_s,
            a.decode_matmul_efficiency * a.dense_dequantise_ratio,
            machine,
            a,
        ),
        "output_head": _passed(
            model.head_parameters / layout.tensor_parallel,
            parts.head_parameter_bytes,
            tokens,
            machine.peak_16_bit_flop_per_s,
            a.decode_16_bit_efficiency,
            machine,
            a,
        ),
        "experts": _experts(model, parts, machine, layout, staged * step_tokens, ranks, a),
        "attention": attention_s(model, parts, machine, layout, own, context_tokens, step_tokens, a),
        "launch": launch_s(
            kernels=kernels_of(model, a),
            kernel_time_s=a.kernel_time_s,
            kernel_time_ratio=a.kernel_time_ratio,
            speedup=speedup,
        ),
        "all_reduce": reduce,
        "expert_exchange": dispatch
        if not np.any(plain(layout.context_parallel) > 1)
        else dispatch + decoded_alike_s(model, machine, layout, tokens, a),
    }
    if model.adapters is not None:
        found["adapters"] = decode_adapters_s(
            model.adapters,
            layout,
            sequences=own,
            step_tokens=step_tokens,
            bandwidth_bytes_per_s=machine.memory_bandwidth_bytes_per_s,
            read_efficiency=a.weight_read_efficiency,
            peak_16_bit_flop_per_s=machine.peak_16_bit_flop_per_s,
            multiply_efficiency=a.decode_16_bit_efficiency,
            launch_s=launch_s(
                kernels=adapter_kernels(changed_products=model.adapters.changed_products),
                kernel_time_s=a.kernel_time_s,
                kernel_time_ratio=a.kernel_time_ratio,
                speedup=speedup,
            ),
        )
    if machine.host is None:
        return found
    host = machine.host
    away = {
        "dense_matmul": host.dense_share,
        "experts": host.expert_share,
        "attention": host.cache_share,
        "launch": host.cache_share,
    }
    for name, share in away.items():
        found[name] = part_on_accelerator_s(part_s=found[name], host_share=share)
    found["host_weights"] = decode_host_s(
        model,
        parts,
        host,
        layout,
        own=own,
        staged=staged,
        context_tokens=context_tokens,
        step_tokens=step_tokens,
        a=a,
    )
    return found


def _passed(
    parameters: Array,
    parameter_bytes: Array,
    tokens: Array,
    peak_flop_per_s: Array,
    efficiency: Array,
    machine: ServingMachine,
    a: ServingAssumptions,
) -> Array:
    """Tokens by weights that every token uses."""
    return roofline_s(
        read_s=weight_read_s(
            weight_bytes=parameters * parameter_bytes,
            bandwidth_bytes_per_s=machine.memory_bandwidth_bytes_per_s,
            efficiency=a.weight_read_efficiency,
        ),
        multiply_s=multiply_s(
            parameters=parameters, tokens=tokens, peak_flop_per_s=peak_flop_per_s, efficiency=efficiency
        ),
    )


def _experts(
    model: ServedModel,
    parts: PartPrecision,
    machine: ServingMachine,
    layout: ServingLayout,
    tokens: Array,
    ranks: Array,
    a: ServingAssumptions,
) -> Array:
    m = model.architecture
    cut = ranks / layout.expert_parallel
    read = weight_read_s(
        weight_bytes=expert_read_bytes(
            expert_layers=m.expert_layers,
            experts=busiest_active_experts(
                active_experts=experts_in_use(model, layout, tokens),
                experts=placed_of(model, layout),
                expert_parallel=layout.expert_parallel,
                spread=a.expert_spread,
            ),
            expert_bytes=model.expert_parameters * parts.expert_parameter_bytes,
            cut=cut,
            overhead_bytes=a.expert_read_overhead_bytes,
        ),
        bandwidth_bytes_per_s=machine.memory_bandwidth_bytes_per_s,
        efficiency=a.expert_read_efficiency,
    )
    busiest = busiest_of(model, layout, tokens, spread=a.expert_spread, popularity=a.expert_popularity)
    multiply = multiply_s(
        parameters=m.expert_layers * model.expert_parameters,
        tokens=tokens * m.experts_per_token * busiest / ranks,
        peak_flop_per_s=parts.expert_peak_flop_per_s,
        efficiency=a.decode_expert_efficiency * a.expert_dequantise_ratio,
    )
    permute = permute_s(
        expert_layers=m.expert_layers,
        tokens=tokens,
        experts_per_token=m.experts_per_token,
        hidden=m.hidden,
        passes=a.permute_passes,
        sharing=permute_sharing(
            ranks=ranks, data_parallel=copies_of_attention(layout), expert_parallel=layout.expert_parallel
        ),
        bandwidth_bytes_per_s=machine.memory_bandwidth_bytes_per_s,
    )
    return roofline_s(read_s=read, multiply_s=multiply) + permute
