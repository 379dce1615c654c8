"""How each kind of catalog row is listed: its words, its columns and what it can be filtered by."""

from __future__ import annotations

from typing import NamedTuple

PRICE = "price"
"""Column of what a part costs, chosen among its prices as the engine chooses."""

VALUE = "value"
"""Column of rows that are one figure each, in units of their own."""


RANGE = "range"
"""Column of the ends of that figure, where it has any."""


class KindView(NamedTuple):
    """A kind as people meet it. Columns are facts, or attributes when they start with @."""

    kind: str
    tab: str
    noun: str  # "38 accelerators"
    what: str
    columns: tuple[str, ...]
    facets: tuple[str, ...]  # fields or attributes with few different words
    row: str  # header of the first column


class KindGroup(NamedTuple):
    title: str
    kinds: tuple[str, ...]


GROUPS = (
    KindGroup(
        "Hardware",
        (
            "accelerators",
            "systems",
            "scale_up_fabrics",
            "switches",
            "nics",
            "optics",
            "storage",
            "cpus",
            "dpus",
            "facility_parts",
        ),
    ),
    KindGroup("Models and designs", ("models", "reference_architectures")),
    KindGroup("Prices", ("prices", "rentals")),
    KindGroup("Places", ("sites", "jurisdictions", "climate", "cloud_regions")),
    KindGroup("Modelling", ("assumptions", "aliases")),
)

