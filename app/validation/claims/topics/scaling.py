"""Claims about scaling laws and growth."""

from __future__ import annotations

from app.catalog.scaling_laws import scaling_laws
from app.engine.growth.gap import growth_factor
from app.engine.performance.totals import times_as_much
from app.engine.scaling.curve import loss_after_growth
from app.engine.scaling.frontier import tokens_growth
from app.engine.trace import Array
from app.validation.claims.inputs import Compared, Inputs, Topic
from app.validation.claims.ledger import about, at_least, at_most, exactly

KAPLAN, REFIT = "kaplan", "epoch_refit"
GROWTH = 10.0


def _loss(inputs: Inputs, constant: str, growth: float = GROWTH) -> Array:
    return loss_after_growth(
        growth=inputs.chosen(growth, "1", "growth", "ten times, to show the exponent"),
        exponent=inputs.law(KAPLAN, constant),
    )


def power_law(inputs: Inputs) -> list[Compared]:
    compute = loss_after_growth(
        growth=inputs.chosen(GROWTH, "1", "growth", "ten times, to show the exponent"),
        exponent=inputs.published("kaplan_alpha_c"),
    )
    falls = at_most(1)
    return [
        Compared(label="Loss with 10x parameters, over before", ours=_loss(inputs, "alpha_n"), rule=falls),
        Compared(label="Loss with 10x tokens, over before", ours=_loss(inputs, "alpha_d"), rule=falls),
        Compared(label="Loss with 10x compute, over before", ours=compute, rule=falls),
    ]


def linear_drop(inputs: Inputs) -> list[Compared]:
    """100 million to 1 billion parameters is ten times: a linear gain would divide the loss by ten."""
    after = _loss(inputs, "alpha_n")
    gain = times_as_much(value=inputs.chosen(1, "1", "loss before", "as the unit"), reference=after)
    return [
        Compared(label="Loss before over loss with 10x parameters", ours=gain, rule=at_least(GROWTH)),
        Compared(label="Loss with 10x parameters, over before", ours=after, unit="%"),
    ]


def ceiling(inputs: Inputs) -> list[Compared]:
    return [
        Compared(
            label="Loss with 10x parameters, over before", ours=_loss(inputs, "alpha_n"), rule=at_most(1)
        ),
        *(
            Compared(
                label=f"Floor of the loss, {scaling_laws()[key].name}",
                ours=inputs.law(key, "cap_e"),
                rule=exactly(0),
                unit="nats/token",
            )
            for key in (REFIT, "chinchilla_3")
        ),
    ]


def data_for_parameters(inputs: Inputs) -> list[Compared]:
    growth = inputs.says(8, "1", "times the parameters")
    kaplan = tokens_growth(
        parameters_growth=growth, tokens_per_parameters_exponent=inputs.law(KAPLAN, "data_exponent")
    )
    optimal = tokens_growth(
        parameters_growth=growth,
        tokens_per_parameters_exponent=inputs.published("compute_optimal_data_exponent"),
    )
    return [
        Compared(label="Times the tokens under Kaplan", ours=kaplan, rule=about(5)),
        Compared(label="Times the tokens at the compute optimum", ours=optimal, rule=about(5)),
    ]


def moore(inputs: Inputs) -> list[Compared]:
    compute = inputs.published("training_compute_growth_per_year")
    transistors = inputs.published("transistors_growth_per_year")
    ratio = times_as_much(value=compute, reference=transistors)
    return [
        Compared(label="Growth of compute over growth of transistors, a year", ours=ratio, rule=at_least(1)),
        Compared(label="Compute of frontier runs, times per year", ours=compute),
        Compared(label="Transistors of a device, times per year", ours=transistors),
    ]


def compute_network_gap(inputs: Inputs) -> list[Compared]:
    """V100 (2017) to B200 (2024), eight years of products as the article counts them."""
    v100, b200 = "nvidia_v100_sxm2_32", "nvidia_b200_sxm"
    first = inputs.accelerator(v100, "fp16_flop_per_s")
    arithmetic = {
        name: growth_factor(last=inputs.accelerator(b200, f"{name}_flop_per_s"), first=first)
        for name in ("bf16", "fp8", "fp4")
    }
    link = "scale_up_bandwidth_bytes_per_s"
    bus = growth_factor(last=inputs.accelerator(b200, link), first=inputs.accelerator(v100, link))
    port = "scale_out_nic_bandwidth_bytes_per_s"
    network = growth_factor(last=inputs.system("dgx_b200", port), first=inputs.system("dgx2_v100", port))
    return [
        *(
            Compared(label=f"Arithmetic, FP16 to {name.upper()}", ours=ratio, rule=about(40))
            for name, ratio in arithmetic.items()
        ),
        Compared(label="NVLink of a GPU", ours=bus, rule=about(9)),
        Compared(label="Network port", ours=network, rule=about(4)),
    ]


CLAIMS: Topic = {
    "S0-01": power_law,
    "S0-02": linear_drop,
    "S0-03": ceiling,
    "S0-04": data_for_parameters,
    "S0-16": moore,
    "S0-17": compute_network_gap,
}
