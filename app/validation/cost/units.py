"""Units as costs are printed in: what they measure, and how much of the base unit one of them is."""

from __future__ import annotations

import re
from typing import NamedTuple

NAMED_DEVICE = r"TPU ?v\d\w?|Trainium ?\d|Gaudi ?\d|Ascend ?\d+\w?|MI\d{3}X?|(?:[ABHLPV]|GB|GH)\d{2,3}S?"
"""Names of accelerators by their form."""
DEVICE = (
    r"(?:(?:GPU|accelerator|chip|NPU|device|card)s?\b"
    rf"|{NAMED_DEVICE}|TPUs?\b)(?:[ -](?:SXM\d?|PCIe|\d{{2,3}} ?GB|(?:GPU|accelerator|chip)s?\b))*"
)
"""An accelerator, by a common noun or by its name."""
HOUR = r"(?:hours?|hrs?|h)\b"
OF_HOUR = rf"(?:/|per) ?(?:(?:{DEVICE})(?:[ -]| ?(?:/|per) ?))?{HOUR}"
"""The hour of an accelerator: `/h`, `/GPU-h`, `/GPU/h`, `per GPU per hour`."""
MONEY = r"(?:USD|US\$|\$|dollars?)"
CENTS = r"(?:cents?|¢|ct)"
TOKENS_M = r"(?:M|1M|million)\b ?(?:\w+ )?tok(?:en)?s?\b"
HOST = r"(?:server|node|rack|system|host|pod|tray)"
OF_DEVICE = rf"(?:/|per|each|a) ?(?:{DEVICE})\b"
CARBON = r"(?:CO2(?:-?eq?)?)?"

USD, USD_H, USD_TOKENS = "USD", "USD/h", "USD/M tokens"
ACCELERATOR_H, HOURS, TOKENS = "accelerator h", "h", "tokens"
POWER, ENERGY, KG, KG_EACH, RATIO = "W", "kWh", "kg", "kg/accelerator", "1"
USD_HOST, USD_EACH, HOSTS, DEVICES = "USD/host", "USD/accelerator", "hosts", "accelerators"
W_HOST = "W/host"
H_PER_T, HOURS_PER_T = "accelerator h/T tokens", "h/T tokens"


class Unit(NamedTuple):
    """How a unit is printed after its number, what it measures, and its size in the base unit."""

    pattern: re.Pattern[str]
    dimension: str
    factor: float


def _unit(pattern: str, dimension: str, factor: float = 1.0) -> Unit:
    return Unit(re.compile(rf"[ -]?(?:{pattern})", re.IGNORECASE), dimension, factor)


