"""The shapes of searches: what is asked, and what is found."""

from __future__ import annotations

from typing import Any

from app.engine.quantities import REGISTRY
from app.scenarios.document.layout import COUNTS, SWITCHES
from app.surfaces.rest.shapes import REFERENCE, answer_shapes, request_shapes, with_unknown
from app.views.searching.answer import FIGURES
from app.views.searching.options import WORDS, SearchOptions
from app.views.searching.serving_answer import ServingSearchAnswer
from app.views.searching.serving_options import SERVING_AXES, ServingSearchOptions

SERVING, SERVING_REQUEST = "ServingSearch", "ServingSearchRequest"
NUMBER = {"type": ["number", "null"]}
COUNT = {"type": "integer", "minimum": 0}
SCENARIO = {"$ref": "#/components/schemas/ScenarioDocument"}
LAYOUT = {"type": "object", "description": "The layout as `parallelism` of a scenario states it."}
DP = {"type": ["integer", "number", "null"], "description": "Replicas of the model, which follow."}


def search_schemas() -> dict[str, Any]:
    """JSON Schemas of searches and domain studies by name."""
    return {
        "SearchRequest": _search_request(),
        "Search": _search(),
        "AnySearchRequest": _either("SearchRequest", SERVING_REQUEST),
        "AnySearch": _either("Search", SERVING),
        **with_unknown(answer_shapes(SERVING, ServingSearchAnswer)),
        **_serving_request(),
        "DomainStudyRequest": _object("DomainStudyRequest", {"scenario": SCENARIO}) | {"additionalProperties": False},
        "DomainStudy": _domain_study(),
    }  # fmt: skip


def _serving_request() -> dict[str, Any]:
    found = request_shapes(SERVING_REQUEST, ServingSearchOptions)
    values = {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 1, "maxItems": 100}
    degrees = {"properties": dict.fromkeys(SERVING_AXES, values), "additionalProperties": False}
    found[SERVING_REQUEST]["properties"]["hold"] |= degrees
    return found


def _either(*names: str) -> dict[str, Any]:
    return {"anyOf": [{"$ref": REFERENCE.format(model=name)} for name in names]}


def _search_request() -> dict[str, Any]:
    options = SearchOptions.model_json_schema()
    options["properties"]["hold"] |= {"properties": _axes(), "additionalProperties": False}
    options["properties"] = {"scenario": SCENARIO, **options["properties"]}
    return options | {"title": "SearchRequest", "required": ["scenario"]}


def _axes() -> dict[str, Any]:
    kinds: dict[str, dict[str, Any]] = {name: {"type": "integer", "minimum": 1} for name in COUNTS}
    kinds["zero_stage"] = {"type": "integer", "minimum": 0}
    kinds |= {name: {"type": "boolean"} for name in SWITCHES}
    kinds |= {name: {"type": "string", "enum": list(words)} for name, (_, words) in WORDS.items()}
    return {
        name: {"type": "array", "items": kind, "minItems": 1, "maxItems": 100} for name, kind in kinds.items()
    }


def _search() -> dict[str, Any]:
    runs = {"type": "string", "description": "Framework that runs the layout."}
    needs = {
        "type": "string",
        "description": "Framework, and the first of its releases that runs the layout.",
    }
    common = {"parallelism": LAYOUT, "dp": DP}
    point = {**common, "framework": runs, **_quantities("step_time_s", "memory_per_accelerator_bytes")}
    figures = {**common, "framework": needs, **_quantities(*FIGURES)}
    size = {"supernodes": COUNT, "accelerators": COUNT}
    tally = {"strategies": _count("Layouts evaluated."), "feasible_strategies": _count("Those that can run.")}
    best = {
        "rank": COUNT,
        **figures,
        "memory_headroom_bytes": _number("Memory that is left [B]."),
        "feasible": {"type": "boolean"},
        "time_breakdown_s": {"type": "object", "additionalProperties": NUMBER},
        "variants": _list(
            point, [*point], "Layouts whose step time ties with it to 0.1 %, the simplest first."
        ),
        "variant_count": _count("How many there are; the first of them are listed."),
        **size,
        **tally,
    }
    pair = {
        "tp": COUNT, "pp": COUNT, **tally,
        **_quantities("step_time_s"),
        "parallelism": {"type": ["object", "null"], "description": "The fastest layout of the pair."},
    }  # fmt: skip
    stated = {
        **figures,
        "feasible": {"type": "boolean"},
        "rank": {"type": ["integer", "null"], "description": "Of the layout that the scenario states."},
        "slower_by": _number("How much longer it takes than the best, a fraction."),
    }
    fix = {"field": {"type": "string"}, "value": {}, "message": {"type": "string"}}
    shape = _object(
        "Search",
        {
            "name": {"type": "string"},
            "objective": {"type": "string"},
            "space": {"type": "string"},
            "hold": {"type": "object"},
            **tally,
            "rejected": {
                "type": "object",
                "description": "How many cannot run, by the constraint.",
                "additionalProperties": {"type": "integer"},
            },
            "search_time_s": _number("What the search took [s]."),
            "strategies_per_s": _number("Layouts evaluated per second [1/s]."),
            "best": _list(best, [], "The best first; where none can run, what misses the memory by least."),
        },
    )
    provenance = {"type": "object", "description": "As of an evaluation, without a seed."}
    shape["properties"] |= {
        "provenance": provenance,
        "refused": {
            "type": "object",
            "description": "Further possible layouts that a framework does not run, by its rule.",
            "additionalProperties": {"type": "integer"},
        },
        "memory_margin": _number(
            "Share of the memory of an accelerator that layouts leave free [1]; 0 where none leaves it."
        ),
        "pareto": _list(point, [*point], "Of step time and memory: nothing is both faster and smaller."),
        "degrees": _list(pair, [*pair], "The best of every pair of tensor and pipeline parallelism."),
        "sample": _list(point, [*point], "Layouts that can run, in even steps from fastest to slowest."),
        "stated": _list(stated, [*stated])["items"] | {"type": ["object", "null"]},
        "fix": _list(fix, [*fix])["items"]
        | {"type": ["object", "null"], "description": "The smallest change with which a layout can run."},
        "alternatives": _list(fix, [*fix], "Other single changes with which one can: of the size, or of the batch."),
        "sizes": _list({**size, **figures, "feasible": {"type": "boolean"}, **tally}, [*size, *figures],
                       "Numbers of SuperNodes, for the objectives cost, energy and accelerators."),
    }  # fmt: skip
    return shape


