"""Claims about the time that training takes, and the scenarios that claims share."""

from __future__ import annotations

from typing import Any

from app.engine.economics.rent import usd_per_run_rented_on_demand
from app.engine.economics.tco import accelerator_hours_of_days
from app.engine.performance.totals import (
    accelerators_for_peak,
    joint_peak_flop_per_s,
    matmul_intensity_flop_per_byte,
    ridge_flop_per_byte,
    times_as_much,
)
from app.engine.scaling.additive import training_flop
from app.engine.trace import Array
from app.engine.workload.flops import training_accelerator_days
from app.engine.workload.prediction import (
    compute_of_run_flop,
    productive_time_s,
    time_with_goodput_s,
    time_with_two_efficiencies_s,
)
from app.validation.claims.inputs import Compared, Inputs, Topic
from app.validation.claims.ledger import about, at_least, at_most, order_of, printed

# Scenarios that claims are computed with, beside the worked examples.


def dgx_h100_pod(servers: int) -> dict[str, Any]:
    """So many DGX H100 at work on a model that any number of them trains."""
    return {
        "name": f"{servers} DGX H100 of a claim",
        "workload": {
            "kind": "training",
            "model": "llama_3_1_8b",
            "tokens": 100e9,
            "sequence_length": 8192,
            "global_batch_sequences": 16 * servers,
            "precision": "bf16",
        },
        "supernode": {"system": "dgx_h100"},
        "pod": {"supernodes": servers},
    }


DGX_UNIT = dgx_h100_pod(32)
"""One scalable unit of a DGX SuperPOD."""

DGX_1000 = dgx_h100_pod(125)
"""A thousand GPUs."""


# Claims about how long training takes and what arithmetic it needs.

DAY_S = 86_400.0
LLAMA = "llama_3_1_405b_on_2048_dgx_h100"
H100 = "nvidia_h100_sxm"


def two_formulas(inputs: Inputs) -> list[Compared]:
    """The article's formula beside the short one, on Llama 3.1 405B with 16,384 H100.

    The article has an acceleration factor and an efficiency. Measured, both come down to the MFU.
    """
    mfu = inputs.example_figure(LLAMA, "performance.mfu")
    run = {
        "flops": training_flop(
            parameters=inputs.published("llama_405b_parameters"), tokens=inputs.published("llama_405b_tokens")
        ),
        "accelerators": inputs.system("meta_llama3_16k", "accelerators"),
        "peak_flop_per_s": inputs.accelerator(H100, "bf16_flop_per_s"),
    }
    productive = productive_time_s(**run, mfu=mfu)
    elapsed = time_with_goodput_s(
        productive_time_s=productive, goodput=inputs.example_figure(LLAMA, "reliability.ettr")
    )
    one = inputs.chosen(1, "1", "efficiency", "the formula with one of its two factors left out")
    twice = time_with_two_efficiencies_s(**run, acceleration_factor=mfu, efficiency=mfu)
    once = time_with_two_efficiencies_s(**run, acceleration_factor=mfu, efficiency=one)
    return [
        Compared(label="Ours: 6 N D over n x peak x MFU", ours=productive),
        Compared(label="Ours, with failures and checkpoints: over the goodput too", ours=elapsed),
        Compared(label="The article's, MFU as both of its factors", ours=twice),
        Compared(
            label="The article's over ours, with both factors",
            ours=times_as_much(value=twice, reference=productive),
            rule=about(1),
        ),
        Compared(
            label="The article's over ours, with one factor only",
            ours=times_as_much(value=once, reference=productive),
            rule=about(1),
        ),
    ]


def exaflops(inputs: Inputs) -> list[Compared]:
    peak = inputs.accelerator(H100, "bf16_flop_per_s")
    exa = inputs.says(1e18, "FLOP/s", "an exaFLOP/s")
    cluster = joint_peak_flop_per_s(
        accelerators=inputs.system("xai_colossus_200k", "accelerators"), peak_flop_per_s=peak
    )
    needed = accelerators_for_peak(joint_peak_flop_per_s=exa, peak_flop_per_s=peak)
    return [
        Compared(label="H100 for 1 EFLOP/s, BF16 dense", ours=needed),
        Compared(label="Peak of a frontier cluster, Colossus", ours=cluster, rule=at_least(1e18)),
        Compared(label="The same as an order of magnitude", ours=cluster, rule=order_of(1e18)),
    ]


