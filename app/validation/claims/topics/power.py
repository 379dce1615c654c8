"""Claims about power, cooling and use."""

from __future__ import annotations

from app.engine.facility.savings.saved import facility_energy_saved, rated_power_per_accelerator_w
from app.engine.operations.service_levels import mean_use_of_peak
from app.engine.performance.totals import (
    joint_peak_flop_per_s,
    peak_flop_per_joule,
    share_of_peak,
    times_as_much,
)
from app.engine.trace import Array
from app.validation.claims.inputs import Compared, Inputs, Topic
from app.validation.claims.ledger import at_least, at_most, printed
from app.validation.claims.topics.training_time import LLAMA

DGX, NVL72, CLOUDMATRIX = "dgx_h100", "gb200_nvl72", "huawei_cloudmatrix384"


def dense_racks(inputs: Inputs) -> list[Compared]:
    rack = inputs.system(NVL72, "max_power_w")
    over = times_as_much(value=rack, reference=inputs.assumption("facility", "air_rack_limit_w"))
    return [
        Compared(label="Rack of an NVL72 over the limit of air", ours=over, rule=at_least(1)),
        Compared(label="Rack of an NVL72", ours=rack),
    ]


def gpu_power(inputs: Inputs) -> list[Compared]:
    node = rated_power_per_accelerator_w(
        max_power_w=inputs.system(DGX, "max_power_w"), accelerators=inputs.system(DGX, "accelerators")
    )
    return [
        Compared(label="TDP of an H100", ours=inputs.accelerator("nvidia_h100_sxm", "tdp_w"), rule=printed(700)),
        Compared(label="For each GPU of a DGX H100", ours=node),
    ]  # fmt: skip


def supernode_power(inputs: Inputs) -> list[Compared]:
    return [
        Compared(label="NVL72", ours=inputs.system(NVL72, "max_power_w")),
        Compared(label="CloudMatrix384 (an analyst's estimate)", ours=inputs.system(CLOUDMATRIX, "max_power_w")),
    ]  # fmt: skip


def above_100_kw(inputs: Inputs) -> list[Compared]:
    over = at_least(100e3)
    return [
        Compared(label="NVL72", ours=inputs.system(NVL72, "max_power_w"), rule=over),
        Compared(
            label="CloudMatrix384 (an analyst's estimate)",
            ours=inputs.system(CLOUDMATRIX, "max_power_w"),
            rule=over,
        ),
    ]


def _saved(inputs: Inputs) -> Array:
    return facility_energy_saved(
        pue_before=inputs.published("usual_pue"), pue_after=inputs.published("liquid_pue")
    )


def local_cooling(inputs: Inputs) -> list[Compared]:
    return [Compared(label="Energy saved by PUE 1.1 in place of 1.5", ours=_saved(inputs), unit="%")]


def halved_energy(inputs: Inputs) -> list[Compared]:
    saved = _saved(inputs)
    return [Compared(label="Saved by cooling alone", ours=saved, rule=at_least(0.5), unit="%")]


def edge_node(inputs: Inputs) -> list[Compared]:
    """What the article asks of an edge node, against a server on sale."""
    asked = peak_flop_per_joule(
        peak_flop_per_s=inputs.says(1e15, "FLOP/s", "peak"), power_w=inputs.says(5000, "W", "power")
    )
    server = peak_flop_per_joule(
        peak_flop_per_s=joint_peak_flop_per_s(
            accelerators=inputs.system(DGX, "accelerators"),
            peak_flop_per_s=inputs.accelerator("nvidia_h100_sxm", "bf16_flop_per_s"),
        ),
        power_w=inputs.system(DGX, "max_power_w"),
    )
    return [
        Compared(
            label="DGX H100 over what is asked, FLOP/J",
            ours=times_as_much(value=server, reference=asked),
            rule=at_least(1),
        ),
        Compared(label="Asked: 1 PFLOP/s at 5 kW", ours=asked, unit="FLOP/J"),
    ]


def unused_arithmetic(inputs: Inputs) -> list[Compared]:
    used = at_most(0.5)
    return [
        Compared(
            label="MFU of Llama 3.1 405B on 16,384 H100",
            ours=inputs.example_figure(LLAMA, "performance.mfu"),
            rule=used,
            unit="%",
        ),
        Compared(
            label="Median MFU of published runs", ours=inputs.published("median_mfu"), rule=used, unit="%"
        ),
    ]


def below_40_percent(inputs: Inputs) -> list[Compared]:
    def share(end: str) -> Array:
        return share_of_peak(
            busy_share=inputs.published(f"busy_share_{end}"),
            share_when_busy=inputs.published(f"share_when_busy_{end}"),
        )

    below = at_most(0.4)
    return [
        Compared(label="Share of peak over all hours, low", ours=share("low"), rule=below, unit="%"),
        Compared(label="Share of peak over all hours, high", ours=share("high"), rule=below, unit="%"),
    ]


def tenfold_peak(inputs: Inputs) -> list[Compared]:
    use = mean_use_of_peak(peak_over_mean=inputs.says(10, "1", "peak over mean"))
    return [Compared(label="Mean use that this implies", ours=use, unit="%")]


CLAIMS: Topic = {
    "S1-07": dense_racks,
    "S2-40": gpu_power,
    "S3-06": supernode_power,
    "S3-09": unused_arithmetic,
    "S3-10": local_cooling,
    "S4-02": below_40_percent,
    "S4-04": tenfold_peak,
    "S4-16": above_100_kw,
    "S4-18": halved_energy,
    "S4-19": edge_node,
}
