"""Claims about named systems and parts, held against the catalog."""

from __future__ import annotations

from app.engine.fabric.reach import both_ways_bytes_per_s
from app.engine.performance.totals import joint_memory_bytes, joint_peak_flop_per_s, times_as_much
from app.engine.trace import Array
from app.validation.claims.inputs import Compared, Inputs, Topic
from app.validation.claims.ledger import about, at_least, exactly, printed

NVL72, CLOUDMATRIX, TRAINIUM = "gb200_nvl72", "huawei_cloudmatrix384", "aws_trainium2"
GIB = 2.0**30
TIB = 2.0**40


def _peak(inputs: Inputs, system: str, accelerator: str, precision: str) -> Array:
    """Dense peak of a system, by that of its accelerators."""
    return joint_peak_flop_per_s(
        accelerators=inputs.system(system, "accelerators"),
        peak_flop_per_s=inputs.accelerator(accelerator, f"{precision}_flop_per_s"),
    )


def colossus_phase_1(inputs: Inputs) -> list[Compared]:
    chips = inputs.system("xai_colossus_1_phase1", "accelerators")
    return [Compared(label="GPUs of Colossus, first phase", ours=chips, rule=about(100_000))]


def behemoth(inputs: Inputs) -> list[Compared]:
    return [
        Compared(label="H100 documented for Llama 4 Behemoth", ours=inputs.published("behemoth_accelerators"))
    ]


def nvl72_parts(inputs: Inputs) -> list[Compared]:
    return [
        Compared(label="Blackwell GPUs", ours=inputs.system(NVL72, "accelerators"), rule=exactly(72)),
        Compared(label="Grace CPUs", ours=inputs.system(NVL72, "cpus"), rule=exactly(36)),
    ]


def nvl72_peak(inputs: Inputs) -> list[Compared]:
    peaks = {
        precision: _peak(inputs, NVL72, "nvidia_gb200", precision) for precision in ("fp8", "fp4", "bf16")
    }
    return [
        Compared(label="FP8, dense (training)", ours=peaks["fp8"], rule=printed(720e15)),
        Compared(label="FP4, dense (inference)", ours=peaks["fp4"], rule=printed(1440e15)),
        Compared(label="BF16, dense", ours=peaks["bf16"]),
    ]


def cloudmatrix(inputs: Inputs) -> list[Compared]:
    npus = inputs.system(CLOUDMATRIX, "accelerators")
    larger = times_as_much(value=inputs.system("tpu_v5p_pod", "scale_up_domain_accelerators"), reference=npus)
    return [
        Compared(label="NPUs", ours=npus, rule=exactly(384)),
        Compared(label="Largest slice of a TPU v5p pod over it", ours=larger, rule=exactly(1)),
    ]


def trainium2(inputs: Inputs) -> list[Compared]:
    """AWS prints GiB and TiB as GB and TB; the article follows it."""
    memory = inputs.accelerator(TRAINIUM, "memory_bytes")
    return [
        Compared(
            label="FP8, dense", ours=inputs.accelerator(TRAINIUM, "fp8_flop_per_s"), rule=printed(1.3e15)
        ),
        Compared(
            label="BF16, dense", ours=inputs.accelerator(TRAINIUM, "bf16_flop_per_s"), rule=printed(650e12)
        ),
        Compared(label="Memory, the article's GB read as GiB", ours=memory, rule=printed(96 * GIB)),
    ]


def _trn2(inputs: Inputs, system: str, peak: float, tebibytes: float) -> list[Compared]:
    memory = joint_memory_bytes(
        accelerators=inputs.system(system, "accelerators"),
        memory_bytes=inputs.accelerator(TRAINIUM, "memory_bytes"),
    )
    return [
        Compared(label="FP8, dense", ours=_peak(inputs, system, TRAINIUM, "fp8"), rule=printed(peak)),
        Compared(label="Memory, the article's TB read as TiB", ours=memory, rule=printed(tebibytes * TIB)),
    ]


def trn2_server(inputs: Inputs) -> list[Compared]:
    return _trn2(inputs, "aws_trn2_48xlarge", 20.8e15, 1.5)


def trn2_ultraserver(inputs: Inputs) -> list[Compared]:
    return _trn2(inputs, "aws_trn2_ultraserver", 83.2e15, 6)


def frontier_clusters(inputs: Inputs) -> list[Compared]:
    chips = inputs.system("xai_colossus_200k", "accelerators")
    return [Compared(label="GPUs of Colossus, 2025", ours=chips, rule=at_least(100_000))]


def superpod_sizes(inputs: Inputs) -> list[Compared]:
    smallest = inputs.system("dgx_superpod_h100_1su", "nodes")
    largest = inputs.fact("reference_architectures", "superpod_b200_large_64su", "nodes")
    return [
        Compared(label="Nodes of one scalable unit", ours=smallest, rule=about(32)),
        Compared(label="Nodes of the largest printed design", ours=largest, rule=about(512)),
    ]


def azure(inputs: Inputs) -> list[Compared]:
    return [
        Compared(
            label="CPU cores of the OpenAI machine of 2020",
            ours=inputs.published("azure_2020_cpu_cores"),
            rule=about(285_000),
            decides=False,
        ),
        Compared(label="Its GPUs", ours=inputs.system("azure_openai_2020", "accelerators")),
    ]


