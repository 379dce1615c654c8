"""Fabric views. Bill and cables are files with their own routes."""

from __future__ import annotations

from typing import Any

from app.scenarios.errors import refuse
from app.views.fabric.alternatives import PodTopologies, pod_topologies, topologies_text
from app.views.fabric.bandwidth import BandwidthOptions, Ladders, bandwidth_ladders
from app.views.fabric.faults import fabric_faults
from app.views.fabric.faults_answer import (
    FaultsAnswer,
    FaultsDocument,
    faults_text,
    sharing_text,
    utilisation_text,
)
from app.views.fabric.floor import (
    FloorAnswer,
    FloorOptions,
    FloorReport,
    floor_answer,
    floor_report,
    floor_text,
)
from app.views.fabric.growth import FabricGrowth, GrowthOptions, fabric_growth
from app.views.fabric.memory_pool import (
    MemoryPoolAnswer,
    MemoryPoolOptions,
    memory_pool,
    memory_pool_text,
)
from app.views.fabric.networks import PodNetworks, networks_text, pod_networks
from app.views.fabric.picture import PICTURES, Picture, PictureDocument, PodPicture, picture_text, pod_picture
from app.views.fabric.sharing import SharingAnswer, fabric_sharing, read_jobs
from app.views.fabric.sharing_document import SharingDocument
from app.views.fabric.sizes import FabricSizes, SizesOptions, fabric_sizes, growth_text, sizes_text
from app.views.fabric.supernode import (
    SLIDES,
    SuperNodeFormat,
    SuperNodeInside,
    supernode_inside,
    supernode_text,
)
from app.views.fabric.supernode_difference import (
    SuperNodeDifference,
    supernode_difference,
    supernode_difference_text,
)
from app.views.fabric.supernode_sizes import (
    SuperNodeSizes,
    SuperNodeSizesOptions,
)
from app.views.fabric.supernode_sizes import sizes_text as supernode_sizes_text
from app.views.fabric.utilisation import UtilisationAnswer, fabric_utilisation
from app.views.view import ALL, TWO, ExampleDesign, Flag, NoOptions, View

SERVERS = ExampleDesign(of="fft_3d_on_512_dgx_a100", title="A pod of 512 servers")
"""A worked example that has a compute fabric."""
TWO_SERVERS = ExampleDesign(name="two_servers", title="Two servers", changes={"pod": {"supernodes": 2}})
"""The smallest scenario that has a fabric."""


def names_of(text: str) -> list[str]:
    """
    >>> names_of("fat_tree, dragonfly")
    ['fat_tree', 'dragonfly']
    """
    return [name.strip() for name in text.split(",")]


def numbers_of(text: str) -> list[int | str]:
    """Numbers between commas; what is none stays text, for the options to refuse by name.

    >>> numbers_of("20, 80,many")
    [20, 80, 'many']
    """
    return [int(part) if part.isascii() and part.isdigit() else part for part in names_of(text)]


def faults_of_flags(given: dict[str, Any]) -> dict[str, Any]:
    """The feed that fails and its parts as one option.

    Raises
    ------
    ScenarioError : parts of a feed are named without it
    """
    stated = dict(given)
    power = {name: stated.pop(name) for name in ("feed", "racks", "one_supply") if name in stated}
    if power and not power.get("feed"):
        raise refuse(
            "--rack and --one-supply say which part of a feed fails.", rule="missing", hint="Add --feed A."
        )
    return stated | ({"power": power} if power else {})


TOPOLOGIES = View[NoOptions, PodTopologies](
    room="fabric",
    name="topologies",
    operation="compare_topologies",
    summary="Compare topologies",
    description=(
        "Switches, links, bisection, oversubscription, diameter, mean distance and latency of every topology "
        "for the SuperNodes, NICs and switch of a scenario; `refusal` says which limit one meets. None where "
        "one SuperNode is all there is."
    ),
    help="Compare every topology for the SuperNodes, NICs and switch of a design: switches, links, reach.",
    schema="PodTopologies",
    request="TopologiesRequest",
    asks="A scenario.",
    answers="Every topology, sized for the pod.",
    options=NoOptions,
    answer=lambda scenario, given, options: pod_topologies(scenario, given.catalog),
    report_type=PodTopologies,
    text=topologies_text,
)

