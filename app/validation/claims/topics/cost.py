"""Claims about prices, rent and owning."""

from __future__ import annotations

from app.engine.economics.operating import electricity_at_full_use_usd_per_year, run_accelerator_hours
from app.engine.economics.rent import usd_per_run_rented_on_demand
from app.engine.economics.tco import (
    break_even_use,
    electricity_share,
    joint_rent_usd_per_hour,
    purchase_usd,
    straight_line_usd_per_year,
    usd_per_accelerator_hour_of_host,
)
from app.engine.facility.electrical.supply import energy_it_kwh_per_year
from app.engine.trace import Array
from app.validation.claims.inputs import Compared, Inputs, Topic
from app.validation.claims.ledger import about, at_least, at_most, between, order_of
from app.validation.claims.topics.training_time import DGX_1000, DGX_UNIT, LLAMA

H100, DGX = "nvidia_h100_sxm", "dgx_h100"
MONTH_S = 30 * 86_400.0


def frontier_run(inputs: Inputs) -> list[Compared]:
    """A run bears its share of the cluster's life; the cluster is bought for many."""
    run = inputs.example_figure(LLAMA, "cost.usd_per_run")
    billion = at_least(1e9)
    return [
        Compared(label="Llama 3.1 405B on an owned cluster", ours=run, rule=billion),
        Compared(label="GPT-4, amortised", ours=inputs.published("gpt_4_amortised_usd"), rule=billion),
        Compared(label="The cluster, bought", ours=inputs.example_figure(LLAMA, "cost.capex_usd")),
    ]


def a100_and_dgx(inputs: Inputs) -> list[Compared]:
    a100 = inputs.price("nvidia_a100_sxm_80")
    return [
        Compared(label="A100 80GB SXM", ours=a100, rule=about(10_000)),
        Compared(label="DGX H100", ours=inputs.price(DGX), rule=about(300_000)),
    ]


def superpod_price(inputs: Inputs) -> list[Compared]:
    servers = purchase_usd(units=inputs.system("dgx_superpod_h100_1su", "nodes"), price_usd=inputs.price(DGX))
    whole = inputs.scenario_figure(DGX_UNIT, "cost.capex_usd")
    return [
        Compared(label="32 DGX H100", ours=servers, rule=order_of(10e6)),
        Compared(label="With network, installation and facility", ours=whole, rule=order_of(10e6)),
    ]


def h100_price(inputs: Inputs) -> list[Compared]:
    first = inputs.price(H100, "h100_sxm5_80gb_2025_03")
    return [
        Compared(label="H100 SXM, March 2025", ours=first, rule=between(30_000, 40_000)),
        Compared(label="H100 SXM, May 2026", ours=inputs.price(H100, "h100_sxm5_80gb_2026_05")),
    ]


def _month(inputs: Inputs, gpus: float, usd_per_hour: float) -> Array:
    hours = run_accelerator_hours(
        accelerators_used=inputs.says(gpus, "1", "GPUs"), powered_time_s=inputs.says(MONTH_S, "s", "30 days")
    )
    rent = inputs.says(usd_per_hour, "USD/h", "rent of a GPU")
    return usd_per_run_rented_on_demand(run_accelerator_hours=hours, on_demand_usd_per_hour=rent)


def thousand_for_a_month(inputs: Inputs) -> list[Compared]:
    return [
        Compared(label="At 2 USD per hour", ours=_month(inputs, 1000, 2), rule=about(2e6)),
        Compared(label="At 4 USD per hour", ours=_month(inputs, 1000, 4), rule=about(3e6)),
    ]


def tpu_pod(inputs: Inputs) -> list[Compared]:
    each = inputs.rental("google_tpu_v5p", "on_demand", "google_cloud_tpu_v5p_on_demand_2025_us")
    pod = joint_rent_usd_per_hour(
        accelerators=inputs.system("tpu_v5p_pod", "accelerators"), usd_per_accelerator_hour=each
    )
    return [Compared(label="A whole pod at that price", ours=pod)]


def p5(inputs: Inputs) -> list[Compared]:
    host = inputs.says(98, "USD/h", "p5.48xlarge on demand")
    gpus = inputs.system(DGX, "accelerators")
    each = usd_per_accelerator_hour_of_host(host_usd_per_hour=host, accelerators=gpus)
    then, now = (
        joint_rent_usd_per_hour(
            accelerators=gpus,
            usd_per_accelerator_hour=inputs.rental(H100, "on_demand", f"aws_h100_sxm_on_demand_{date}_p5_48xlarge"),
        )
        for date in ("2023_07", "2026_09_19")
    )  # fmt: skip
    return [
        Compared(label="On demand, July 2023", ours=then, rule=about(98)),
        Compared(label="On demand, September 2026", ours=now, rule=about(98)),
        Compared(label="For a GPU, against at most 4 USD in the same table", ours=each, rule=at_most(4)),
    ]