PER_T = r" ?(?:/|per) ?(?:T|trillion)\b ?tok(?:en)?s?"
UNITS = (
    _unit(rf"{MONEY} ?{OF_HOUR}", USD_H),
    _unit(rf"{CENTS} ?{OF_HOUR}", USD_H, 0.01),
    _unit(rf"{MONEY} ?(?:/|per) ?{TOKENS_M}", USD_TOKENS),
    _unit(rf"{CENTS} ?(?:/|per) ?{TOKENS_M}", USD_TOKENS, 0.01),
    _unit(rf"{MONEY} ?(?:/|per) ?\(?kW[ -]?(?:mo\b|month)\)?", "USD/(kW month)"),
    _unit(rf"{MONEY} ?(?:/|per) ?kWh", "USD/kWh"),
    _unit(rf"{CENTS} ?(?:/|per) ?kWh", "USD/kWh", 0.01),
    _unit(rf"{MONEY} ?(?:/|per) ?MWh", "USD/kWh", 1e-3),
    _unit(rf"{MONEY} ?(?:/|per) ?(?:yr|year|a\b)", "USD/year"),
    _unit(rf"{MONEY} ?(?:/|per) ?switch", "USD/switch"),
    _unit(rf"{MONEY} ?(?:/|per) ?(?P<devices>\d+)[- ]?(?:GPU|accelerator|chip)s? {HOST}", USD_HOST),
    _unit(rf"{MONEY} ?(?:/|per|each) ?{HOST}\b(?! ?(?:[-/]|per)? ?{HOUR})", USD_HOST),
    _unit(rf"{MONEY} ?{OF_DEVICE}", USD_EACH),
    _unit(r"J ?/ ?tok(?:en)?\b", "J/token"),
    _unit(rf"kg ?{CARBON} ?/ ?kWh", "kg/kWh"),
    _unit(rf"g ?{CARBON} ?/ ?kWh", "kg/kWh", 1e-3),
    _unit(rf"t ?{CARBON} ?/ ?MWh", "kg/kWh"),
    _unit(rf"kg ?{CARBON} ?/ ?MWh", "kg/kWh", 1e-3),
    _unit(rf"g ?{CARBON} ?/ ?MWh", "kg/kWh", 1e-6),
    _unit(rf"kg ?{CARBON} ?(?:per|/) ?(?:{DEVICE})\b", KG_EACH),
    _unit(rf"(?:(?:{DEVICE})[ -]{{0,2}})+{HOUR}{PER_T}", H_PER_T),
    _unit(rf"(?:(?:{DEVICE})[ -]{{0,2}})+{HOUR}", ACCELERATOR_H),
    _unit(rf"(?:(?:{DEVICE})[ -]{{0,2}})+(?:days?|d)\b", ACCELERATOR_H, 24.0),
    _unit(rf"(?:(?:{DEVICE})[ -]{{0,2}})+(?:years?|yr?)\b", ACCELERATOR_H, 8766.0),
    _unit(rf"(?:days?|d)\b{PER_T}", HOURS_PER_T, 24.0),
    _unit(HOUR, HOURS),
    _unit(r"(?:days?|d)\b", HOURS, 24.0),
    _unit(r"weeks?\b", HOURS, 168.0),
    _unit(r"months?\b", HOURS, 730.5),
    _unit(r"(?:minutes?|min)\b", HOURS, 1 / 60),
    _unit(r"(?:years?|yr|y)\b", "years"),
    _unit(r"tok(?:en)?s? ?(?:/|per) ?s(?:ec(?:ond)?)?\b", "tokens/s"),
    _unit(r"kWh", ENERGY), _unit(r"MWh", ENERGY, 1e3), _unit(r"GWh", ENERGY, 1e6), _unit(r"TWh", ENERGY, 1e9),
    _unit(rf"kW ?(?:/|per|a) ?(?:NVL\d+ )?{HOST}\b", W_HOST, 1e3), _unit(r"kW\b", POWER, 1e3), _unit(r"MW\b", POWER, 1e6), _unit(r"W\b", POWER),
    _unit(r"TFLOPS?(?:/s|P/s)?\b", "FLOP/s", 1e12), _unit(r"PFLOPS?(?:/s|P/s)?\b", "FLOP/s", 1e15),
    _unit(r"FLOPs? ?/ ?s\b|peak\b", "FLOP/s"), _unit(r"FLOPs?\b", "FLOP"),
    _unit(r"tok(?:en)?s?\b", TOKENS),
    _unit(r"param(?:eter)?s?\b", "parameters"),
    _unit(r"%(?= ?(?:\w+ )?MFU)", "MFU", 0.01),
    _unit(r"%", "share", 0.01),
    _unit(r"(?:homes?|households?)\b", "homes"),
    _unit(r"switch(?:es)?\b", "switches"),
    _unit(rf"{HOST}s?\b", HOSTS),
    _unit(rf"(?:x ?)?(?:(?:NVIDIA|AMD|Google|AWS|Intel|Huawei) )?(?:{DEVICE})\b", DEVICES),
    _unit(r"kg ?(?:CO2(?:-?eq?)?)?\b", KG), _unit(r"t ?CO2(?:-?eq?)?\b|tonnes?\b|tons?\b|t\b", KG, 1e3),
    _unit(r"ratio\b|fraction\b|x\b", RATIO),
    _unit(MONEY + r"(?!\w)", USD),
)  # fmt: skip
"""The first that fits: what says more stands before what says less."""