_VIEWS = (
    KindView(
        "accelerators", "Accelerators", "accelerators",
        "One chip, or what its vendor counts as one: arithmetic, memory, links, power and price.",
        ("bf16_flop_per_s", "fp8_flop_per_s", "memory_label_bytes", "memory_bandwidth_bytes_per_s",
         "scale_up_bandwidth_bytes_per_s", "scale_out_bandwidth_bytes_per_s", "tdp_w", PRICE),
        ("vendor", "status", "generation"), "Accelerator",
    ),
    KindView(
        "systems", "Systems", "systems",
        "Servers, SuperNodes, racks, pods and deployments built of accelerators.",
        ("@category", "accelerators", "scale_up_domain_accelerators", "accelerator_memory_label_bytes",
         "bf16_flop_per_s", "scale_out_total_bandwidth_bytes_per_s", "max_power_w", PRICE),
        ("vendor", "status", "category"), "System",
    ),
    KindView(
        "scale_up_fabrics", "Scale-up fabrics", "scale-up fabrics",
        "Links between the accelerators of one domain: switch planes, tori and meshes, link by link.",
        ("@structure", "@link", "accelerators", "links_per_accelerator", "link_bandwidth_bytes_per_s", "planes",
         "switch_ports"),
        ("vendor", "structure"), "Scale-up fabric",
    ),
    KindView(
        "switches", "Switches", "switches", "Switches of scale-out and scale-up fabrics.",
        ("@protocol", "ports", "port_bandwidth_bytes_per_s", "capacity_bytes_per_s", "max_power_w",
         "rack_units", PRICE),
        ("vendor", "protocol", "cooling"), "Switch",
    ),
    KindView(
        "nics", "NICs", "network interfaces", "Network interfaces of hosts and accelerators.",
        ("@protocol", "ports", "port_bandwidth_bytes_per_s", "total_bandwidth_bytes_per_s", "max_power_w",
         PRICE),
        ("vendor", "status", "protocol"), "Network interface",
    ),
    KindView(
        "optics", "Optics and cables", "optics and cables",
        "Optical modules, copper cables and fibre; power and latency for one end.",
        ("@type", "module_bandwidth_bytes_per_s", "lane_bandwidth_bytes_per_s", "links", "reach_m",
         "max_power_w", PRICE),
        ("vendor", "type", "form_factor"), "Module or cable",
    ),
    KindView(
        "storage", "Storage", "storage systems",
        "Shared file systems: appliances, whole systems and published guidelines.",
        ("@category", "read_bandwidth_bytes_per_s", "write_bandwidth_bytes_per_s", "usable_capacity_bytes",
         "max_power_w", "rack_units"),
        ("vendor", "status", "category"), "Storage",
    ),
    KindView(
        "cpus", "CPUs", "host processors", "Host processors, one socket each.",
        ("cpu_cores", "memory_bytes", "max_power_w"), ("vendor",), "Processor",
    ),
    KindView(
        "dpus", "DPUs", "data processing units", "Network cards with processors of their own.",
        ("network_bandwidth_bytes_per_s", "cpu_cores", "memory_bytes", "max_power_w", PRICE),
        ("vendor", "status"), "Data processing unit",
    ),
    KindView(
        "facility_parts", "Power and cooling units", "power and cooling units",
        "Coolant distribution units, busway, power racks and rectifiers of 800 V, and converters of racks.",
        ("@type", "capacity_w", "approach_k", "max_power_w", "efficiency", "current_a", PRICE),
        ("vendor", "status", "type"), "Unit",
    ),
    KindView(
        "models", "Models", "model architectures",
        "Shapes of published language models, with parameter counts checked against the shape.",
        ("@family", "@attention", "published_parameters", "published_active_parameters", "layers", "hidden",
         "context_tokens", "training_tokens"),
        ("vendor", "family", "attention"), "Model",
    ),
    KindView(
        "reference_architectures", "Reference architectures", "reference architectures",
        "Published fabrics: units, switches and cables, to compare with.",
        ("@topology", "accelerators", "nodes", "tiers", "leaf_switches", "spine_switches", "core_switches",
         "nic_bandwidth_bytes_per_s"),
        ("vendor", "fabric"), "Design",
    ),
    KindView(
        "prices", "Prices", "prices",
        "Dated purchase prices of parts, and rates of the trade: energy, building, staff, finance.",
        ("@category", "@condition", VALUE, RANGE), ("category", "condition"), "Item",
    ),
    KindView(
        "rentals", "Rentals", "rental offers",
        "Dated offers of accelerators by the hour. Compare only within one kind of terms.",
        ("@terms", "@term", "@region", VALUE), ("terms", "vendor", "accelerator_key"), "Accelerator",
    ),
    KindView(
        "jurisdictions", "Jurisdictions", "jurisdictions",
        "Rules of a place: tax, writing off, duty and sales tax, and what building and people cost there.",
        ("tax_rate", "@depreciation", "import_duty_share", "sales_tax_share", "construction_cost_factor",
         "labour_cost_factor"),
        ("country", "depreciation"), "Jurisdiction",
    ),
    KindView(
        "sites", "Sites", "sites",
        "Places to build: electricity, carbon, water and the climate year that stands for them.",
        ("@country", "electricity_price_usd_per_kwh", "wholesale_electricity_price_usd_per_kwh",
         "carbon_intensity_kg_per_kwh", "elevation_m", "climate_proxy_distance_m"),
        ("country",), "Site",
    ),
    KindView(
        "climate", "Climate", "climate years",
        "Hourly weather years, from which cooling, water and PUE follow.",
        ("@country", "@year_kind", "dry_bulb_mean_c", "dry_bulb_99_6_percent_c", "dry_bulb_maximum_c",
         "wet_bulb_mean_c", "wet_bulb_99_6_percent_c"),
        ("country", "year_kind"), "Place",
    ),
    KindView(
        "cloud_regions", "Cloud regions", "cloud regions",
        "PUE, water and carbon of regions as published by cloud providers.",
        ("@location", "pue", "wue_l_per_kwh", "grid_carbon_average_kg_per_kwh",
         "grid_carbon_marginal_kg_per_kwh"),
        ("vendor",), "Region",
    ),
    KindView(
        "assumptions", "Assumptions", "assumptions",
        "Values the engine uses where no scenario and no part says otherwise, each with its range.",
        ("@room", "@applies_to", VALUE, RANGE), ("room",), "Assumption",
    ),
    KindView(
        "aliases", "Other names", "other names",
        "Spellings of parts and models in documents and benchmark files.",
        ("@of", "@target"), ("of",), "Written as",
    ),
)  # fmt: skip

VIEWS: dict[str, KindView] = {view.kind: view for view in _VIEWS}
"""In the order of the tabs."""
