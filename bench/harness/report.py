"""Rows, verdicts and the RESULTS.md page."""
import dataclasses
import os
import platform


@dataclasses.dataclass
class Row:
    name: str
    limit: str
    measured: str
    ok: bool | None = None  # None: nothing to judge
    note: str = ""

    def verdict(self):
        return {True: "yes", False: "**no**", None: "–"}[self.ok]


def at_most(name, value, limit, unit, note="", digits=2):
    return Row(name, f"≤ {limit:g} {unit}", f"{value:,.{digits}f} {unit}", value <= limit, note)


def below(name, value, limit, unit, note="", digits=2):
    return Row(name, f"< {limit:g} {unit}", f"{value:,.{digits}f} {unit}", value < limit, note)


def at_least(name, value, limit, unit, note="", digits=1):
    return Row(name, f"≥ {limit:g} {unit}", f"{value:,.{digits}f} {unit}", value >= limit, note)


def table(header, lines):
    rows = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(rows + ["| " + " | ".join(line) + " |" for line in lines])


def judged(rows):
    return table(["Figure", "Limit", "Measured", "Met", "How"],
                 [[row.name, row.limit, row.measured, row.verdict(), row.note] for row in rows])


def machine():
    model = "unknown CPU"
    with open("/proc/cpuinfo") as info:
        for line in info:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return f"{model}, {os.cpu_count()} cores, Linux {platform.release().split('-')[0]}"


def page(mode, prd, targets, load, stdio):
    """The whole of RESULTS.md."""
    return f"""# Benchmark results

Written by `bench/run{mode}`; do not edit. {machine()}.
Absolute figures hold on this machine only; ratios inside a run and CPU time per request are the sturdy columns.

## Figures of the requirements document

Measured at the client with 1,000 registered tools and 100 live sessions, server and load generator on one core each, validation, metrics and
info-level logging on (to a null device). The trivial tool adds nothing, so PRD_NFR_001 counts what the server adds to a tool's own time.

{judged(prd)}

## Targets

{judged(targets)}

## HTTP load

`tools/call` of a trivial tool, `wrk -t1`; medians over interleaved rounds, ratios taken inside each round. *Ceiling* is the raw epoll responder
(`raw_responder.cc`) with a fixed reply and no JSON.

{load}

## stdio

{stdio}

## How to repeat

`bench/run --quick` (two minutes, figures to the terminal only), `bench/run` (ten minutes), `bench/run --full` (10 million calls).
`bench/instructions` counts machine instructions per call under callgrind, which no neighbour can disturb.
"""