SUPERNODE = View[SuperNodeFormat, SuperNodeInside](
    room="fabric",
    name="supernode",
    operation="show_supernode_parts",
    summary="Show the inside of a SuperNode",
    description=(
        "Parts of one SuperNode with count, power and price: accelerators, processors, memory, NICs, trays, scale-up "
        "switches and links, racks, what cools a rack, racks from the front, links by medium, what is lost with a part "
        "and its spares, and limits: radix, reach, power of a rack, floor load, addressing. `format` sends the picture of the inside as a slide. Sums of a catalog system are shown with "
        "its published power, racks and price. What is not published is null."
    ),
    help="Show what is inside the SuperNode of a design: parts, power, price, racks, scale-up network.",
    schema="SuperNodeInside",
    request="SuperNodeInsideRequest",
    asks="A scenario.",
    answers="The parts and their totals.",
    options=SuperNodeFormat,
    without_flag=("format",),
    files=SLIDES,
    example_design=ExampleDesign(of="llama_3_1_405b_on_gb200_nvl72", title="Racks of 72"),
    answer=lambda scenario, given, options: supernode_inside(scenario, given.catalog),
    report_type=SuperNodeInside,
    text=supernode_text,
    unknown=ALL,
)

SUPERNODE_DIFFERENCE = View[NoOptions, SuperNodeDifference](
    room="fabric",
    name="supernode-difference",
    operation="compare_supernodes",
    summary="Compare two SuperNodes",
    description=(
        "Parts of two SuperNodes with count, power and price, and what the second has more or less of; then price, power, "
        "racks, weight, bandwidth, latency, cables and modules of both. A saved design is compared by naming it in the "
        "scenario: `supernode: {design: ID}`. What is not published is null."
    ),
    help="Compare two SuperNodes: parts, power, price, racks and scale-up network of the second less the first.",
    schema="SuperNodeDifference",
    asks="Two scenarios.",
    answers="Parts and figures of both, and their difference.",
    scenarios=TWO,
    options=NoOptions,
    example_design=ExampleDesign(
        of="llama_3_1_405b_on_gb200_nvl72",
        name="racks_with_a_pool",
        title="Racks of 72, and the same with a memory pool",
        changes={
            "supernode": {
                "system": "gb200_nvl72",
                "memory_pool": {"technology": "cxl", "bytes_per_accelerator": 5e11},
            }
        },
    ),
    answer=lambda first, second, given, options: supernode_difference(first, second, given.catalog),
    report_type=SuperNodeDifference,
    text=supernode_difference_text,
    unknown=ALL,
)

SUPERNODE_SIZES = View[SuperNodeSizesOptions, SuperNodeSizes](
    room="fabric",
    name="supernode-sizes",
    operation="compare_supernode_sizes",
    summary="Compare sizes of the SuperNode",
    description=(
        "The same work on as many accelerators in SuperNodes of other sizes, each bought with its parts and with the "
        "best layout: time, cost of the work, capital cost, power, racks, ETTR and carbon. `best` is the size of least "
        "cost, `flat` all that cost at most 5 % more; `against_best` splits what a size costs more into the price of an "
        "accelerator-hour, the accelerator-hours of the work and failures. A served model works at its full rate "
        "within the SLO. `refusal` says why a size cannot be built or run. `usd_per_unit_low` and `_high` are the interval "
        "of the design, which moves all sizes alike; `speed_at_equal_accelerators` is the work in a time over that of the "
        "design, and `speed_at_equal_capex` that of as many accelerators as its capital buys at a size, in proportion. With `systems` catalog systems of the same generation are added."
    ),
    help="Compare sizes of the SuperNode: cost, time, power and failures of the same work, and why the curve turns.",
    schema="SuperNodeSizes",
    asks="A scenario and sizes.",
    answers="Every size, the best one, and why others cost more.",
    options=SuperNodeSizesOptions,
    example={"sizes": [8, 36, 72, 144]},
    example_design=ExampleDesign(of="llama_3_1_405b_on_gb200_nvl72", title="Racks of 72"),
    answer=lambda scenario, given, options: given.searches.supernode_sizes(scenario, given.catalog, options),
    report_type=SuperNodeSizes,
    text=supernode_sizes_text,
    unknown=ALL,
    flags={
        "sizes": Flag(metavar="N,N", help="Accelerators of one SuperNode, rising.", read=numbers_of),
        "systems": Flag(help="Catalog systems of the same generation of accelerators beside the sizes."),
    },
)

