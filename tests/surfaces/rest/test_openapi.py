"""The description of the API: whole, up to date, and with examples that run."""

from __future__ import annotations

import json
import re
import shlex
from functools import partial

import jsonschema_rs
import orjson
import pytest

from app.catalog.query import OPERATORS
from app.catalog.ready import ready_catalog, ready_engine
from app.saved.store import SavedWork
from app.settings import Settings, get_settings
from app.surfaces.rest.openapi import METHODS, openapi_json
from app.surfaces.rest.router import create_api
from tests.catalog.weather.files import as_bytes, epw_lines
from tests.support import ROOT, described_api
from tests.surfaces.rest.comment import keep_comment
from tests.surfaces.rest.conftest import assert_problem
from tests.surfaces.rest.job import keep_job
from tests.surfaces.rest.own_row import keep_own_row, remove_own_row
from tests.surfaces.rest.own_run import keep_own_run
from tests.surfaces.rest.people_examples import EVERYTHING, keep_examples
from tests.surfaces.rest.share import keep_examples_saved, keep_shares

pytestmark = pytest.mark.slow

DOCUMENT = described_api()
OPERATIONS = [
    (method, path, operation)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
]
NAMES = [f"{method.upper()} {path}" for method, path, _ in OPERATIONS]
PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
LINES = "application/x-ndjson"
CLIMATE = "/api/v1/catalog/climate/graz_2023"
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]}


@pytest.fixture(scope="module")
def examples(asgi_client):
    """What the examples and the commands speak of, saved under the id that they name."""
    return SavedWork(ready_engine(get_settings()), ready_catalog)


@pytest.fixture
def examples_are_there(request, examples):
    about = f"{_asked(request)}"
    keep_examples_saved(examples, about)
    keep_shares(ready_engine(get_settings()), about)
    keep_own_run(ready_engine(get_settings()))
    keep_job(ready_engine(get_settings()), ready_catalog())
    keep_comment(ready_engine(get_settings()), f"{request.node.name} {about}")


def keep_year(client):
    """The own year that examples read and delete."""
    client.put(
        f"{CLIMATE}?source=Own", headers={"if-match": "*", "content-type": "text/plain"}, content=whole_year()
    )


def whole_year():
    """The file that the description of the API shows the beginning of."""
    return as_bytes(epw_lines())


def _asked(request):
    """What a test is about, None for one without parameters."""
    return getattr(request.node, "callspec", None) and request.node.callspec.params


@pytest.fixture
def own_row_is_there(request, examples):
    """Only while it is asked for: with own rows everything else would be computed with another catalog."""
    if "catalog" not in request.node.name and CLIMATE not in f"{_asked(request)}":
        yield
        return
    keep_own_row(ready_engine(get_settings()))
    yield
    remove_own_row(ready_engine(get_settings()))


@pytest.fixture(scope="module")
def administrator(people):
    """A client with the token of someone who looks after a server that people sign in to."""
    return people.client(people.token("Grace", EVERYTHING))


@pytest.fixture
def people_are_there(people):
    keep_examples(people)


def test_the_copy_in_docs_is_up_to_date():
    """All other tests of the API read the copy."""
    copy = (ROOT / "docs" / "openapi.json").read_bytes()
    assert copy == openapi_json(create_api(Settings())), "python -m app.surfaces.rest.openapi writes it again"


def test_the_server_serves_it(asgi_client):
    answer = asgi_client.get("/openapi.json")
    assert answer.json() == DOCUMENT
    again = asgi_client.get("/openapi.json", headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304


def test_it_says_who_and_where():
    assert DOCUMENT["openapi"].startswith("3.1.")
    assert DOCUMENT["info"]["contact"]
    assert DOCUMENT["info"]["description"]
    assert DOCUMENT["servers"]
    assert all(tag["description"] for tag in DOCUMENT["tags"])


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=NAMES)
def test_every_operation_is_whole(method, path, operation):
    tags = {tag["name"] for tag in DOCUMENT["tags"]}
    assert method in METHODS
    assert operation["summary"]
    assert len(operation["description"]) > 30
    assert set(operation["tags"]) <= tags
    assert operation["operationId"]
    statuses = set(operation["responses"])
    expected = set() if path == "/healthz" else {"503"} if path == "/readyz" else {"400"}
    if "requestBody" in operation:
        expected |= {"413", "415", "422", "503"}
    if "If-Match" in {parameter["name"] for parameter in operation.get("parameters", [])}:
        expected |= {"404", "412", "428"}
    assert expected <= statuses
    assert len([status for status in statuses if status < "300"]) == 1
    for status, answer in operation["responses"].items():
        assert answer["description"]
        assert "Successful Response" not in answer["description"]
        if status >= "400":
            assert list(answer["content"]) == ["application/problem+json"]


