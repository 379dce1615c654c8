"""Every input of the studio, panel by panel, in the order of the form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import get_args

from app.catalog.frameworks import frameworks
from app.catalog.number_formats import number_formats
from app.engine.performance.schedules import SCHEDULES
from app.scenarios.declared_fields import declared_field, label_of_field
from app.scenarios.document.generic import GenericPrecision
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.document.serving_parts import ServingPrecision
from app.scenarios.document.supernode import AcceleratorOverride, SuperNodeOverride
from app.scenarios.reading.messages import all_paths
from app.surfaces.pages.studio.facility_fields import (
    facility_details,
    facility_fields,
    floor_fields,
    kind_of_fabric,
    network_fields,
    rack_fields,
)
from app.surfaces.pages.studio.field import (
    Field,
    choice,
    control,
    number,
    segments,
    switch,
    text,
    topology_field,
    topology_fields,
)
from app.surfaces.pages.studio.serving_fields import ADVANCED as SERVING_ADVANCED
from app.surfaces.pages.studio.serving_fields import ENGINES, serving_details, serving_fields

KINDS = {"training": "Training", "serving": "Serving", "generic": "Generic job"}
PRECISIONS = {
    "fp32": "FP32",
    "tf32": "TF32",
    **{key: form.label for key, form in number_formats().items()},
}
KEY_WORDS = {key: words for key, words in (PRECISIONS | ENGINES).items() if "_" in key}
KEYS = re.compile(rf"\b({'|'.join(KEY_WORDS)})\b")
FRAMEWORKS = {"auto": "Auto"} | {key: one.name for key, one in frameworks().items()}
KERNELS = {
    "auto": "Auto", "unfused": "Unfused", "flash_1": "Flash 1", "flash_2": "Flash 2",
    "vendor_2024": "Vendor, 2024", "vendor": "Vendor",
}  # fmt: skip

# Parts of the document that have no control of their own: the scenario as YAML, at the foot of the
# form, is where they are edited.
ADVANCED = {
    "schema_version": "one version can be read",
    "description": "free text",
    "illustrative": "set by the author of an example",
    "workload.communication.": "patterns of a generic step, a list",
    "workload.model.": "an inline architecture",
    "supernode.custom.": "an inline SuperNode",
    "supernode.design": "chosen in the list of systems",
    "supernode.memory_pool.": "an inline memory pool",
    "facility.power_supply.": "plant, battery and contracts of a site, lists",
    "pod.also.": "further kinds of SuperNode, a list",
    **{
        f"pod.networks.{name}": "ports and servers of a network"
        for name in (
            "storage.host_ports",
            "storage.server_ports",
            "in_band.host_ports",
            "in_band.servers",
            "in_band.server_ports",
            "in_band.border_links",
            "out_of_band.host_ports",
            "out_of_band.uplinks",
            "out_of_band.switches_per_rack",
        )
    },
    "facility.site.": "an inline site",
    "operations.storage.": "an inline storage system",
    "operations.interruptions.": "interruptions of the own fleet, on the page of operations",
    "pod.networks.storage.nic": "a card of the catalog, by its key",
    "pod.networks.in_band.nic": "a card of the catalog, by its key",
    "economics.finance.": "debt, tax and depreciation, on the page of the cash flow",
    "economics.build_out.": "phases of a site, on the page of the build-out",
    "economics.financing.": "loans and leases, on the page of the build-out",
    "economics.renting.": "rental terms, on the page of owning and renting",
    **dict.fromkeys(
        (
            "economics.jurisdiction",
            "economics.network_life_years",
            "economics.storage_life_years",
        ),
        "places and lives by kind, on the page of the cash flow",
    ),
    **dict.fromkeys(
        (
            "economics.import_duty_share",
            "economics.sales_tax_share",
            "economics.construction_cost_factor",
            "economics.labour_cost_factor",
        ),
        "what the place adds, on the page of the build-up",
    ),
    "economics.research_multiplier": "on the page of the cost of a run",
    "uncertainty.": "ranges of inputs, on the page of uncertainty",
    "assumptions": "modelling assumptions by name",
    "estimates.": "accepted estimates of inputs that are not published",
    "sharing.": "further workloads of the pod, a list",
    "published.": "published figures for comparison",
    **SERVING_ADVANCED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A section of the form; `more` are fields one level down, closed at first."""

    id: str
    title: str
    fields: tuple[Field, ...]
    more: tuple[Field, ...] = ()
    more_title: str = ""
    open: bool = False


