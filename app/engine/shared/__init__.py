"""Several workloads on one pod: what each gets of it, and what the pod makes of them together."""
