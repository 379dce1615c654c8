"""What cannot be used is refused in one shape, and the next request is answered."""

from __future__ import annotations

import http.client
import json
import socket
from urllib.parse import urlsplit

import pytest

from tests.running_server import Server
from tests.surfaces.rest.conftest import EVALUATIONS, FLAGSHIP, assert_problem, flagship_text

pytestmark = pytest.mark.slow

JSON = {"content-type": "application/json"}
ROUTES = [
    EVALUATIONS,
    "/api/v1/explanations",
    "/api/v1/searches",
    "/api/v1/domain-studies",
    "/api/v1/figures/tco",
]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("tokens: 15.6e12", "token: 15.6e12", "tokens"),
        ("system: dgx_h100", "system: dgx_h10", "dgx_h100"),
        ("model: llama_3_1_405b", "model: llama_405b", "llama_3_1_405b"),
        ("switch: qm9700", "switch: qm970", "qm9700"),
        ("site: ashburn", "site: ashburm", "ashburn"),
        ("tp: 8", "tp: 7", "tp 7"),
        ("pp: 16", "pp: 256", "126 layers"),
        ("supernodes: 2048", "supernodes: 0", "supernodes"),
        ("supernodes: 2048", "supernodes: -4", "supernodes"),
        ("supernodes: 2048", "supernodes: 1e300", "supernodes"),
        ("supernodes: 2048", "supernodes: 1000000", "replicas without any"),
        ("supernodes: 2048", "supernodes: [2048]", "supernodes"),
        ("supernodes: 2048", "supernodes: []", "supernodes"),
        ("supernodes: 2048", "supernodes: two", "supernodes"),
        ("tokens: 15.6e12", "tokens: .nan", "tokens"),
        ("tokens: 15.6e12", "tokens: 1e400", "tokens"),
        ("tokens: 15.6e12", "tokens: true", "tokens"),
        ("tokens: 15.6e12", "tokens: {}", "tokens"),
        ("kind: training", "kind: servin", "serving"),
        ("precision: bf16", "precision: nvfp4", "precision"),
    ],
)
def test_a_bad_scenario_is_refused_with_its_place(post_text, old, new, said):
    text = flagship_text()
    assert old in text
    content = assert_problem(post_text(text.replace(old, new)), 422, "invalid-scenario")
    assert any(word in content["detail"] for word in said.split("|"))
    assert content["errors"][0]["pointer"].startswith("#/")


@pytest.mark.parametrize("path", ROUTES)
def test_every_route_reads_its_body_with_the_same_care(post_text, path):
    assert_problem(post_text("[" * 100_000, "application/json", path), 400, "malformed-body")
    assert_problem(post_text("workload: [", "application/yaml", path), 400, "malformed-body")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("workload: [", "application/yaml"),
        ("a: b: c", "application/yaml"),
        ("a: 1\na: 2", "application/yaml"),
        ("a: !!python/object:os.system x", "application/yaml"),
        ("\t", "application/yaml"),
        ("---\na: 1\n---\nb: 2\n", "application/yaml"),
        ("[" * 100_000, "application/yaml"),
        ("[" * 100_000 + "]" * 100_000, "application/yaml"),
        ("- " * 100_000, "application/yaml"),
        ("a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n" * 40, "application/yaml"),
        ("{", "application/json"),
        ('{"a": 1, "a": 2}', "application/json"),
        ('{"a": }', "application/json"),
        ("", "application/json"),
        ("  ", "application/json"),
        ("nul", "application/json"),
        ("[" * 100_000, "application/json"),
        ("[" * 100_000 + "]" * 100_000, "application/json"),
        ('{"a":' * 100_000, "application/json"),
        ("[" + "0," * 400_000 + "0]", "application/json"),
        (b"\xff\xfe{\x00}\x00", "application/json"),
        (b'{"a": "\xff"}', "application/json"),
        (b"\x00\x01", "application/yaml"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(post_text, text, kind):
    content = assert_problem(post_text(text, kind), 400, "malformed-body")
    empty = not text.strip() if isinstance(text, str) else False
    assert empty or "line" in content["errors"][0] or content["errors"][0]["code"] == "duplicate_key"


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("text", ["null", "true", "0", '"text"', "[]", "[1]", "{}", '{"workload": []}'])
def test_another_kind_of_value_is_refused(post_text, path, text):
    assert_problem(post_text(text, "application/json", path), 422, "invalid-scenario")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"x" * 10_000: 1}),
        json.dumps({f"key_{number}": 1 for number in range(9_000)}),
        '{"name": ' + "9" * 5_000 + "}",
        '{"name": -1e999}',
        '{"name": NaN}',
    ],
)
@pytest.mark.parametrize("path", ROUTES)
def test_awkward_text_is_refused_in_few_words(post_text, path, text):
    answer = post_text(text, "application/json", path)
    content = assert_problem(answer, 422, "invalid-scenario")
    assert len(answer.content) < 40_000
    assert len(content["errors"]) <= 50


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize(
    "kind",
    [
        "",
        "text/plain",
        "text/html",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded",
        "application/xml",
        "application/octet-stream",
        "application/json; charset=utf-16",
        "application/json; charset=latin-1",
        "json",
        "a/b/c",
        ";",
        "\x00",
    ],
)
def test_another_content_type_is_refused(asgi_client, path, kind):
    headers = {"content-type": kind} if kind else {}
    answer = asgi_client.post(path, content=b"{}", headers=headers)
    assert_problem(answer, 415, "unsupported-media-type")
    assert "application/json" in answer.headers["accept-post"]


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate"])
def test_a_compressed_body_is_refused(asgi_client, encoding):
    answer = asgi_client.post(EVALUATIONS, content=b"x", headers={**JSON, "content-encoding": encoding})
    assert_problem(answer, 415)