MEMORY_POOL = View[MemoryPoolOptions, MemoryPoolAnswer](
    room="fabric",
    name="memory-pool",
    operation="compare_memory_pool",
    summary="Compare a memory pool",
    description=(
        "The same work with nothing beyond the accelerators' own memory, with the memory of each one's host, and with a "
        "memory pool of the SuperNode: what is found in the prefix cache, time to first token, step, cost of the work, "
        "capital cost and rated power. `memory_access` says whether the scale-up links load and store in the memory of "
        "others; `in_flight_bytes` have to be on their way for the bandwidth of the pool. The pool is that of the scenario, "
        "else that of the body."
    ),
    help="Compare a memory pool of the SuperNode: what it saves over own and host memory, what it costs and draws.",
    schema="MemoryPool",
    asks="A scenario, and a pool where it states none.",
    answers="The pool, and the work without and with it.",
    options=MemoryPoolOptions,
    example_design=ExampleDesign(
        of="deepseek_r1_on_cloudmatrix384",
        name="sessions_that_move",
        title="Sessions whose turns go to any instance",
        changes={
            "supernode": {
                "system": "huawei_cloudmatrix384",
                "memory_pool": {"technology": "host_memory", "bytes_per_accelerator": 1e11},
            },
            "workload": {
                "kind": "serving",
                "model": "deepseek_v3",
                "precision": "int8",
                "mode": "disaggregated",
                "requests": {
                    "sessions": {
                        "turns": 8,
                        "system_tokens": 2000,
                        "added_tokens": 2000,
                        "answer_tokens": 500,
                        "gap_s": 60,
                        "kept_share": 0.17,
                    }
                },
                "layout": {
                    "prefill": {"tp": 1, "dp": 16, "ep": 16, "redundant_experts": 32, "instances": 6},
                    "decode": {"tp": 1, "dp": 160, "ep": 160, "redundant_experts": 64, "instances": 1},
                },
            },
        },
    ),
    answer=memory_pool,
    report_type=MemoryPoolAnswer,
    text=memory_pool_text,
    unknown=ALL,
    flags={
        "technology": Flag(metavar="WORD", help="host_memory or cxl, where the scenario states no pool."),
        "bytes_per_accelerator": Flag(
            name="--bytes", metavar="B", help="Size for each accelerator, where the scenario states no pool."
        ),
    },
)

BANDWIDTH = View[BandwidthOptions, Ladders](
    room="fabric",
    name="bandwidth",
    operation="compare_bandwidths",
    summary="Compare the bandwidth of every level",
    description=(
        "Bandwidth and latency of every level that one accelerator sees, from its registers to another site: of "
        "the scenario, and of up to four systems of the catalog. With each the operations that must "
        "be done on a byte to keep the arithmetic busy, and the ratio of scale-up to scale-out. What is not "
        "published is null."
    ),
    schema="BandwidthLadders",
    request="BandwidthRequest",
    asks="A scenario, and systems to compare it with.",
    answers="The design first, then the systems.",
    options=BandwidthOptions,
    example={"systems": ["gb200_nvl72"]},
    answer=lambda scenario, given, options: bandwidth_ladders(scenario, given.catalog, options),
    report_type=Ladders,
)

NETWORKS = View[NoOptions, PodNetworks](
    room="fabric",
    name="networks",
    operation="show_networks",
    summary="Show all networks",
    description=(
        "The compute, storage, in-band and out-of-band network of a scenario: ports of a node, switches, links, "
        "cables, modules, watts and price. A network is built where `pod.networks` asks for it. Alongside them the "
        "kinds of fabric, with what each implies and what of the catalog belongs to it."
    ),
    help="Show the compute, storage, in-band and out-of-band network of a design, and its kind of fabric.",
    schema="PodNetworks",
    request="NetworksRequest",
    asks="A scenario.",
    answers="Every network, built or not, and the kinds of fabric.",
    options=NoOptions,
    answer=lambda scenario, given, options: pod_networks(scenario, given.catalog),
    report_type=PodNetworks,
    text=networks_text,
)