@cache
def panels() -> tuple[Panel, ...]:
    """The sections of the form."""
    return (
        Panel(id="workload", title="Workload", open=True, fields=(
            control("workload.kind", "segments", words=tuple(KINDS.items())),
            choice("workload.model", "models", used="workload.architecture.layers"),
            number("workload.tokens", slider=(1e9, 1e14)),
            number("workload.sequence_length", slider=(256, 1_048_576),
                   snap="power"),
            number("workload.global_batch_sequences", slider=(1, 65_536),
                   snap="power"),
            segments("workload.precision", names=PRECISIONS),
            *serving_fields(PRECISIONS),
            *_generic(),
        ), more_title="Software", more=(
            number("workload.prediction_modules", used="workload.prediction_modules"),
            segments("workload.software.framework", names=FRAMEWORKS),
            segments("workload.software.attention_kernel", names=KERNELS),
            segments("workload.software.captured_graphs",
                     names={"auto": "Auto", "yes": "Yes", "no": "No"}),
            segments("workload.software.recipe",
                     names={"auto": "Auto", "delayed": "Delayed", "tensor_wise": "Tensor", "row_wise": "Row",
                            "block_wise": "Block"}),
            segments("workload.routing",
                     names={"balanced": "Balanced", "measured": "Measured", "worst": "Worst"}),
            number("workload.calibration.measured_over_predicted",
                   used="workload.measured_over_predicted"),
            number("workload.calibration.low"),
            number("workload.calibration.high"),
            text("workload.calibration.note"),
            *serving_details(PRECISIONS),
            *_generic_details(),
        )),
        Panel(id="supernode", title="SuperNode", open=True, fields=(
            choice("supernode.system", "systems", used="supernode.accelerators"),
            *SIZE,
            number("supernode.override.accelerator.achievable_16_bit_flop_per_s",
                   used="supernode.accelerator.achievable_16_bit_flop_per_s"),
        ), more_title="Hardware overrides", more=_overrides()),
        Panel(id="pod", title="Pod", open=True, fields=(
            choice("pod.design", "pods", words=(("", "None"),)),
            number("pod.supernodes", slider=(1, 16_384), snap="power", used="pod.supernodes"),
            topology_field(),
            number("pod.fabric.nic_gbit_s", slider=(100, 1600), snap="power",
                   used="supernode.scale_out_nic_bandwidth_bytes_per_s", used_factor=8e-9),
            number("pod.fabric.oversubscription", slider=(1, 8), snap="step",
                   step=0.5, used="pod.fabric.oversubscription"),
        ), more_title="Fabric details", more=(
            number("pod.accelerators_used", used="pod.accelerators_used",
                   words=(("all", "all"),)),
            number("pod.accelerators_per_domain_used",
                   words=(("all", "all"), ("auto", "auto"))),
            choice("pod.fabric.switch", "switches", used="pod.fabric.switch.ports",
                   words=(("auto", "Automatic"),)),
            number("pod.fabric.scalable_unit_supernodes",
                   used="pod.fabric.scalable_unit_supernodes"),
            number("pod.fabric.management_ports", used="pod.fabric.management_ports"),
            number("pod.fabric.planes", used="pod.fabric.planes"),
            *topology_fields(),
            kind_of_fabric(),
            *network_fields(),
            choice("pod.fabric.media", "media",
                   words=(("auto", "Lowest cost"), ("least_power", "Lowest power"))),
        )),
        Panel(id="floor", title="Floor", fields=floor_fields(), more_title="Racks and cable routes",
              more=rack_fields()),
        Panel(id="parallelism", title="Parallelism", open=True, fields=(
            control("parallelism", "segments", words=(("auto", "Search"), ("stated", "Specify"))),
            _degree("tp", "tensor_parallel", 64),
            _degree("pp", "pipeline_parallel", 128),
            _degree("cp", "context_parallel", 64),
            _degree("ep", "expert_parallel", 256),
            number("parallelism.etp", used="layout.expert_tensor_ranks",
                   words=(("auto", "Auto"),)),
            _degree("vpp", "virtual_stages", 16),
            _degree("micro_batch", "micro_batch", 64),
            control("parallelism.zero_stage", "segments",
                  words=tuple((str(stage), str(stage)) for stage in range(4)), used="layout.zero_stage"),
            segments("parallelism.reshard",
                     names={"auto": "Auto", "yes": "Yes", "no": "No"}, used="layout.reshard"),
            number("parallelism.shard_group", used="layout.shard_ranks", words=(("all", "All"),)),
            switch("parallelism.sequence_parallel", used="layout.sequence_parallel"),
            segments("parallelism.recompute", used="layout.recompute"),
            segments("parallelism.offload", names={"optimizer": "Optimiser"},
                     used="layout.optimizer_offload"),
            segments("parallelism.offload_to",
                     names={"auto": "Auto", "host": "Host", "peer": "Peers", "nvme": "NVMe", "pool": "Pool"},
                     used="layout.offload_tier"),
            switch("parallelism.tensor_overlap", used="layout.tensor_overlap"),
            switch("parallelism.data_overlap", used="layout.data_overlap"),
            segments("parallelism.inside", names={"data": "Replicas", "pipeline": "Stages"},
                     used="layout.pipeline_inside"),
            segments("parallelism.context",
                     names={"auto": "Auto", "ring": "Ring", "all_gather": "All-gather", "ulysses": "Ulysses", "hybrid": "Hybrid"},
                     used="layout.context_exchange"),
            segments("parallelism.schedule",
                   names={schedule.key: schedule.name for schedule in SCHEDULES.values()},
                   used="layout.schedule"),
        )),
        Panel(id="facility", title="Facility", fields=facility_fields(), more_title="Facility details",
              more=facility_details()),
        Panel(id="operations", title="Operations", fields=(
            segments("operations.checkpoint",
                     names={"two_level": "Two-level", "three_level": "Three-level", "blocking": "Blocking"}),
            number("operations.spares", words=(("auto", "auto"),),
                   used="operations.spare_units"),
            choice("operations.storage", "storage", used="operations.storage.price_usd_per_tb",
                   words=(("", "Sized to the pod"),)),
        )),
        Panel(id="economics", title="Economics", fields=(
            number("economics.life_years", slider=(1, 15), snap="step", step=0.5,
                   used="economics.life_years"),
            _share("economics.wacc", 0.3),
            _share("economics.utilisation", 1.0),
            _share("economics.residual_value", 1.0),
            number("economics.supernode_price_usd", used="supernode.price_usd"),
            number("economics.electricity_price_usd_per_kwh",
                   used="facility.site.electricity_price_usd_per_kwh"),
            number("economics.water_price_usd_per_m3", used="facility.site.water_price_usd_per_m3"),
            number("economics.rental_on_demand_usd_per_accelerator_hour",
                   used="economics.rental_on_demand_usd_per_accelerator_hour"),
            number("economics.rental_reserved_usd_per_accelerator_hour",
                   used="economics.rental_reserved_usd_per_accelerator_hour"),
        ), more_title="Building and purchase", more=(
            segments("economics.building", names={"owned": "Owned", "colocation": "Colocation"}),
            number("economics.colocation_usd_per_kw_month",
                   used="economics.colocation_usd_per_kw_month"),
            segments("economics.purchase_channel",
                     names={"auto": "Auto", "list": "List", "oem": "OEM", "hyperscaler": "Hyperscaler"}),
            _share("economics.price_discount", 0.9),
        )),
    )  # fmt: skip


