"""podwright validate serving: latencies, throughputs, and files that are neither."""

from __future__ import annotations

import json

LATENCIES = (
    "mode,model,system,engine,engine_version,precision,isl,osl,concurrency,tp,moe_tp,moe_ep,ttft_ms,tpot_ms,measured\n"
    "agg,DeepSeek-R1,b200_sxm,trtllm,1.2.0rc6.post2,fp8,1024,1024,32,8,8,1,300,15.5,2026-01-29\n"
    "agg,GPT-9,b200_sxm,trtllm,1.2.0rc6.post2,fp8,1024,1024,32,8,8,1,300,15.5,2026-01-29\n"
)
THROUGHPUTS = (
    "id,source,hardware,n,model,precision,engine,isl,osl,concurrency_or_batch,metric,value,conditions\n"
    "a,us,B200,4,DeepSeek-R1-0528,nvfp4,tensorrt-llm,1024,1024,max,output tok/s per GPU,6430,DEP4\n"
)


def test_latencies(run, tmp_path):
    file, out_file = tmp_path / "latencies.csv", tmp_path / "rows.csv"
    file.write_text(LATENCIES, encoding="utf-8")
    code, out, _ = run("validate", "serving", file, "--json", "--rows", out_file)
    found = json.loads(out)
    assert code == 0
    assert (found["kind"], found["rows"], found["scored"], found["supported"]) == ("serving", 2, 2, 1)
    assert [one["id"] for one in found["unsupported"]] == ["2"]
    assert found["tpot"]["rows"] == found["ttft"]["rows"] == 1
    assert found["tpot_disaggregated"]["median_abs_error"] is None
    lines = out_file.read_text().splitlines()
    assert lines[0].startswith("id,measured,predicted,error,low,high,quantity")
    assert lines[1].startswith("1,0.0155,")


def test_throughputs(run, tmp_path):
    file = tmp_path / "throughputs.csv"
    file.write_text(THROUGHPUTS, encoding="utf-8")
    code, out, _ = run("validate", "serving", file, "--json")
    found = json.loads(out)
    assert (code, found["rows"], found["supported"]) == (0, 1, 1)
    assert found["median_abs_error"] < 0.5


def test_wrong_columns_are_one_message(run, tmp_path):
    file = tmp_path / "wrong.csv"
    file.write_text("a,b\n1,2\n", encoding="utf-8")
    code, out, err = run("validate", "serving", file)
    assert (code, out) == (2, "")
    assert "the second mode, system, concurrency, ttft_ms, tpot_ms" in err
