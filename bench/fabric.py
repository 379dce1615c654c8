"""How quick the fabric of a large pod is counted, laid out and priced."""

from __future__ import annotations

from collections.abc import Iterator

from app.catalog.ready import ready_catalog
from app.engine.fabric.materials.bill import MaterialBill, material_bill
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.examples import example
from app.scenarios.load import build_scenario
from app.views.fabric.floor import floor_of
from app.views.fabric.materials import BillOptions, bill_rules, laid_networks
from app.views.fabric.parts import network_parts
from bench.timing import Measurement, timed

PLACE = "llama_3_1_405b_on_2048_dgx_h100"
SUPERNODES = 16_384
ENDPOINTS = 8 * SUPERNODES


def fabric_measurements() -> Iterator[Measurement]:
    scenario = large_pod()
    options = BillOptions()
    parts = network_parts(scenario, ready_catalog(), floor_of(scenario).graphs)

    def bill() -> MaterialBill:
        """Every link, its place on the floor, its length and its medium; then every piece."""
        laid = floor_of(scenario)
        return material_bill(laid_networks(scenario, laid, parts, options), bill_rules(scenario, options))

    yield timed(f"bill of {ENDPOINTS:,} endpoints", bill, runs=21, unit="ms", aim=100)


def large_pod() -> EvaluatedScenario:
    """The worked example with eight times its nodes: a fat tree of three tiers and 393,216 links."""
    values = example(PLACE).read().as_dict()
    values["pod"]["supernodes"] = SUPERNODES
    return evaluate_scenario(build_scenario(values), ready_catalog())