def coreweave_month(inputs: Inputs) -> list[Compared]:
    return [Compared(label="128 x 720 h x 2.50", ours=_month(inputs, 128, 2.5), rule=about(230e3))]


def break_even(inputs: Inputs) -> list[Compared]:
    """With the article's own cluster: 1,000 GPUs for 30 million and 4 million a year, over four years."""

    def use(rent: float, capex: float = 30e6) -> Array:
        yearly = straight_line_usd_per_year(
            capex_usd=inputs.says(capex, "USD", "hardware of 1,000 GPUs"),
            life_years=inputs.chosen(4, "years", "life", "a usual life of accelerators"),
            opex_usd_per_year=inputs.says(4e6, "USD/year", "operating cost, middle of 3 to 5 million"),
        )
        return break_even_use(
            straight_line_usd_per_year=yearly,
            accelerators=inputs.says(1000, "1", "GPUs"),
            rent_usd_per_hour=inputs.says(rent, "USD/h", "rent of a GPU"),
        )

    seventy = about(0.7)
    all_in = use(2.5, 45e6)
    return [
        *(
            Compared(label=f"Against {rent:.2f} USD per hour", ours=use(rent), rule=seventy, unit="%")
            for rent in (2.5, 2.0, 4.0)
        ),
        Compared(label="Against 2.50 with 45 million for the hardware", ours=all_in, unit="%"),
    ]


def thousand_gpus(inputs: Inputs) -> list[Compared]:
    gpus = purchase_usd(units=inputs.says(1000, "1", "GPUs"), price_usd=inputs.price(H100))
    path = "cost.capex_breakdown_usd.servers"
    yearly = inputs.scenario_figure(DGX_1000, "cost.opex_usd_per_year")
    hyperscale = purchase_usd(
        units=inputs.chosen(125, "1", "servers", "eight GPUs each"),
        price_usd=inputs.price(H100, "h100_8_gpu_all_in_upfront_incl_network_storage_hyperscale_buyer"),
    )
    return [
        Compared(label="GPUs alone", ours=gpus, rule=about(30e6)),
        Compared(label="All IT at a hyperscale buyer's price", ours=hyperscale, rule=about(30e6)),
        Compared(label="125 DGX H100", ours=inputs.scenario_figure(DGX_1000, path), rule=about(30e6)),
        Compared(label="Operating cost per year", ours=yearly, rule=between(3e6, 5e6)),
        Compared(label="All capital cost", ours=inputs.scenario_figure(DGX_1000, "cost.capex_usd")),
    ]


def energy_share(inputs: Inputs) -> list[Compared]:
    """The cluster of the other article, by what its cost is divided by."""
    power = inputs.chosen(1.4e6, "W", "power of 1,000 GPUs with hosts and network", "1.4 kW each, all IT")
    electricity = electricity_at_full_use_usd_per_year(
        energy_utility_kwh_per_year=energy_it_kwh_per_year(it_power_mean_w=power),
        electricity_price_usd_per_kwh=inputs.chosen(0.08, "USD/kWh", "electricity", "a usual industrial price"),
    )  # fmt: skip

    def share(opex: float) -> Array:
        yearly = inputs.chosen(opex, "USD/year", "operating cost", "1,000 GPUs, 3 to 5 million a year")
        return electricity_share(electricity_usd_per_year=electricity, cost_usd_per_year=yearly)

    third = about(0.35)
    of_development = inputs.published("energy_share_of_development")
    return [
        Compared(label="Of 3 million USD per year", ours=share(3e6), rule=third, unit="%"),
        Compared(label="Of 5 million USD per year", ours=share(5e6), rule=third, unit="%"),
        Compared(label="Of the cost to develop a model, at most", ours=of_development, rule=third, unit="%"),
    ]


CLAIMS: Topic = {
    "S2-03": frontier_run,
    "S2-05": a100_and_dgx,
    "S2-10": superpod_price,
    "S2-31": h100_price,
    "S2-32": thousand_for_a_month,
    "S2-33": tpu_pod,
    "S2-34": p5,
    "S2-35": coreweave_month,
    "S2-39": break_even,
    "S2-41": thousand_gpus,
    "S4-17": energy_share,
}
