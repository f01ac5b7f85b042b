"""HTTP load: interleaved wrk rounds over several servers."""
import pathlib
import re
import statistics

from .process import run_pinned

POST = str(pathlib.Path(__file__).resolve().parent.parent / "post.lua")
CONNECTIONS = (1, 16, 100)


class Target:
    """A request to a server under a name, and the samples of every round by connection count."""

    def __init__(self, name, server, request, folder):
        self.name = name
        self.path = request.path
        self.server = server
        self.files = request.write(folder, re.sub(r"\W+", "_", name))
        self.samples = {connections: [] for connections in CONNECTIONS}

    def run(self, connections, seconds):
        cpu = self.server.cpu_seconds()
        # Patient: a database may share the core, and interrupting it at every single reply costs both more than their work.
        sample = run_pinned(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", POST,
                             f"http://127.0.0.1:{self.server.port}{self.path}", "--", *self.files], patient=True)
        if sample["failed"]:
            raise RuntimeError(f"{self.name}: {sample['failed']} of {sample['requests']} requests failed")
        sample["rps"] = sample["requests"] / sample["seconds"]
        sample["cpu_us"] = (self.server.cpu_seconds() - cpu) * 1e6 / sample["requests"]
        sample["rss_mib"] = self.server.rss_mib()
        return sample

    def median(self, connections, key):
        return statistics.median(sample[key] for sample in self.samples[connections])

    def worst(self, connections, key):
        return max(sample[key] for sample in self.samples[connections])


def interleave(targets, rounds, seconds, say):
    """Every round visits every target, so that a noisy neighbour hits all of them alike, and begins with another one: the first has a rested core."""
    for target in targets:
        target.run(16, seconds + 1)
    for connections in CONNECTIONS:
        for number in range(rounds):
            for target in rotated(targets, number):
                take(target, connections, number, seconds, say)


def interleave_fresh(targets, starts, connections, rounds, seconds, warm_up, say):
    """The same with a new process for every sample: the layout of one in memory alone makes it some per cent faster or slower."""
    for number in range(rounds):
        for target, start in rotated(list(zip(targets, starts)), number):
            with start() as target.server:
                target.run(connections, warm_up)
                take(target, connections, number, seconds, say)


def rotated(items, number):
    first = number % len(items)
    return items[first:] + items[:first]


def take(target, connections, number, seconds, say):
    sample = target.run(connections, seconds)
    target.samples[connections].append(sample)
    say(f"  c={connections:<3} round {number + 1} {target.name:<34} {sample['rps']:>9,.0f}/s "
        f"{sample['cpu_us']:>7.1f} µs CPU  p50 {sample['p50_ms']:.3f}  p95 {sample['p95_ms']:.3f} ms")


def ratio(target, base, connections, key):
    """Median over the rounds of target/base, compared inside one round."""
    pairs = zip(target.samples[connections], base.samples[connections])
    return statistics.median(mine[key] / theirs[key] for mine, theirs in pairs)
