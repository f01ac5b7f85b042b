"""What is measured, one function each; every function returns plain figures."""
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys

from .client import Client, Request, call
from .load import Target, interleave
from .process import LOAD_CORE, SERVER_CORE, Server, free_port, run_pinned

TOOLS = 1000
SESSIONS = 100
ECHO = ("bench_echo", {"message": "hello"})
SHIPPED_CALL = ("system_info", {})


def percentile(values, share):
    ordered = sorted(values)
    return ordered[int(share * (len(ordered) - 1))]


class Setup:
    """Where things are and how long to run; starts the servers."""

    def __init__(self, build, rounds, seconds, calls, say):
        if not (build / "toolpost").exists():
            sys.exit(f"There is no build in {build}: bench/run --quick makes the one in build/bench")
        self.build = build
        self.work = build / "work"
        self.rounds = rounds
        self.seconds = seconds
        self.calls = calls
        self.say = say
        self.work.mkdir(exist_ok=True)
        os.environ["TOOLPOST_STATE_DIR"] = str(self.work / "state")

    def binary(self, name):
        return str(self.build / ("toolpost" if name == "toolpost" else f"bench/{name}"))

    def start(self, name, *arguments, env=None):
        port = free_port()
        command = [part.replace("PORT", str(port)) for part in arguments]
        return Server(name, command, port, {"TOOLPOST_HTTP_THREADS": "1", **(env or {})})

    def raw(self):
        return self.start("raw_responder", self.binary("raw_responder"), "PORT")

    def bench_server(self, *options):
        return self.start("bench_server", self.binary("bench_server"), "PORT", *options)

    def toolpost(self, env=None):
        return self.start("toolpost", self.binary("toolpost"), "serve", "--port", "PORT", env=env)

    def typescript(self, mode):
        return self.start(f"typescript_{mode}", "node", str(self.build / "ts_server/server.mjs"), mode, "PORT")


def http_load(setup, typescript=True):
    """Interleaved rounds over all servers. Returns the targets by name and the figures of the requirements document."""
    with contextlib.ExitStack() as stack:
        raw = stack.enter_context(setup.raw())
        bench = stack.enter_context(setup.bench_server("--tools", str(TOOLS)))
        shipped = stack.enter_context(setup.toolpost())
        client = Client(bench.port)
        opened = [client.open_session() for _ in range(SESSIONS)]
        sessions = [session for session, _ in opened]
        requests = [
            ("ceiling", raw, call(*ECHO)),
            ("toolpost session", bench, call(*ECHO, sessions=sessions)),
            ("toolpost stateless", bench, call(*ECHO, modern=True)),
            ("toolpost system_info session", shipped,
             call(*SHIPPED_CALL, sessions=[Client(shipped.port).open_session()[0]])),
        ]
        if typescript:
            legacy = stack.enter_context(setup.typescript("legacy"))
            modern = stack.enter_context(setup.typescript("modern"))
            requests += [
                ("TypeScript session", legacy, call(*ECHO, sessions=[Client(legacy.port).open_session()[0]])),
                ("TypeScript stateless", modern, call(*ECHO, modern=True)),
            ]
        for _, server, request in requests:
            Client(server.port).check(request)
        targets = [Target(name, server, request, setup.work) for name, server, request in requests]
        interleave(targets, setup.rounds, setup.seconds, setup.say)

        prd = listing(client, sessions)
        prd["recovery"] = error_recovery(client, call(*ECHO, sessions=sessions[:1]))
        prd["session_p95_ms"] = percentile([seconds for _, seconds in opened], 0.95) * 1e3
        prd["live_sessions"] = sum("result" in client.send(call(*ECHO, sessions=[session]))[2] for session in sessions)
        prd["metrics"] = json.loads(bench.stop() or "{}")
        return {target.name: target for target in targets}, prd


