"""Inputs that rightly change no figure of the evaluation, each with the reason."""

NOTHING = {
    "schema_version": "says how the document is read, and one version is",
    "name": "a name",
    "description": "words for people",
    "illustrative": "says whether the design is one of a published run",
    "workload.kind": "chooses what the other fields of the workload are",
    "workload.name": "a name",
    "workload.model.name": "a name",
    "facility.site.name": "a name",
    "workload.requests.classes.name": "a name",
    "workload.demand.regions.name": "a name",
    "economics.build_out.phases.name": "a name",
    **dict.fromkeys(
        ("estimates.of", "estimates.value", "estimates.low", "estimates.high", "estimates.rule"),
        "accepted for an input in words that no value is known of; turned in tests/scenarios/test_suggestions.py",
    ),
    **dict.fromkeys(
        ("published.quantity", "published.value", "published.unit", "published.source", "published.note"),
        "a published figure that is shown beside the design",
    ),
    "assumptions": "of any name; each assumption is turned in tests/scenarios/test_physical_ranges.py",
    "workload.calibration.note": "words for people",
    "workload.calibration.source": "words for people",
    **dict.fromkeys(
        (
            "uncertainty.budget_usd",
            "uncertainty.catalog_ranges",
            "uncertainty.correlations.between",
            "uncertainty.correlations.coefficient",
            "uncertainty.deadline_days",
            "uncertainty.inputs.distribution",
            "uncertainty.inputs.high",
            "uncertainty.inputs.low",
            "uncertainty.inputs.typical",
            "uncertainty.sampler",
            "uncertainty.samples",
            "uncertainty.seed",
        ),
        "of the distribution of figures, which is asked for beside the evaluation",
    ),
    **dict.fromkeys(
        ("supernode.custom.typical_power_w", "supernode.override.typical_power_w"),
        "shown with the part as its vendor prints it; power at work follows from the job",
    ),
    "workload.model.published_parameters": "the count of the architecture is compared with it when a model is read",
    "pod.design": "the id of a saved design, which is put in its place before a scenario is evaluated",
    "supernode.design": "the id of a saved design, which is put in its place before a scenario is evaluated",
}

WITH_OTHERS = frozenset(
    {
        "economics.water_price_usd_per_m3",
        "facility.site",
        "facility.site.water_price_usd_per_m3",
        "operations.storage",
        "pod.fabric.group.global_links",
        "pod.fabric.media",
        "pod.fabric.optical_circuit_switches",
        "supernode.custom.host_memory_bytes",
        "supernode.custom.parts.processor",
        "supernode.custom.scale_up.medium",
        "supernode.custom.scale_up.oversubscription",
        "supernode.custom.scale_up.topology",
        "supernode.memory_pool.bandwidth_bytes_per_s",
        "supernode.memory_pool.latency_s",
        "supernode.memory_pool.technology",
        "supernode.override.accelerator.scale_up_pair_bandwidth_bytes_per_s",
        "workload.burst_waves",
        "workload.communication.face_bytes",
        "workload.communication.periodic",
        "workload.demand.regions.share",
        "workload.host_weights.way",
        "workload.layout.decode.cp",
        "workload.layout.decode.on",
        "workload.layout.instances",
        "workload.layout.on",
        "workload.layout.prefill.on",
        "workload.mode",
        "workload.model.attention",
        "workload.model.context_tokens",
        "workload.model.index_elements",
        "workload.model.index_heads",
        "workload.model.query_key_norm",
        "workload.model.sparse_tokens",
        "workload.requests.audio_s",
        "workload.requests.classes.share",
        "workload.requests.image_pixels",
        "workload.requests.video_frames",
        "workload.software.recipe",
    }
)
"""Inputs that are refused alone or count in few designs: turning them takes others beside them.

They are not tried here, so that nothing says yet that each of them changes a figure. Those of this list should become
fewer, by a design in `designs.py` in which they count.
"""
