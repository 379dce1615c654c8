"""The bill as text for a terminal."""

from __future__ import annotations

from typing import Any

from app.charts.format import show


def bill_text(answer: dict[str, Any]) -> str:
    """Line by line, network by network, then the totals and what is to be minded."""
    lines = [f"{answer['name']}: bill of materials of its networks"]
    for network in answer["networks"]:
        lines += ["", network["title"]]
        mine = [line for line in answer["lines"] if line["network"] == network["network"]]
        lines += [_line(line) for line in mine]
        lines.append(_sum("  Total", network["totals"]))
    lines += ["", _sum("All networks", answer["totals"])]
    if answer["racks"]:
        racks = ", ".join(f"{line['racks']:,} {line['kind']}" for line in answer["racks"])
        lines.append(f"Racks: {racks}")
    lines += [f"\nMind [{problem['field']}]: {problem['message']}" for problem in answer["problems"]]
    lines.append("\nEstimates are estimates: prices are ranges of what was published, work is an assumption.")
    return "\n".join(lines)


def _line(line: dict[str, Any]) -> str:
    spare = f" + {line['spare']:,.0f} spare" if line["spare"] else ""
    counts = f"{line['installed']:,.0f}{spare}"
    return f"  {line['item']:<34} {counts:<24} {_money(line['price_usd']):<34} {line['part']}"


def _sum(words: str, totals: dict[str, Any]) -> str:
    price = _money(totals["price_usd"])
    if totals["unpriced_lines"]:
        known = show(totals["priced_usd"], "USD").text
        price = f"unknown: {known} and {totals['unpriced_lines']} lines without a price"
    power = show(totals["power_w"], "W").text
    return f"{words}: {price}; {power}; {totals['installation_hours']:,.0f} h of work"


def _money(price: dict[str, Any]) -> str:
    if price["typical"] is None:
        return "price unknown"
    low, typical, high = (show(price[name], "USD").text for name in ("low", "typical", "high"))
    return typical if low == high else f"{typical} ({low} to {high})"