def listing(client, sessions):
    """Complete listings and single pages of tools/list."""
    pages = [client.send(Request("tools/list", {}, sessions=[session]))[3] for session in sessions * 3]
    complete = [client.list_all_tools(session) for session in sessions]
    return {
        "tools": min(count for count, _ in complete),
        "page_p95_ms": percentile(pages, 0.95) * 1e3,
        "listing_p95_ms": percentile([seconds for _, seconds in complete], 0.95) * 1e3,
    }


def error_recovery(client, good):
    """Share of good calls answered after each kind of bad request on the same connection and session."""
    bad = ["{", "[]", '{"jsonrpc":"2.0","id":1}', '{"jsonrpc":"2.0","id":1,"method":"no/such"}',
           '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no_such"}}',
           '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bench_echo_1","arguments":{"message":7}}}']
    headers = {**good.headers, "Mcp-Session-Id": good.sessions[0]}
    answered = 0
    for number in range(50 * len(bad)):
        client.post(bad[number % len(bad)], headers)
        status, _, message, _ = client.send(good)
        answered += status == 200 and "result" in message
    return answered / (50 * len(bad))


def stdio(setup):
    """Interleaved driver runs; returns the samples by server name."""
    servers = {
        "bare loop": [setup.binary("stdio_loop")],
        "toolpost": [setup.binary("bench_server"), "stdio", "--tools", str(TOOLS)],
    }
    counts = ["--sequential", str(10_000 * setup.seconds), "--windowed", str(200_000 * setup.seconds)]
    samples = {name: [] for name in servers}
    for number in range(setup.rounds):
        for name, command in servers.items():
            sample = run_pinned([setup.binary("stdio_driver"), "--core", str(SERVER_CORE), *counts, "--", *command],
                                LOAD_CORE)
            samples[name].append(sample)
            setup.say(f"  stdio round {number + 1} {name:<10} sequential {sample['sequential_per_s']:>7,}/s, "
                      f"64 in flight {sample['windowed_per_s']:>8,}/s")
    return samples


def sample_ratio(samples, key):
    return statistics.median(mine[key] / bare[key] for mine, bare in zip(samples["toolpost"], samples["bare loop"]))


def startup(setup, runs):
    """Median milliseconds from fork to first answer, interleaved in blocks; stdio and HTTP against their floors."""
    port = str(free_port())
    commands = {
        "stdio floor": ("stdio", [setup.binary("empty_program")]),
        "stdio": ("stdio", [setup.binary("toolpost"), "stdio"]),
        "HTTP floor": (port, [setup.binary("raw_responder"), port]),
        "HTTP": (port, [setup.binary("toolpost"), "serve", "--port", port]),
    }
    blocks = {name: [] for name in commands}
    for _ in range(max(runs // 5, 1)):
        for name, (door, command) in commands.items():
            probe = [setup.binary("start_probe"), door, "5", str(SERVER_CORE), "--", *command]
            blocks[name].append(run_pinned(probe, LOAD_CORE))
    return {name: statistics.median(block["median_ms"] for block in samples) for name, samples in blocks.items()}


def memory(setup):
    """RSS of the shipped binary in MiB: idle after the first answer, and after many calls."""
    with setup.toolpost() as server:
        request = call(*SHIPPED_CALL, sessions=[Client(server.port).open_session()[0]])
        Client(server.port).check(request)
        idle = server.rss_mib()
        target = Target("memory", server, request, setup.work)
        done = 0
        while done < setup.calls:
            done += target.run(16, 5)["requests"]
            setup.say(f"  {done:,} calls, {server.rss_mib():.1f} MiB")
        return {"idle": idle, "after": server.rss_mib(), "calls": done}


def session_memory(setup, count):
    """RSS with `count` idle sessions, and the P95 of opening one."""
    with setup.bench_server("--max-sessions", str(count)) as server:
        client = Client(server.port)
        seconds = [client.open_session()[1] for _ in range(count)]
        return {"rss": server.rss_mib(), "p95_ms": percentile(seconds, 0.95) * 1e3}


def stripped_size(setup):
    copy = setup.work / "toolpost.stripped"
    shutil.copy(setup.binary("toolpost"), copy)
    subprocess.run(["strip", str(copy)], check=True)
    return copy.stat().st_size / 2**20
