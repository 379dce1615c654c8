"""Reading engine code for what it may not do: reach outside, look at a clock, draw without a seed."""

from __future__ import annotations

import ast

STANDARD_LIBRARY = frozenset(
    {
        "__future__", "abc", "bisect", "collections", "contextlib", "copy", "dataclasses", "enum",
        "fractions", "functools", "heapq", "inspect", "itertools", "math", "numbers", "operator", "re",
        "statistics", "string", "textwrap", "types", "typing", "warnings",
    }
)  # fmt: skip
PACKAGES = frozenset({"numpy", "numpy_financial", "psychrolib", "scipy"})
REACHING_OUT = frozenset({"numpy.ctypeslib", "numpy.f2py", "numpy.memmap", "scipy.datasets", "scipy.io"})
BUILT_IN = frozenset(
    {"__import__", "breakpoint", "compile", "eval", "exec", "globals", "input", "open", "print"}
)
FILE_FUNCTIONS = frozenset(
    {
        "DataSource", "fromfile", "genfromtxt", "getsourcefile", "load", "loadtxt", "open_memmap", "save",
        "savetxt", "savez", "savez_compressed", "tofile",
    }
)  # fmt: skip
SEEDED = frozenset(
    {"default_rng", "SeedSequence", "PCG64", "PCG64DXSM", "Philox", "Sobol", "Halton", "LatinHypercube"}
)
UNSEEDED = "draws without a seed"


def impurities(source: str) -> list[str]:
    """What makes a piece of engine code impure, one line each, with its line number."""
    return [f"line {line}: {what}" for line, what in sorted(set(_findings(ast.parse(source))))]


def _findings(tree: ast.Module) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        for local, full in _imported(node):
            names[local] = full
            if not _may_import(full):
                found.append((node.lineno, f"imports {full}"))  # type: ignore[attr-defined]
    for node in ast.walk(tree):
        if isinstance(node, ast.Global | ast.Nonlocal):
            found.append((node.lineno, "rebinds a name outside its function"))
        if isinstance(node, ast.Name | ast.Attribute):
            found.extend((node.lineno, what) for what in _reads(_full_name(node, names)))
        if isinstance(node, ast.Call):
            found.extend((node.lineno, what) for what in _calls(node, names))
    return found


def _imported(node: ast.AST) -> list[tuple[str, str]]:
    if isinstance(node, ast.Import):
        return [(alias.asname or alias.name, alias.name) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        return [(alias.asname or alias.name, f"{module}.{alias.name}") for alias in node.names]
    return []


def _may_import(full: str) -> bool:
    if any(full == name or full.startswith(f"{name}.") for name in REACHING_OUT):
        return False
    return full.split(".", maxsplit=1)[0] in STANDARD_LIBRARY | PACKAGES or full.startswith("app.engine.")


def _full_name(node: ast.expr, names: dict[str, str]) -> str:
    """`np.random.rand` -> "numpy.random.rand"; "" for what is not a plain dotted name."""
    if isinstance(node, ast.Name):
        return names.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        owner = _full_name(node.value, names)
        return f"{owner}.{node.attr}" if owner else ""
    return ""


def _reads(full: str) -> list[str]:
    if any(full == name or full.startswith(f"{name}.") for name in REACHING_OUT):
        return [f"uses {full}"]
    if full.startswith("numpy.random.") and full.split(".")[2] not in SEEDED | {"Generator", "BitGenerator"}:
        return [f"{full} {UNSEEDED}"]
    return []


def _calls(call: ast.Call, names: dict[str, str]) -> list[str]:
    full = _full_name(call.func, names)
    last = call.func.attr if isinstance(call.func, ast.Attribute) else full.rsplit(".", 1)[-1]
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    if full in BUILT_IN:
        return [f"calls {full}"]
    if last in FILE_FUNCTIONS:
        return [f"calls {last}"]
    if last in {"rvs", "resample", "bootstrap", "permutation_test", "monte_carlo_test"}:
        return [] if _given(keywords, "random_state", "rng") else [f"{last} {UNSEEDED}"]
    if last in SEEDED:
        first = [call.args[0]] if call.args and last not in {"Sobol", "Halton", "LatinHypercube"} else []
        given = any(not _is_none(value) for value in first) or _given(keywords, "seed", "rng", "entropy")
        return [] if given else [f"{last} {UNSEEDED}"]
    return []


def _given(keywords: dict[str | None, ast.expr], *wanted: str) -> bool:
    return any(name in keywords and not _is_none(keywords[name]) for name in wanted)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
