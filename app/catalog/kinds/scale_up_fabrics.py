"""Scale-up fabrics: what joins the accelerators of one domain, link by link."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import model_validator

from app.catalog.columns import number, text
from app.catalog.kinds.base import Count, Number, SourcedKind

Structure = Literal["switch_planes", "torus", "mesh"]
MemoryAccess = Literal["", "load_store", "dma"]
"""How an accelerator reads and writes memory of others: its instructions do, or engines copy; "" is not published."""


class ScaleUpFabric(SourcedKind):
    """The structure of a scale-up domain; systems name the one they have. Bandwidths are one way."""

    kind: ClassVar[str] = "scale_up_fabrics"
    file: ClassVar[str] = "scale_up_fabrics.csv"
    title: ClassVar[str] = "Scale-up fabrics"

    name: str = text(min_length=1)
    vendor: str = text()
    link: str = text()
    structure: Structure = text()
    accelerators: Count = number()
    tiers: Count = number("tiers", "", "of switches")
    planes: Count = number(
        "planes", "", "switch planes side by side; each accelerator is linked to every plane"
    )
    first_tier_accelerators: Count = number(
        "first_tier_accelerators", "", "below one switch of the lower of two tiers"
    )
    links_per_accelerator: Count = number()
    link_bandwidth_bytes_per_s: Number = number("link_gb_s_unidir", "GB/s", "one way, one link")
    switch_ports: Count = number("switch_ports", "", "links that one chip of the highest tier can take")
    addressing_limit: Count = number("addressing_limit", "", "accelerators that its protocol addresses")
    taper: Number = number("taper", "", "links down over links up of the lower tier")
    cables_per_link: Number = number("cables_per_link", "", "of the lowest tier; 0 for traces of a board")
    upper_cables_per_link: Number = number("upper_cables_per_link", "", "of the upper tier")
    dimension_1: Count = number()
    dimension_2: Count = number()
    dimension_3: Count = number()
    third_link_bandwidth_bytes_per_s: Number = number(
        "third_link_gb_s_unidir", "GB/s", "one way, a link of the third dimension where it is another"
    )
    cube_side: Count = number("cube_side", "", "of cubes wired in copper, joined by circuit switches")
    other_die_bandwidth_bytes_per_s: Number = number("other_die_gb_s_unidir", "GB/s", "measured, one way")
    one_switch_bandwidth_bytes_per_s: Number = number("one_switch_gb_s_unidir", "GB/s", "measured, one way")
    two_switches_bandwidth_bytes_per_s: Number = number(
        "two_switches_gb_s_unidir", "GB/s", "measured, one way"
    )
    other_die_latency_s: Number = number("other_die_latency_us", "us", "measured")
    one_switch_latency_s: Number = number(
        "", "us", "measured", low="one_switch_latency_us_low", high="one_switch_latency_us_high"
    )
    two_switches_latency_s: Number = number(
        "", "us", "measured", low="two_switches_latency_us_low", high="two_switches_latency_us_high"
    )
    memory_access: MemoryAccess = text()
    memory_access_source: str = text()
    confidence: str = text()
    memory_only_fields: str = text()
    notes: str = text()

    @model_validator(mode="after")
    def _whole(self) -> ScaleUpFabric:
        lengths = [side for side in (self.dimension_1, self.dimension_2, self.dimension_3) if side]
        if self.structure == "torus":
            product = 1
            for side in lengths:
                product *= side
            if product != self.accelerators:
                raise ValueError(f"dimension_1 x ... is {product}, not the {self.accelerators} accelerators")
        elif self.structure == "switch_planes" and not (self.planes and self.tiers):
            raise ValueError("planes and tiers of a switched fabric are not given")
        return self