NAME = text("name")


BASIC = frozenset(
    (
        NAME.path,
        "workload.kind",
        "workload.model",
        "workload.tokens",
        "workload.global_batch_sequences",
        "workload.precision",
        "workload.requests.input_tokens",
        "workload.requests.output_tokens",
        "workload.concurrency",
        "workload.steps",
        "workload.flop_per_step",
        "supernode.system",
        "supernode.override.accelerators",
        "pod.supernodes",
        "pod.fabric.topology",
        "facility.site",
        "facility.cooling",
        "economics.life_years",
        "economics.utilisation",
        "economics.electricity_price_usd_per_kwh",
    )
)
"""The inputs that are shown at first: about a dozen of each kind of workload."""


def all_fields() -> Iterator[Field]:
    """Every field with a control, the name first."""
    yield NAME
    for panel in panels():
        yield from panel.fields
        yield from panel.more


@cache
def fields_by_path() -> dict[str, Field]:
    """The fields by their place in the document."""
    return {field.path: field for field in all_fields()}


def is_advanced(path: str) -> bool:
    """Return whether a field of the document is left to the YAML editor."""
    return any(path == known or (known.endswith(".") and path.startswith(known)) for known in ADVANCED)


def document_leaves() -> list[str]:
    """Every field of the document that holds a value."""
    paths = list(all_paths(ScenarioDocument))
    return [path for path in paths if not any(other.startswith(path + ".") for other in paths)]


