"""Requests that no honest program sends: headers, numbers, names, files and paths made to trip a reader. Each is
answered by one of a few states, with words that say what to do: none by a 500, and none computes for long.
"""

from __future__ import annotations

import io
import json
import socket
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from app.scenarios.examples import example
from tests.access.test_costs import IMPORTS, SCENARIO, XLSX, with_scenario, workbook
from tests.people import ActingClient, people_over
from tests.running_server import Server

EVALUATE, SIMULATE, SAVED = "/api/v1/evaluations", "/api/v1/serving/simulation", "/api/v1/scenarios"
TEAMS, LIST, GALLERY = "/api/v1/teams", "/api/v1/catalog/accelerators", "/api/v1/examples"
J, Y, CSV, FORM = "application/json", "application/yaml", "text/csv", "application/x-www-form-urlencoded"
NONE = "0" * 32


class Hostile(NamedTuple):
    """What is sent, and what must come back: one of the states, with the words."""

    name: str
    method: str
    path: str
    states: tuple[int, ...]
    says: str = ""
    kind: str = ""
    body: bytes | str | None = None
    headers: dict[str, str] | None = None


def trace(text: str) -> str:
    return json.dumps({"scenario": example("deepseek_r1_on_8_h200").read().as_dict(), "trace": text})


def tokens(written: str) -> str:
    """The scenario with a number as it is written, which may be none of JSON."""
    workload = {**SCENARIO["workload"], "tokens": "HERE"}
    return json.dumps({**SCENARIO, "workload": workload}).replace('"HERE"', written)


def packed(name: str, size: int) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, b"0" * size)
    return made.getvalue()


def parts(count: int) -> str:
    part = '--x\r\ncontent-disposition: form-data; name="f{}"\r\n\r\nv\r\n'
    return "".join(part.format(number) for number in range(count)) + "--x--\r\n"


