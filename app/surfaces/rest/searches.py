"""Searches over many designs of a scenario: its layouts, and sizes of its scale-up domain."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.engine.quantities import REGISTRY
from app.scenarios.document.layout import COUNTS, SWITCHES
from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import example_scenarios, json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import (
    EXAMPLE,
    PROBLEMS,
    examples_body,
    options_and_evaluation,
    options_body,
    small_scenario,
    workload_kind,
)
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import REFERENCE, answer_shapes, request_shapes, with_unknown
from app.views.plain import report_json
from app.views.searching.layouts import FIGURES
from app.views.searching.options import SERVING_AXES, WORDS, SearchOptions, ServingSearchOptions
from app.views.searching.serving_rows import ServingSearchAnswer
from app.views.view import NoOptions

router = APIRouter(tags=["searches"])
SERVED = "deepseek_r1_on_8_h200"


def search_examples() -> dict[str, Any]:
    """Bodies to try: of a training run and of a served model."""
    small = {"scenario": small_scenario(), "objective": "step_time", "hold": {"pp": [1]}, "top": 3}
    served = {"scenario": example_scenarios()[SERVED]["value"], "objective": "cost", "power_limit_w": 1e4}
    return {
        EXAMPLE: {"summary": "A small one", "value": small},
        SERVED: {"summary": "A served model", "value": served},
    }


@router.post(
    "/searches",
    summary="Search every layout",
    responses={200: json_answer("AnySearch", "The best layouts, and what the others are like."), **PROBLEMS},
    openapi_extra=examples_body("AnySearchRequest", "A scenario and what to search for.", search_examples()),
    dependencies=[only()],
)
async def search(body: BodyDep, found: ServicesDep) -> Response:
    """Every parallel layout of a scenario, computed: the `best`, the Pareto front of step time and memory,
    the best of each pair of tensor and pipeline parallelism, and why the rest cannot run. The objectives
    `cost`, `energy` and `accelerators` compare numbers of SuperNodes, in `sizes`. A space of more layouts
    than one search computes is refused, with a hint at what to hold. An equal request is answered from memory until
    the catalog changes.

    Of a scenario that serves a model: layouts of instances, of prefill and decode instances, and their loads, on its
    own hardware and on what else is named; the Pareto fronts of output tokens per second for a user against
    for an accelerator, the `cheapest` that keeps the service level, the best `within_power`, or the
    `nearest`. The members of body and answer are then those of ServingSearchRequest and ServingSearch.
    """
    return await found.workers.run(_search, body, found)


@router.post(
    "/domain-studies",
    summary="Compare scale-up domains",
    responses={200: json_answer("DomainStudy", "One entry a size and bandwidth."), **PROBLEMS},
    openapi_extra=options_body("DomainStudyRequest", "A scenario."),
    dependencies=[only()],
)
async def study_domains(body: BodyDep, found: ServicesDep) -> Response:
    """Effect of the scale-up domain size: the same job on the same accelerators, joined into scale-up domains of other
    sizes and at half, the same and twice the bandwidth, with the best layout at each.
    """
    return await found.workers.run(_domain_study, body, found)


def _search(body: Body, found: Services) -> Response:
    if workload_kind(body, found) == "serving":
        asked_for, served = options_and_evaluation(ServingSearchOptions, body, found, other=SearchOptions)
        return json_response(report_json(found.searches.serving_search(served, found.catalog(), asked_for)))
    options, scenario = options_and_evaluation(SearchOptions, body, found, other=ServingSearchOptions)
    return json_response(found.searches.search(scenario, options))


def _domain_study(body: Body, found: Services) -> Response:
    _, scenario = options_and_evaluation(NoOptions, body, found)
    return json_response(found.searches.domain_study(scenario, found.catalog()))


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
        "Search": _search_schema_search(),
        "AnySearchRequest": _either("SearchRequest", SERVING_REQUEST),
        "AnySearch": _either("Search", SERVING),
        **with_unknown(answer_shapes(SERVING, ServingSearchAnswer)),
        **_serving_request(),
        "DomainStudyRequest": _object("DomainStudyRequest", {"scenario": SCENARIO}) | {"additionalProperties": False},
        "DomainStudy": _search_schema_domain_study(),
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


def _search_schema_search() -> dict[str, Any]:
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
        "variant_count": _count("Number of all; the first are listed."),
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
        "slower_by": _number("Extra time compared with the best, a fraction."),
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
                "description": "Number of infeasible ones by constraint.",
                "additionalProperties": {"type": "integer"},
            },
            "search_time_s": _number("Duration of the search [s]."),
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


def _search_schema_domain_study() -> dict[str, Any]:
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
    """Figures of an evaluation, with the notes of the engine."""
    return {name: _quantity(f"{FIGURES[name]}.{name}") for name in names}


def _quantity(path: str) -> dict[str, Any]:
    record = REGISTRY.get(path)
    return dict(NUMBER) if record is None else _number(record.summary)
