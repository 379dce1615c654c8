"""Clients in other languages are generated from the description of the API: nothing is left out, and they work.

Two Python generators run here. openapi-typescript and its like need npm, so what makes them leave something out is
looked for in the description itself.
"""

from __future__ import annotations

import functools
import importlib
import keyword
import os
import re
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from app.scenarios.examples import example
from app.surfaces.rest.openapi import _Names
from tests.surfaces.rest.conftest import EVALUATIONS

pytestmark = pytest.mark.slow

DESCRIPTION = Path(__file__).resolve().parents[3] / "docs" / "openapi.json"
DOCUMENT = orjson.loads(DESCRIPTION.read_bytes())
SCHEMAS = DOCUMENT["components"]["schemas"]
KEY = "edge_node"


def generated(folder, *command):
    """Runs a generator, which may not find anything worth a warning."""
    beside = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": beside, "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[:5_000]
    return done.stdout + done.stderr


@pytest.fixture
def imported(tmp_path, monkeypatch):
    """Imports what was generated, and forgets it afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module
    for name in [name for name in sys.modules if name.partition(".")[0] == "generated"]:
        del sys.modules[name]


def inside(schema, path):
    """Every schema inside another, with the way to it."""
    yield path, schema
    for name, part in schema.get("properties", {}).items():
        yield from inside(part, f"{path}.{name}")
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from inside(schema[key], f"{path}[]")
    for key in ("anyOf", "oneOf", "allOf"):
        for part in schema.get(key, ()):
            yield from inside(part, path)


def every_schema():
    for name, schema in SCHEMAS.items():
        yield from inside(schema, name)
    for path, item in DOCUMENT["paths"].items():
        for operation in item.values():
            for said in (operation.get("requestBody", {}), *operation["responses"].values()):
                for content in said.get("content", {}).values():
                    yield from inside(content["schema"], path)


def test_openapi_python_client_leaves_nothing_out_and_evaluates(tmp_path, imported, asgi_client):
    said = generated(
        tmp_path, "openapi_python_client", "generate", "--path", str(DESCRIPTION), "--output-path", "generated",
        "--meta", "none", "--fail-on-warning",
    )  # fmt: skip
    assert "WARNING" not in said.upper()
    operations = [one["operationId"] for item in DOCUMENT["paths"].values() for one in item.values()]
    assert len([*(tmp_path / "generated" / "api").glob("*/[!_]*.py")]) == len(operations)

    models = imported("generated.models")
    classes = {name for name in SCHEMAS if "properties" in SCHEMAS[name] or "enum" in SCHEMAS[name]}
    words = {name.lower() for name in models.__all__}
    assert not {name for name in classes if name.lower() not in words}
    assert [name for name in models.__all__ if re.search(r"(\d|Type\d+)$", name) and name not in SCHEMAS] == [
        "ExportSavedScenarioResponse200",
        "ExportScenarioResponse200",
    ]

    client = (
        imported("generated").Client(base_url="http://127.0.0.1").set_async_httpx_client(asgi_client._client)
    )
    document = example(KEY).read().as_dict()
    body = models.ScenarioDocument.from_dict(document)
    evaluate = imported("generated.api.evaluations.evaluate").asyncio
    answer = asgi_client._portal.call(functools.partial(evaluate, client=client, body=body))
    assert isinstance(answer, models.Evaluation)
    whole = asgi_client.post(EVALUATIONS, json=document).json()
    assert answer.to_dict() == whole
    assert answer.cost.tco_usd == whole["cost"]["tco_usd"] > 0

    many = models.EvaluationBatch(scenarios=[body, body], figures=["cost.tco_usd"])
    evaluate = imported("generated.api.evaluations.evaluate_batch").asyncio
    entries = asgi_client._portal.call(functools.partial(evaluate, client=client, body=many))
    assert [entry.figures["cost.tco_usd"] for entry in entries] == [whole["cost"]["tco_usd"]] * 2


def test_datamodel_code_generator_names_everything_plainly(tmp_path, imported, asgi_client):
    said = generated(
        tmp_path, "datamodel_code_generator", "--input", str(DESCRIPTION), "--input-file-type", "openapi",
        "--output", "generated.py", "--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin", "--use-annotated",
    )  # fmt: skip
    assert said == ""
    text = (tmp_path / "generated.py").read_text("utf-8")
    classes = re.findall(r"^class (\w+)\(", text, re.MULTILINE)
    assert set(SCHEMAS) <= {*classes, *re.findall(r"^(\w+): TypeAlias|^type (\w+)", text, re.MULTILINE)}
    assert [name for name in classes if re.search(r"\d$", name) and name not in SCHEMAS] == []

    models = imported("generated")
    document = example(KEY).read().as_dict()
    models.ScenarioDocument.model_validate(document)
    models.Evaluation.model_validate(asgi_client.post(EVALUATIONS, json=document).json())


def test_no_object_is_taken_for_an_empty_one():
    """TypeScript has Record<string, never> for an object of which nothing is said."""
    empty = [
        path
        for path, schema in every_schema()
        if "object" in str(schema.get("type"))
        and not schema.get("properties")
        and "additionalProperties" not in schema
    ]
    assert empty == []


def test_objects_and_lists_of_words_have_names():
    nameless = [
        path
        for path, schema in every_schema()
        if schema is not SCHEMAS.get(path)
        and (schema.get("properties") or len(schema.get("enum", ())) > 1)
        and "allOf" not in SCHEMAS.get(path, ())
    ]
    assert nameless == []


def test_names_suit_every_language():
    assert [name for name in SCHEMAS if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name)] == []
    assert [
        name
        for name in SCHEMAS
        if keyword.iskeyword(name.lower()) or SCHEMAS[name].get("title", name) != name
    ] == []


def test_references_lead_somewhere_and_unions_say_which_member_tells_them_apart():
    for path, schema in every_schema():
        for word in re.findall(r'"#/components/schemas/(\w+)"', orjson.dumps(schema).decode()):
            assert word in SCHEMAS, path
        if found := schema.get("discriminator"):
            words = {
                SCHEMAS[at.rpartition("/")[2]]["properties"][found["propertyName"]]["const"]: at
                for at in found["mapping"].values()
            }
            assert words == found["mapping"]
    for schema, name in (("ScenarioDocument", "workload"), ("OtherWorkloadDocument", "workload")):
        assert set(SCHEMAS[schema]["properties"][name]["discriminator"]["mapping"]) == {
            "training",
            "serving",
            "generic",
        }


def test_bodies_are_of_types_that_generators_know():
    kinds = {
        kind
        for item in DOCUMENT["paths"].values()
        for operation in item.values()
        for kind in operation.get("requestBody", {}).get("content", {})
    }
    assert kinds == {"application/json", "application/octet-stream"}


def test_two_schemas_of_one_name_are_refused():
    word = {"type": "string", "enum": ["a", "b"]}
    names = _Names({"A": {"type": "object", "properties": {"b": word}}, "AB": {"type": "string"}})
    with pytest.raises(ValueError, match="AB"):
        names.name_parts({})


def test_parts_are_named_by_the_way_to_them():
    words = {"type": ["string", "null"], "enum": ["a", None, "b"], "description": "One."}
    part = {"type": "object", "properties": {"kind_of": words}}
    names = _Names({"Rack": {"type": "object", "properties": {"trays": {"type": "array", "items": part}}}})
    names.name_parts({})
    assert set(names) == {"Rack", "RackTray", "RackTrayKindOf"}
    assert names["RackTray"]["properties"]["kind_of"] == {
        "anyOf": [{"$ref": "#/components/schemas/RackTrayKindOf"}, {"type": "null"}],
        "description": "One.",
    }
    assert names["RackTrayKindOf"]["enum"] == ["a", "b"]
