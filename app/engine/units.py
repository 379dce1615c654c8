"""The unit a name ends in. One table; longest ending wins.

Base SI and USD inside the engine, so a unit is read off the name of a field or function.
"""

from __future__ import annotations

ENDINGS: dict[str, str] = {
    "bytes_per_s": "B/s",
    "bytes_per_sample": "B",
    "bytes_per_parameter": "B",
    "bytes_per_logit": "B",
    "bytes_per_element": "B",
    "flop_per_s": "FLOP/s",
    "flop_per_token": "FLOP",
    "flop_per_step": "FLOP",
    "tokens_per_s": "tokens/s",
    "tokens_per_s_per_accelerator": "tokens/s",
    "usd_per_kwh": "USD/kWh",
    "usd_per_kw_month": "USD/(kW month)",
    "usd_per_kw": "USD/kW",
    "usd_per_kw_year": "USD/(kW year)",
    "usd_per_mw": "USD/MW",
    "usd_per_mw_year": "USD/(MW year)",
    "usd_per_m3": "USD/m3",
    "usd_per_gbit_s": "USD/(Gbit/s)",
    "j_per_bit": "J/bit",
    "bits_per_s": "bit/s",
    "usd_per_gb": "USD/GB",
    "usd_per_gb_s": "USD/(GB/s)",
    "w_per_pb": "W/PB",
    "w_per_gb_s": "W/(GB/s)",
    "per_pb": "1/PB",
    "per_gb_s": "1/(GB/s)",
    "usd_per_tb": "USD/TB",
    "usd_per_m": "USD/m",
    "usd_per_year": "USD/year",
    "usd_per_hour": "USD/h",
    "usd_per_accelerator_hour": "USD/h",
    "usd_per_run": "USD",
    "usd_per_million_tokens": "USD",
    "usd_per_accelerator": "USD",
    "kg_per_kwh": "kg/kWh",
    "kg_per_m3": "kg/m3",
    "kg_per_m3_k": "kg/(m3 K)",
    "kg_per_m3_k2": "kg/(m3 K2)",
    "kg_per_s": "kg/s",
    "kg_per_usd": "kg/USD",
    "l_per_kwh": "L/kWh",
    "l_per_min": "L/min",
    "m3_per_s": "m3/s",
    "j_per_kg_k": "J/(kg K)",
    "j_per_kg_k2": "J/(kg K2)",
    "j_per_kg_k3": "J/(kg K3)",
    "j_per_kg": "J/kg",
    "w_per_w": "1",
    "w_per_byte": "W/B",
    "w_per_s": "W/s",
    "s_per_m": "s/m",
    "per_node_day": "1/(node day)",
    "per_accelerator_hour": "1/(accelerator h)",
    "per_year": "1/year",
    "per_day": "1/day",
    "per_s": "1/s",
    "per_k": "1/K",
    "per_k2": "1/K2",
    "per_k3": "1/K3",
    "mpa_s": "mPa s",
    "gbit_s": "Gbit/s",
    "bytes": "B",
    "flop": "FLOP",
    "tokens": "tokens",
    "sequences": "sequences",
    "usd": "USD",
    "kwh": "kWh",
    "wh": "Wh",
    "kg": "kg",
    "pa": "Pa",
    "c": "degC",
    "k": "K",
    "w": "W",
    "j": "J",
    "s": "s",
    "m": "m",
    "m2": "m2",
    "l": "L",
    "years": "years",
    "hours": "h",
    "days": "days",
    "months": "months",
    "hz": "Hz",
}


def unit_of(name: str) -> str:
    """The unit that `name` ends in, "1" for a bare number or count.

    >>> unit_of("memory_bandwidth_bytes_per_s"), unit_of("max_power_w"), unit_of("layers")
    ('B/s', 'W', '1')
    """
    words = name.rsplit(".", 1)[-1].split("_")
    for start in range(len(words)):
        ending = "_".join(words[start:])
        if ending in ENDINGS and (start > 0 or len(words) == 1 or len(words) > 2):
            return ENDINGS[ending]
    return "1"


def words_of(name: str) -> str:
    """What a name says without its unit, for people.

    >>> words_of("max_power_w"), words_of("supernode.racks"), words_of("memory_bandwidth_bytes_per_s")
    ('max power', 'racks', 'memory bandwidth')
    """
    words = name.rsplit(".", 1)[-1].split("_")
    for start in range(1, len(words)):
        if "_".join(words[start:]) in ENDINGS:
            return " ".join(words[:start])
    return " ".join(words)


def inside(name: str) -> str:
    """A label inside a sentence; initials and names such as SuperNode stay.

    >>> inside("Price per SuperNode"), inside("IT support"), inside("LoRA adapters")
    ('price per SuperNode', 'IT support', 'LoRA adapters')
    """
    first = name.partition(" ")[0].partition("-")[0]
    return name if first[1:] != first[1:].lower() else name[:1].lower() + name[1:]