def test_operations_have_names_of_their_own():
    names = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(set(names)) == len(names)


def test_every_reference_leads_somewhere():
    for reference in re.findall(r'"\$ref":\s*"([^"]+)"', json.dumps(DOCUMENT)):
        found = DOCUMENT
        for step in reference.removeprefix("#/").split("/"):
            found = found[step]
        assert found


def schemas_in(item, place=""):
    """Every schema or other mapping of the document with its place; examples and defaults are no schemas."""
    if isinstance(item, dict):
        yield place, item
        for name, part in item.items():
            if name not in ("example", "examples", "default", "const", "enum", "value"):
                yield from schemas_in(part, f"{place}/{name}")
    elif isinstance(item, list):
        for position, part in enumerate(item):
            yield from schemas_in(part, f"{place}/{position}")


def test_every_array_says_what_it_holds():
    """Client generators leave out schemas with an array of nothing in particular, and whatever refers to them."""
    arrays = {
        place: schema
        for place, schema in schemas_in(DOCUMENT)
        if "array" in ([kind] if isinstance(kind := schema.get("type"), str) else kind or [])
    }
    assert len(arrays) > 100
    assert [place for place, one in arrays.items() if not {"items", "prefixItems"} & set(one)] == []


def test_schema_names_are_plain_and_unique():
    """Client generators name their classes after schemas, whatever the case and the signs in the names."""
    names = list(DOCUMENT["components"]["schemas"])
    assert [name for name in names if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name)] == []
    assert len({name.lower() for name in names}) == len(names)


def test_every_schema_is_one():
    for name, schema in DOCUMENT["components"]["schemas"].items():
        assert jsonschema_rs.meta.is_valid(schema), name


def resolved(content):
    if "$ref" in content:
        return DOCUMENT["components"]["examples"][content["$ref"].rpartition("/")[2]]
    return content


def example_bodies(operation):
    """(content type, example) for each body; one without where there is none."""
    content = operation.get("requestBody", {}).get("content", {})
    found = [
        (kind, resolved(example)["value"])
        for kind, body in content.items()
        for example in body.get("examples", {}).values()
    ]
    return found or [("", None)]


@pytest.mark.usefixtures("examples_are_there", "own_row_is_there")
@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=NAMES)
def test_every_example_runs_and_its_answer_is_as_described(request, asgi_client, method, path, operation):
    client = _client(request, asgi_client, "people" in operation["tags"])
    query = {}
    for parameter in operation.get("parameters", []):
        example = (parameter["schema"].get("examples") or [parameter.get("example")])[0]
        if parameter["in"] == "path":
            path = path.replace(f"{{{parameter['name']}}}", str(example))
        elif parameter["in"] == "header":
            continue  # If-Match is sent with all of them
        elif isinstance(example, dict):
            query |= example
        elif parameter["required"]:
            query[parameter["name"]] = example
    if path.endswith("/events"):
        query["seconds"] = 0  # else it never ends
    if path == CLIMATE and method != "put":
        keep_year(client)
    for kind, value in example_bodies(operation):
        body = value.encode() if isinstance(value, str) else orjson.dumps(value)
        if path == CLIMATE:
            body = whole_year()  # of which the example is the first line
        headers = {"if-match": "*"} | ({"content-type": kind} if kind else {})
        answer = client.request(
            method.upper(), path, params=query, headers=headers, content=body if kind else None
        )
        assert answer.is_success, answer.text
        declared = operation["responses"][str(answer.status_code)]
        if answer.status_code == 204:
            assert "content" not in declared
            continue
        if path.endswith("/events"):
            assert list(declared["content"]) == ["text/event-stream"]
            continue
        kind_of_answer = answer.headers["content-type"].partition(";")[0]
        schema = declared["content"][kind_of_answer]["schema"]
        if not kind_of_answer.endswith("json"):
            continue  # a file
        answers = [answer.json] if kind_of_answer != LINES else []
        if kind_of_answer == LINES:
            name = re.findall(r"each (\w+)", schema["description"])[0]
            schema = {"$ref": f"#/components/schemas/{name}"}
            answers = [partial(orjson.loads, line) for line in answer.text.splitlines()]
        validator = jsonschema_rs.Draft202012Validator({**schema, "components": DOCUMENT["components"]})
        assert answers
        for read in answers:
            validator.validate(read())


