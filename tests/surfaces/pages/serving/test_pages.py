"""Tabs of a served model: what each shows, what a form changes, what cannot be used, and designs that serve nothing."""

from __future__ import annotations

import html
import json
import re

import pytest

from app.surfaces.pages.studio.state import decode_state, encode_state
from app.surfaces.pages.workspace import sections_of
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario
from tests.support import read_example

pytestmark = pytest.mark.slow

KEY = "deepseek_r1_on_8_h200"
PAGE = f"/serving/{KEY}"
KEYS = [section.place.rpartition("/")[2] for section in sections_of("serving")]


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def of(**workload: object) -> str:
    values = read_example(KEY).as_dict()
    values["workload"] = {
        name: value for name, value in (values["workload"] | workload).items() if value is not None
    }
    return encode_state(values)


def test_the_first_tab_is_latency_and_the_studio_leads_there(reading_client: AsgiClient) -> None:
    answer = reading_client.get(PAGE, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{PAGE}/latency")
    assert f'href="{PAGE}/latency"' in text(reading_client, f"/designs/{KEY}")
    assert 'data-place="serving' not in text(reading_client, "/designs/edge_node")


@pytest.mark.parametrize(
    ("tab", "figure"),
    [
        ("latency", "serving_ttft"),
        ("latency", "serving_tpot"),
        ("latency", "token_time"),
        ("simulation", "simulated_ttft"),
        ("simulation", "simulated_tpot"),
        ("simulation", "simulated_minutes"),
        ("roofline", "serving_roofline"),
        ("memory", "batch_memory"),
        ("cost", "token_costs"),
        ("edge", "latency_budget"),
    ],
)
def test_every_tab_has_its_figure_and_its_files(reading_client: AsgiClient, tab: str, figure: str) -> None:
    page = text(reading_client, f"{PAGE}/{tab}")
    assert f'id="figure-{figure}"' in page
    assert 'aria-current="page"' in page
    assert f"{PAGE}/{tab}/file?" in page


@pytest.mark.parametrize("tab", KEYS)
def test_a_design_that_serves_nothing_says_so_with_a_way_back(reading_client: AsgiClient, tab: str) -> None:
    page = text(reading_client, f"/serving/edge_node/{tab}")
    assert "Nothing is served here" in page
    assert "models that answer requests, and this workload is a job that runs and ends" in page
    assert 'href="/designs/edge_node"' in page
    assert f'href="{PAGE}/{tab}"' in page
    assert reading_client.get(f"/serving/edge_node/{tab}/file").status_code == 422


@pytest.mark.parametrize("tab", KEYS)
def test_a_scenario_that_cannot_be_used_and_one_that_is_not_there(
    reading_client: AsgiClient, tab: str
) -> None:
    broken = encode_state(scenario(facility__site="nowhere"))
    assert "Not evaluated" in text(reading_client, f"{PAGE}/{tab}?s={broken}")
    assert reading_client.get(f"/serving/no_such_design/{tab}").status_code == 404


@pytest.mark.parametrize("tab", KEYS)
def test_files(reading_client: AsgiClient, tab: str) -> None:
    name = "kind" if tab == "cost" else "format"
    table = reading_client.get(f"{PAGE}/{tab}/file?{name}=csv")
    assert table.headers["content-type"].startswith("text/csv")
    assert len(table.text.splitlines()) > 2
    answer = reading_client.get(f"{PAGE}/{tab}/file?{name}=json")
    assert json.loads(answer.text)["name"] == "DeepSeek-R1 on 8 H200"
    assert f'{tab}.json"' in answer.headers["content-disposition"]
    assert reading_client.get(f"{PAGE}/{tab}/file?{name}=pdf").status_code == 404


def test_latency_names_the_knee_and_what_breaks(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}/latency")
    assert "It meets the SLO up to" in page
    for title in ("One request", "This load", "Knee", "Max load within SLO"):
        assert f'<th scope="row">{title}<' in page
    assert "As the scenario states it" in page


def test_latency_against_requests_a_second(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}/latency?against=requests_per_s")
    assert '<option value="requests_per_s" selected>' in page
    wrong = text(reading_client, f"{PAGE}/latency?against=<blink>", 422)
    assert "A load is counted in concurrency or requests_per_s, not in <blink>" in wrong
    assert "<blink>" not in reading_client.get(f"{PAGE}/latency?against=<blink>").text


def test_a_promise_that_no_load_keeps_and_none_at_all(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}/latency?s={of(service_level={'ttft_s': 0.001})}")
    assert "Not even one request meets the SLO" in page
    page = text(reading_client, f"{PAGE}/latency?s={of(service_level=None)}")
    assert "No SLO is set; the highest throughput is" in page


def test_sizing_spells_hardware_out_and_takes_a_demand(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}/sizing")
    assert "8 accelerators = 1 replica of TP 8" in page
    assert "Binding constraint and relief" in page
    answer = reading_client.get(
        f"{PAGE}/sizing?terms=1&workload.demand.requests_per_s=30&workload.service_level.tpot_s=0.04",
        follow_redirects=False,
    )
    assert answer.status_code == 303
    state = decode_state(re.findall(r"s=([^&]+)", answer.headers["location"])[0])
    assert state is not None
    assert state["workload"]["demand"]["requests_per_s"] == 30
    assert state["workload"]["service_level"]["tpot_s"] == 0.04
    assert "replicas of TP 8" in text(reading_client, answer.headers["location"])


def test_sizing_without_a_demand_asks_for_one_and_refuses_what_cannot_be(reading_client: AsgiClient) -> None:
    assert "No demand is stated" in text(reading_client, f"{PAGE}/sizing?s={of(demand=None)}")
    page = text(reading_client, f"{PAGE}/sizing?terms=1&workload.demand.requests_per_s=-3", 422)
    assert 'value="-3"' in page
    assert "Not changed" in page


def test_cost_by_system_and_format(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}/cost?system=dgx_b200&format=fp8&format=nvfp4")
    assert "DGX B200, NVFP4" in page
    assert "Not tried: H200" in page
    assert '<span class="chip good">cheapest</span>' in page
    assert "this design" in page
    assert '<input type="checkbox" name="system" value="dgx_b200" checked>' in page


def test_cost_of_what_is_not_there(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}/cost?system=no_such_system", 422)
    assert 'id="systems-error"' in page
    assert "no_such_system" in page
    assert "Not compared" in text(reading_client, f"{PAGE}/cost?format=fp2", 422)


def test_edge_and_the_twenty_milliseconds(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}/edge")
    assert "Within 20.0\u202fms light goes 2,000 km and back" in page
    assert 'href="/claims/S4-15"' in page
    assert reading_client.get("/claims/S4-15").status_code == 200
    stated = text(reading_client, f"{PAGE}/edge?edge_distance_km=80&latency_budget_s=0.5")
    assert 'value="80"' in stated
    assert "Latency budget left of 500" in stated


def test_the_share_of_the_edge_is_typed_in_percent(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}/edge?edge_share=20")
    assert re.search(r'Share of the requests there <span class="unit">%<', page)
    assert re.search(r'name="edge_share"[^>]*value="20" placeholder="10"', page)
    file = f"{PAGE}/edge/file?format=json"
    shares = ({}, {"edge_share": "20"}, {"edge_share": "20 %"})
    loads = [
        next(site["concurrency"] for site in answer.json()["sites"] if site["site"] == "edge")
        for answer in (reading_client.get(file, params={"format": "json"} | share) for share in shares)
    ]
    assert loads[0] < loads[1] == loads[2]


def test_edge_keeps_what_was_typed(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}/edge?edge_share=200&edge_distance_km=near", 422)
    assert 'value="near"' in page
    assert re.search(r'id="edge_share-error"[^>]*>[^<]*at most 1', page)
    page = text(reading_client, f"{PAGE}/edge?edge_system=no_such_system", 422)
    assert "no_such_system" in page


def test_memory_shows_a_shared_prefix_and_what_waits_elsewhere(reading_client: AsgiClient) -> None:
    plain = text(reading_client, f"{PAGE}/memory")
    for words in ("Shared prefix, held once", "Waiting sequences per instance"):
        assert words not in plain
    asked = {"input_tokens": 2000, "output_tokens": 500, "cached_share": 0.5, "shared_prefix_tokens": 512}
    page = text(reading_client, f"{PAGE}/memory?s={of(requests=asked | {'cache_tier': 'host'})}")
    for words in (
        "Shared prefix, held once on an accelerator",
        "Memory of the host, for each accelerator",
        "Bringing the cached part of a prompt back",
        "Saved by reload instead of recomputation",
    ):
        assert words in page
    assert "Waiting sequences per instance" in page
    refused = text(reading_client, f"{PAGE}/memory?s={of(requests=asked | {'cache_tier': 'peer'})}")
    assert "State accelerator, host or nvme" in refused


def test_hours_of_a_demand_on_the_sizing_tab(reading_client: AsgiClient) -> None:
    demand = {"requests_per_s": 30, "shape": "consumer_day"}
    page = text(reading_client, f"{PAGE}/sizing?s={of(demand=demand)}")
    assert 'id="figure-demand_hours"' in page
    assert "all replicas run in all hours" in page
    assert "Cold start of an instance" not in page
    follows = demand | {"autoscaling": {"enabled": True, "headroom": 0.01}}
    page = text(reading_client, f"{PAGE}/sizing?s={of(demand=follows)}")
    assert "following the demand frees" in page
    assert "Cold start of an instance" in page
    assert "Too little headroom" in page
    assert "Hardware is paid all the same: only energy is saved" in page
    enough = demand | {"autoscaling": {"enabled": True}}
    assert "Too little headroom" not in text(reading_client, f"{PAGE}/sizing?s={of(demand=enough)}")
    assert 'id="figure-demand_hours"' not in text(reading_client, f"{PAGE}/sizing")


SENT = {"origin": "http://127.0.0.1", "host": "127.0.0.1"}
ROWS = "arrived_s,input_tokens,output_tokens\n" + "".join(f"{row},{800 + row},100\n" for row in range(120))


def sent(client: AsgiClient, status: int, *, query: str = "", **form: object) -> str:
    answer = client.post(f"{PAGE}/simulation/trace{query}", headers=SENT, **form)  # type: ignore[arg-type]
    assert answer.status_code == status, answer.text[:2000]
    return html.unescape(answer.text)


def test_a_trace_takes_the_place_of_drawn_requests(reading_client: AsgiClient) -> None:
    form = text(reading_client, f"{PAGE}/simulation")
    assert f'action="{PAGE}/simulation/trace"' in form
    assert 'enctype="multipart/form-data"' in form
    page = sent(reading_client, 200, files={"file": ("day.csv", ROWS.encode(), "text/csv")})
    assert "a measured trace" in page
    assert re.search(r"Simulated, of one replica</th><td[^>]*><span[^>]*>120<", page)
    pasted = sent(reading_client, 200, data={"trace": ROWS}, files={})
    assert re.search(r"Simulated, of one replica</th><td[^>]*><span[^>]*>120<", pasted)
    assert "119,919,100" in pasted  # what was pasted is still there


def test_a_trace_is_answered_as_a_file_of_the_design_in_the_address(reading_client: AsgiClient) -> None:
    state = of(layout={"tp": 8, "pp": 1}, concurrency=16)
    found = sent(
        reading_client,
        200,
        query=f"?s={state}",
        data={"answer": "json"},
        files={"file": ("a.csv", ROWS, "text/csv")},
    )
    view = json.loads(found)
    assert view["requests"] == 120
    assert view["arrival_variation"] == pytest.approx(0, abs=1e-9)
    table = sent(reading_client, 200, data={"answer": "csv", "trace": ROWS})
    assert table.startswith("of,measure,simulated_s")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "No trace was chosen. Choose a file, or paste its lines."),
        (b"time,in\n1,2\n", "Line 1 has no column arrived_s."),
        (ROWS.replace("57,857", "57,many").encode(), "Line 59 has input_tokens 'many', which is no number."),
        (b"\xff\xfe\x00", "is not a text file in UTF-8"),
        (b"x" * 6_000_001, "has more than 6,000,000 bytes. Cut the trace to some hours, or use podwright"),
    ],
)
def test_a_wrong_trace_is_named_beside_its_field(
    reading_client: AsgiClient, content: bytes, said: str
) -> None:
    page = sent(reading_client, 422, files={"file": ("day.csv", content, "text/csv")})
    found = re.search(r'id="trace-error"[^>]*>([^<]*)<', page)
    assert found
    assert said in found[1]


