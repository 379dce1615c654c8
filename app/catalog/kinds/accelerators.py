"""Accelerators: one chip, or what the vendor counts as one."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import model_validator

from app.catalog.columns import number, text
from app.catalog.kinds.base import Count, HardwareKind, Number

Generation = Literal[
    "volta", "ampere", "hopper", "blackwell", "blackwell_ultra", "rubin", "ada",
    "cdna2", "cdna3", "cdna4", "tpu_v4", "tpu_v5e", "tpu_v5p", "tpu_v6e", "tpu_v7",
    "tpu_v8t", "tpu_v8i", "trainium1", "trainium2", "trainium3", "ascend_910", "ascend_950", "gaudi2", "gaudi3",
    "maia", "mtia", "groq", "sambanova", "cerebras", "apple", "other",
]  # fmt: skip

Sold = Literal["", "yes", "rent_only", "internal"]


class Accelerator(HardwareKind):
    """FLOP/s are dense; bandwidths one way and per accelerator."""

    kind: ClassVar[str] = "accelerators"
    file: ClassVar[str] = "accelerators.csv"
    title: ClassVar[str] = "Accelerators"
    measurable: ClassVar[frozenset[str]] = frozenset({"achievable_bf16_flop_per_s", "idle_w"})

    vendor: str = text()
    name: str = text(min_length=1)
    year: Count = None
    status: str = text()
    generation: Generation = text("")  # joined from generations.csv
    process_nm: Number = number("process_nm", "nm", "vendor's node name")
    fp32_flop_per_s: Number = number("fp32_vector_tflops", "TFLOP/s", "vector units")
    tf32_flop_per_s: Number = number("tf32_dense_tflops", "TFLOP/s", "dense")
    bf16_flop_per_s: Number = number("bf16_dense_tflops", "TFLOP/s", "dense")
    fp16_flop_per_s: Number = number("fp16_dense_tflops", "TFLOP/s", "dense")
    fp8_flop_per_s: Number = number("fp8_dense_tflops", "TFLOP/s", "dense")
    int8_flop_per_s: Number = number("int8_dense_tops", "TOP/s", "dense, integer operations")
    fp4_flop_per_s: Number = number("fp4_dense_tflops", "TFLOP/s", "dense")
    vendor_headline: str = text()
    achievable_bf16_flop_per_s: Number = number(
        "bf16_achievable_tflops", "TFLOP/s", "dense, best measured matrix product"
    )
    memory_label_bytes: Number = number("memory_gb", "GB", "vendor's label, taken as decimal")
    memory_bytes: Number = number("memory_bytes", "B", "physical bytes")
    memory_basis: str = text()
    memory_type: str = text()
    memory_bandwidth_bytes_per_s: Number = number("memory_bandwidth_tb_s", "TB/s", "decimal")
    ecosystem: str = text()
    scale_up_link: str = text()
    scale_up_bandwidth_bytes_per_s: Number = number(
        "scale_up_gb_s_unidir", "GB/s", "one way, per accelerator, whole fabric"
    )
    scale_up_bandwidth_from_both_ways_bytes_per_s: Number = number(
        "scale_up_gb_s_bidir", "GB/s both ways", "half of the vendor's sum of both ways, per accelerator"
    )
    scale_up_pair_bandwidth_bytes_per_s: Number = number(
        "scale_up_p2p_gb_s_unidir", "GB/s", "one way, between one pair"
    )
    scale_up_domain_max_accelerators: Count = number("scale_up_domain_max")
    scale_up_topology: str = text()
    scale_out_bandwidth_bytes_per_s: Number = number("scale_out_gbit_s", "Gbit/s", "one way, per accelerator")
    tdp_w: Number = number("tdp_w", "W", "accelerator TDP")
    idle_w: Number = number("idle_w", "W", "accelerator, idle")
    all_in_power_w: Number = number(
        "all_in_kw_per_accelerator", "kW", "at the utility meter, per accelerator"
    )
    price_usd: Number = number("", "USD", "purchase", low="price_usd_low", high="price_usd_high")
    price_note: str = text()
    sold: Sold = ""  # empty: yes
    sold_reason: str = text()
    tco_hyperscaler_usd_per_accelerator_hour: Number = number(
        "tco_usd_per_accel_hour_hyperscaler", "USD/h", "own cost of a hyperscaler"
    )
    tco_neocloud_usd_per_accelerator_hour: Number = number(
        "tco_usd_per_accel_hour_neocloud", "USD/h", "own cost of a smaller cloud"
    )
    rental_3_year_usd_per_accelerator_hour: Number = number(
        "rental_usd_per_accel_hour_3yr", "USD/h", "three-year rental"
    )
    cooling: str = text()

    @model_validator(mode="after")
    def _links_agree(self) -> Accelerator:
        one_way = self.scale_up_bandwidth_bytes_per_s
        halved = self.scale_up_bandwidth_from_both_ways_bytes_per_s
        # 3 %: vendors round the two figures on their own
        if one_way and halved and abs(halved / one_way - 1) > 0.03:
            raise ValueError("scale_up_gb_s_bidir is not twice scale_up_gb_s_unidir")
        pair = self.scale_up_pair_bandwidth_bytes_per_s
        if one_way and pair and pair > one_way:
            raise ValueError("scale_up_p2p_gb_s_unidir is above scale_up_gb_s_unidir")
        if self.memory_label_bytes and self.memory_bytes:
            ratio = self.memory_bytes / self.memory_label_bytes
            # a label may stand for GiB (up to 1.074), or leave out what is reserved
            if not 0.9 < ratio < 1.08:
                raise ValueError(f"memory_bytes is {ratio:.2f} times what memory_gb labels")
        return self