def tpu_v5p(inputs: Inputs) -> list[Compared]:
    pod, chip = "tpu_v5p_pod", "google_tpu_v5p"
    link = inputs.accelerator(chip, "scale_up_bandwidth_bytes_per_s")
    return [
        Compared(
            label="Dimensions of the torus (3D)", ours=inputs.dimensions("systems", pod), rule=exactly(2)
        ),
        Compared(
            label="Chips of a pod", ours=inputs.system(pod, "accelerators"), rule=exactly(8960), decides=False
        ),
        Compared(label="Links of a chip, one way", ours=link, rule=printed(4800e9 / 8), decides=False),
        Compared(label="Chips of the largest job", ours=inputs.system(pod, "max_job_accelerators")),
    ]


def rsc(inputs: Inputs) -> list[Compared]:
    gpus = inputs.system("meta_rsc", "accelerators")
    return [Compared(label="A100 of RSC", ours=gpus, rule=exactly(21_400))]


def rsc_storage(inputs: Inputs) -> list[Compared]:
    key = "meta_rsc_storage"
    raw = inputs.fact("storage", key, "raw_capacity_bytes")
    read = inputs.fact("storage", key, "read_bandwidth_bytes_per_s")
    return [
        Compared(label="Storage of RSC: 175 + 46 + 10 PB", ours=raw, rule=about(2e18)),
        Compared(label="Read bandwidth it aims at", ours=read, rule=about(16e12), decides=False),
    ]


def colossus(inputs: Inputs) -> list[Compared]:
    second = inputs.system("xai_colossus_200k", "accelerators")
    return [
        *colossus_phase_1(inputs),
        Compared(label="GPUs of Colossus, 2025", ours=second, rule=about(200_000)),
    ]


def coreweave(inputs: Inputs) -> list[Compared]:
    gpus = inputs.system("coreweave_fleet_2024", "accelerators")
    return [Compared(label="GPUs of all kinds, end of 2024", ours=gpus)]


def h100(inputs: Inputs) -> list[Compared]:
    key = "nvidia_h100_sxm"
    nvlink = both_ways_bytes_per_s(
        bandwidth_bytes_per_s=inputs.accelerator(key, "scale_up_bandwidth_bytes_per_s")
    )
    figures = {
        "Memory, as labelled": ("memory_label_bytes", 80e9),
        "Memory bandwidth": ("memory_bandwidth_bytes_per_s", 3.35e12),
        "BF16, dense": ("bf16_flop_per_s", 989e12),
    }
    return [
        *(
            Compared(label=label, ours=inputs.accelerator(key, name), rule=printed(theirs))
            for label, (name, theirs) in figures.items()
        ),
        Compared(label="NVLink, both ways", ours=nvlink, rule=printed(900e9)),
    ]


def hbm_and_gddr(inputs: Inputs) -> list[Compared]:
    hbm = inputs.accelerator("nvidia_h100_sxm", "memory_bandwidth_bytes_per_s")
    return [
        Compared(label="HBM3 of an H100", ours=hbm, rule=printed(3.35e12)),
        Compared(label="GDDR6X of an RTX 4090", ours=inputs.published("rtx_4090_bandwidth"), rule=about(1e12)),
    ]  # fmt: skip


def pooled_memory(inputs: Inputs) -> list[Compared]:
    return [
        Compared(label=name, ours=inputs.system(key, "accelerator_memory_label_bytes"))
        for name, key in {"Memory of an NVL72": NVL72, "Memory of a CloudMatrix384": CLOUDMATRIX}.items()
    ]


def hundred_petaflops(inputs: Inputs) -> list[Compared]:
    enough = at_least(100e15)
    return [
        Compared(label="NVL72, BF16 dense", ours=_peak(inputs, NVL72, "nvidia_gb200", "bf16"), rule=enough),
        Compared(
            label="CloudMatrix384, BF16 dense",
            ours=_peak(inputs, CLOUDMATRIX, "huawei_ascend_910c", "bf16"),
            rule=enough,
        ),
        Compared(
            label="Trn2 UltraServer, FP8 dense",
            ours=_peak(inputs, "aws_trn2_ultraserver", TRAINIUM, "fp8"),
            rule=enough,
            decides=False,
        ),
    ]


def mixed_precision(inputs: Inputs) -> list[Compared]:
    return [
        Compared(label="H100, FP8 dense", ours=inputs.accelerator("nvidia_h100_sxm", "fp8_flop_per_s")),
        Compared(
            label="Ascend 910C, INT8 (no FP8)",
            ours=inputs.accelerator("huawei_ascend_910c", "int8_flop_per_s"),
        ),
    ]


CLAIMS: Topic = {
    "S0-09": colossus_phase_1,
    "S0-10": behemoth,
    "S0-26": nvl72_parts,
    "S0-27": nvl72_peak,
    "S0-29": cloudmatrix,
    "S0-30": trainium2,
    "S0-32": trn2_server,
    "S0-33": trn2_ultraserver,
    "S2-01": frontier_clusters,
    "S2-09": superpod_sizes,
    "S2-11": azure,
    "S2-12": tpu_v5p,
    "S2-14": rsc,
    "S2-15": rsc_storage,
    "S2-17": colossus,
    "S2-18": coreweave,
    "S2-19": h100,
    "S2-23": hbm_and_gddr,
    "S3-04": pooled_memory,
    "S4-05": hundred_petaflops,
    "S4-09": mixed_precision,
}