def test_pasted_lines_that_are_wrong_are_kept_and_foreign_pages_are_refused(
    reading_client: AsgiClient,
) -> None:
    page = sent(reading_client, 422, data={"trace": "a,b\n<1>,2", "answer": "csv"})
    assert "a,b\n<1>,2</textarea>" in page
    answer = reading_client.post(
        f"{PAGE}/simulation/trace", data={"trace": ROWS}, headers={"origin": "http://elsewhere.example"}
    )
    assert answer.status_code == 403


CLASSES = [
    {"name": "Chat", "share": 0.8, "input_tokens": 500, "output_tokens": 300},
    {"name": "Retrieval & more", "share": 0.2, "input_tokens": 9000, "output_tokens": 100},
]
SESSION = {"turns": 6, "system_tokens": 1000, "added_tokens": 300, "answer_tokens": 300, "gap_s": 30}


def test_classes_of_requests_are_shown_where_there_are_several(reading_client: AsgiClient) -> None:
    for tab in ("latency", "simulation"):
        assert "Classes of requests" not in text(reading_client, f"{PAGE}/{tab}")
        page = text(reading_client, f"{PAGE}/{tab}?s={of(requests={'classes': CLASSES})}")
        assert "Classes of requests" in page
        assert "Retrieval & more" in page


def test_sessions_show_their_cache_and_both_kinds_of_prompts(reading_client: AsgiClient) -> None:
    state = of(requests={"sessions": SESSION, "cache_tier": "nvme"})
    memory = text(reading_client, f"{PAGE}/memory?s={state}")
    for words in ("Sessions alive on the pod", "Contexts of sessions", "Memory of the host", "NVMe drives"):
        assert words in memory
    latency = text(reading_client, f"{PAGE}/latency?s={state}")
    assert "Found and lost contexts" in latency
    assert "Context lost" in latency
    assert "Prefix cache hits of later turns" in text(
        reading_client, f"{PAGE}/simulation?minutes=5&s={state}"
    )
    studio = text(reading_client, f"/designs/{KEY}?s={state}")
    assert "Time between turns" in studio
    assert "Input token variation" not in studio