def _domain_study() -> dict[str, Any]:
    row = {
        "domain_accelerators": _count("Accelerators of a scale-up domain."),
        "bandwidth_factor": _number("Times the scale-up bandwidth of the design."),
        "feasible": {"type": "boolean", "description": "Whether a layout can run."},
        "parallelism": LAYOUT,
        **_quantities("step_time_s", "mfu", "elapsed_time_s", "usd_per_million_tokens"),
        "output_tokens_per_s": _number("Of the whole pod that serves; null otherwise [1/s]."),
        "usd_per_million_output_tokens": _quantity("cost.usd_per_million_output_tokens"),
        "exposed_exchange_s": _number("Communication of a step that nothing hides [s]."),
        "exposed_by_pattern_s": {
            "type": "object",
            "description": "The same by pattern, of a generic job; empty for training.",
            "additionalProperties": NUMBER,
        },
        "fraction_of_peak": _quantity("performance.fraction_of_peak"),
        "usd_per_run": _quantity("cost.usd_per_run"),
        "capex_usd": _quantity("cost.capex_usd"),
        "it_power_mean_w": _quantity("power.it_power_mean_w"),
        "ettr": _quantity("reliability.ettr"),
    }
    refused = {
        "domain_accelerators": _count("Accelerators of a scale-up domain."),
        "reason": {"type": "string", "description": "Why its links cannot join so many."},
    }
    return _object(
        "DomainStudy",
        {
            "name": {"type": "string"},
            "kind": {"type": "string", "enum": ["training", "serving", "generic"]},
            "accelerators": _count("Of the job."),
            "domain_accelerators": _count("Of the design as it is."),
            "scale_up_bandwidth_bytes_per_s": _number("One way, of each accelerator [B/s]."),
            "sized_by_parts": {
                "type": "boolean",
                "description": "Whether SuperNodes of each size are priced and powered by their parts; else only the domain changes.",
            },
            "sizes": _list(row, [*row], "Larger domains than the job has accelerators are left out."),
            "refused": _list(refused, [*refused], "Sizes that the scale-up links of the system cannot join."),
        },
    )


def _object(title: str, properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "title": title, "properties": properties, "required": list(properties)}


def _list(properties: dict[str, Any], required: list[str], description: str = "") -> dict[str, Any]:
    items = {"type": "object", "properties": properties, "required": required}
    return {"type": "array", "items": items} | ({"description": description} if description else {})


def _number(description: str) -> dict[str, Any]:
    return NUMBER | {"description": description}


def _count(description: str) -> dict[str, Any]:
    return COUNT | {"description": description}


def _quantities(*names: str) -> dict[str, Any]:
    """Figures of an evaluation, with what the engine says of them."""
    return {name: _quantity(f"{FIGURES[name]}.{name}") for name in names}


def _quantity(path: str) -> dict[str, Any]:
    record = REGISTRY.get(path)
    if record is None:
        return dict(NUMBER)
    unit = "" if record.unit == "1" else f" [{record.unit}]"
    return _number(f"{record.label}{unit}.")