def test_every_problem_is_as_described(asgi_client):
    schema = {"$ref": "#/components/schemas/Problem", "components": DOCUMENT["components"]}
    validator = jsonschema_rs.Draft202012Validator(schema)
    for path in ("/api/v1/x", "/api/v1/catalog?x=1"):
        validator.validate(asgi_client.get(path).json())
    answer = asgi_client.post("/api/v1/evaluations", json={"workload": 3})
    validator.validate(assert_problem(answer, 422))


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=NAMES)
def test_every_operation_is_documented(method, path, operation):
    section = SECTIONS[f"{method.upper()} {path}"]
    assert "```sh\ncurl " in section
    for parameter in operation.get("parameters", []):
        if parameter["name"] == "workspace":
            continue  # the same everywhere
        assert f"`{parameter['name']}`" in section or f"{{{parameter['name']}}}" in section
    if "filters" in section:
        assert all(f"| `{name}` |" in section for name in OPERATORS)


def test_nothing_else_is_documented():
    assert set(SECTIONS) == {*NAMES, "Problems", "Saving", "Signing in and workspaces"}


@pytest.mark.usefixtures("examples_are_there", "own_row_is_there")
@pytest.mark.parametrize(
    "command", re.findall(r"^curl .*?(?=\n(?:curl|```))", PAGE, re.MULTILINE | re.DOTALL)
)
def test_every_command_on_the_page_works(request, asgi_client, command):
    client = _client(request, asgi_client, "$PODWRIGHT_TOKEN" in command)
    words = shlex.split(command)

    def given(option):
        return [words[at + 1] for at, word in enumerate(words) if word == option]

    address = next(word for word in words if word.startswith("http://127.0.0.1:8000"))
    headers = dict(header.split(": ") for header in given("-H") if "$PODWRIGHT_TOKEN" not in header)
    bodies = given("--data-binary")
    (method,) = given("-X") or ["POST" if bodies else "GET"]
    body = "".join(bodies)
    if body == "@graz.epw":
        body = whole_year().decode()
    elif body.startswith("@"):
        accept = "application/yaml" if body.endswith("yaml") else "application/json"
        merge = body == "@merge.json"
        body = asgi_client.get("/api/v1/examples/edge_node", headers={"accept": accept}).text
        body = f'{{"base_revision": 1, "document": {body}}}' if merge else body
    path = address.removeprefix("http://127.0.0.1:8000")
    if path == CLIMATE:
        keep_year(client)
    answer = client.request(method, path, content=body.encode(), headers=headers)
    assert answer.is_success, answer.text


def _client(request, asgi_client, is_about_people):
    """The local user, or someone with an account where it takes one."""
    if not is_about_people:
        return asgi_client
    request.getfixturevalue("people_are_there")
    return request.getfixturevalue("administrator")


def test_the_workspace_that_is_asked_for_is_documented_once():
    assert "`workspace`" in SECTIONS["Signing in and workspaces"]
    with_it = [
        path
        for _, path, operation in OPERATIONS
        if "workspace" in {one["name"] for one in operation.get("parameters", [])}
    ]
    assert {"/api/v1/scenarios", "/api/v1/designs", "/api/v1/evaluations", "/api/v1/catalog"} <= set(with_it)


def test_every_operation_says_who_may_ask():
    assert DOCUMENT["security"][:2] == [{"token": []}, {"browser": []}]
    assert set(DOCUMENT["components"]["securitySchemes"]) == {"token", "browser"}
    for _, path, operation in OPERATIONS:
        if path not in ("/healthz", "/readyz"):
            assert {"401", "403"} <= set(operation["responses"]), path
