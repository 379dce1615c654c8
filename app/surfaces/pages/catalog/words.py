"""Words of the catalog pages: field names, marks of where a value comes from, dates and ages."""

from __future__ import annotations

import datetime
import re
from typing import NamedTuple

from app.catalog.prices import age_days
from app.catalog.values import STALE_PRICE_DAYS
from app.engine.units import words_of

MARKS = {
    "vendor": "Vendor specification",
    "measured": "Measured",
    "third_party": "Third-party estimate",
    "derived": "Derived",
    "assumption": "Assumption",
}
"""Kinds of value, from the firmest to the loosest as people rank them."""

SHORT_MARKS = {
    "vendor": "vendor",
    "measured": "measured",
    "third_party": "third-party",
    "derived": "derived",
    "assumption": "assumption",
}

CONFIDENCE = {
    "confirmed": "confirmed",
    "secondary": "secondary source",
    "weak": "weakly supported",
    "recalled": "unverified",
    "": "",
}

LABELS = {
    "process_nm": "Process",
    "fp32_flop_per_s": "FP32 vector",
    "tf32_flop_per_s": "TF32 dense",
    "bf16_flop_per_s": "BF16 dense",
    "fp16_flop_per_s": "FP16 dense",
    "fp8_flop_per_s": "FP8 dense",
    "int8_flop_per_s": "INT8 dense",
    "fp4_flop_per_s": "FP4 dense",
    "achievable_bf16_flop_per_s": "BF16 sustained",
    "memory_label_bytes": "Memory",
    "memory_bytes": "Memory, physical",
    "accelerator_memory_label_bytes": "Memory",
    "scale_up_bandwidth_bytes_per_s": "Scale-up",
    "scale_up_bandwidth_from_both_ways_bytes_per_s": "Scale-up, from the sum of both ways",
    "scale_up_pair_bandwidth_bytes_per_s": "Scale-up, one pair",
    "scale_up_aggregate_bandwidth_bytes_per_s": "Scale-up, whole system",
    "scale_up_domain_max_accelerators": "Largest scale-up domain",
    "scale_up_domain_accelerators": "Scale-up domain",
    "max_job_accelerators": "Largest job",
    "scale_out_bandwidth_bytes_per_s": "Scale-out",
    "scale_out_total_bandwidth_bytes_per_s": "Scale-out",
    "tdp_w": "TDP",
    "all_in_power_w": "All-in power",
    "price_usd": "Price",
    "tco_hyperscaler_usd_per_accelerator_hour": "Own cost, hyperscaler",
    "tco_neocloud_usd_per_accelerator_hour": "Own cost, smaller cloud",
    "rental_3_year_usd_per_accelerator_hour": "Rental, three years",
    "port_bandwidth_bytes_per_s": "Port rate",
    "logical_port_bandwidth_bytes_per_s": "Logical port rate",
    "module_bandwidth_bytes_per_s": "Module rate",
    "lane_bandwidth_bytes_per_s": "Lane rate",
    "link_bandwidth_bytes_per_s": "Link rate",
    "total_bandwidth_bytes_per_s": "Total rate",
    "network_bandwidth_bytes_per_s": "Network rate",
    "nic_bandwidth_bytes_per_s": "NIC rate",
    "capacity_bytes_per_s": "Capacity",
    "latency_s_per_m": "Latency per metre",
    "current_a": "Current",
    "coolant_flow_l_per_min": "Coolant flow",
    "coolant_pressure_pa": "Coolant pressure",
    "battery_w": "Batteries inside",
    "read_bandwidth_bytes_per_s": "Read",
    "write_bandwidth_bytes_per_s": "Write",
    "raw_capacity_bytes": "Raw capacity",
    "usable_capacity_bytes": "Usable",
    "published_parameters": "Parameters",
    "published_active_parameters": "Active",
    "computed_parameters": "Parameters, computed",
    "computed_parameters_error": "Computed vs published",
    "computed_active_parameters": "Active, computed",
    "computed_active_parameters_without_input_embedding": "Active, computed without input embedding",
    "computed_active_parameters_error": "Active, computed vs published",
    "kv_cache_bytes": "KV cache",
    "kv_heads": "KV heads",
    "mlp_matrices": "MLP matrices",
    "context_tokens": "Context",
    "training_tokens": "Training tokens",
    "tied_embedding": "Tied embedding",
    "hidden": "Hidden size",
    "feed_forward_hidden": "Feed-forward size",
    "head_dim": "Head size",
    "expert_hidden": "Expert size",
    "latent_nope_dim": "Latent head size without position",
    "latent_rope_dim": "Latent head size with position",
    "latent_value_dim": "Latent value size",
    "window_tokens": "Window",
    "linear_layers": "Recurrent layers",
    "linear_layer_parameters": "Parameters of a recurrent layer",
    "linear_state_elements": "State of a recurrent layer",
    "sparse_tokens": "Tokens read by sparse attention",
    "index_elements": "Index key",
    "index_heads": "Index heads",
    "query_key_norm": "Query and key norm",
    "prediction_modules": "Modules of multi-token prediction",
    "electricity_price_usd_per_kwh": "Electricity",
    "wholesale_electricity_price_usd_per_kwh": "Wholesale",
    "carbon_intensity_kg_per_kwh": "Grid carbon",
    "water_price_usd_per_m3": "Water",
    "climate_elevation_m": "Elevation of the climate file",
    "climate_proxy_distance_m": "Climate file from",
    "utc_offset_hours": "Offset from UTC",
    "dry_bulb_mean_c": "Dry bulb, mean",
    "dry_bulb_minimum_c": "Dry bulb, lowest",
    "dry_bulb_maximum_c": "Dry bulb, highest",
    "dry_bulb_99_6_percent_c": "Dry bulb, 99.6 %",
    "dry_bulb_99_percent_c": "Dry bulb, 99 %",
    "wet_bulb_mean_c": "Wet bulb, mean",
    "wet_bulb_maximum_c": "Wet bulb, highest",
    "wet_bulb_99_6_percent_c": "Wet bulb, 99.6 %",
    "dry_bulb_up_to_13_c_hours": "Dry bulb up to 13 °C",
    "dry_bulb_up_to_22_c_hours": "Dry bulb up to 22 °C",
    "dry_bulb_up_to_27_c_hours": "Dry bulb up to 27 °C",
    "dry_bulb_up_to_35_c_hours": "Dry bulb up to 35 °C",
    "wet_bulb_up_to_13_c_hours": "Wet bulb up to 13 °C",
    "wet_bulb_up_to_24_c_hours": "Wet bulb up to 24 °C",
    "dew_point_99_6_percent_c": "Dew point, 99.6 %",
    "pue": "PUE",
    "wue_l_per_kwh": "WUE",
    "grid_carbon_average_kg_per_kwh": "Grid carbon, average",
    "grid_carbon_marginal_kg_per_kwh": "Grid carbon, marginal",
    "value": "Value",
    "range": "Low to high",
    "price": "Price",
    "of": "Kind",
    "target": "Stands for",
    "terms": "Financial terms",
    "applies_to": "Applies to",
    "organisation": "Organisation",
    "accelerator_key": "Accelerator",
    "climate_key": "Climate year",
    "nic_key": "Network interface",
    "part_key": "Part",
    "accelerator_mix": "Accelerators",
    "as_of": "As of",
    "asic": "ASIC",
    "cpu_model": "CPU",
    "year_kind": "Kind of year",
    "rankable": "In rankings",
    "vendor_headline": "Vendor's headline",
}  # fmt: skip