def test_a_large_body_is_refused_with_and_without_its_length(asgi_client):
    large = b" " * 1_000_001
    assert_problem(asgi_client.post(EVALUATIONS, content=large, headers=JSON), 413, "body-too-large")

    async def chunks():
        for _ in range(20):
            yield b" " * 1_000_000

    assert_problem(asgi_client.post(EVALUATIONS, content=chunks(), headers=JSON), 413, "body-too-large")
    fits = b" " * 1_000_000
    assert_problem(asgi_client.post(EVALUATIONS, content=fits, headers=JSON), 400)


def test_a_length_beyond_all_reason_is_refused_unread(asgi_client):
    headers = {**JSON, "content-length": "900000000000"}
    assert_problem(asgi_client.post(EVALUATIONS, content=b"{}", headers=headers), 413)


HUGE = {
    "workload": {
        "kind": "training",
        "model": "llama_3_1_8b",
        "tokens": 1e18,
        "sequence_length": 8192,
        "global_batch_sequences": 1_000_000,
    },
    "supernode": {"system": "dgx_h100"},
    "pod": {"supernodes": 1_000_000},
}


def test_the_largest_pod_is_infeasible_and_a_larger_one_refused(asgi_client):
    content = asgi_client.post(EVALUATIONS, json=HUGE).json()
    assert content["feasible"] is False
    assert "1000000" in content["problems"][0]["message"]
    for supernodes in (1_000_001, 1e9, 1e30, 10**400):
        larger = {**HUGE, "pod": {"supernodes": supernodes}}
        answer = asgi_client.post(EVALUATIONS, json=larger)
        errors = assert_problem(answer, 422, "invalid-scenario")["errors"]
        assert errors[0]["pointer"] == "#/pod/supernodes"


def sent(server: Server, body, headers, method="POST", path=EVALUATIONS):
    """Status and body of one request over a connection of its own."""
    connection = http.client.HTTPConnection(urlsplit(server.base_url).netloc, timeout=30)
    try:
        connection.request(method, path, body=body, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers.get("content-type"), answer.read()
    finally:
        connection.close()


def megabytes(count):
    for _ in range(count):
        yield b" " * 1_000_000


@pytest.mark.slow
def test_a_real_server_refuses_and_goes_on(server: Server):
    """One after the other over the wire, with a good request after each bad one."""
    yaml = {"content-type": "application/yaml"}
    cases = [
        (b" " * 20_000_000, JSON, 413),
        (megabytes(20), JSON, 413),
        (b"[" * 100_000, JSON, 400),
        (b"[" * 100_000, yaml, 400),
        (b"{}", {"content-type": "text/plain"}, 415),
        (b"", {}, 415),
        (b"{", JSON, 400),
        (b"\xff" * 1000, yaml, 400),
        (json.dumps({**HUGE, "parallelism": {"tp": 3}}).encode(), JSON, 422),
        (flagship_text().replace("supernodes: 2048", "supernodes: []").encode(), yaml, 422),
    ]
    good = flagship_text().encode()
    for body, headers, expected in cases:
        status, kind, content = sent(server, body, headers)
        assert (status, kind) == (expected, "application/problem+json"), content[:300]
        assert json.loads(content)["status"] == expected
        status, _, content = sent(server, good, yaml)
        assert status == 200
        assert json.loads(content)["feasible"] is True
    assert server.process.poll() is None


@pytest.mark.slow
def test_a_real_server_outlives_callers_who_leave(server: Server):
    address = urlsplit(server.base_url)
    for start in (b"POST /api/v1/evaluations HTTP/1.1\r\n", (b"POST /api/v1/evaluations HTTP/1.1\r\nhost: x\r\n"
                  b"content-type: application/json\r\ncontent-length: 500000\r\n\r\n{"), b"\x00\x01\x02\r\n\r\n"):  # fmt: skip
        with socket.create_connection((str(address.hostname), int(address.port or 0)), timeout=10) as line:
            line.sendall(start)
    status, _, _ = sent(server, None, {}, "GET", f"/api/v1/examples/{FLAGSHIP}")
    assert status == 200