GROWTH = View[GrowthOptions, FabricGrowth](
    room="fabric",
    name="growth",
    operation="let_grow",
    summary="Plan fabric growth",
    description=(
        "A pod that grows to its final size in stages: what each stage buys for the compute fabric, what lies "
        "idle and which ports wait, which links are recabled, and what it costs, low, typical and high. Twice: "
        "laid out for each stage as small as does, and laid out for the final size from the start."
    ),
    help="Plan the growth of the compute fabric: purchases and recabling at each stage.",
    schema="FabricGrowth",
    asks="A scenario and the stages of its pod.",
    answers="Both ways to grow, stage by stage.",
    options=GrowthOptions,
    example={"stages": [20, 80, 240, 512]},
    example_design=SERVERS,
    answer=lambda scenario, given, options: fabric_growth(scenario, options),
    report_type=FabricGrowth,
    text=growth_text,
    flags={
        "stages": Flag(
            metavar="N,N",
            help="SuperNodes at the end of each stage, the final size last.",
            read=numbers_of,
        )
    },
)

SIZES = View[SizesOptions, FabricSizes](
    room="fabric",
    name="sizes",
    operation="compare_sizes",
    summary="Compare topologies by size",
    description=(
        "Price, power, switches, cables, bisection and mean distance of the compute fabric over sizes, for "
        "several topologies of the scenario's SuperNodes and switches; where curves of price and of power "
        "cross; and where a topology ends."
    ),
    help="Compare price and power of the compute fabric over sizes, for several topologies.",
    schema="FabricSizes",
    asks="A scenario, topologies and sizes.",
    answers="Every topology at every size, and crossings.",
    options=SizesOptions,
    example={"topologies": ["fat_tree", "dragonfly"], "supernodes": [16, 64, 256]},
    example_design=SERVERS,
    answer=lambda scenario, given, options: fabric_sizes(scenario, options),
    report_type=FabricSizes,
    text=sizes_text,
    flags={
        "topologies": Flag(metavar="NAME,NAME", help="Topologies to compare, at most six.", read=names_of),
        "supernodes": Flag(metavar="N,N", help="Sizes in SuperNodes, rising.", read=numbers_of),
    },
)

FLOOR = View[FloorOptions, FloorAnswer](
    room="fabric",
    name="floor",
    operation="plan_floor",
    summary="Plan the floor",
    description=(
        "Racks filled by power, heat, height and weight, set in rows so that what belongs together stands "
        "together; the length of cables by network and tier, from their routes over the trays; what no rack can "
        "carry, with the nearest design that works; and, where a `rack` is named, all that stands in it. The "
        "rules are those of `pod.floor`."
    ),
    help="Plan the floor of a design: racks filled by their limits, rows, and cable lengths.",
    schema="FloorPlan",
    asks="A scenario, and a rack of its floor.",
    answers="Every rack, cables by tier, and the rack asked for.",
    options=FloorOptions,
    example={"rack": "R01-01"},
    answer=lambda scenario, given, options: floor_answer(scenario, options),
    report=floor_report,
    report_type=FloorReport,
    text=floor_text,
    unknown=("FloorTotals", "CableTotals", "RackLine", "FullRack", "Shelf"),
    problems=True,
    flags={"rack": Flag(metavar="NAME", help="List the contents of a rack, such as R01-05.")},
)

FAULT_FLAGS = {
    "links": Flag(name="--link", metavar="LINK", help="DEVICE:PORT, or DEVICE/DEVICE for all between two."),
    "switches": Flag(name="--switch", metavar="NAME", help="A switch, such as leaf-3."),
    "hosts": Flag(name="--host", metavar="NAME", help="A host, or all of a unit, such as unit-2."),
    "planes": Flag(name="--plane", metavar="N", help="A plane, from 1."),
    "rails": Flag(name="--rail", metavar="N", help="A rail, from 1."),
    "random_links": Flag(metavar="N", help="Number of random links."),
    "random_switches": Flag(metavar="N", help="Number of random switches."),
    "seed": Flag(metavar="N", help="Random seed."),
    "between": Flag(metavar="ONE OTHER", help="Two hosts or units whose path is shown."),
    "feed": Flag(metavar="A|B", help="A power feed.", kind=str),
    "racks": Flag(
        name="--rack",
        metavar="NAME",
        help="A rack whose feed fails, such as R01-05; all when left out.",
        kind=list[str],
    ),
    "one_supply": Flag(
        metavar="KIND", help="A kind of device with one supply, such as leaf.", kind=list[str]
    ),
}

