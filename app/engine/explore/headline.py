"""What vendors print of a whole machine: sums over its parts, at line rate and at peak."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="1", source="definition", at="headline.accelerators")
def accelerators(*, supernodes: Array, accelerators_per_supernode: Array) -> Array:
    """Accelerators of the machine, used or not."""
    return supernodes * accelerators_per_supernode


@quantity(unit="FLOP/s", source="definition", at="headline.peak_flop_per_s")
def peak_flop_per_s(*, accelerators: Array, peak_flop_per_s: Array) -> Array:
    """Peak of the machine, dense, at the precision of the job."""
    return accelerators * peak_flop_per_s


@quantity(unit="FLOP/s", source="definition", at="headline.peak_bf16_flop_per_s")
def peak_bf16_flop_per_s(*, accelerators: Array, peak_flop_per_s: Array) -> Array:
    """Peak of the machine, dense, at 16 bit."""
    return accelerators * peak_flop_per_s


@quantity(unit="FLOP/s", source="definition", at="headline.peak_fp8_flop_per_s")
def peak_fp8_flop_per_s(*, accelerators: Array, peak_flop_per_s: Array) -> Array:
    """Peak of the machine, dense, in FP8."""
    return accelerators * peak_flop_per_s


@quantity(unit="FLOP/s", source="definition", at="headline.peak_fp4_flop_per_s")
def peak_fp4_flop_per_s(*, accelerators: Array, peak_flop_per_s: Array) -> Array:
    """Peak of the machine, dense, in FP4."""
    return accelerators * peak_flop_per_s


@quantity(unit="B", source="definition", at="headline.memory_bytes")
def memory_bytes(*, accelerators: Array, memory_bytes: Array) -> Array:
    """Accelerator memory of the machine, physical bytes."""
    return accelerators * memory_bytes


@quantity(unit="B/s", source="definition", at="headline.memory_bandwidth_bytes_per_s")
def memory_bandwidth_bytes_per_s(*, accelerators: Array, memory_bandwidth_bytes_per_s: Array) -> Array:
    """Memory bandwidth of the machine."""
    return accelerators * memory_bandwidth_bytes_per_s


@quantity(unit="B/s", source="definition", at="headline.scale_up_both_ways_bytes_per_s")
def scale_up_both_ways_bytes_per_s(*, accelerators: Array, scale_up_bandwidth_bytes_per_s: Array) -> Array:
    """Scale-up bandwidth of the machine, both ways: what vendors print."""
    return 2 * accelerators * scale_up_bandwidth_bytes_per_s


@quantity(unit="B/s", source="definition", at="headline.scale_out_per_supernode_bytes_per_s")
def scale_out_per_supernode_bytes_per_s(*, nics: Array, nic_bandwidth_bytes_per_s: Array) -> Array:
    """Scale-out bandwidth of a SuperNode, one way."""
    return nics * nic_bandwidth_bytes_per_s


@quantity(unit="B/s", source="definition", at="headline.scale_out_bytes_per_s")
def scale_out_bytes_per_s(*, supernodes: Array, scale_out_per_supernode_bytes_per_s: Array) -> Array:
    """Scale-out bandwidth of the machine, one way."""
    return supernodes * scale_out_per_supernode_bytes_per_s


@quantity(unit="W", source="definition", at="headline.rated_power_w")
def rated_power_w(*, supernodes: Array, max_power_w: Array) -> Array:
    """Rated power of the SuperNodes, without network, storage and cooling."""
    return supernodes * max_power_w


@quantity(unit="USD", source="definition", at="headline.hardware_usd")
def hardware_usd(*, servers_usd: Array, spares_usd: Array, network_usd: Array, storage_usd: Array) -> Array:
    """Price of servers with spares, network and storage, without installation and building."""
    return servers_usd + spares_usd + network_usd + storage_usd
