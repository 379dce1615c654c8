"""Lines as the frameworks print them, forty steps, the first of each slow."""

from __future__ import annotations

MEGATRON = (
    " [2024-04-06 02:59:36] iteration {step:8d}/     100 | consumed samples: {samples:12d} | elapsed time per "
    "iteration (ms): {milliseconds:.1f} | throughput per GPU (TFLOP/s/GPU): 239.8 | learning rate: 8.6E-06 | "
    "global batch size: {batch:5d} | lm loss: 1.825991E+00 | grad norm: 1.426 |"
)
NEMO = (
    "Training epoch 0, iteration {step}/149 | lr: 3e-05 | consumed_samples: {samples} | global_batch_size: {batch} "
    "| global_step: {step} | reduced_train_loss: 1.233 | train_step_timing in s: {seconds:.4f}"
)
TORCHTITAN = (
    "\x1b[32m[rank{rank}]:[titan] 2025-06-16 22:31:18,934 - root - INFO - \x1b[31mstep: {step:2d}  "
    "\x1b[32mloss:  6.0348  \x1b[34mmemory: 49.66GiB(52.28%)  \x1b[36mtps: {speed:,}  tflops: 339.82  mfu: 34.36%\x1b[39m"
)
MAXTEXT = (
    "I0811 21:54:55.531340 138304841739136 metric_logger.py:226] completed step: {step}, seconds: {seconds:.3f}, "
    "TFLOP/s/device: 134.924, Tokens/s/device: 8672.758, total_weights: 196608, loss: 10.374"
)


def log(line: str, *, seconds: float = 2.0, speed: int = 5868, batch: int = 128, steps: int = 40) -> str:
    """A log of steps that take `seconds`, or run at `speed`; two are disturbed."""
    lines = ["building model ...", "WARNING: step: not a step"]
    for step in range(1, steps + 1):
        slow = 8.0 if step == 1 else 3.0 if step in (20, 30) else 1.0
        values = {"seconds": slow * seconds, "milliseconds": 1e3 * slow * seconds, "speed": int(speed / slow)}
        lines += [
            line.format(step=step, samples=step * batch, batch=batch, rank=rank, **values)
            for rank in ((0, 1) if "rank" in line else (0,))
        ]
    return "\n".join(lines) + "\n"