FAULTS = View[FaultsDocument, FaultsAnswer](
    room="fabric",
    name="faults",
    operation="let_fail",
    summary="Simulate fabric failures",
    description=(
        "Links, switches, planes, rails or a power feed that fail all at once: hosts cut off, capacity left by "
        "tier, bandwidth left between halves, between the worst two hosts and between two that are named, and "
        "the step time of the workload with what is left; and the same for one link, switch, plane and rail of "
        "each tier by itself."
    ),
    help="Simulate fabric failures: hosts cut off, remaining bandwidth and step time.",
    schema="FabricFaults",
    asks="A scenario and the failures.",
    answers="Remaining fabric.",
    options=FaultsDocument,
    example={"switches": ["leaf-1"]},
    example_design=TWO_SERVERS,
    answer=lambda scenario, given, options: fabric_faults(scenario, options),
    report_type=FaultsAnswer,
    text=faults_text,
    flags=FAULT_FLAGS,
    without_flag=("power", "single"),
    stated=faults_of_flags,
)


PICTURE = View[PictureDocument, Picture](
    room="fabric",
    name="picture",
    operation="draw_fabric",
    summary="Draw the compute fabric",
    description=(
        "The compute fabric in few marks: devices, or several of a kind, with ports in use, and the links between two marks with "
        "count and rate, as the graph has them. Named parts fail, and `between` draws the shortest routes of two hosts or units "
        "over what is left. No marks where one SuperNode is all there is. `format` sends the picture as an SVG."
    ),
    help="Draw the compute fabric, or the inside of the only SuperNode, with failed parts and a route.",
    schema="PodPicture",
    request="PodPictureRequest",
    asks="A scenario, the failures and the route to draw.",
    answers="Marks and the links between them.",
    options=PictureDocument,
    files=PICTURES,
    example={"between": ["node-1", "node-2"]},
    example_design=TWO_SERVERS,
    answer=lambda scenario, given, options: pod_picture(scenario, given.catalog, options),
    report=lambda answer: answer.report,
    report_type=PodPicture,
    text=picture_text,
    flags=FAULT_FLAGS,
    without_flag=("power", "single", "format"),
    stated=faults_of_flags,
)

SHARING = View[SharingDocument, SharingAnswer](
    room="fabric",
    name="sharing",
    operation="let_share",
    summary="Simulate multi-job contention",
    description=(
        "Up to eight jobs on one fabric, each placed on hosts of its own: the pace of its communication alone "
        "and beside the others, by max-min fair shares of the links where they meet, and how much slower its "
        "step becomes."
    ),
    help="Simulate multi-job contention: mutual slowdown and link load.",
    schema="FabricSharing",
    asks="A scenario and the jobs on its hosts.",
    answers="Every job, and the load of every tier.",
    options=SharingDocument,
    example={
        "jobs": [
            {"hosts": 1, "placement": "packed"},
            {"hosts": 1, "pattern": "all_to_all", "exposed_share": 0.2},
        ]
    },
    example_design=TWO_SERVERS,
    answer=lambda scenario, given, options: fabric_sharing(scenario, options),
    report_type=SharingAnswer,
    text=sharing_text,
    flags={
        "jobs": Flag(
            metavar="JOBS",
            help="The jobs: YAML or JSON.",
            is_argument=True,
            read=lambda path: read_jobs(path).model_dump(exclude_unset=True),
        )
    },
    without_flag=("routing", "seed"),
    stated=lambda given: given["jobs"],
)

UTILISATION = View[NoOptions, UtilisationAnswer](
    room="fabric",
    name="utilisation",
    operation="show_utilisation",
    summary="Show link utilisation",
    description=(
        "Bytes that an accelerator sends in a step by purpose, and the mean and peak utilisation of the links "
        "of every tier, the scale-up fabric first."
    ),
    help="Show the link utilisation of every tier under the workload of a design.",
    schema="FabricUtilisation",
    asks="A scenario.",
    answers="Traffic of a step, and every tier.",
    options=NoOptions,
    example_design=TWO_SERVERS,
    answer=lambda scenario, given, options: fabric_utilisation(scenario),
    report_type=UtilisationAnswer,
    text=utilisation_text,
)

VIEWS: tuple[View[Any, Any], ...] = (
    TOPOLOGIES,
    SUPERNODE,
    SUPERNODE_DIFFERENCE,
    SUPERNODE_SIZES,
    MEMORY_POOL,
    BANDWIDTH,
    NETWORKS,
    GROWTH,
    SIZES,
    FLOOR,
    FAULTS,
    PICTURE,
    SHARING,
    UTILISATION,
)