HEAD = "arrived_s,input_tokens,output_tokens\n"
TRACES = [
    Hostile(f"a trace with {name}", "POST", SIMULATE, (400, 422), says, J, trace(text))
    for name, text, says in (
        ("a field of 131,073 letters", HEAD + '0,1,"' + "9" * 131_073 + '"\n1,2,3', "cannot be read as CSV"),
        ("a heading of 131,073 letters", "x" * 131_073 + ",b\n1,2", "cannot be read as CSV"),
        ("a quote that does not end", HEAD + '0,1,"' + "9\n" * 70_000, "cannot be read as CSV"),
        ("nothing", " ", "is empty"),
        ("a heading only", HEAD, "two are needed"),
        ("a number of 5,000 digits", HEAD + "0,1," + "9" * 5_000 + "\n1,2,3", "no number"),
        ("NaN", HEAD + "0,nan,1\n1,2,3", "no number"),
        ("infinity", HEAD + "0,1,inf\n1,2,3", "no number"),
        ("a prompt of 1e300 tokens", HEAD + "0,1e300,1\n1,2,3", "not from 0"),
        ("a negative prompt", HEAD + "0,-5,1\n1,2,3", "not from 0"),
        ("a date of the year 10,000", HEAD + "10000-01-01 00:00:00,1,1\n1,2,3", "neither seconds nor a date"),
        ("JSON that is none", '{"timestamp": 1\n{"timestamp": 2', "is not a line of JSON"),
        ("JSON 20,000 deep", '{"a":' + "[" * 20_000 + "\n{}", "is not a line of JSON"),
        ("an integer of 5,000 digits", '{"timestamp": ' + "9" * 5_000 + "}\n{}", "is not a line of JSON"),
        (
            "texts as blocks",
            '{"timestamp":1,"input_length":1,"output_length":1,"hash_ids":["x"]}\n{}',
            "hash_ids",
        ),
        ("fewer cells", HEAD + "0,1\n1,2,3", "has 2 cells"),
    )
]
NUMBERS = [
    Hostile(f"the number {written[:20]}", "POST", EVALUATE, (400, 422), "", J, tokens(written))
    for written in ("NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1e-400", "9" * 400, "-" + "9" * 5_000,
                    "0x10", "1_000", "01", "1e", ".5", "true", "null", '"1e400"', "[1]", "{}", "1e99999999", "-0.0")
]  # fmt: skip
NAMES = [
    Hostile(f"a name with {what}", "POST", SAVED, (422,), "name", J, with_scenario(name=f"a{text}b"))
    for what, text in (
        ("a direction", "\u202e"), ("a joiner", "\u200d"), ("a blank of no width", "\u200b"), ("an order mark", "\ufeff"),
        ("a line end", "\n"), ("a return", "\r\nset-cookie: a=b"), ("a tab", "\t"), ("an escape", "\x1b[2J"),
        ("a separator", "\u2028"), ("a tag", "\U000e0041"), ("a blank that is none", "\u00a0"), ("a bell", "\x07"),
    )
] + [
    Hostile(f"a team called {key[:30]!r}", "POST", TEAMS, (422,), "key", J, json.dumps({"key": key, "name": "Team"}))
    for key in ("ａｂｃ", "te\u0301am", "Team", "../x", "a/b", "a b", "", "a", "personal", "new", "p-12345678", "a" * 64,
                "abc\n", "-abc", "abc-", "ＴＥＡＭ", "team\u200b", "%61bc", "<b>", "null\u0131")
]  # fmt: skip
PATHS = [
    Hostile(f"the path {path}", "GET", path, states)
    for path, states in (
        ("/static/../app/main.py", (404,)), ("/static/x/../../pyproject.toml", (404,)),
        ("/static/x/%2e%2e/%2e%2e/pyproject.toml", (404,)), ("/static/x/..%2f..%2fpyproject.toml", (404,)),
        ("/static/x//etc/passwd", (404,)), ("/static/x/%5c..%5c..", (404,)), ("/designs/..%2f..%2fx", (404,)),
        ("/api/v1/examples/..%2f..%2fgallery%2fgb200_nvl72", (404,)), ("/api/v1/gallery/..%2fx", (404,)),
        ("/api/v1/catalog/..%2f..", (404,)), ("/api/v1/scenarios/%ff%fe", (404,)), ("/api/v1/scenarios/%", (404,)),
        ("/api/v1/scenarios/%zz", (404,)), ("/api/v1/scenarios/%c0%af", (404,)), ("//evil.example/x", (404,)),
        ("/api/v1//scenarios", (404,)), ("/api/v1/scenarios/" + "a" * 10_000, (404,)), ("/%F0%9F%98%80", (404,)),
        ("/api/v1/scenarios;x=1", (404,)), ("/API/V1/scenarios", (404,)),
    )
]  # fmt: skip
QUERIES = [
    Hostile(f"the query {path.rpartition('?')[2][:40]}", "GET", path, states, says)
    for path, states, says in (
        (f"{LIST}?limit=-1", (400,), "limit"), (f"{LIST}?limit=1e3", (400,), "limit"), (f"{LIST}?limit=٣", (400,), "limit"),
        (f"{LIST}?limit={'9' * 5_000}", (400,), "limit"), (f"{LIST}?limit=5&limit=6", (400,), "given twice"),
        (f"{LIST}?after=-1", (422,), "after"), (f"{LIST}?after={'A' * 8_000}", (422,), "after"), (f"{LIST}?after=W1tbW1tb", (422,), "after"),
        (f"{LIST}?sort=__class__", (422,), "sort"), (f"{LIST}?tdp_w__gte=1e999", (422,), "not a number"),
        (f"{LIST}?tdp_w__in={','.join(['1'] * 5_000)}", (200,), ""), (f"{LIST}?%ff=1", (400, 422), ""), (f"{LIST}?=&=&&&", (400, 422), ""),
        (f"{LIST}?workspace=", (400,), "workspace"), (f"{LIST}?workspace=%27%20or%201%3d1--", (400,), "workspace"),
        (f"{LIST}?workspace=a%20b&workspace=costs", (400,), "workspace"), (f"{SAVED}?q=%25%27%3b--", (200,), ""),
        (f"{SAVED}?q={'a' * 9_000}", (200, 400), ""), (f"{SAVED}?deleted=yes", (400,), "deleted"), (f"{SAVED}?sort=;drop", (400,), "sort"),
        (f"{SAVED}/{NONE}/revisions/-1", (400, 404), ""), (f"{SAVED}/{NONE}/revisions/99999999999999999999", (400, 404), ""),
        (f"{SAVED}/{NONE}/diff?from=0&to=-1", (400, 404), ""), ("/api/v1/claims?article=", (400,), "article"),
        ("/api/v1/trends/gap?precision=", (400,), "precision"), ("/api/v1/trends/gap?from=x%00", (400,), "from"),
        ("/api/v1/audit?before=-1", (400, 403), ""), (f"/api/v1/jobs/{NONE}/results?start=-1", (400, 404), ""),
    )
]  # fmt: skip
HEADERS = [
    Hostile(f"{name}: {value[:30]}", method, path, states, "", J if method in ("PUT", "POST") else "", body, {name: value})
    for name, value, method, path, states, body in (
        ("if-match", "x", "DELETE", f"{SAVED}/{NONE}", (404,), None), ("if-match", '"' + "a" * 9_000 + '"', "DELETE", f"{SAVED}/{NONE}", (404,), None),
        ("if-match", '"a", ' * 2_000, "DELETE", f"{SAVED}/{NONE}", (404,), None), ("if-match", "W/", "PUT", f"{SAVED}/{NONE}", (404,), "{}"),
        ("if-none-match", '"' * 9_000, "GET", GALLERY, (200,), None), ("if-none-match", "," * 9_000, "GET", GALLERY, (200,), None),
        ("range", "bytes=0-0,-1,5-1", "GET", GALLERY, (200, 206, 416), None), ("range", "bytes=" + "0-1," * 2_000, "GET", GALLERY, (200, 416), None),
        ("accept", "*/*;q=nan", "GET", GALLERY, (200,), None), ("accept", "a/b," * 2_000, "GET", GALLERY, (200, 406), None),
        ("accept-encoding", "gzip;q=x, br;q=-1", "GET", GALLERY, (200,), None), ("accept-language", "x" * 8_000, "GET", "/", (200,), None),
        ("cookie", "podwright_sign_in=" + "a" * 8_000, "GET", "/sign-in", (200, 302, 303), None), ("cookie", ";;;=;=a;" * 500, "GET", "/sign-in", (200, 302, 303), None),
        ("authorization", "Bearer " + "x" * 8_000, "GET", SAVED, (401,), None), ("authorization", "Basic ::::", "GET", SAVED, (200, 401), None),
        ("authorization", "Bearer pwt_" + "0" * 16 + ".x", "GET", SAVED, (401,), None), ("authorization", "Bearer pwl_../..", "GET", SAVED, (401,), None),
        ("x-request-id", "a" * 5_000, "GET", GALLERY, (200,), None), ("x-request-id", "a<script>", "GET", GALLERY, (200,), None),
        ("host", "evil.example", "GET", GALLERY, (200, 400, 421), None), ("x-forwarded-for", "127.0.0.1, " * 500, "GET", GALLERY, (200,), None),
        ("x-http-method-override", "DELETE", "GET", GALLERY, (200,), None), ("content-encoding", "gzip", "POST", EVALUATE, (415,), "{}"),
        ("content-encoding", "br, gzip, gzip", "POST", EVALUATE, (415,), "{}"), ("expect", "200-maybe", "POST", EVALUATE, (422,), "{}"),
        ("idempotency-key", "a b", "POST", SAVED, (400, 422), "{}"), ("idempotency-key", "a" * 201, "POST", SAVED, (400, 422), "{}"),
        ("origin", "https://evil.example", "POST", EVALUATE, (403,), "{}"), ("sec-fetch-site", "cross-site", "POST", EVALUATE, (403,), "{}"),
        ("last-event-id", "-1", "GET", f"{SAVED}/{NONE}/events?seconds=0", (400, 404), None), ("x-csrf-token", "", "POST", EVALUATE, (403,), "{}"),
    )
]  # fmt: skip
TYPES = [
    Hostile(f"a body as {kind[:40]!r}", "POST", EVALUATE, states, says, kind, body)
    for kind, states, says, body in (
        ("application/json; charset=utf-16", (415,), "charset", '{"a":1}'.encode("utf-16")), ("application/json; charset=x", (415,), "charset", "{}"),
        ("application/json; charset=" + "x" * 5_000, (415,), "charset", "{}"), ("application/json;;;=", (415, 422), "", "{}"), ("", (415,), "", "{}"),
        ("text/html", (415,), "", "<b>"), ("application/xml", (415,), "", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
        (J, (400,), "UTF-8", b'{"name": "\xff\xfe"}'), (J, (400,), "", b"\xef\xbb\xbf"), (J, (400,), "", b"\x00\x00\x00{"), (J, (400,), "not JSON", "{'a': 1}"),
        (J, (400,), "given twice", '{"name": "a", "name": "b"}'), (J, (400,), "", '{"a": 1} {"b": 2}'), (J, (400, 422), "", "[]"), (J, (400, 422), "", '"x"'),
        (J, (422,), "__class__", '{"__class__": {"a": 1}}'), (J, (400,), "empty", " "), (Y, (400,), "", "a: !!python/object/apply:os.system [id]"),
        (Y, (400,), "", "a: 1\n---\nb: 2"), (Y, (400, 422), "", "<<: {a: 1}"), (Y, (400, 422), "", "a: &a [*a]"), (Y, (400, 422), "", "? [a, b]\n: c"),
        (Y, (400, 422), "", "name: 0o777"), (Y, (400, 422), "", "a: .inf"), (Y, (400, 422), "", "%YAML 9.9\n---\na: 1"), (Y, (400,), "", "a: @b"),
    )
]  # fmt: skip
FILES = [
    Hostile(f"a workbook that is {what}", "POST", IMPORTS, (200, 400, 413, 415, 422), "", XLSX, body)
    for what, body in (
        ("no file", b""), ("no archive", b"PK\x03\x04"), ("100 MB unpacked", packed("xl/worksheets/sheet1.xml", 100_000_000)),
        ("of another kind", packed("a.txt", 10)), ("outside of its folder", packed("../../etc/passwd", 10)), ("of one long name", packed("x" * 60_000, 1)),
        ("a text of entities", workbook('<row><c t="inlineStr"><is><t>&#0;</t></is></c></row>')), ("a number of 400 digits", workbook("<row><c><v>" + "9" * 400 + "</v></c></row>")),
        ("a shared text that is not there", workbook('<row><c t="s"><v>99</v></c></row>')), ("a row -1", workbook('<row r="-1"><c r="A-1"><v>1</v></c></row>')),
    )
]  # fmt: skip
FORMS = [
    Hostile(name, "POST", path, states, "", kind, body)
    for name, path, states, kind, body in (
        ("a form of 20,000 fields", "/import", (200, 400, 413, 422), FORM, "&".join(f"f{n}=1" for n in range(20_000))),
        ("a form without an equals sign", "/import", (200, 400, 422), FORM, "&&&&;;;"), ("a form with bad escapes", "/import", (200, 400, 422), FORM, "text=%zz%f&x=%"),
        ("a form in UTF-16", "/import", (200, 400, 415, 422), FORM + "; charset=utf-16", "text=a".encode("utf-16")),
        ("2,000 parts", "/catalog/own/import", (200, 400, 413, 422), "multipart/form-data; boundary=x", parts(2_000)), ("parts without a boundary", "/catalog/own/import", (200, 400, 422), "multipart/form-data", parts(1)),
        ("a part without an end", "/catalog/own/import", (200, 400, 422), "multipart/form-data; boundary=x", '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n' + "a" * 9_000),
        ("a part of a long name", "/catalog/own/import", (200, 400, 422), "multipart/form-data; boundary=x", f'--x\r\ncontent-disposition: form-data; name="{"n" * 50_000}"\r\n\r\nv\r\n--x--\r\n'),
        ("a part with 2,000 headers", "/catalog/own/import", (200, 400, 422), "multipart/form-data; boundary=x", "--x\r\n" + "a: b\r\n" * 2_000 + "\r\nv\r\n--x--\r\n"),
        ("a boundary of 5,000 letters", "/catalog/own/import", (200, 400, 422), "multipart/form-data; boundary=" + "x" * 5_000, parts(1)),
    )
]  # fmt: skip
METHODS = [
    Hostile(f"{method} {path}", method, path, (405,))
    for method in ("TRACE", "PROPFIND", "PATCH", "QUERY", "CONNECT")
    for path in (SAVED, "/")
]
LINKS = [
    Hostile(f"an end at {when}", "POST", SAVED + "/{saved}/links", (422,), "expires_at", J, json.dumps({"expires_at": when}))
    for when in ("9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59", "2027-13-01T00:00:00Z", "now", "2027-01-01", "-1")
]  # fmt: skip
ATTACKS = [*TRACES, *NUMBERS, *NAMES, *PATHS, *QUERIES, *HEADERS, *TYPES, *FILES, *FORMS, *METHODS, *LINKS]
assert len(ATTACKS) >= 150


@pytest.fixture(scope="module")
def alice(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ActingClient]:
    with people_over(seeded_data_dir, tmp_path_factory.mktemp("hostile")) as people:
        yield people.client("alice")


@pytest.fixture(scope="module")
def saved(alice: ActingClient) -> str:
    """Something of Alice's own that is there."""
    answer = alice.post(SAVED, content=json.dumps(SCENARIO), headers={"content-type": J})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: ascii(attack.name))