def gpt_4(inputs: Inputs) -> list[Compared]:
    """Compute, MFU, count and days are of one account: that they agree decides nothing."""
    a100 = {
        "accelerators": inputs.says(25_000, "1", "A100"),
        "peak_flop_per_s": inputs.accelerator("nvidia_a100_sxm_40", "bf16_flop_per_s"),
        "mfu": inputs.published("gpt_4_mfu"),
    }
    time = productive_time_s(flops=inputs.published("gpt_4_flop"), **a100)
    compute = compute_of_run_flop(days=inputs.says(95, "days", "days"), **a100)
    return [
        Compared(label="Time of 2.1e25 FLOP on 25,000 A100", ours=time),
        Compared(label="Compute of 95 days", ours=compute),
    ]


def one_gpu(inputs: Inputs) -> list[Compared]:
    days = training_accelerator_days(
        parameters=inputs.says(70e9, "1", "parameters"),
        tokens=inputs.chosen(1.4e12, "tokens", "tokens", "20 a parameter, the compute optimum of Chinchilla"),
        achieved_flop_per_s=inputs.chosen(4e14, "FLOP/s", "one H100", "40 % of its dense BF16 peak"),
    )
    return [Compared(label="70B parameters on one GPU", ours=days, rule=at_least(2 * 365), unit="days")]


def bandwidth_bound(inputs: Inputs) -> list[Compared]:
    """Bound by bandwidth means an intensity below the ridge."""
    ridge = ridge_flop_per_byte(
        peak_flop_per_s=inputs.accelerator(H100, "bf16_flop_per_s"),
        memory_bandwidth_bytes_per_s=inputs.accelerator(H100, "memory_bandwidth_bytes_per_s"),
    )

    def over_ridge(rows: float, what: str) -> Array:
        width = inputs.chosen(16_384, "1", "side of the weight matrix", "hidden size of Llama 3.1 405B")
        intensity = matmul_intensity_flop_per_byte(
            rows=inputs.chosen(rows, "1", "tokens multiplied at once", what),
            inputs=width,
            outputs=width,
            bytes_per_element=inputs.chosen(2, "B", "bytes of an element", "BF16"),
        )
        return times_as_much(value=intensity, reference=ridge)

    below = at_most(1)
    training = over_ridge(8192, "one sequence of 8,192 tokens, in training or prefill")
    decode = over_ridge(1, "one sequence that is being generated")
    return [
        Compared(label="Ridge of an H100", ours=ridge),
        Compared(label="Training and prefill: intensity over the ridge", ours=training, rule=below),
        Compared(
            label="Decode, batch of one: intensity over the ridge", ours=decode, rule=below, decides=False
        ),
    ]


def six_n_d(inputs: Inputs) -> list[Compared]:
    flops = training_flop(
        parameters=inputs.says(7e9, "1", "parameters"), tokens=inputs.says(1e12, "tokens", "tokens")
    )
    return [Compared(label="6 x 7e9 x 1e12", ours=flops, rule=printed(42e21))]


def gpu_days(inputs: Inputs) -> list[Compared]:
    days = training_accelerator_days(
        parameters=inputs.says(7e9, "1", "parameters"),
        tokens=inputs.says(1e12, "tokens", "tokens"),
        achieved_flop_per_s=inputs.says(3e14, "FLOP/s", "one H100"),
    )
    rent = usd_per_run_rented_on_demand(
        run_accelerator_hours=accelerator_hours_of_days(accelerator_days=days),
        on_demand_usd_per_hour=inputs.says(2.5, "USD/h", "rent of an H100"),
    )
    return [
        Compared(label="7B parameters on 1T tokens", ours=days, rule=about(130), unit="GPU-days"),
        Compared(label="Rent for that", ours=rent),
    ]


CLAIMS: Topic = {
    "S0-15": two_formulas,
    "S2-02": exaflops,
    "S2-04": gpt_4,
    "S2-06": one_gpu,
    "S2-07": bandwidth_bound,
    "S2-36": six_n_d,
    "S2-37": gpu_days,
}
