"""What the validation of throughputs says in words: the plain shape, with idealised results beside the scored."""

from __future__ import annotations

from dataclasses import dataclass

from app.validation.report import Report


@dataclass(frozen=True)
class ThroughputReport(Report):
    """`extra` holds in the unit of their rows `idealised`, results of perfect balance over the experts, and `deployments`,
    published ones that no constant was fitted to."""

    def as_text(self) -> str:
        """A table for people."""
        lines = [Report(**{**self.__dict__, "extra": {}}).as_text()]
        if idealised := self.extra["idealised"]:
            lines += ["", "idealised, perfect balance over the experts: not scored, nor fitted"]
            for one in idealised:
                share = 100 * (one["balanced"] / one["measured"] - 1)
                lines.append(
                    f"  {one['id']}: {one['measured']:,.0f} published, {one['predicted']:,.0f} as served, "
                    f"{one['balanced']:,.0f} with perfect balance, {share:+.1f} %"
                )
        if deployments := self.extra["deployments"]:
            lines += ["", "published deployments, none of them fitted"]
            for one in deployments:
                share = 100 * (one["predicted"] / one["measured"] - 1)
                lines.append(
                    f"  {one['id']}: {one['measured']:,.0f} published, {one['predicted']:,.0f} predicted, {share:+.1f} %; "
                    f"{one['what']}"
                )
        return "\n".join(lines)