def test_what_is_hostile_is_answered_in_order(alice: ActingClient, saved: str, attack: Hostile) -> None:
    headers = {**({"content-type": attack.kind} if attack.kind else {}), **(attack.headers or {})}
    body = attack.body.encode() if isinstance(attack.body, str) else attack.body
    answer = alice.request(
        attack.method, attack.path.replace("{saved}", saved), content=body, headers=headers
    )
    assert answer.status_code in attack.states, answer.text[:400]
    assert attack.says in answer.text
    assert len(answer.content) < 1_000_000
    assert "set-cookie: a=b" not in str(answer.headers)
    if attack.path.startswith("/api/") and answer.status_code >= 400:
        assert answer.headers["content-type"] == "application/problem+json"


RAW = [
    ("a head without an end", b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 20_000, (400, 431)),
    ("a header of 200,000 letters", b"GET / HTTP/1.1\r\nhost: a\r\nx: " + b"a" * 200_000 + b"\r\n\r\n", (400, 431)),
    ("no version", b"GET /\r\n\r\n", (400,)),
    ("another protocol", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", (400,)),
    ("two lengths", b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab", (400,)),
    ("a length of -1", b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n", (400,)),
    ("no host", b"GET / HTTP/1.1\r\n\r\n", (400, 421)),
    ("a folded header", b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\na: b\r\n\tc\r\n\r\n", (200, 400)),
    ("a chunk that is none", b"POST /import HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", (400,)),
    ("a chunk of 10^18 bytes", b"POST /import HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\nde0b6b3a7640000\r\n" + b"a" * 1_000, (400, 408, 413)),
    ("a control character in a header", b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\na: b\x00c\r\n\r\n", (400,)),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("sent", "states"), [raw[1:] for raw in RAW], ids=[raw[0] for raw in RAW])
def test_what_is_no_request_is_refused(server: Server, sent: bytes, states: tuple[int, ...]) -> None:
    """By the server itself, on the line."""
    port = int(server.base_url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=40) as line:
        try:
            line.sendall(sent)
            answer = line.recv(4_096)
        except (BrokenPipeError, ConnectionResetError):
            return  # it was cut off before it was all said
    assert answer == b"" or int(answer.split(b" ", 2)[1]) in states, answer[:200]