def _generic() -> tuple[Field, ...]:
    """Of a workload that is no language model."""
    return (
        text("workload.name"),
        segments("workload.scaling", names={"strong": "Strong", "weak": "Weak"}),
        number("workload.flop_per_step", used="workload.flop_per_step"),
        number("workload.memory_traffic_per_step_bytes",
               used="workload.memory_traffic_per_step_bytes"),
        number("workload.memory_held_bytes", used="workload.memory_held_bytes"),
        number("workload.steps", slider=(1, 1e9), used="workload.steps"),
        number("workload.compute_efficiency", slider=(0.05, 1.0),
               snap="step", step=0.01, used="workload.compute_efficiency"),
        number("workload.load_imbalance", slider=(1, 2), snap="step", step=0.01,
               used="workload.load_imbalance"),
    )  # fmt: skip


def _generic_details() -> tuple[Field, ...]:
    return (
        number("workload.checkpoint_held_share",
               used="workload.checkpoint_held_share"),
        number("workload.dataset_bytes", used="workload.dataset_bytes"),
    )  # fmt: skip


GENERIC = frozenset(field.path for field in (*_generic(), *_generic_details()))
"""Fields of generic jobs alone."""
SERVING_PRECISIONS = tuple((word, PRECISIONS[word]) for word in get_args(ServingPrecision))
GENERIC_PRECISIONS = tuple((word, PRECISIONS[word]) for word in get_args(GenericPrecision))


SIZE = tuple(
    number(f"supernode.override.{name}", slider=(1, 1152), snap="power", used=f"supernode.{name}")
    for name in ("accelerators", "scale_up_domain_accelerators")
)
"""Accelerators per SuperNode, and per scale-up domain."""


def _overrides() -> tuple[Field, ...]:
    shown_above = {
        "accelerator",
        "achievable_16_bit_flop_per_s",
        "accelerators",
        "scale_up_domain_accelerators",
    }
    accelerator = [
        _override(f"accelerator.{name}")
        for name in AcceleratorOverride.model_fields
        if name not in shown_above
    ]
    return (
        *accelerator,
        *(_override(name) for name in SuperNodeOverride.model_fields if name not in shown_above),
    )


def _override(name: str) -> Field:
    path, used = f"supernode.override.{name}", f"supernode.{name}"
    if declared_field(path).words:
        return segments(path, used=used, origin="supernode.accelerators")
    return number(path, used=used)


def _degree(name: str, used: str, most: int) -> Field:
    return number(f"parallelism.{name}", used=f"layout.{used}", slider=(1, most), snap="power")


def _share(path: str, most: float) -> Field:
    return number(path, used=path, slider=(0, most), snap="step", step=0.01)


PATH = re.compile(
    r"\b(?:workload|supernode|pod|parallelism|sharing|facility|operations|economics|uncertainty|assumptions)"
    r"(?:\[\d+\])?(?:\.[a-z0-9_]+(?:\[\d+\])?)+"
)


def in_field_words(text: str) -> str:
    """A sentence with fields, engines and number formats named as the form names them.

    >>> in_field_words("Set pod.supernodes to 4."), in_field_words("tensorrt_llm does not run fp8_block there.")
    ('Set \u201cSuperNodes\u201d to 4.', 'TensorRT-LLM does not run FP8 block there.')
    """
    named = KEYS.sub(lambda found: KEY_WORDS[found[0]], text)
    return PATH.sub(lambda found: f"\u201c{label_of_field(found[0])}\u201d", named)