INITIALS = {
    "cpu": "CPU", "cpus": "CPUs", "nic": "NIC", "nics": "NICs", "kv": "KV", "tdp": "TDP", "pue": "PUE",
    "wue": "WUE", "it": "IT", "ups": "UPS", "mfu": "MFU", "cdu": "CDU", "hvac": "HVAC", "gpu": "GPU",
    "usd": "USD", "tp": "TP", "pp": "PP", "dp": "DP", "ep": "EP", "cp": "CP", "mv": "MV", "lv": "LV",
    "pdu": "PDU", "psu": "PSU", "hbm": "HBM", "dram": "DRAM", "bf16": "BF16", "fp8": "FP8", "fp16": "FP16",
    "wacc": "WACC", "tco": "TCO", "dac": "DAC",
}  # fmt: skip

VALUES = {
    "cdu": "CDU, liquid to liquid",
    "cdu_to_air": "CDU, liquid to air",
    "busway": "Busway",
    "power_rack": "Power rack",
    "mv_rectifier": "Rectifier from medium voltage",
    "rack_converter": "Rack converter",
    "on_demand": "on demand",
    "capacity_block": "capacity block",
    "own_cost": "own cost",
    "all_in_it": "all-in, IT",
    "all_in_with_facility": "all-in, with facility",
    "mha": "MHA",
    "moe": "mixture of experts",
    "MoE": "mixture of experts",
}


def label_of_field(name: str) -> str:
    """Name of a field of the catalog.

    >>> label_of_field("tdp_w"), label_of_field("scale_out_nics"), label_of_field("rack_units")
    ('TDP', 'Scale-out NICs', 'Rack units')
    """
    if name in LABELS:
        return LABELS[name]
    words = [INITIALS.get(word, word) for word in words_of(name).split(" ")]
    text = " ".join(words).replace("scale up", "scale-up").replace("scale out", "scale-out")
    return text[:1].upper() + text[1:]


def word_of(value: object) -> str:
    """A word of the files as people write it."""
    text = str(value)
    return VALUES.get(text, text.replace("_", " ") if re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)+", text) else text)


def date_text(date: str) -> str:
    """A date, month or year in words; what is none, as it is.

    >>> date_text("2026-11-14"), date_text("2026-03"), date_text("2024"), date_text("2026-H1")
    ('14 Nov 2026', 'Mar 2026', '2024', '2026-H1')
    """
    try:
        day = datetime.date.fromisoformat(f"{date}-01" if len(date) == 7 else date)
    except ValueError:
        return date
    return f"{day:%b %Y}" if len(date) == 7 else f"{day.day} {day:%b %Y}"


class Age(NamedTuple):
    """How old a price is: `mark` is "" while it is fresh."""

    mark: str
    text: str


def age_of(date: str, today: datetime.date) -> Age:
    """Return whether a price is too old to be relied on, and how old it is.

    >>> age_of("2026-05", datetime.date(2026, 11, 28)).mark, age_of("", datetime.date(2026, 11, 28)).mark
    ('stale', 'undated')
    """
    days = age_days(date, today=today)
    if days is None:
        return Age("undated", "undated")
    return Age("stale" if days > STALE_PRICE_DAYS else "", f"{days:,} days old")
